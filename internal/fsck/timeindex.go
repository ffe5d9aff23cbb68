package fsck

import (
	"fmt"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// timeIndexVisitor merges a .timeindex file with the batches of its segment.
type timeIndexVisitor struct {
	indexFile
	r   *index.TimeReader
	err error

	read  int64
	entry index.TimeEntry
	pos   int64
	have  bool
	prev  index.TimeEntry

	next   int64 // offset behind the last batch
	latest int64 // timestamp of the batches so far
	blind  bool  // behind damage: offsets may be in what was lost
}

func newTimeIndexVisitor(x indexFile, base int64, active bool) (*timeIndexVisitor, error) {
	size, err := vfs.Size(x.f)
	if err != nil {
		return nil, err
	}
	view, err := index.OpenTimeIndex(x.f, size, base, x.file)
	if err != nil {
		return nil, err
	}
	x.shape(size, view.Used(), view.Len(), index.TimeEntrySize, active)
	v := &timeIndexVisitor{indexFile: x, r: view.Entries(), next: base, latest: index.NoTimestamp,
		prev: index.TimeEntry{Timestamp: index.NoTimestamp, Offset: base}}
	v.pull()
	return v, nil
}

// pull reads the next entry that is in order.
func (v *timeIndexVisitor) pull() {
	for v.have = false; !v.have; {
		e, err := v.r.Next()
		if err != nil {
			v.err = ioError(err)
			return
		}
		pos := v.read * index.TimeEntrySize
		v.read++
		if e.Timestamp <= v.prev.Timestamp || e.Offset < v.prev.Offset {
			f := v.at(timeOrder, pos, e.Offset, "entry for time %d and offset %d is not beyond the one before it", e.Timestamp, e.Offset)
			f.Want = fmt.Sprintf("time above %d, offset from %d", v.prev.Timestamp, v.prev.Offset)
			f.Got = fmt.Sprintf("time %d, offset %d", e.Timestamp, e.Offset)
			v.s.add(f)
			continue
		}
		v.entry, v.pos, v.have, v.prev = e, pos, true, e
	}
}

func (v *timeIndexVisitor) batch(b *decode.Batch) {
	first := b.BaseOffset
	if b.Magic < 2 {
		first = min(first, v.next) // the offset of a message set is that of its last message
	}
	for v.have && v.entry.Offset <= b.LastOffset() {
		if v.entry.Offset < first {
			if !v.blind {
				v.s.add(v.at(timeOffset, v.pos, v.entry.Offset, "offset %d is in no batch; the next one starts at %d", v.entry.Offset, first))
			}
		} else {
			v.compare(b)
		}
		v.pull()
	}
	v.latest = max(v.latest, b.MaxTimestamp)
	v.next, v.blind = b.NextOffset(), false
}

func (v *timeIndexVisitor) compare(b *decode.Batch) {
	var f Finding
	switch {
	case v.entry.Timestamp != b.MaxTimestamp:
		f = v.at(timeTimestamp, v.pos, v.entry.Offset, "the entry's time is %d, the latest in the batch with offset %d is %d",
			v.entry.Timestamp, v.entry.Offset, b.MaxTimestamp)
		f.Want, f.Got = itoa(b.MaxTimestamp), itoa(v.entry.Timestamp)
	case v.latest > v.entry.Timestamp:
		f = v.at(timeNotMax, v.pos, v.entry.Offset, "the entry's time is %d, but %d came before offset %d",
			v.entry.Timestamp, v.latest, v.entry.Offset)
		f.Want, f.Got = itoa(v.latest), itoa(v.entry.Timestamp)
	case v.entry.Offset != b.LastOffset():
		v.s.once(v.at(timeInner, v.pos, v.entry.Offset, "offset %d is not the last of its batch, which is %d", v.entry.Offset, b.LastOffset()))
		return
	default:
		return
	}
	v.s.add(f)
}

func (v *timeIndexVisitor) damaged(int64, int64) { v.blind = true }

func (v *timeIndexVisitor) end(int64) {
	for v.have {
		if !v.blind {
			f := v.at(timePastEnd, v.pos, v.entry.Offset, "the log ends before offset %d", v.entry.Offset)
			f.Want, f.Got = "below "+itoa(v.next), itoa(v.entry.Offset)
			v.s.add(f)
		}
		v.pull()
	}
}
