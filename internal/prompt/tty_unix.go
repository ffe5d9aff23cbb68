//go:build unix

package prompt

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// editable: lines can be edited on this system.
const editable = true

// tty reads bytes from a terminal and can be woken while it waits for them.
type tty struct {
	fd     int
	wakeR  *os.File
	wakeW  *os.File
	winch  chan os.Signal
	closed sync.Once
	// woken: a byte is on its way already, so that the pipe is never full.
	woken atomic.Bool
}

func openTTY(f *os.File, resized func()) (*tty, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	t := &tty{fd: int(f.Fd()), wakeR: r, wakeW: w, winch: make(chan os.Signal, 1)}
	signal.Notify(t.winch, syscall.SIGWINCH)
	go func() {
		for range t.winch {
			resized()
		}
	}()
	return t, nil
}

// wake makes read return.
func (t *tty) wake() {
	if !t.woken.Swap(true) {
		_, _ = t.wakeW.Write([]byte{0}) // fails only once it is closed
	}
}

// read waits for bytes, for ever if wait is negative. It gives none when it was
// woken or the time is over, and io.EOF when the terminal is gone.
func (t *tty) read(b []byte, wait time.Duration) (int, error) {
	timeout := -1
	if wait >= 0 {
		timeout = int(wait.Milliseconds())
	}
	fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}, {Fd: int32(t.wakeR.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, timeout)
	switch {
	case errors.Is(err, unix.EINTR) || err == nil && n == 0:
		return 0, nil
	case err != nil:
		return 0, err
	}
	if fds[1].Revents != 0 {
		var drop [64]byte
		_, _ = unix.Read(int(t.wakeR.Fd()), drop[:])
		t.woken.Store(false)
	}
	if fds[0].Revents == 0 {
		return 0, nil
	}
	n, err = unix.Read(t.fd, b)
	switch {
	case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
		return 0, nil
	case errors.Is(err, unix.EIO) || err == nil && n <= 0:
		return 0, io.EOF // hung up
	}
	return max(n, 0), err
}

func (t *tty) close() {
	t.closed.Do(func() {
		signal.Stop(t.winch)
		close(t.winch)
		_ = t.wakeW.Close()
	})
}
