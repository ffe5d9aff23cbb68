package metalog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// filePerm are the permissions of what Kafka leaves to be written again.
const filePerm = 0o644

// segment is a segment of a Log.
type segment struct {
	sparse
	path string
	file vfs.File
	size int64 // bytes of whole batches
	next int64 // offset behind the last batch

	// The age of a segment is that of its first batch, by its timestamp; of its file
	// if the batch has none.
	first   int64 // latest timestamp of the first batch, -1
	created int64 // by the wall clock

	offsets, times vfs.File // of the segment that is written to
}

func newSegment(dir string, base int64, o *LogOptions) *segment {
	return &segment{
		sparse: newSparse(base, o.IndexIntervalBytes), path: segmentFile(dir, base, index.KindLog), next: base,
		first: index.NoTimestamp, created: o.Now(),
	}
}

// segmentFile is the path of one of the files that a segment has.
func segmentFile(dir string, base int64, kind index.Kind) string {
	return filepath.Join(dir, index.FileName{Kind: kind, Offset: base}.String())
}

func (s *segment) describe() Segment {
	return Segment{Name: filepath.Base(s.path), Path: s.path, BaseOffset: s.base, Bytes: s.size}
}

// add takes a batch over that lies at the end of the segment's bytes, and reports
// whether it has become a point of the index.
func (s *segment) add(b *decode.Batch) bool {
	if s.size == 0 {
		s.first = b.MaxTimestamp
	}
	due := s.sparse.add(b, s.size)
	s.size += int64(b.Size)
	s.next = b.NextOffset()
	return due
}

// fitting gives how many of the batches still belong into the segment, and how many
// bytes they have. The first one always fits into an empty segment.
func (s *segment) fitting(batches []decode.Batch, o *LogOptions) (n int, bytes int64) {
	first := s.first
	if s.size == 0 {
		first = batches[0].MaxTimestamp
	}
	for ; n < len(batches); n++ {
		b := &batches[n]
		age := o.Now() - s.created
		if first >= 0 {
			age = b.MaxTimestamp - first
		}
		fits := s.size+bytes+int64(b.Size) <= o.SegmentBytes && age <= o.SegmentMillis &&
			b.LastOffset()-s.base <= math.MaxInt32 && s.room(bytes+int64(b.Size), o.IndexBytes)
		if !fits && s.size+bytes > 0 {
			break
		}
		bytes += int64(b.Size)
	}
	return n, bytes
}

// writeIndexes brings both index files to what they are after recovery, and gives
// the names of those that were not. Nothing is synced: an index is made again when
// the log is opened.
func (s *segment) writeIndexes(fsys vfs.FS) (rebuilt []string, err error) {
	offsets, times, err := s.encode()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	for _, x := range []struct {
		kind index.Kind
		data []byte
	}{{index.KindOffsetIndex, offsets}, {index.KindTimeIndex, times}} {
		path := segmentFile(filepath.Dir(s.path), s.base, x.kind)
		same, err := holds(fsys, path, x.data)
		if err != nil {
			return rebuilt, err
		}
		if same {
			continue
		}
		if err := writeFile(fsys, path, x.data); err != nil {
			return rebuilt, err
		}
		rebuilt = append(rebuilt, filepath.Base(path))
	}
	return rebuilt, nil
}

// holds reports whether a file has the given bytes and no others.
func holds(fsys vfs.FS, path string, want []byte) (bool, error) {
	got, err := vfs.ReadFile(fsys, path, int64(len(want)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, vfs.ErrTooLarge) {
		return false, nil
	}
	return string(got) == string(want), err
}

// writeFile writes a file that may be lost, or torn, by a power failure.
func writeFile(fsys vfs.FS, path string, data []byte) error {
	f, err := fsys.Create(path, filePerm)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// openIndexes makes the segment, whose index files are right, the one that is
// written to.
func (s *segment) openIndexes(fsys vfs.FS) (err error) {
	dir := filepath.Dir(s.path)
	if s.offsets, err = fsys.OpenReadWrite(segmentFile(dir, s.base, index.KindOffsetIndex), filePerm); err != nil {
		return err
	}
	s.times, err = fsys.OpenReadWrite(segmentFile(dir, s.base, index.KindTimeIndex), filePerm)
	return err
}

// index writes the entries of the points from the given one on.
func (s *segment) index(from int) (err error) {
	var offsets, times []byte
	timed := s.timed
	for _, p := range s.points[from:] {
		if offsets, err = s.appendOffset(offsets, p); err != nil {
			return err
		}
		if times, err = s.appendTime(times, p.time, p.timeLast); err != nil {
			return err
		}
	}
	if _, err := s.offsets.WriteAt(offsets, int64(from)*index.OffsetEntrySize); err != nil {
		return err
	}
	return s.writeTimes(times, timed)
}

func (s *segment) writeTimes(times []byte, at int64) error {
	if len(times) == 0 {
		return nil
	}
	_, err := s.times.WriteAt(times, at*index.TimeEntrySize)
	return err
}

// finish writes the last entry of the time index and closes both: nothing more
// is added to the segment.
func (s *segment) finish() error {
	timed := s.timed
	times, err := s.appendTime(nil, s.time, s.timeLast)
	if err == nil {
		err = s.writeTimes(times, timed)
	}
	return errors.Join(err, s.closeIndexes())
}

func (s *segment) closeIndexes() error {
	var errs []error
	for _, f := range []*vfs.File{&s.offsets, &s.times} {
		if *f != nil {
			errs = append(errs, (*f).Close())
			*f = nil
		}
	}
	return errors.Join(errs...)
}

// Close closes all files of the segment.
func (s *segment) Close() error {
	err := s.closeIndexes()
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
	}
	return err
}

func closeSegments(list []*segment) error {
	var errs []error
	for _, s := range list {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// create makes the files of an empty segment. Its name is durable when the
// directory was synced.
func (s *segment) create(fsys vfs.FS) (err error) {
	if s.file, err = fsys.CreateNew(s.path, filePerm); err != nil {
		return err
	}
	if _, err := s.writeIndexes(fsys); err != nil {
		return err
	}
	return s.openIndexes(fsys)
}

// noProducers is a producer snapshot of the metadata log, which has no producers.
var noProducers = index.AppendProducerSnapshot(nil, nil)

// writeProducers writes a producer snapshot, as Kafka does at the start of each
// segment but the first, and at the end of the log when it is closed.
func writeProducers(fsys vfs.FS, dir string, offset int64) error {
	return writeFile(fsys, segmentFile(dir, offset, index.KindProducerSnapshot), noProducers)
}

// dropSegment takes the files of a segment away so that a power failure at any
// point leaves it there as a whole, or not at all: the log is gone durably before
// anything else happens.
func dropSegment(fsys vfs.FS, dir string, base int64) error {
	path := segmentFile(dir, base, index.KindLog)
	if err := dropFile(fsys, path); err != nil {
		return err
	}
	var errs []error
	for _, kind := range []index.Kind{index.KindOffsetIndex, index.KindTimeIndex, index.KindTxnIndex, index.KindProducerSnapshot} {
		errs = append(errs, removeIfThere(fsys, segmentFile(dir, base, kind)))
	}
	return errors.Join(errs...)
}

// dropFile renames a file, syncs the directory, and removes it under its new
// name, under which nobody takes it for what it was.
func dropFile(fsys vfs.FS, path string) error {
	deleted := path + index.StateDeleted.Suffix()
	if err := fsys.Rename(path, deleted); err != nil {
		return err
	}
	if err := fsys.SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return fsys.Remove(deleted)
}

func removeIfThere(fsys vfs.FS, path string) error {
	if err := fsys.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
