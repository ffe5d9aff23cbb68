package dumplog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"kraftctl/decode"
	"kraftctl/internal/vfs"
)

// Sizes of the entries of offset and time indexes, in bytes.
const (
	offsetEntrySize = 8
	timeEntrySize   = 12
	// warmEntries is how many entries at the end of an offset index Kafka
	// searches first.
	warmEntries = 8192 / offsetEntrySize
)

// entryFile reads fixed-size entries of an index file at any place. Like
// Kafka it takes the whole file as entries, also the zeros that a file in use
// is padded with.
type entryFile struct {
	f         vfs.File
	path      string
	entrySize int
	length    int64
	entries   int
	base      int64

	page      []byte // cached bytes
	pageStart int64
}

// openEntries opens an index. shown is the path for errors, which Kafka makes absolute.
func openEntries(fsys vfs.FS, path string, entrySize int, base int64) (*entryFile, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	size, err := vfs.Size(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &entryFile{f: f, path: path, entrySize: entrySize, length: size,
		entries: int(size / int64(entrySize)), base: base}, nil
}

func (e *entryFile) Close() error { return e.f.Close() }

// entry gives the bytes of entry i.
func (e *entryFile) entry(i int) ([]byte, error) {
	const pageSize = 64 << 10
	at := int64(i) * int64(e.entrySize)
	if at < e.pageStart || at+int64(e.entrySize) > e.pageStart+int64(len(e.page)) {
		if e.page == nil {
			e.page = make([]byte, 0, pageSize)
		}
		n := min(int64(cap(e.page)), e.length-at)
		e.page, e.pageStart = e.page[:n], at
		if m, err := e.f.ReadAt(e.page, at); m < len(e.page) {
			e.page = e.page[:0]
			return nil, fmt.Errorf("reading %s at %d: %w", e.path, at, err)
		}
	}
	at -= e.pageStart
	return e.page[at : at+int64(e.entrySize)], nil
}

// offsetAt gives entry i of an offset index: the absolute offset and the position.
func (e *entryFile) offsetAt(i int) (offset int64, position int32, err error) {
	b, err := e.entry(i)
	if err != nil {
		return 0, 0, err
	}
	return e.base + int64(int32(binary.BigEndian.Uint32(b))), int32(binary.BigEndian.Uint32(b[4:])), nil
}

// timeAt gives entry i of a time index: the timestamp and the absolute offset.
func (e *entryFile) timeAt(i int) (timestamp, offset int64, err error) {
	b, err := e.entry(i)
	if err != nil {
		return 0, 0, err
	}
	return int64(binary.BigEndian.Uint64(b)), e.base + int64(int32(binary.BigEndian.Uint32(b[8:]))), nil
}

// lookup gives the position of the greatest entry not above the offset, found
// by the same search that a broker does, so that it goes astray in a damaged or
// padded index at the same places.
func (e *entryFile) lookup(target int64) (int32, error) {
	if e.entries == 0 {
		return 0, nil
	}
	hot := max(0, e.entries-1-warmEntries)
	offset, _, err := e.offsetAt(hot)
	if err != nil {
		return 0, err
	}
	low, high := 0, hot
	if offset < target {
		low, high = hot, e.entries-1
	} else if first, _, err := e.offsetAt(0); err != nil || first > target {
		return 0, err
	}
	for low < high {
		middle := int(uint(low+high+1) >> 1)
		offset, position, err := e.offsetAt(middle)
		switch {
		case err != nil:
			return 0, err
		case offset > target:
			high = middle - 1
		case offset < target:
			low = middle
		default:
			return position, nil
		}
	}
	_, position, err := e.offsetAt(low)
	return position, err
}

// sanity is the check that a broker does on start.
func (e *entryFile) offsetSanity() error {
	if e.entries != 0 {
		last, _, err := e.offsetAt(e.entries - 1)
		if err != nil {
			return err
		}
		if last < e.base {
			return exceptionf(classCorruptIndex, "Corrupt index found, index file (%s) has non-zero size but the last offset is %d which is less than the base offset %d.", absolute(e.path), last, e.base)
		}
	}
	if e.length%int64(e.entrySize) != 0 {
		return exceptionf(classCorruptIndex, "Index file %s is corrupt, found %d bytes which is neither positive nor a multiple of %d", absolute(e.path), e.length, e.entrySize)
	}
	return nil
}

func (e *entryFile) timeSanity() error {
	if e.entries != 0 {
		first, _, err := e.timeAt(0)
		if err != nil {
			return err
		}
		last, lastOffset, err := e.timeAt(e.entries - 1)
		if err != nil {
			return err
		}
		if last < first {
			return exceptionf(classCorruptIndex, "Corrupt time index found, time index file (%s) has non-zero size but the last timestamp is %d which is less than the first timestamp %d", absolute(e.path), last, first)
		}
		if lastOffset < e.base {
			return exceptionf(classCorruptIndex, "Corrupt time index found, time index file (%s) has non-zero size but the last offset is %d which is less than the first offset %d", absolute(e.path), lastOffset, e.base)
		}
	}
	if e.length%int64(e.entrySize) != 0 {
		return exceptionf(classCorruptIndex, "Time index file %s is corrupt, found %d bytes which is neither positive nor a multiple of %d", absolute(e.path), e.length, e.entrySize)
	}
	return nil
}

// logFile gives access to single batches of a segment.
type logFile struct {
	f     vfs.File
	path  string // as Kafka's errors name it
	size  int64
	chunk decode.Chunk
}

// openLog opens the segment that belongs to an index file.
func openLog(fsys vfs.FS, indexPath, name string) (*logFile, error) {
	path := filepath.Join(filepath.Dir(absolute(indexPath)), firstPart(name)+".log")
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	size, err := vfs.Size(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &logFile{f: f, path: path, size: size}, nil
}

func (l *logFile) Close() error { return l.f.Close() }

// slice checks a position the way Kafka does before it reads there.
func (l *logFile) slice(position int32) error {
	if position < 0 {
		return exceptionf(classIllegalArgument, "Invalid position: %d in read from FileRecords(size=%d, file=%s, start=0, end=2147483647)", position, l.size, l.path)
	}
	if int64(position) > l.size {
		return exceptionf(classIllegalArgument, "Slice from position %d exceeds end position of FileRecords(size=%d, file=%s, start=0, end=2147483647)", position, l.size, l.path)
	}
	return nil
}

// header reads the fixed part of the entry at a position, whatever is there.
// ok is false when no whole entry lies between position and end.
func (l *logFile) header(position, end int64) (b decode.Batch, ok bool, err error) {
	scan := decode.NewScanner(l.f, l.size, decode.ScanOptions{File: l.path, Start: position, End: end})
	return scan.Header(position)
}

// offsetIndex dumps an .index file and checks it against its segment.
func (k *kafkaRun) offsetIndex(path, name string) error {
	base, err := baseOffset(name)
	if err != nil {
		return err
	}
	maxMessageSize, err := k.o.MaxMessageSize()
	if err != nil {
		return err
	}
	log, err := openLog(k.fs, path, name)
	if err != nil {
		return err
	}
	defer log.Close()
	index, err := openEntries(k.fs, path, offsetEntrySize, base)
	if err != nil {
		return missingIndex(k.fs, path, err)
	}
	defer index.Close()
	if index.length == 0 {
		_, err := io.WriteString(k.out, path+" is empty.\n")
		return err
	}
	if k.o.IndexSanityOnly {
		if err := index.offsetSanity(); err != nil {
			return err
		}
		_, err := io.WriteString(k.out, path+" passed sanity check.\n")
		return err
	}
	out := newLineWriter(k.out)
	for i := range index.entries {
		offset, position, err := index.offsetAt(i)
		if err != nil {
			return out.end(err)
		}
		if offset == base && i > 0 {
			break // the file is padded with zeros from here
		}
		if err := log.slice(position); err != nil {
			return out.end(err)
		}
		if maxMessageSize < 0 {
			return out.end(exceptionf(classIllegalArgument, "Invalid size: %d in read from FileRecords(size=%d, file=%s, start=0, end=2147483647)", maxMessageSize, log.size, log.path))
		}
		b, ok, err := log.header(int64(position), int64(position)+int64(maxMessageSize))
		if err != nil {
			return out.end(err)
		}
		if !ok {
			return out.end(&Exception{Class: classNoSuchElement, NoMessage: true})
		}
		if last := b.LastOffset(); last != offset {
			k.mismatches.add(absolute(path), indexMismatch{offset, last})
		}
		if !k.o.VerifyIndexOnly {
			out.line("offset: ", offset, " position: ", int64(position))
		}
	}
	return out.end(nil)
}

// missingIndex is what Kafka makes of an index file that is not there while its
// segment is: it creates the file, empty, and then fails over its length. Under
// Kafka's name this tool does the same, and nothing else ever writes.
func missingIndex(fsys vfs.FS, path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, cerr := fsys.CreateNew(path, 0o644)
	if cerr != nil {
		return cerr
	}
	if cerr := f.Close(); cerr != nil {
		return cerr
	}
	return &Exception{Class: classIllegalArgument, Message: "Invalid max index size: -1", Err: err}
}

// lineWriter gathers short lines.
type lineWriter struct {
	out io.Writer
	buf []byte
	err error
}

func newLineWriter(out io.Writer) *lineWriter { return &lineWriter{out: out} }

// line prints two labelled numbers.
func (l *lineWriter) line(label1 string, v1 int64, label2 string, v2 int64) {
	l.buf = append(appendLabeled(appendLabeled(l.buf, label1, v1), label2, v2), '\n')
	l.flush(flushSize)
}

func (l *lineWriter) flush(above int) {
	if len(l.buf) > above {
		if _, err := l.out.Write(l.buf); err != nil && l.err == nil {
			l.err = err
		}
		l.buf = l.buf[:0]
	}
}

// end writes what is left and gives err, or what went wrong while writing.
func (l *lineWriter) end(err error) error {
	l.flush(0)
	if err != nil {
		return err
	}
	return l.err
}

// indexSibling is the offset index that belongs to a time index.
func indexSibling(path, name string) string {
	return filepath.Join(filepath.Dir(absolute(path)), strings.TrimSuffix(firstPart(name), ".")+".index")
}
