package vfs

import (
	"errors"
	"io/fs"
	"syscall"
)

// ErrNotRegular is returned by OpenRegular and ReadFile for a FIFO, a socket or
// a device.
var ErrNotRegular = errors.New("not a regular file")

// promptFS is a file system that can open a file without waiting for anybody: a
// FIFO without a writer opens at once.
type promptFS interface {
	openPrompt(name string) (File, error)
}

// OpenRegular opens a file of a node's own, for reading only. Whatever has taken
// its name and is neither file nor directory is refused with ErrNotRegular
// instead of opened: a FIFO would wait for a writer, in the kernel, where no
// context and no signal ends it, and a device may do anything. A directory gets
// the error that reading it would give. Symbolic links are followed, and what
// they lead to counts.
func OpenRegular(fsys FS, name string) (File, error) {
	// What Stat cannot see the opening will report in its own words.
	if info, err := fsys.Stat(name); err == nil && odd(info) {
		return nil, pathError("open", name, ErrNotRegular)
	}
	open := fsys.Open
	if p, ok := fsys.(promptFS); ok {
		open = p.openPrompt
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case odd(info): // somebody has exchanged it since
		err = pathError("open", name, ErrNotRegular)
	case info.IsDir(): // the size of which would be taken for that of a file
		err = pathError("read", name, syscall.EISDIR)
	}
	if err != nil {
		_ = f.Close() // it was not even read
		return nil, err
	}
	return f, nil
}

// odd reports whether something is neither a file nor a directory.
func odd(info fs.FileInfo) bool { return !info.Mode().IsRegular() && !info.IsDir() }

// openPrompt asks for the fault of OpOpen, as Open does.
func (i injectFS) openPrompt(name string) (File, error) {
	return i.open(OpOpen, name, func() (File, error) {
		if p, ok := i.fs.(promptFS); ok {
			return p.openPrompt(name)
		}
		return i.fs.Open(name)
	})
}
