package format

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

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

// Apply formats the directories of the plan: all of them, or none if it returns
// an error.
//
//  1. In each directory everything is written under temporary names and synced.
//     What can fail for a reason (no room, no permission) fails here.
//  2. Directory by directory the files take their names, meta.properties last,
//     after the names of all others are durable.
//
// A crash leaves each directory with all of its files or without
// meta.properties, that is, not formatted. The error is a *WriteError.
func (p *Plan) Apply(fsys vfs.FS) error {
	w := &writer{fs: fsys, dirs: make([]written, len(p.Dirs))}
	for i := range p.Dirs {
		w.dirs[i].plan = &p.Dirs[i]
	}
	for _, step := range []func(*written) error{w.stage, w.commit} {
		for i := range w.dirs {
			if err := step(&w.dirs[i]); err != nil {
				return w.undo(p.Dirs[i].Path, err)
			}
		}
	}
	return nil
}

// writer formats the directories of a plan and keeps account of what it made.
type writer struct {
	fs   vfs.FS
	dirs []written
	made []string // directories that were made, parents before children
}

// written is what there may be of the files of one directory.
type written struct {
	plan *Directory
	// names are those of the files but meta.properties: temporary ones until they
	// are renamed.
	names []string
	// metaTemp and metaFinal: meta.properties may be there, under which name.
	metaTemp, metaFinal bool
}

// stage makes the directories and writes the files under temporary names.
func (w *writer) stage(d *written) error {
	if err := w.mkdir(d.plan.Path); err != nil {
		return err
	}
	for _, f := range d.plan.Files {
		temp := d.plan.path(f.temp)
		if err := w.mkdir(filepath.Dir(temp)); err != nil {
			return err
		}
		// One that an earlier run has left may be read-only.
		if err := w.remove(temp); err != nil {
			return err
		}
		if f.Name == MetaPropertiesName {
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
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		_, err := w.fs.Stat(at)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = append(missing, at)
		if at == filepath.Dir(at) {
			break
		}
	}
	for _, at := range slices.Backward(missing) {
		if err := w.fs.MkdirAll(at, 0o755); err != nil {
			return err
		}
		w.made = append(w.made, at)
		if err := w.fs.SyncDir(filepath.Dir(at)); err != nil {
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
	// The plan saw none; somebody else may have been faster.
	if _, err := w.fs.Stat(metaPath(d.plan.Path)); err == nil {
		return &FormattedError{d.plan.Path}
	}
	for i, f := range d.plan.Files {
		from, to := d.plan.path(f.temp), d.plan.path(f.Name)
		if f.Name == MetaPropertiesName {
			if err := w.syncWay(d.plan.Path); err != nil {
				return err
			}
			d.metaFinal = true
		}
		if err := w.fs.Rename(from, to); err != nil {
			return err
		}
		if f.Name != MetaPropertiesName {
			d.names[i] = to
		}
		if err := w.fs.SyncDir(filepath.Dir(to)); err != nil {
			return err
		}
	}
	return nil
}

// syncWay makes the names in a directory durable, and those on the way to it: a
// run that was killed may have made them and never synced. Directories above
// that this user may not read are not this user's making.
func (w *writer) syncWay(dir string) error {
	if err := w.fs.SyncDir(dir); err != nil {
		return err
	}
	for at := filepath.Clean(dir); at != filepath.Dir(at); {
		at = filepath.Dir(at)
		if err := w.fs.SyncDir(at); err != nil && !errors.Is(err, fs.ErrPermission) {
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
		if d.metaFinal {
			err := w.remove(d.plan.path(MetaPropertiesName))
			if err == nil {
				err = w.fs.SyncDir(d.plan.Path)
			}
			if err != nil {
				// It stays as it is, formatted and whole.
				e.Left = append(e.Left, d.plan.Path)
				continue
			}
		}
		names := d.names
		if d.metaTemp {
			names = append(names, d.plan.path(MetaPropertiesName+vfs.TempSuffix))
		}
		for _, name := range names {
			if err := w.remove(name); err != nil {
				e.Left = append(e.Left, name)
			}
		}
	}
	for _, made := range slices.Backward(w.made) {
		// One that is not empty holds what could not be taken back.
		_ = w.fs.Remove(made)
	}
	return e
}

// remove removes a file that may not be there.
func (w *writer) remove(name string) error {
	if err := w.fs.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
