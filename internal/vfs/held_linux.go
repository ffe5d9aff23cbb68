package vfs

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Locked asks the kernel who would be in the way of a lock, which it tells of a
// file that is open for reading only. Closing the file gives up the POSIX locks
// of this process on it, but FS.Lock takes none: its locks belong to their own
// file description.
func (osFS) Locked(name string) (Holder, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a FIFO
	if err != nil {
		return Holder{}, err
	}
	defer f.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
		return Holder{}, pathError("lock", name, err)
	}
	if lock.Type == unix.F_UNLCK {
		return Holder{}, nil
	}
	return Holder{Held: true, PID: max(0, int(lock.Pid))}, nil // a lock of a file description has no process: -1
}
