package metalog

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// Reasons for which a snapshot is not written. The errors are around them.
var (
	ErrSnapshotExists = errors.New("the snapshot is there already")
	ErrSnapshotOld    = errors.New("the snapshot ends below the start of the metadata log")
	ErrSnapshotID     = errors.New("no snapshot can end there")
)

// snapshotPerm are the permissions of a finished snapshot, which nobody writes to.
const snapshotPerm = 0o400

// SnapshotWriter writes a snapshot under a name that nobody takes for one: the end
// is Freeze, or Abort. It is for one goroutine.
type SnapshotWriter struct {
	l       *Log
	id      SnapshotID
	checked bool // it is one of our own log
	f       vfs.File
	path    string // while it is written
	size    int64
	err     error
}

// CreateSnapshot begins a snapshot of what the log has up to an offset, which must
// be at most End, the start of a batch or the end of the log, and behind a record
// of the given epoch. Whether all up to there is committed is for the caller to
// know. The error is around ErrSnapshotExists, ErrSnapshotOld or ErrSnapshotID, or
// one of the file system.
func (l *Log) CreateSnapshot(id SnapshotID) (*SnapshotWriter, error) { return l.newSnapshot(id, true) }

// NewSnapshot begins a snapshot that comes from elsewhere and may end behind the
// log: one that is fetched from a leader. The error is around ErrSnapshotExists or
// ErrSnapshotOld, or one of the file system.
func (l *Log) NewSnapshot(id SnapshotID) (*SnapshotWriter, error) { return l.newSnapshot(id, false) }

func (l *Log) newSnapshot(id SnapshotID, checked bool) (*SnapshotWriter, error) {
	if err := l.allowed(id, checked); err != nil {
		return nil, err
	}
	for range 100 {
		n := index.FileName{Kind: index.KindSnapshot, Offset: id.EndOffset, Epoch: id.Epoch, State: index.StatePart,
			Unique: strconv.FormatUint(rand.Uint64(), 10)}
		path := filepath.Join(l.dir, n.String())
		f, err := l.fs.CreateNew(path, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &SnapshotWriter{l: l, id: id, checked: checked, f: f, path: path}, nil
	}
	return nil, fmt.Errorf("%s: no free name for snapshot %d-%d", l.dir, id.EndOffset, id.Epoch)
}

// allowed reports why a snapshot must not be written.
func (l *Log) allowed(id SnapshotID, checked bool) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	refuse := func(why error) error { return fmt.Errorf("snapshot %d-%d: %w", id.EndOffset, id.Epoch, why) }
	switch {
	case l.failed != nil:
		return l.failed
	case id.EndOffset < l.start:
		return refuse(ErrSnapshotOld)
	case l.snapshot(id) != nil:
		return refuse(ErrSnapshotExists)
	case id.Epoch < 0:
		return refuse(ErrSnapshotID)
	case !checked:
		return nil
	case id.EndOffset > l.end:
		return refuse(fmt.Errorf("%w: the log ends at %d", ErrSnapshotID, l.end))
	}
	if id.EndOffset == l.start {
		// What is before the start, no batch tells.
		if id != (SnapshotID{}) {
			return refuse(fmt.Errorf("%w: the log starts there", ErrSnapshotID))
		}
		return nil
	}
	if epoch, ok := epochAt(l.epochs, id.EndOffset-1); !ok || epoch != id.Epoch {
		return refuse(fmt.Errorf("%w: the epoch before it is %d", ErrSnapshotID, epoch))
	}
	if id.EndOffset == l.end {
		return nil
	}
	_, _, base, err := l.segments[l.holder(id.EndOffset)].locate(id.EndOffset)
	if err == nil && base != id.EndOffset {
		err = refuse(fmt.Errorf("%w: it is within the batch that starts at %d", ErrSnapshotID, base))
	}
	return err
}

// snapshot gives a finished snapshot, nil if it is not there. It is called with mu
// held.
func (l *Log) snapshot(id SnapshotID) *Snapshot {
	i := slices.IndexFunc(l.snapshots, func(s Snapshot) bool { return s.ID() == id })
	if i < 0 {
		return nil
	}
	return &l.snapshots[i]
}

// ID is the name that the snapshot gets.
func (w *SnapshotWriter) ID() SnapshotID { return w.id }

// Size is the number of bytes written so far.
func (w *SnapshotWriter) Size() int64 { return w.size }

// Write adds bytes. After an error the snapshot can only be aborted.
func (w *SnapshotWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.f.WriteAt(p, w.size)
	w.size += int64(n)
	w.err = err
	return n, err
}

// Abort gives the snapshot up and removes its file. After Freeze it does nothing.
func (w *SnapshotWriter) Abort() error {
	if w.f == nil {
		return nil
	}
	err := errors.Join(w.f.Close(), w.l.fs.Remove(w.path))
	w.f, w.err = nil, fs.ErrClosed
	return err
}

// Freeze makes the snapshot durable and gives it its name, in this order: what has
// the name is whole. It is read once more before, so that what was damaged on
// its way here is a *corrupt.Error. After any error it is as if aborted; one that
// leaves unknown whether the name is there ends all writing to the log.
func (w *SnapshotWriter) Freeze() (err error) {
	if w.err != nil {
		return errors.Join(w.err, w.Abort())
	}
	if err = w.f.Sync(); err == nil {
		err = verifySnapshot(w.l.fs, w.path, w.id.Epoch)
	}
	if err == nil {
		err = w.l.fs.Chmod(w.path, snapshotPerm)
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	w.l.writing.Lock()
	defer w.l.writing.Unlock()
	// The log has moved on meanwhile.
	if err := w.l.allowed(w.id, w.checked); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.publish()
}

// publish gives the snapshot its name. It is called with writing held.
func (w *SnapshotWriter) publish() error {
	name := index.FileName{Kind: index.KindSnapshot, Offset: w.id.EndOffset, Epoch: w.id.Epoch}.String()
	path := filepath.Join(w.l.dir, name)
	err := w.l.fs.Rename(w.path, path)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	err = errors.Join(w.f.Close(), w.l.fs.SyncDir(w.l.dir))
	w.f, w.err = nil, fs.ErrClosed
	if err != nil {
		return w.l.poison(err)
	}
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	s := Snapshot{Name: name, Path: path, EndOffset: w.id.EndOffset, Epoch: w.id.Epoch, Bytes: w.size}
	i, _ := slices.BinarySearchFunc(w.l.snapshots, s, compareSnapshots)
	w.l.snapshots = slices.Insert(slices.Clone(w.l.snapshots), i, s)
	return nil
}

func compareSnapshots(a, b Snapshot) int {
	return cmp.Or(cmp.Compare(a.EndOffset, b.EndOffset), cmp.Compare(a.Epoch, b.Epoch))
}

// ReadSnapshotAt reads bytes of a finished snapshot, as io.ReaderAt does: less than
// len(dst) bytes come with an error, which is io.EOF at the end. It is around
// fs.ErrNotExist if there is no such snapshot.
func (l *Log) ReadSnapshotAt(id SnapshotID, pos int64, dst []byte) (n int, err error) {
	f, err := l.openSnapshot(id)
	if err != nil {
		return 0, err
	}
	n, err = f.ReadAt(dst, pos)
	if cerr := f.Close(); cerr != nil && err == nil {
		err = cerr
	}
	return n, err
}

func (l *Log) openSnapshot(id SnapshotID) (vfs.File, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if errors.Is(l.failed, ErrClosed) {
		return nil, l.failed
	}
	s := l.snapshot(id)
	if s == nil {
		return nil, fmt.Errorf("snapshot %d-%d: %w", id.EndOffset, id.Epoch, fs.ErrNotExist)
	}
	return vfs.OpenRegular(l.fs, s.Path)
}

var _ io.Writer = (*SnapshotWriter)(nil)
