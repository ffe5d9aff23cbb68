package vfs

import (
	"errors"
	"io"
	"io/fs"
)

// DirLocker locks directories. OS (on Unix) and Mem have it.
type DirLocker interface {
	// LockDir takes an exclusive lock on a directory, which leaves no trace in it:
	// ErrLocked if another process or another caller in this one has it. It says
	// nothing to Kafka, whose nodes lock a file. Closing the result gives it back.
	LockDir(name string) (io.Closer, error)
}

// LockDir takes an exclusive lock on a directory, against others that do the
// same. Where a file system cannot do it, nothing is locked and there is no error.
func LockDir(fsys FS, name string) (io.Closer, error) {
	if l, ok := fsys.(DirLocker); ok {
		return l.LockDir(name)
	}
	return noLock{}, nil
}

// noLock is a lock where there is none to take.
type noLock struct{}

func (noLock) Close() error { return nil }

// LockDir implements DirLocker.
func (m *Mem) LockDir(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	switch {
	case err != nil:
	case !n.isDir():
		err = errNotDir
	case n.locked:
		err = ErrLocked
	}
	if err != nil {
		return nil, pathError("lock", name, err)
	}
	n.locked = true
	return &memLock{fs: m, node: n}, nil
}

// LockDir implements DirLocker.
func (i injectFS) LockDir(name string) (io.Closer, error) {
	if err := i.fault(OpLock, name); err != nil {
		return nil, err
	}
	return LockDir(i.fs, name)
}

// Unsyncable reports whether a directory cannot be synced for a reason that has
// nothing to do with what is in it: no permission to read it, a file system that
// is read-only or does not know the operation.
func Unsyncable(err error) bool {
	for _, reason := range append(unsyncable[:], fs.ErrPermission) {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}
