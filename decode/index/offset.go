package index

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// OffsetEntrySize is the length of an entry of an .index file in bytes.
const OffsetEntrySize = 8

// OffsetEntry is one entry of an .index file: the batch that ends with Offset
// starts at Position.
//
//	 0               4               8
//	┌───────────────┬───────────────┐
//	│ offset - base │ position      │  two int32, big-endian; base is the
//	└───────────────┴───────────────┘  base offset of the segment
//
// A broker adds an entry before appending a batch if more than
// index.interval.bytes (4096) were appended since the last one: the last offset
// of that batch and the place where it starts. Offsets and positions grow
// strictly. The file of an active segment is filled up with zeros to
// segment.index.bytes (10 MiB); rolling the segment cuts them off, and so does a
// clean shutdown, but not that of the KRaft log. Kafka's name: OffsetIndex.
type OffsetEntry struct {
	Offset   int64 // absolute
	Position int32 // bytes from the start of the .log file
}

// AppendOffsetEntry adds the encoding of an entry. The error is ErrOffsetRange.
func AppendOffsetEntry(dst []byte, base int64, e OffsetEntry) ([]byte, error) {
	rel, err := relative(base, e.Offset)
	if err != nil {
		return dst, err
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(rel))
	return binary.BigEndian.AppendUint32(dst, uint32(e.Position)), nil
}

// relative gives the four bytes that stand for an offset.
func relative(base, offset int64) (int32, error) {
	rel := offset - base
	// The subtraction overflows only if the signs differ.
	if (rel < 0) != (offset < base) || rel < 0 || rel > math.MaxInt32 {
		return 0, rangeError(base, offset)
	}
	return int32(rel), nil
}

func parseOffsetEntry(b []byte, base int64) OffsetEntry {
	return OffsetEntry{
		Offset:   base + int64(int32(binary.BigEndian.Uint32(b))),
		Position: int32(binary.BigEndian.Uint32(b[4:])),
	}
}

// OffsetReader gives the entries of an .index file in the order in which they
// stand there, padding included: all that Kafka takes for entries.
type OffsetReader struct {
	entries entryReader
	base    int64
}

// NewOffsetReader reads the .index file of the segment with the given base
// offset. file is for messages only.
func NewOffsetReader(r io.Reader, base int64, file string) *OffsetReader {
	return &OffsetReader{newEntryReader(r, OffsetEntrySize, file), base}
}

// Next gives the next entry, io.EOF after the last one, and a *CorruptError
// around ErrPartialEntry in place of io.EOF if bytes are left over.
func (r *OffsetReader) Next() (OffsetEntry, error) {
	b, _, err := r.entries.next()
	if err != nil {
		return OffsetEntry{}, err
	}
	return parseOffsetEntry(b, r.base), nil
}

// OffsetIndex is a view of an .index file. It holds no entries in memory and may
// be used by several goroutines if its io.ReaderAt may.
type OffsetIndex struct {
	t    table
	base int64
}

// OpenOffsetIndex looks at a file of the given size, which belongs to the
// segment with the given base offset, and finds out where its padding starts.
// It checks nothing; errors are those of r.
func OpenOffsetIndex(r io.ReaderAt, size, base int64, file string) (*OffsetIndex, error) {
	x := &OffsetIndex{table{r: r, file: file, entry: OffsetEntrySize, size: size}, base}
	if err := x.t.open(); err != nil {
		return nil, err
	}
	return x, nil
}

// Base is the base offset of the segment.
func (x *OffsetIndex) Base() int64 { return x.base }

// Len is the number of entries that fit into the file. This is what a broker
// takes for the number of entries of a file that it finds.
func (x *OffsetIndex) Len() int64 { return x.t.len() }

// Used is the number of entries before the padding: up to the last one that is
// not all zeros. (An entry of zeros is not written by any broker.)
func (x *OffsetIndex) Used() int64 { return x.t.used }

// Padded reports whether the file ends in entries of zeros.
func (x *OffsetIndex) Padded() bool { return x.t.used < x.t.len() }

// Entry gives entry i, counted from 0; io.EOF from Len on.
func (x *OffsetIndex) Entry(i int64) (OffsetEntry, error) {
	var b [OffsetEntrySize]byte
	if err := x.t.at(i, b[:]); err != nil {
		return OffsetEntry{}, err
	}
	return parseOffsetEntry(b[:], x.base), nil
}

// Entries reads the used entries from the first on.
func (x *OffsetIndex) Entries() *OffsetReader {
	return NewOffsetReader(x.t.section(), x.base, x.t.file)
}

// Lookup gives the place from which to read the log for an offset: the last used
// entry at or below it, or the base offset and position 0.
func (x *OffsetIndex) Lookup(offset int64) (OffsetEntry, error) {
	var b [OffsetEntrySize]byte
	i, err := x.t.search(b[:], func() bool { return parseOffsetEntry(b[:], x.base).Offset > offset })
	if err != nil {
		return OffsetEntry{}, err
	}
	if i < 0 {
		return OffsetEntry{Offset: x.base}, nil
	}
	return x.Entry(i)
}

// SanityCheck is that of a starting broker: the last of Len entries is not below
// the base offset, and the length is a multiple of the entry size.
func (x *OffsetIndex) SanityCheck() error {
	if n := x.Len(); n > 0 {
		last, err := x.Entry(n - 1)
		if err != nil {
			return err
		}
		if last.Offset < x.base {
			return belowBase(x.t.file, (n-1)*OffsetEntrySize, "last offset", x.base, last.Offset)
		}
	}
	return x.t.partial()
}

func belowBase(file string, pos int64, what string, base, got int64) error {
	return &CorruptError{File: file, Pos: pos, What: what, Want: "at least " + itoa(base), Got: itoa(got), Err: ErrBelowBase}
}

// Verify checks that the used entries are what a broker writes (offsets at or
// above the base and growing strictly, and so the positions) and that the length
// is a multiple of the entry size. It reports the first damage.
func (x *OffsetIndex) Verify() error {
	r := x.Entries()
	prev := OffsetEntry{Offset: math.MinInt64, Position: -1}
	for pos := int64(0); ; pos += OffsetEntrySize {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return x.t.partial()
		case err != nil:
			return err
		case e.Offset < x.base:
			return belowBase(x.t.file, pos, "offset of an entry", x.base, e.Offset)
		case e.Offset <= prev.Offset:
			return outOfOrder(x.t.file, pos, "offset of an entry", "above", prev.Offset, e.Offset)
		case e.Position <= prev.Position:
			return outOfOrder(x.t.file, pos+4, "position of an entry", "above", int64(prev.Position), int64(e.Position))
		}
		prev = e
	}
}

func outOfOrder(file string, pos int64, what, relation string, prev, got int64) error {
	return &CorruptError{File: file, Pos: pos, What: what, Want: relation + " " + itoa(prev), Got: itoa(got), Err: ErrOrder}
}
