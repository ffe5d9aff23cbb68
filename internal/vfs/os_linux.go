package vfs

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openReadOnly opens a file without touching its access time where that is
// allowed: looking into the files of a running node must leave no trace. The
// kernel allows it to the owner and to root only, hence the second attempt.
func openReadOnly(name string) (File, error) { return openQuietly(name, os.O_RDONLY) }

// openPrompt opens a file without waiting for the other end of a FIFO. For a
// regular file that changes nothing.
func (osFS) openPrompt(name string) (File, error) {
	return openQuietly(name, os.O_RDONLY|syscall.O_NONBLOCK)
}

func openQuietly(name string, flag int) (File, error) {
	f, err := os.OpenFile(name, flag|syscall.O_NOATIME, 0)
	if errors.Is(err, syscall.EPERM) {
		f, err = os.OpenFile(name, flag, 0)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// lockFile takes a lock of the open file description. The JVM's FileLock is a
// POSIX record lock, and the two exclude each other; but unlike a POSIX lock
// this one also holds against other callers in the same process, and is not
// lost when some other part of the process opens and closes the same file.
func lockFile(f *os.File) error {
	whole := syscall.Flock_t{Type: syscall.F_WRLCK}
	err := syscall.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &whole)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return ErrLocked
	}
	return err
}
