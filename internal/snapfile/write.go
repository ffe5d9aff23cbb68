package snapfile

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// snapshotMode is the mode of a finished snapshot: nobody writes to it again.
const snapshotMode fs.FileMode = 0o400

// writeBuffer is how much is written at once, in bytes.
const writeBuffer = 1 << 20

// WriteOptions say how a snapshot is written.
type WriteOptions struct {
	// Version is the metadata version; 0 is that of the image.
	Version feature.MetadataVersion
	// DropLoss leaves out what the version cannot express.
	DropLoss bool
	// Now gives the time of batches in milliseconds.
	Now func() int64
}

// Written is a snapshot that was written.
type Written struct {
	Path      string
	EndOffset int64
	Epoch     int32
	Version   feature.MetadataVersion
	Records   int64 // of metadata
	Bytes     int64
	Hash      image.Hash
	Lost      []image.Loss // what was left out
}

// ErrNoVersion is the error for metadata without a metadata.version.
var ErrNoVersion = errors.New("the metadata has no metadata.version")

// Name is the name of a snapshot of an image: its end offset and epoch.
func Name(p image.Provenance) string {
	return index.FileName{Kind: index.KindSnapshot, Offset: p.Offset + 1, Epoch: max(p.Epoch, 0)}.String()
}

// Write writes a state as a snapshot: to out, or under its own name into out if
// that is a directory. It is written under a temporary name, synced, and read back
// before it takes its name. A file of the name is an error around fs.ErrExist; one
// of the temporary name as well, since somebody else may be writing.
//
// What the metadata version cannot express is an *image.LossError.
func Write(ctx context.Context, fsys vfs.FS, out string, state *timeline.State, o WriteOptions) (*Written, error) {
	img := state.Image
	w := &Written{Path: out, Version: o.Version, EndOffset: img.Provenance().Offset + 1, Epoch: max(img.Provenance().Epoch, 0)}
	if w.Version == 0 {
		v, ok := img.MetadataVersion()
		if !ok {
			return nil, ErrNoVersion
		}
		w.Version = v
	}
	if !w.Version.Known() {
		return nil, &image.VersionError{Version: w.Version}
	}
	w.Lost = img.Losses(w.Version)
	if len(w.Lost) > 0 && !o.DropLoss {
		return nil, &image.LossError{Version: w.Version, Lost: w.Lost}
	}
	if info, err := fsys.Stat(out); err == nil && info.IsDir() {
		w.Path = filepath.Join(out, Name(img.Provenance()))
	}
	if err := absent(fsys, w.Path); err != nil {
		return nil, err
	}
	expected, err := w.expected(img)
	if err != nil {
		return nil, err
	}
	w.Hash = expected
	temp := w.Path + index.StatePart.Suffix()
	f, err := fsys.CreateNew(temp, 0o600)
	if err != nil {
		return nil, err
	}
	err = w.stream(f, state, o)
	if err == nil {
		err = w.readBack(ctx, fsys, temp, state)
	}
	if err == nil {
		err = place(fsys, temp, w.Path, snapshotMode)
	}
	if err != nil {
		_ = fsys.Remove(temp) // the first error is the one that matters
		return nil, err
	}
	return w, nil
}

// absent makes sure that nothing is overwritten.
func absent(fsys vfs.FS, path string) error {
	switch _, err := fsys.Stat(path); {
	case err == nil:
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// place gives a file that is complete and synced its name.
func place(fsys vfs.FS, temp, path string, mode fs.FileMode) error {
	if err := fsys.Chmod(temp, mode); err != nil {
		return err
	}
	if err := absent(fsys, path); err != nil {
		return err
	}
	if err := fsys.Rename(temp, path); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(path))
}

// expected is the hash that the snapshot must have. Another version, or a loss,
// makes another image of it.
func (w *Written) expected(img *image.Image) (image.Hash, error) {
	if v, _ := img.MetadataVersion(); v == w.Version && len(w.Lost) == 0 {
		return img.Hash(), nil
	}
	return img.HashAs(w.Version)
}

// stream writes and syncs the file, and closes it.
func (w *Written) stream(f vfs.File, state *timeline.State, o WriteOptions) (err error) {
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	buf := bufio.NewWriterSize(f, writeBuffer)
	h := snapshot.Header{LastContainedLogTimestamp: max(state.Image.Provenance().Time, 0), KRaftVersion: state.KRaftVersion}
	if h.KRaftVersion > 0 {
		h.Voters = state.Voters
	}
	s := snapshot.NewWriter(buf, w.Epoch, h, o.Now)
	err = state.Image.RecordsWithLoss(w.Version, func(apiKey, version int16, m kbin.Message) error {
		w.Records++
		return s.Append(apiKey, version, m)
	})
	if err == nil {
		err = s.Close()
	}
	if err == nil {
		err = buf.Flush()
	}
	if err == nil {
		w.Bytes, err = vfs.Size(f)
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}

// MismatchError is a snapshot that was read back and is not what was to be written.
type MismatchError struct {
	Path string
	Why  string
}

// Error says what differs.
func (e *MismatchError) Error() string {
	return "read back, " + e.Path + " is not what was written: " + e.Why
}

// readBack compares what was written with what was to be.
func (w *Written) readBack(ctx context.Context, fsys vfs.FS, temp string, state *timeline.State) error {
	r, err := Inspect(ctx, fsys, temp)
	switch {
	case err != nil:
		return err
	case len(r.Problems) > 0:
		return &MismatchError{w.Path, r.Problems[0].String()}
	case !r.Header || !r.Footer:
		return &MismatchError{w.Path, "header or footer are missing"}
	case r.State.Image.Hash() != w.Hash:
		return &MismatchError{w.Path, "the state has another hash"}
	case r.State.KRaftVersion != state.KRaftVersion || (r.State.Voters == nil) != (state.Voters == nil || state.KRaftVersion == 0):
		return &MismatchError{w.Path, "kraft.version or voters differ"}
	}
	return nil
}
