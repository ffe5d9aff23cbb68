package index

import (
	"errors"
	"io"
)

// chunk is the size of the buffers used for reading, in bytes.
const chunk = 32 << 10

// entryReader cuts a stream into entries of one size.
type entryReader struct {
	r    io.Reader
	file string
	size int
	buf  []byte
	data []byte // read and not given out yet; part of buf
	pos  int64  // of data in the file
	err  error
}

func newEntryReader(r io.Reader, size int, file string) entryReader {
	return entryReader{r: r, file: file, size: size}
}

// next gives the bytes of the next entry, valid until the call after it, and
// their position. At the end it gives io.EOF, or damage if a part of an entry
// is left; errors stay.
func (r *entryReader) next() ([]byte, int64, error) {
	for len(r.data) < r.size && r.err == nil {
		r.fill()
	}
	if r.err != nil && len(r.data) < r.size {
		return nil, r.pos, r.err
	}
	entry, pos := r.data[:r.size], r.pos
	r.data, r.pos = r.data[r.size:], r.pos+int64(r.size)
	return entry, pos, nil
}

// fill reads at least one byte or sets err.
func (r *entryReader) fill() {
	if r.buf == nil {
		r.buf = make([]byte, chunk/r.size*r.size)
	}
	kept := copy(r.buf, r.data)
	n, err := io.ReadAtLeast(r.r, r.buf[kept:], 1)
	r.data = r.buf[:kept+n]
	switch {
	case err == nil:
	case !errors.Is(err, io.EOF):
		r.err = err
	case len(r.data) > 0:
		r.err = partialEntry(r.file, r.pos, len(r.data), r.size)
	default:
		r.err = io.EOF
	}
}

// partialEntry is the damage of n bytes at pos that are not a whole entry.
func partialEntry(file string, pos int64, n, size int) error {
	return &CorruptError{File: file, Pos: pos, What: "last entry", Want: itoa(size) + " bytes", Got: itoa(n), Err: ErrPartialEntry}
}

// table is a file of entries of one size, seen through an io.ReaderAt.
type table struct {
	r     io.ReaderAt
	file  string
	entry int64 // size of an entry
	size  int64 // of the file
	used  int64 // entries before the padding
}

// open finds the padding: it reads the file from its end to the last byte that
// is not zero.
func (t *table) open() error {
	whole := t.size / t.entry * t.entry
	buf := make([]byte, min(chunk, whole))
	for end := whole; end > 0; {
		start := max(0, end-chunk)
		part := buf[:end-start]
		if n, err := t.r.ReadAt(part, start); n < len(part) {
			return readError(err)
		}
		for i := len(part) - 1; i >= 0; i-- {
			if part[i] != 0 {
				t.used = (start+int64(i))/t.entry + 1
				return nil
			}
		}
		end = start
	}
	return nil
}

// readError turns a short read into the error that it is: the file was shorter
// than its size said.
func readError(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (t *table) len() int64 { return t.size / t.entry }

// at reads entry i into buf.
func (t *table) at(i int64, buf []byte) error {
	if i < 0 || i >= t.len() {
		return io.EOF
	}
	if n, err := t.r.ReadAt(buf, i*t.entry); n < len(buf) {
		return readError(err)
	}
	return nil
}

// partial is the damage of a length that is no multiple of the entry size.
func (t *table) partial() error {
	if rest := int(t.size % t.entry); rest != 0 {
		return partialEntry(t.file, t.size-int64(rest), rest, int(t.entry))
	}
	return nil
}

// section gives the entries before the padding as a stream.
func (t *table) section() io.Reader { return io.NewSectionReader(t.r, 0, t.used*t.entry) }

// search finds the last used entry for which beyond is false, -1 if there is
// none; beyond must be false for a number of entries and true for the rest.
func (t *table) search(buf []byte, beyond func() bool) (int64, error) {
	low, high := int64(-1), t.used // beyond is false at low and true at high
	for high-low > 1 {
		mid := low + (high-low)/2
		if err := t.at(mid, buf); err != nil {
			return 0, err
		}
		if beyond() {
			high = mid
		} else {
			low = mid
		}
	}
	return low, nil
}
