package vfs

import "errors"

// Holder says who holds a lock.
type Holder struct {
	Held bool
	PID  int // of the process; 0 if it is not known
}

// lockedFS is a file system that can tell a lock from outside.
type lockedFS interface {
	Locked(name string) (Holder, error)
}

// Locked tells whether somebody holds the lock that FS.Lock takes, without
// taking it, and without creating the file. A lock of this process counts. The
// error is around errors.ErrUnsupported where nobody knows.
func Locked(fsys FS, name string) (Holder, error) {
	if l, ok := fsys.(lockedFS); ok {
		return l.Locked(name)
	}
	return Holder{}, pathError("lock", name, errors.ErrUnsupported)
}

// Locked tells whether Lock was called for a file and not given back.
func (m *Mem) Locked(name string) (Holder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return Holder{}, pathError("lock", name, err)
	}
	return Holder{Held: n.locked}, nil
}

// Locked asks for the fault of OpOpen, since that is what it takes.
func (i injectFS) Locked(name string) (Holder, error) {
	if err := i.fault(OpOpen, name); err != nil {
		return Holder{}, err
	}
	return Locked(i.fs, name)
}
