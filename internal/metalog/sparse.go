package metalog

import (
	"sort"

	"kraftctl/decode"
	"kraftctl/decode/index"
)

// point is an entry of the .index file of a segment, with what its .timeindex
// has to say at the same place.
type point struct {
	last     int64 // offset of the last record of the batch
	pos      int64 // where the batch starts
	time     int64 // the latest timestamp up to the batch and with it
	timeLast int64 // offset of the last record of the batch that has it
}

// sparse is the index of a segment, in memory and as it goes to its two files.
// It has Kafka's rule since 4.0: before a batch is added, if more than interval
// bytes were added since the last point, it becomes one.
type sparse struct {
	base     int64 // offset
	interval int64 // in bytes

	points   []point
	since    int64 // bytes since the last point
	time     int64 // as in point, of all batches; -1 if there are none
	timeLast int64

	// What was written to the .timeindex: it gets only later times.
	timed     int64 // entries
	timedLast int64 // time of the last one, -1
}

func newSparse(base, interval int64) sparse {
	return sparse{base: base, interval: interval, time: index.NoTimestamp, timeLast: base, timedLast: index.NoTimestamp}
}

// add notes a batch, and reports whether it became a point.
func (x *sparse) add(b *decode.Batch, pos int64) bool {
	last := b.LastOffset()
	if b.MaxTimestamp > x.time {
		x.time, x.timeLast = b.MaxTimestamp, last
	}
	due := x.since > x.interval
	if due {
		x.points = append(x.points, point{last, pos, x.time, x.timeLast})
		x.since = 0
	}
	x.since += int64(b.Size)
	return due
}

// find gives the position of a batch at or before the one that holds an offset.
func (x *sparse) find(offset int64) int64 {
	i := sort.Search(len(x.points), func(i int) bool { return x.points[i].last > offset })
	if i == 0 {
		return 0
	}
	return x.points[i-1].pos
}

// cut forgets all batches from a position on, and gives the position from which
// they must be added again, as far as they are before it.
func (x *sparse) cut(pos int64) int64 {
	n := sort.Search(len(x.points), func(i int) bool { return x.points[i].pos >= pos })
	// A fresh slice: somebody may be reading the old one's end.
	x.points, x.since = append([]point(nil), x.points[:n]...), 0
	if n == 0 {
		x.time, x.timeLast = index.NoTimestamp, x.base
		return 0
	}
	p := x.points[n-1]
	x.time, x.timeLast = p.time, p.timeLast
	return p.pos // it is a point already, and the bytes since then are counted from it on
}

// appendOffset adds the entry of a point as the .index file has it.
func (x *sparse) appendOffset(dst []byte, p point) ([]byte, error) {
	return index.AppendOffsetEntry(dst, x.base, index.OffsetEntry{Offset: p.last, Position: int32(p.pos)})
}

// appendTime adds an entry as the .timeindex file has it, if the time is later than
// that of the last one.
func (x *sparse) appendTime(dst []byte, time, last int64) ([]byte, error) {
	if time <= x.timedLast {
		return dst, nil
	}
	dst, err := index.AppendTimeEntry(dst, x.base, index.TimeEntry{Timestamp: time, Offset: last})
	if err == nil {
		x.timed++
		x.timedLast = time
	}
	return dst, err
}

// encode gives both files as they are after recovery or a clean stop: with an
// entry for the latest time of all.
func (x *sparse) encode() (offsets, times []byte, err error) {
	x.timed, x.timedLast = 0, index.NoTimestamp
	for _, p := range x.points {
		if offsets, err = x.appendOffset(offsets, p); err != nil {
			return nil, nil, err
		}
		if times, err = x.appendTime(times, p.time, p.timeLast); err != nil {
			return nil, nil, err
		}
	}
	times, err = x.appendTime(times, x.time, x.timeLast)
	return offsets, times, err
}

// room reports whether both indexes have room for what a number of bytes adds.
func (x *sparse) room(bytes, indexBytes int64) bool {
	more := (x.since+bytes)/(x.interval+1) + 1
	// The time index is full one entry early: the last one is for the end.
	return int64(len(x.points))+more <= indexBytes/index.OffsetEntrySize && x.timed+more < indexBytes/index.TimeEntrySize
}
