//go:build unix

package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// LockDir implements DirLocker with flock, which needs no permission to write.
func (osFS) LockDir(name string) (io.Closer, error) {
	d, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return noLock{}, nil // one that may be written to but not read
		}
		return nil, err
	}
	err = unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == nil:
		return d, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		err = &fs.PathError{Op: "lock", Path: name, Err: ErrLocked}
	default:
		return noLock{}, d.Close() // a file system without locks
	}
	return nil, errors.Join(err, d.Close())
}

// unsyncable are what the kernel says of directories that it does not sync.
var unsyncable = [...]error{unix.EINVAL, unix.ENOTSUP, unix.EROFS}
