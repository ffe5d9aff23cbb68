package index

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// TimeEntrySize is the length of an entry of a .timeindex file in bytes.
const TimeEntrySize = 12

// NoTimestamp is what a lookup gives when no entry is old enough.
const NoTimestamp = -1

// TimeEntry is one entry of a .timeindex file: no record up to Offset has a
// timestamp above Timestamp.
//
//	 0                               8               12
//	┌───────────────────────────────┬───────────────┐
//	│ timestamp                     │ offset - base │  int64 and int32, big-endian
//	└───────────────────────────────┴───────────────┘
//
// An entry is added together with one of the .index file, and one more when the
// segment is rolled or closed, but only if its timestamp is above that of the
// last entry. Padding is as in the .index file. Kafka's name: TimeIndex.
type TimeEntry struct {
	Timestamp int64 // milliseconds since 1970
	Offset    int64 // absolute
}

// AppendTimeEntry adds the encoding of an entry. The error is ErrOffsetRange.
func AppendTimeEntry(dst []byte, base int64, e TimeEntry) ([]byte, error) {
	rel, err := relative(base, e.Offset)
	if err != nil {
		return dst, err
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(e.Timestamp))
	return binary.BigEndian.AppendUint32(dst, uint32(rel)), nil
}

func parseTimeEntry(b []byte, base int64) TimeEntry {
	return TimeEntry{
		Timestamp: int64(binary.BigEndian.Uint64(b)),
		Offset:    base + int64(int32(binary.BigEndian.Uint32(b[8:]))),
	}
}

// TimeReader gives the entries of a .timeindex file in the order in which they
// stand there, padding included.
type TimeReader struct {
	entries entryReader
	base    int64
}

// NewTimeReader reads the .timeindex file of the segment with the given base
// offset. file is for messages only.
func NewTimeReader(r io.Reader, base int64, file string) *TimeReader {
	return &TimeReader{newEntryReader(r, TimeEntrySize, file), base}
}

// Next gives the next entry, io.EOF after the last one, and a *CorruptError
// around ErrPartialEntry in place of io.EOF if bytes are left over.
func (r *TimeReader) Next() (TimeEntry, error) {
	b, _, err := r.entries.next()
	if err != nil {
		return TimeEntry{}, err
	}
	return parseTimeEntry(b, r.base), nil
}

// TimeIndex is a view of a .timeindex file, in all as OffsetIndex.
type TimeIndex struct {
	t    table
	base int64
}

// OpenTimeIndex looks at a file of the given size, which belongs to the segment
// with the given base offset, and finds out where its padding starts. It checks
// nothing; errors are those of r.
func OpenTimeIndex(r io.ReaderAt, size, base int64, file string) (*TimeIndex, error) {
	x := &TimeIndex{table{r: r, file: file, entry: TimeEntrySize, size: size}, base}
	if err := x.t.open(); err != nil {
		return nil, err
	}
	return x, nil
}

// Base is the base offset of the segment.
func (x *TimeIndex) Base() int64 { return x.base }

// Len is the number of entries that fit into the file, which a broker takes for
// the number of entries.
func (x *TimeIndex) Len() int64 { return x.t.len() }

// Used is the number of entries before the padding: up to the last one that is
// not all zeros. A segment whose records all have timestamp 0 may have one
// entry of zeros (if it starts with its latest record), which is not counted;
// nothing tells it from padding, and a lookup does not miss it.
func (x *TimeIndex) Used() int64 { return x.t.used }

// Padded reports whether the file ends in entries of zeros.
func (x *TimeIndex) Padded() bool { return x.t.used < x.t.len() }

// Entry gives entry i, counted from 0; io.EOF from Len on.
func (x *TimeIndex) Entry(i int64) (TimeEntry, error) {
	var b [TimeEntrySize]byte
	if err := x.t.at(i, b[:]); err != nil {
		return TimeEntry{}, err
	}
	return parseTimeEntry(b[:], x.base), nil
}

// Entries reads the used entries from the first on.
func (x *TimeIndex) Entries() *TimeReader {
	return NewTimeReader(x.t.section(), x.base, x.t.file)
}

// Lookup gives the last used entry at or before a time, or NoTimestamp and the
// base offset.
func (x *TimeIndex) Lookup(timestamp int64) (TimeEntry, error) {
	var b [TimeEntrySize]byte
	i, err := x.t.search(b[:], func() bool { return parseTimeEntry(b[:], x.base).Timestamp > timestamp })
	if err != nil {
		return TimeEntry{}, err
	}
	if i < 0 {
		return TimeEntry{Timestamp: NoTimestamp, Offset: x.base}, nil
	}
	return x.Entry(i)
}

// SanityCheck is that of a starting broker, in its order: the last of Len
// entries is not before the first and not below the base offset, and the length
// is a multiple of the entry size. A padded file with a used entry fails, which
// is how a broker notices that it crashed and the index must be rebuilt.
func (x *TimeIndex) SanityCheck() error {
	if n := x.Len(); n > 0 {
		first, err := x.Entry(0)
		if err != nil {
			return err
		}
		last, err := x.Entry(n - 1)
		if err != nil {
			return err
		}
		pos := (n - 1) * TimeEntrySize
		if last.Timestamp < first.Timestamp {
			return outOfOrder(x.t.file, pos, "last timestamp", "at least", first.Timestamp, last.Timestamp)
		}
		if last.Offset < x.base {
			return belowBase(x.t.file, pos+8, "last offset", x.base, last.Offset)
		}
	}
	return x.t.partial()
}

// Verify checks that the used entries are what a broker writes (timestamps of 0
// or more that grow strictly, offsets at or above the base that do not fall) and
// that the length is a multiple of the entry size. It reports the first damage.
func (x *TimeIndex) Verify() error {
	r := x.Entries()
	prev := TimeEntry{Timestamp: NoTimestamp, Offset: math.MinInt64}
	for pos := int64(0); ; pos += TimeEntrySize {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return x.t.partial()
		case err != nil:
			return err
		case e.Timestamp <= prev.Timestamp:
			return outOfOrder(x.t.file, pos, "timestamp of an entry", "above", prev.Timestamp, e.Timestamp)
		case e.Offset < x.base:
			return belowBase(x.t.file, pos+8, "offset of an entry", x.base, e.Offset)
		case e.Offset < prev.Offset:
			return outOfOrder(x.t.file, pos+8, "offset of an entry", "at least", prev.Offset, e.Offset)
		}
		prev = e
	}
}
