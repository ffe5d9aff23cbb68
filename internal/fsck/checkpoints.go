package fsck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kraftctl/decode/index"
)

// topicPartition names a partition.
type topicPartition struct {
	topic     string
	partition int32
}

func (t topicPartition) String() string { return t.topic + "-" + itoa(t.partition) }

// checkpointFile is one of the offset checkpoints of a log directory.
type checkpointFile struct {
	path    string
	kind    index.Kind
	offsets map[topicPartition]int64
}

// readCheckpoint checks an offset checkpoint by itself; nil if there is nothing
// to compare.
func (c *checker) readCheckpoint(s *sink, path string, kind index.Kind) *checkpointFile {
	data, ok := c.readSmall(s, path)
	if !ok {
		return nil
	}
	list, err := index.ParseOffsetCheckpoint(data, path)
	if err != nil {
		s.add(damage(checkpointBad, path, err))
		return nil
	}
	f := &checkpointFile{path, kind, make(map[topicPartition]int64, len(list))}
	for _, e := range list {
		key := topicPartition{e.Topic, e.Partition}
		if e.Offset < 0 {
			s.add(Finding{Rule: checkpointBad, File: path, Position: -1, Offset: e.Offset,
				Message: "negative offset of " + key.String(), Want: "at least 0", Got: itoa(e.Offset)})
			continue
		}
		f.offsets[key] = e.Offset
	}
	return f
}

// beyond says what it means when a checkpoint's offset is behind the end of the log.
var beyond = map[index.Kind]struct {
	rule ID
	what string
}{
	index.KindReplicationOffsets:   {highWatermark, "high watermark"},
	index.KindRecoveryPointOffsets: {recoveryPoint, "recovery point"},
	index.KindLogStartOffsets:      {logStart, "log start offset"},
	index.KindCleanerOffsets:       {cleanerOffset, "cleaner offset"},
}

// compareCheckpoint holds a checkpoint against the partitions of its directory.
// On a running node the file is read once more before anything is said: it must
// say the same after the logs were read as it did before.
func (d *logDir) compareCheckpoint(f *checkpointFile) {
	live := make(map[topicPartition]*partition)
	known := make(map[topicPartition]bool)
	recreated := make(map[topicPartition]bool)
	for _, p := range d.partitions {
		key := topicPartition{p.name.Topic, p.name.Partition}
		known[key] = true
		if p.name.State == index.DirLive {
			live[key] = p
		}
		// The old one is on its way out, and may be the one in the checkpoint.
		recreated[key] = recreated[key] || p.name.State == index.DirDelete
	}
	keys := slices.SortedFunc(maps.Keys(f.offsets), func(a, b topicPartition) int {
		return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition))
	})
	found := make(map[topicPartition]Finding)
	for _, key := range keys {
		offset := f.offsets[key]
		x := Finding{File: f.path, Position: -1, Offset: offset}
		p := live[key]
		switch {
		case !known[key]:
			x.Rule, x.Message = checkpointUnknown, key.String()+" is not in this directory"
		case p != nil && p.endKnown && offset > p.end && !recreated[key]:
			b := beyond[f.kind]
			x.Rule, x.Message = b.rule, fmt.Sprintf("the %s of %s is %d, its log ends at %d", b.what, key, offset, p.end)
			x.Want, x.Got = "at most "+itoa(p.end), itoa(offset)
		default:
			continue
		}
		found[key] = x
	}
	if len(found) == 0 {
		return
	}
	again := d.c.readCheckpoint(d.c.newSink(), f.path, f.kind)
	if again == nil {
		return
	}
	for _, key := range keys {
		if x, ok := found[key]; ok {
			if offset, ok := again.offsets[key]; ok && offset == x.Offset {
				if x.Rule == checkpointUnknown {
					d.s.once(x)
				} else {
					d.s.add(x)
				}
			}
		}
	}
}
