package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// OS is the file system of the operating system.
var OS FS = osFS{}

type osFS struct{}

func (osFS) Open(name string) (File, error) { return openReadOnly(name) }

func (osFS) Create(name string, perm fs.FileMode) (File, error) {
	return openFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, perm)
}

func (osFS) CreateNew(name string, perm fs.FileMode) (File, error) {
	return openFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
}

func (osFS) OpenReadWrite(name string, perm fs.FileMode) (File, error) {
	return openFile(name, os.O_RDWR|os.O_CREATE, perm)
}

func (osFS) OpenAppend(name string, perm fs.FileMode) (File, error) {
	return openFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, perm)
}

// openFile keeps a nil *os.File out of the File interface.
func openFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFS) Rename(oldName, newName string) error { return os.Rename(oldName, newName) }

func (osFS) Remove(name string) error { return os.Remove(name) }

func (osFS) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }

func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

func (osFS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (osFS) Chmod(name string, perm fs.FileMode) error { return os.Chmod(name, perm) }

func (osFS) SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil // a directory cannot be opened for syncing there
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (osFS) Lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "lock", Path: name, Err: err}, f.Close())
	}
	return f, nil
}
