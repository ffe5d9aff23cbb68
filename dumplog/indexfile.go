package dumplog

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// warmEntries is how many entries at the end of an offset index Kafka searches first.
const warmEntries = 8192 / index.OffsetEntrySize

// indexFile is an open index. Like Kafka it takes the whole file as entries,
// also the zeros that a file in use is padded with.
type indexFile struct {
	vfs.File
	path   string
	base   int64
	length int64
}

func openIndex(fsys vfs.FS, path string, base int64) (*indexFile, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	size, err := vfs.Size(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &indexFile{File: f, path: path, base: base, length: size}, nil
}

func (x *indexFile) reader() io.Reader { return io.NewSectionReader(x.File, 0, x.length) }

// lookup gives the position of the greatest entry not above the offset, found
// by the same search that a broker does, so that it goes astray in a damaged or
// padded index at the same places.
func lookup(x *index.OffsetIndex, target int64) (int32, error) {
	if x.Len() == 0 {
		return 0, nil
	}
	hot := max(0, x.Len()-1-warmEntries)
	e, err := x.Entry(hot)
	if err != nil {
		return 0, err
	}
	low, high := int64(0), hot
	if e.Offset < target {
		low, high = hot, x.Len()-1
	} else if first, err := x.Entry(0); err != nil || first.Offset > target {
		return 0, err
	}
	for low < high {
		middle := (low + high + 1) / 2
		e, err := x.Entry(middle)
		switch {
		case err != nil:
			return 0, err
		case e.Offset > target:
			high = middle - 1
		case e.Offset < target:
			low = middle
		default:
			return e.Position, nil
		}
	}
	e, err = x.Entry(low)
	return e.Position, err
}

// offsetSanity is the check of an offset index that a broker does on start.
func (x *indexFile) offsetSanity() error {
	whole, err := index.OpenOffsetIndex(x.File, x.length, x.base, x.path)
	if err != nil {
		return err
	}
	if n := whole.Len(); n > 0 {
		last, err := whole.Entry(n - 1)
		if err != nil {
			return err
		}
		if last.Offset < x.base {
			return exceptionf(classCorruptIndex, "Corrupt index found, index file (%s) has non-zero size but the last offset is %d which is less than the base offset %d.", absolute(x.path), last.Offset, x.base)
		}
	}
	if x.length%index.OffsetEntrySize != 0 {
		return exceptionf(classCorruptIndex, "Index file %s is corrupt, found %d bytes which is neither positive nor a multiple of %d", absolute(x.path), x.length, index.OffsetEntrySize)
	}
	return nil
}

// timeSanity is the check of a time index that a broker does on start.
func (x *indexFile) timeSanity() error {
	whole, err := index.OpenTimeIndex(x.File, x.length, x.base, x.path)
	if err != nil {
		return err
	}
	if n := whole.Len(); n > 0 {
		first, err := whole.Entry(0)
		if err != nil {
			return err
		}
		last, err := whole.Entry(n - 1)
		if err != nil {
			return err
		}
		if last.Timestamp < first.Timestamp {
			return exceptionf(classCorruptIndex, "Corrupt time index found, time index file (%s) has non-zero size but the last timestamp is %d which is less than the first timestamp %d", absolute(x.path), last.Timestamp, first.Timestamp)
		}
		if last.Offset < x.base {
			return exceptionf(classCorruptIndex, "Corrupt time index found, time index file (%s) has non-zero size but the last offset is %d which is less than the first offset %d", absolute(x.path), last.Offset, x.base)
		}
	}
	if x.length%index.TimeEntrySize != 0 {
		return exceptionf(classCorruptIndex, "Time index file %s is corrupt, found %d bytes which is neither positive nor a multiple of %d", absolute(x.path), x.length, index.TimeEntrySize)
	}
	return nil
}

// endOfEntries reports whether an index is used up: Kafka ignores a part of an entry at its end.
func endOfEntries(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, index.ErrPartialEntry)
}

// logFile gives access to single batches of a segment.
type logFile struct {
	f    vfs.File
	path string // as Kafka's errors name it
	size int64
	scan *decode.Scanner
}

// openLog opens the segment that belongs to an index file.
func openLog(fsys vfs.FS, indexPath, name string) (*logFile, error) {
	path := sibling(indexPath, name, ".log")
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
	if position >= end-decode.HeaderUpToMagic {
		return b, false, nil
	}
	if l.scan == nil {
		l.scan = decode.NewScanner(l.f, l.size, decode.ScanOptions{File: l.path})
	}
	b, ok, err = l.scan.Header(position)
	return b, ok && position <= end-int64(b.Size), err
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
	x, err := openIndex(k.fs, path, base)
	if err != nil {
		return missingIndex(k.fs, path, err)
	}
	defer x.Close()
	if x.length < index.OffsetEntrySize {
		_, err := io.WriteString(k.out, path+" is empty.\n")
		return err
	}
	if k.o.IndexSanityOnly {
		if err := x.offsetSanity(); err != nil {
			return err
		}
		_, err := io.WriteString(k.out, path+" passed sanity check.\n")
		return err
	}
	out := newLineWriter(k.out)
	entries := index.NewOffsetReader(x.reader(), base, path)
	for first := true; ; first = false {
		e, err := entries.Next()
		if endOfEntries(err) || e.Offset == base && !first {
			break // what follows is padding
		}
		if err != nil {
			return out.end(err)
		}
		if err := log.slice(e.Position); err != nil {
			return out.end(err)
		}
		if maxMessageSize < 0 {
			return out.end(exceptionf(classIllegalArgument, "Invalid size: %d in read from FileRecords(size=%d, file=%s, start=0, end=2147483647)", maxMessageSize, log.size, log.path))
		}
		b, ok, err := log.header(int64(e.Position), int64(e.Position)+int64(maxMessageSize))
		if err != nil {
			return out.end(err)
		}
		if !ok {
			return out.end(&Exception{Class: classNoSuchElement, NoMessage: true})
		}
		if last := b.LastOffset(); last != e.Offset {
			k.mismatches.add(absolute(path), indexMismatch{e.Offset, last})
		}
		if !k.o.VerifyIndexOnly {
			out.line("offset: ", e.Offset, " position: ", int64(e.Position))
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

// sibling is the path of another file of the segment that a file belongs to.
func sibling(path, name, extension string) string {
	abs := absolute(path)
	return abs[:strings.LastIndexByte(abs, '/')+1] + firstPart(name) + extension
}
