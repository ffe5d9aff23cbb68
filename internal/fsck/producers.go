package fsck

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// maxExpected bounds the producers of all snapshots of one partition that are
// held against its batches.
const maxExpected = 1 << 17

// producerEntriesStart is where the entries of a producer snapshot start.
const producerEntriesStart = 10

// producerFile is a producer snapshot of a partition.
type producerFile struct {
	path   string
	offset int64 // the first one that is not in it
}

// expected is a batch that the log must have, because a producer snapshot says
// that it is the last one of its producer.
type expected struct {
	index.ProducerState
	file string
	pos  int64 // of the entry
}

// readProducers checks producer snapshots by themselves, and gives the batches
// that they name in the order of their offsets.
func (c *checker) readProducers(s *sink, files []producerFile) []expected {
	var all []expected
	for _, file := range files {
		var list []expected
		// The file is written in place, so that a reader may come too early.
		found, ok := c.settle([]string{file.path}, true, func(s *sink) (err error) {
			list, err = c.readProducerFile(s, file, maxExpected-len(all))
			return err
		})
		if ok {
			all = append(all, list...)
			s.addAll(found.list)
		}
	}
	slices.SortFunc(all, func(a, b expected) int {
		return cmp.Or(cmp.Compare(a.LastOffset, b.LastOffset), cmp.Compare(a.file, b.file), cmp.Compare(a.pos, b.pos))
	})
	return all
}

func (c *checker) readProducerFile(s *sink, file producerFile, room int) (list []expected, err error) {
	f, err := vfs.OpenRegular(c.fs, file.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := vfs.Size(f)
	if err != nil {
		return nil, err
	}
	c.looked(1, size)
	r := index.NewProducerReader(f, size, file.path)
	late := c.newSink() // only to be trusted when the checksum is right
	for pos := int64(producerEntriesStart); ; pos += index.ProducerEntrySize {
		p, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			if n := r.Trailing(); n > 0 {
				s.add(Finding{Rule: producerExtra, File: file.path, Position: size - n, Offset: -1, Message: fmt.Sprintf("%d bytes behind the last entry", n)})
			}
			s.addAll(late.list)
			return list, nil
		case err != nil:
			if ioError(err) == nil {
				s.add(damage(producerBad, file.path, err))
			}
			return nil, ioError(err)
		}
		latest := p.CurrentTxnFirstOffset
		if p.HasBatch() {
			latest = max(latest, p.LastOffset)
			if len(list) < room {
				list = append(list, expected{p, file.path, pos})
			}
		}
		if latest >= file.offset {
			late.add(Finding{Rule: producerOffsets, File: file.path, Position: pos, Offset: latest,
				Message: fmt.Sprintf("producer %d was seen at offset %d, the snapshot is from before %d", p.ProducerID, latest, file.offset),
				Want:    "below " + itoa(file.offset), Got: itoa(latest)})
		}
	}
}

// producerVisitor merges the batches that producer snapshots name with those of
// a segment.
type producerVisitor struct {
	s     *sink
	list  []expected
	later *sink // what compaction would explain
	blind bool
}

func (v *producerVisitor) batch(b *decode.Batch) {
	for len(v.list) > 0 && v.list[0].LastOffset <= b.LastOffset() {
		e := v.list[0]
		v.list = v.list[1:]
		switch {
		case b.Magic < 2:
		case e.LastOffset < b.LastOffset():
			if !v.blind || e.LastOffset >= b.BaseOffset {
				v.later.add(e.missing())
			}
		default:
			e.compare(v.s, b)
		}
	}
	v.blind = false
}

func (e expected) finding(format string, args ...any) Finding {
	return Finding{Rule: producerState, File: e.file, Position: e.pos, Offset: e.LastOffset, Message: fmt.Sprintf(format, args...)}
}

func (e expected) missing() Finding {
	return e.finding("no batch of producer %d ends with offset %d", e.ProducerID, e.LastOffset)
}

func (e expected) compare(s *sink, b *decode.Batch) {
	show := func(producer int64, epoch int16, first, last int32) string {
		return fmt.Sprintf("producer %d, epoch %d, sequence %d to %d", producer, epoch, first, last)
	}
	want := show(b.ProducerID, b.ProducerEpoch, b.BaseSequence, b.LastSequence())
	got := show(e.ProducerID, e.Epoch, e.FirstSequence(), e.LastSequence)
	if want != got {
		f := e.finding("the batch that ends with offset %d is not as the snapshot says", e.LastOffset)
		f.Want, f.Got = want, got
		s.add(f)
	}
}

func (v *producerVisitor) damaged(int64, int64) { v.blind = true }

func (v *producerVisitor) end(int64) {
	for _, e := range v.list {
		if !v.blind {
			v.later.add(e.missing())
		}
	}
}
