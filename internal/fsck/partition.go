package fsck

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/quorumstate"
)

// compactedTopics are those that Kafka itself makes compacted.
var compactedTopics = []string{"__consumer_offsets", "__transaction_state"}

// partition is a partition directory.
type partition struct {
	c     *checker
	dir   string
	name  index.DirName
	named bool // the directory's name is that of a partition
	s     *sink

	files     map[string]bool // names of the files in it
	segments  []*segment      // by base offset
	snapshots []*snapshot     // KRaft snapshots
	producers []producerFile
	pending   atomic.Int64 // tasks that are not done

	epochs     []index.EpochEntry
	epochsRead bool
	quorum     *quorumstate.State
	compacted  bool // the cleaner was here, or the topic is known to be compacted

	// What the log directory and the node need to know.
	present  bool
	topicID  kbin.UUID
	end      int64 // log end offset
	endKnown bool
}

func (c *checker) newPartition(dir string) *partition {
	p := &partition{c: c, dir: dir, s: c.newSink()}
	name, err := index.ParseDirName(filepath.Base(dir))
	p.name, p.named = name, err == nil
	p.compacted = slices.Contains(compactedTopics, p.name.Topic)
	return p
}

// metadata reports whether this is the KRaft log.
func (p *partition) metadata() bool { return p.named && p.name.Topic == index.MetadataTopic }

// has reports whether a file was there when the directory was listed.
func (p *partition) has(name string) bool { return p.files[name] }

func (c *checker) exists(path string) bool {
	_, err := c.fs.Stat(path)
	return err == nil
}

// prepare lists the directory, reads its small files, and makes a task for
// every segment and snapshot.
func (p *partition) prepare() {
	defer func() {
		if p.pending.Load() == 0 {
			p.finish()
		}
	}()
	if p.named {
		checkDirState(p.s, p.dir, p.name)
		if p.name.State == index.DirDelete {
			return // its files go one after the other
		}
	}
	if p.list() {
		p.readFiles()
		p.start()
	}
}

// list sorts the files of the directory.
func (p *partition) list() bool {
	entries, err := p.c.fs.ReadDir(p.dir)
	if err != nil {
		if !gone(err) {
			p.s.add(unreadable(p.dir, err))
		}
		return false
	}
	p.present = true
	p.files = make(map[string]bool, len(entries))
	segments := make(map[int64]*segment)
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		name, path := e.Name(), filepath.Join(p.dir, e.Name())
		p.files[name] = true
		n, ok := checkFileName(p.s, path)
		if !ok {
			continue
		}
		size := int64(0)
		if info, err := e.Info(); err == nil {
			size = info.Size()
		}
		switch n.Kind {
		case index.KindLog, index.KindOffsetIndex, index.KindTimeIndex, index.KindTxnIndex:
			g := segments[n.Offset]
			if g == nil {
				g = &segment{c: p.c, base: n.Offset, topic: p.name.Topic, metadata: p.metadata()}
				segments[n.Offset] = g
			}
			g.assign(n.Kind, path)
			g.size += size
		case index.KindSnapshot:
			x := &snapshot{c: p.c, path: path, offset: n.Offset, epoch: n.Epoch, named: true}
			p.snapshots = append(p.snapshots, x)
			p.task(size, x.check)
		case index.KindProducerSnapshot:
			p.producers = append(p.producers, producerFile{path, n.Offset})
		case index.KindBootstrap:
			if !p.named || p.metadata() {
				p.s.add(Finding{Rule: bootstrapInside, File: path, Position: -1, Offset: -1, Message: "the name stops the node"})
			}
		}
	}
	p.order(segments)
	return true
}

// checkFileName reports names that stop or mislead Kafka, and files that are
// about to go. ok is false if there is nothing more to check.
func checkFileName(s *sink, path string) (n index.FileName, ok bool) {
	name := filepath.Base(path)
	n, err := index.ParseFileName(name)
	switch {
	case err != nil || n.Kind.Segmented() && n.Offset < 0:
		s.add(Finding{Rule: fileName, File: path, Position: -1, Offset: -1, Message: "there is no offset in the name " + name})
		return n, false
	case n.Kind == index.KindUnknown:
		return n, false
	case n.State != index.StateLive:
		leftover(s, path, n.State)
		return n, false
	case n.String() != name:
		f := Finding{Rule: fileNameOdd, File: path, Position: -1, Offset: n.Offset, Message: "Kafka would not write this name"}
		f.Want, f.Got = n.String(), name
		s.add(f)
		return n, false
	}
	return n, true
}

func (g *segment) assign(kind index.Kind, path string) {
	switch kind {
	case index.KindLog:
		g.log = path
	case index.KindOffsetIndex:
		g.offsets = path
	case index.KindTimeIndex:
		g.times = path
	default:
		g.txns = path
	}
}

// order puts the segments in their order, and sorts out indexes without a log.
func (p *partition) order(segments map[int64]*segment) {
	for _, g := range segments {
		if g.log != "" {
			p.segments = append(p.segments, g)
			continue
		}
		for _, path := range []string{g.offsets, g.times, g.txns} {
			if path != "" && p.c.exists(path) {
				p.c.orphan(p.s, path, g.base)
			}
		}
	}
	slices.SortFunc(p.segments, func(a, b *segment) int { return cmp.Compare(a.base, b.base) })
	if n := len(p.segments); n > 0 {
		p.segments[n-1].active = true
	}
}

// readFiles reads the small files, before any of the logs.
func (p *partition) readFiles() {
	const metadataFile = "partition.metadata"
	path := filepath.Join(p.dir, metadataFile)
	switch {
	case p.has(metadataFile):
		if data, ok := p.c.readSmall(p.s, path); ok {
			p.topicID = checkPartitionMetadata(p.s, data, path, p.metadata())
		}
	case p.named && p.name.State == index.DirLive && len(p.segments) > 0:
		p.s.add(Finding{Rule: topicIDMissing, File: p.dir, Position: -1, Offset: -1, Message: "there is no partition.metadata"})
	}
	if p.has(epochFileName) {
		p.epochs, p.epochsRead = p.readEpochs(p.s)
	}
	if p.has(quorumstate.FileName) {
		p.quorum = p.readQuorumState(p.s)
	}
}

// metadataTopicID is the id of __cluster_metadata.
var metadataTopicID = kbin.UUID{15: 1}

func checkPartitionMetadata(s *sink, data []byte, path string, metadata bool) kbin.UUID {
	m, err := index.ParsePartitionMetadata(data, path)
	if err != nil {
		s.add(damage(topicIDBad, path, err))
		return kbin.UUID{}
	}
	if metadata && m.TopicID != metadataTopicID {
		s.add(Finding{Rule: topicIDMetadata, File: path, Position: -1, Offset: -1, Message: "the topic id is " + m.TopicID.String(),
			Want: metadataTopicID.String(), Got: m.TopicID.String()})
	}
	return m.TopicID
}

// start makes the tasks of the segments.
func (p *partition) start() {
	all := p.c.readProducers(p.s, p.producers)
	for i, g := range p.segments {
		low, _ := slices.BinarySearchFunc(all, g.base, func(e expected, base int64) int { return cmp.Compare(e.LastOffset, base) })
		high := len(all)
		if i+1 < len(p.segments) {
			high, _ = slices.BinarySearchFunc(all, p.segments[i+1].base, func(e expected, base int64) int { return cmp.Compare(e.LastOffset, base) })
		}
		g.expect = all[low:high]
		p.task(g.size, g.check)
	}
}

// task makes a task; the last one to end looks at the partition as a whole.
func (p *partition) task(bytes int64, check func() *sink) {
	p.pending.Add(1)
	p.c.later(bytes, func() {
		p.c.emit(check())
		if p.pending.Add(-1) == 0 && p.c.ctx.Err() == nil {
			p.finish()
		}
	})
}

// finish compares the parts of the partition with each other.
func (p *partition) finish() {
	s := p.s
	if p.present {
		h := p.history(s)
		p.checkEpochs(s, h)
		p.checkProducerOffsets(s, h)
		p.checkTransactions(s, h)
		if p.metadata() {
			p.checkSnapshots(s, h)
			p.checkQuorumState(s, h)
		}
		p.end, p.endKnown = h.end, h.endKnown
	}
	p.c.emit(s)
	// All that is large is not needed any more.
	p.segments, p.snapshots, p.producers, p.files, p.epochs = nil, nil, nil, nil, nil
}

// checkProducerOffsets looks for producer snapshots of a longer log.
func (p *partition) checkProducerOffsets(s *sink, h *epochHistory) {
	for _, file := range p.producers {
		if h.endKnown && file.offset > h.end && p.c.exists(file.path) {
			f := Finding{Rule: producerBeyond, File: file.path, Position: -1, Offset: file.offset,
				Message: fmt.Sprintf("the snapshot is of offset %d, the log ends at %d", file.offset, h.end)}
			f.Want, f.Got = "at most "+itoa(h.end), itoa(file.offset)
			s.add(f)
		}
	}
}
