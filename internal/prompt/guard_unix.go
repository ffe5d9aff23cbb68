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
	signal.Reset(syscall.SIGTSTP)
	_ = unix.Kill(unix.Getpid(), syscall.SIGTSTP)
	// Where nobody could wake us up, the kernel does not stop us, and no SIGCONT
	// comes. A timer tells both cases from the moment before the signal works.
	select {
	case <-time.After(100 * time.Millisecond):
	case <-g.done:
		return
	case s := <-g.signals:
		if s != syscall.SIGCONT {
			signal.Notify(g.signals, syscall.SIGTSTP)
			g.handle(s)
			return
		}
	}
	signal.Notify(g.signals, syscall.SIGTSTP)
	g.proceed()
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
