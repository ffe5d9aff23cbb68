package vfs

import (
	"io/fs"
	"math"
	"os"
)

// Prober is what a file system can tell about a place before anything is
// written there. OS and Mem have it; Inject has it as far as the file system
// behind it does.
type Prober interface {
	// Lstat is Stat of the name itself: a symbolic link is not followed.
	Lstat(name string) (fs.FileInfo, error)
	// Readlink gives what a symbolic link points to.
	Readlink(name string) (string, error)
	// Writable tells whether this process may create files in a directory: nil,
	// or why not (a permission, a file system that is read-only).
	Writable(dir string) error
	// Free is the room for files in a directory, in bytes.
	Free(dir string) (bytes uint64, err error)
}

// Lstat is Stat without following a symbolic link at the end of the name, where
// the file system knows the difference.
func Lstat(fsys FS, name string) (fs.FileInfo, error) {
	if p, ok := fsys.(Prober); ok {
		return p.Lstat(name)
	}
	return fsys.Stat(name)
}

// Readlink gives what a symbolic link points to.
func Readlink(fsys FS, name string) (string, error) {
	if p, ok := fsys.(Prober); ok {
		return p.Readlink(name)
	}
	return "", pathError("readlink", name, fs.ErrInvalid)
}

// Link reports whether a name is a symbolic link, and to what; to is empty if that
// cannot be read.
func Link(fsys FS, name string) (to string, ok bool) {
	info, err := Lstat(fsys, name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	to, _ = Readlink(fsys, name) // that it is a link counts
	return to, true
}

// Writable tells why files cannot be created in a directory; nil if they can, or
// if the file system cannot tell.
func Writable(fsys FS, dir string) error {
	if p, ok := fsys.(Prober); ok {
		return p.Writable(dir)
	}
	return nil
}

// Free is the room in a directory in bytes; MaxUint64 if the file system cannot tell.
func Free(fsys FS, dir string) (uint64, error) {
	if p, ok := fsys.(Prober); ok {
		return p.Free(dir)
	}
	return math.MaxUint64, nil
}

// Lstat implements Prober. Mem has no symbolic links.
func (m *Mem) Lstat(name string) (fs.FileInfo, error) { return m.Stat(name) }

// Readlink implements Prober.
func (m *Mem) Readlink(name string) (string, error) {
	if _, err := m.Stat(name); err != nil {
		return "", err
	}
	return "", pathError("readlink", name, fs.ErrInvalid)
}

// Writable implements Prober: by the owner's bit of the directory.
func (m *Mem) Writable(dir string) error {
	info, err := m.Stat(dir)
	if err == nil && info.Mode().Perm()&0o200 == 0 {
		err = pathError("access", dir, fs.ErrPermission)
	}
	return err
}

// Free implements Prober.
func (m *Mem) Free(string) (uint64, error) { return math.MaxUint64, nil }

// Lstat implements Prober.
func (i injectFS) Lstat(name string) (fs.FileInfo, error) {
	if err := i.fault(OpStat, name); err != nil {
		return nil, err
	}
	return Lstat(i.fs, name)
}

// Readlink implements Prober.
func (i injectFS) Readlink(name string) (string, error) { return Readlink(i.fs, name) }

// Writable implements Prober.
func (i injectFS) Writable(dir string) error { return Writable(i.fs, dir) }

// Free implements Prober.
func (i injectFS) Free(dir string) (uint64, error) { return Free(i.fs, dir) }

// Same reports whether two infos are of one file: hard links, or names that lead
// to the same place. Only OS knows; elsewhere it is false.
func Same(a, b fs.FileInfo) bool { return os.SameFile(a, b) }
