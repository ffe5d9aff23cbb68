package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// WriteError is a failure to write. Nothing is formatted then: what was written
// has been taken back, unless Left says otherwise.
type WriteError struct {
	// Dir is the log directory that could not be formatted.
	Dir string
	Err error
	// Left are the files and directories that could not be taken back.
	Left []string
}

// Error names the directory and the cause, and what is left.
func (e *WriteError) Error() string {
	text := fmt.Sprintf("nothing was formatted: %s: %v", e.Dir, e.Err)
	if len(e.Left) > 0 {
		text += fmt.Sprintf("; could not take back %v", e.Left)
	}
	return text
}

// Unwrap gives the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// ErrBusy is the cause of a WriteError when another process formats the
// directory at the same time.
var ErrBusy = errors.New("another process is formatting it")

// Apply formats the directories of the plan: all of them, or none if it returns
// an error.
//
//  1. The directories are made and locked, and looked at again: nobody else has
//     formatted them since the plan was made, or can now.
//  2. In each directory everything is written under temporary names and synced.
//     What can fail for a reason (no room, no permission) fails here.
//  3. Directory by directory the files take their names, meta.properties last,
//     after the names of all others are durable. A file that is in the way is put
//     aside, and removed in the end.
//
// A crash leaves each directory with all of its files or without
// meta.properties, that is, not formatted. The error is a *WriteError.
func (p *Plan) Apply(fsys vfs.FS) error {
	w := &writer{fs: fsys}
	for i := range p.Dirs {
		if len(p.Dirs[i].Files) > 0 {
			w.dirs = append(w.dirs, written{plan: &p.Dirs[i]})
		}
	}
	defer w.unlock()
	for _, step := range []func(*written) error{w.lock, w.stage, w.commit} {
		for i := range w.dirs {
			if err := step(&w.dirs[i]); err != nil {
				return w.undo(w.dirs[i].plan.Path, err)
			}
		}
	}
	w.removeAside()
	return nil
}

// writer formats the directories of a plan and keeps account of what it made.
type writer struct {
	fs    vfs.FS
	dirs  []written
	locks []io.Closer
	made  []string // directories that were made, parents before children
}

// written is what there may be of the files of one directory.
type written struct {
	plan *Directory
	// locked: nobody else formats the directory.
	locked bool
	// names are those of the files but meta.properties: temporary ones until they
	// are renamed.
	names []string
	// aside are the files that were in the way, by the names that they had.
	aside []string
	// metaTemp and metaFinal: meta.properties may be there, under which name.
	metaTemp, metaFinal bool
}

// asideSuffix is behind the name of a file that was in the way. Kafka takes no
// notice of such a file.
const asideSuffix = ".old"

// lock makes the directory, locks it, and makes sure that it is not formatted.
func (w *writer) lock(d *written) error {
	if err := w.mkdir(physical(d.plan.Path)); err != nil {
		return err
	}
	lock, err := vfs.LockDir(w.fs, physical(d.plan.Path))
	if errors.Is(err, vfs.ErrLocked) {
		return ErrBusy
	}
	if err != nil {
		return err
	}
	w.locks = append(w.locks, lock)
	d.locked = true
	if _, err := w.fs.Stat(metaPath(d.plan.Path)); err == nil {
		return &FormattedError{d.plan.Path}
	}
	return nil
}

func (w *writer) unlock() {
	for _, l := range w.locks {
		_ = l.Close() // a lock that cannot be given back goes with the process
	}
}

// stage writes the files under temporary names.
func (w *writer) stage(d *written) error {
	for _, f := range d.plan.Files {
		temp := d.plan.path(f.temp)
		if err := w.mkdir(parent(temp)); err != nil {
			return err
		}
		// One that an earlier run has left may be read-only.
		if err := w.remove(temp); err != nil {
			return err
		}
		if f.Name == index.MetaPropertiesName {
			d.metaTemp = true
		} else {
			d.names = append(d.names, temp)
		}
		if err := w.write(temp, f); err != nil {
			return err
		}
	}
	return nil
}

// mkdir makes a directory with its parents, each durable in the one above it.
func (w *writer) mkdir(dir string) error {
	var missing []string
	for at := dir; ; at = parent(at) {
		_, err := w.fs.Stat(at)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, at)
		if at == parent(at) {
			break
		}
	}
	for _, at := range slices.Backward(missing) {
		if err := w.fs.MkdirAll(at, 0o777); err != nil {
			return err
		}
		w.made = append(w.made, at)
		if err := w.fs.SyncDir(parent(at)); err != nil && !vfs.Unsyncable(err) {
			return err
		}
	}
	return nil
}

func (w *writer) write(name string, f File) (err error) {
	out, err := w.fs.CreateNew(name, usualMode)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := out.Close(); err == nil {
			err = cerr
		}
	}()
	if _, err := out.Write(f.Data); err != nil {
		return err
	}
	if f.Mode != usualMode {
		if err := w.fs.Chmod(name, f.Mode); err != nil {
			return err
		}
	}
	return out.Sync()
}

// commit gives the files of a directory their names. meta.properties is the last
// one: all that it vouches for is durable by then.
func (w *writer) commit(d *written) error {
	for i, f := range d.plan.Files {
		from, to := d.plan.path(f.temp), d.plan.path(f.Name)
		if f.Name == index.MetaPropertiesName {
			if err := w.syncWay(physical(d.plan.Path)); err != nil {
				return err
			}
			d.metaFinal = true
		} else if err := w.putAside(d, to); err != nil {
			return err
		}
		if err := w.fs.Rename(from, to); err != nil {
			return err
		}
		if f.Name != index.MetaPropertiesName {
			d.names[i] = to
		}
		if err := w.fs.SyncDir(parent(to)); err != nil {
			return err
		}
	}
	return nil
}

// putAside gives a file that is in the way another name.
func (w *writer) putAside(d *written, name string) error {
	if _, err := vfs.Lstat(w.fs, name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := w.remove(name + asideSuffix); err != nil {
		return err
	}
	d.aside = append(d.aside, name)
	return w.fs.Rename(name, name+asideSuffix)
}

// removeAside removes what was in the way, once all is formatted. One that stays
// does no harm.
func (w *writer) removeAside() {
	for i := range w.dirs {
		for _, name := range w.dirs[i].aside {
			_ = w.fs.Remove(name + asideSuffix)
		}
	}
}

// syncWay makes the names in a directory durable, and those on the way to it: a
// run that was killed may have made them and never synced. Directories above
// that cannot be synced are not this user's making.
func (w *writer) syncWay(dir string) error {
	if err := w.fs.SyncDir(dir); err != nil {
		return err
	}
	for at := dir; at != parent(at); {
		at = parent(at)
		if err := w.fs.SyncDir(at); err != nil && !vfs.Unsyncable(err) {
			return err
		}
	}
	return nil
}

// undo takes back what was made and gives the error. In each directory
// meta.properties goes first, durably: without it the directory is not
// formatted, whatever happens then.
func (w *writer) undo(dir string, cause error) error {
	e := &WriteError{Dir: dir, Err: cause}
	for i := range w.dirs {
		d := &w.dirs[i]
		if !d.locked {
			continue // nothing was written to it
		}
		if err := w.takeBackMeta(d); err != nil {
			// It stays as it is, formatted and whole.
			e.Left = append(e.Left, d.plan.Path)
			continue
		}
		names := d.names
		if d.metaTemp {
			names = append(names, d.plan.path(index.MetaPropertiesName+vfs.TempSuffix))
		}
		for _, name := range names {
			if err := w.remove(name); err != nil {
				e.Left = append(e.Left, name)
			}
		}
		for _, name := range d.aside {
			if err := w.fs.Rename(name+asideSuffix, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				e.Left = append(e.Left, name+asideSuffix)
			}
		}
	}
	for _, made := range slices.Backward(w.made) {
		if errors.Is(cause, ErrBusy) && slices.ContainsFunc(w.dirs, func(d written) bool { return !d.locked && physical(d.plan.Path) == made }) {
			continue // somebody else is at work in it
		}
		// One that is not empty holds what could not be taken back.
		_ = w.fs.Remove(made)
	}
	return e
}

// errNotOurs is for a meta.properties that somebody else has written.
var errNotOurs = errors.New("it was formatted by another process")

// takeBackMeta removes the meta.properties of this run, if it is there.
func (w *writer) takeBackMeta(d *written) error {
	if !d.metaFinal {
		return nil
	}
	name := metaPath(d.plan.Path)
	data, err := vfs.ReadFile(w.fs, name, maxMetaProperties)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !bytes.Equal(data, d.plan.Files[len(d.plan.Files)-1].Data):
		return errNotOurs
	}
	if err := w.remove(name); err != nil {
		return err
	}
	return w.fs.SyncDir(physical(d.plan.Path))
}

// remove removes a file that may not be there.
func (w *writer) remove(name string) error {
	if err := w.fs.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
