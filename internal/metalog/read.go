package metalog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

// window is how many bytes are read at once to find a batch by its offset.
const window = 8 << 10

// Read adds whole batches to dst, beginning with the one that holds the offset
// from, and at least that one, however large it is. More follow as long as they
// are within maxBytes and in the same segment. At the end of the log there are
// none. The error is a *RangeError for an offset that the log does not have, a
// *corrupt.Error for bytes that have changed since they were written.
//
// Read may run while others append. After a failed write it gives only what is
// flushed.
func (l *Log) Read(dst []byte, from int64, maxBytes int) ([]byte, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	end := l.end
	switch {
	case l.failed == ErrClosed:
		return dst, l.failed
	case l.failed != nil:
		end = l.flushed
	}
	if from < l.start || from > end {
		return dst, &RangeError{from, l.start, end}
	}
	if from == end {
		return dst, nil
	}
	return l.segments[l.holder(from)].read(dst, from, end, maxBytes)
}

// holder gives the number of the segment that an offset of the log is in. It is
// called with mu held.
func (l *Log) holder(offset int64) int {
	return sort.Search(len(l.segments), func(i int) bool { return l.segments[i].base > offset }) - 1
}

// read adds batches of the segment, which must have the offset from, below end.
func (s *segment) read(dst []byte, from, end int64, maxBytes int) ([]byte, error) {
	pos, first, _, err := s.locate(from)
	if err != nil {
		return dst, err
	}
	before := len(dst)
	n := min(max(int64(maxBytes), first), s.size-pos)
	dst = slices.Grow(dst, int(n))
	raw := dst[before : before+int(n)]
	if err := s.readFull(raw, pos); err != nil {
		return dst, err
	}
	kept := 0
	for next := from; next < end; {
		size, base, _, ok := header(raw[kept:])
		if !ok || size > int64(len(raw)-kept) {
			break // beyond maxBytes
		}
		b, err := decode.ParseBatch(raw[kept:], pos+int64(kept))
		if err == nil {
			err = whole(&b)
		}
		if err == nil && (kept > 0 && base != next || b.LastOffset() < next) {
			err = s.lost(b.Position, next)
		}
		if err != nil {
			return dst, inFile(err, s.path)
		}
		kept += b.Size
		next = b.NextOffset()
	}
	return dst[:before+kept], nil
}

// locate gives the position and size of the batch that holds an offset, and its
// base offset.
func (s *segment) locate(offset int64) (pos, size, base int64, err error) {
	buf := make([]byte, window)
	have := buf[:0] // what of the file from pos on was read
	for pos = s.find(offset); s.size-pos >= decode.BatchHeaderSize; pos += size {
		if len(have) < decode.BatchHeaderSize {
			have = buf[:min(window, s.size-pos)]
			if err := s.readFull(have, pos); err != nil {
				return 0, 0, 0, err
			}
		}
		var last int64
		size, base, last, _ = header(have)
		switch {
		case size < decode.BatchHeaderSize || size > s.size-pos || base > offset:
			return 0, 0, 0, s.lost(pos, offset)
		case last >= offset:
			return pos, size, base, nil
		}
		have = have[min(size, int64(len(have))):]
	}
	return 0, 0, 0, s.lost(pos, offset)
}

// header gives the size and the offsets of the batch at the start of raw; ok is
// false if its fixed part is not all there.
func header(raw []byte) (size, base, last int64, ok bool) {
	if len(raw) < decode.BatchHeaderSize {
		return 0, 0, 0, false
	}
	be := binary.BigEndian
	base = int64(be.Uint64(raw))
	return decode.LogOverhead + int64(be.Uint32(raw[8:])), base, base + int64(int32(be.Uint32(raw[23:]))), true
}

// inFile gives damage that was found in bytes of a file its name.
func inFile(err error, path string) error {
	var damage *corrupt.Error
	if errors.As(err, &damage) {
		damage.File = path
	}
	return err
}

// lost is the damage of a segment that should have an offset.
func (s *segment) lost(pos, offset int64) error {
	return &corrupt.Error{File: s.path, Pos: pos, What: "batch", Want: fmt.Sprintf("one that leads to offset %d", offset), Got: "another"}
}

// readFull reads bytes that were written, and so must be there.
func (s *segment) readFull(p []byte, pos int64) error {
	n, err := s.file.ReadAt(p, pos)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = &corrupt.Error{File: s.path, Pos: pos + int64(n), What: "end of the segment", Want: fmt.Sprint(s.size), Got: fmt.Sprint(pos + int64(n))}
	}
	return err
}
