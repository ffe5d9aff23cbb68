//go:build unix

package prompt

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// guarded are the signals that end or stop a process while it has the terminal.
var guarded = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT}

func (g *Guard) handle(s os.Signal) {
	switch s {
	case syscall.SIGINT:
		if !g.interrupt() {
			g.die(syscall.SIGINT)
		}
	case syscall.SIGTSTP:
		g.stop()
	case syscall.SIGCONT:
		g.proceed()
	default:
		g.die(s.(syscall.Signal))
	}
}

// die restores the terminal and lets the signal do what it does to a process that
// does not catch it.
func (g *Guard) die(s syscall.Signal) {
	// The lock is kept: nothing may enter raw mode any more.
	g.mu.Lock()
	if g.undo != "" {
		g.undo += "\r\n" // the shell's prompt is not to stand behind the line
	}
	_ = g.restore()
	signal.Reset(s)
	_ = unix.Kill(unix.Getpid(), s)
	select {} // it is on its way
}

// stop is what Ctrl-Z asks for.
func (g *Guard) stop() {
	g.mu.Lock()
	undo := g.undo
	_ = g.restore()
	g.undo = undo
	g.mu.Unlock()
	// The default action cannot be brought back in a Go program, so another signal
	// has to do it, which cannot be refused.
	if wakeable() {
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
	}
	// The signal takes a moment to work. This waits until we go on.
	select {
	case <-time.After(100 * time.Millisecond):
	case <-g.done:
		return
	case s := <-g.signals:
		if s != syscall.SIGCONT {
			g.handle(s)
			return
		}
	}
	g.proceed()
}

// wakeable tells whether a shell with job control started us: where nobody could
// wake us up the kernel does not stop a process for Ctrl-Z, and neither do we.
func wakeable() bool {
	parent := unix.Getppid()
	group, err := unix.Getpgid(parent)
	if err != nil || group == unix.Getpgrp() {
		return false
	}
	session, err := unix.Getsid(parent)
	if err != nil {
		return false
	}
	ours, err := unix.Getsid(0)
	return err == nil && session == ours
}

// proceed takes the terminal again after a stop.
func (g *Guard) proceed() {
	g.mu.Lock()
	raw, resume := g.raw, g.resume
	if raw {
		_, _ = term.MakeRaw(int(g.in.Fd())) // should it fail, the line is read cooked
	}
	g.mu.Unlock()
	if raw && resume != nil {
		resume()
	}
}

// suspend stops the process and all that share the terminal with it.
func (g *Guard) suspend() { _ = unix.Kill(0, syscall.SIGTSTP) }
