package ptytest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Patience bounds every wait for output. It is reached by failures only.
const Patience = 10 * time.Second

// Session is a program that runs in a terminal of its own.
type Session struct {
	// Cmd is the program.
	Cmd *exec.Cmd
	// FD is the side of the terminal that a person sits at.
	FD int
	// Anything may be printed: a pager has ways of its own with the terminal.
	Anything bool

	t      *testing.T
	master *os.File
	slave  *os.File // kept open, so that the terminal's state can be read at the end
	before *unix.Termios

	mu      sync.Mutex
	screen  *Screen
	raw     bytes.Buffer
	changed chan struct{}
	ended   chan error
}

// heard has programs begin with the signals of a terminal as a shell gives them to
// theirs. A test that runs under nohup, or in the background of a script, has some of
// them ignored, and what it starts would inherit that; a signal that is caught is
// back at its default for them.
var heard = sync.OnceFunc(func() {
	for _, s := range []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
})

// Start runs a command in a terminal of a size, with more variables in its
// environment. Where there are no pseudo terminals the test is skipped.
func Start(t *testing.T, cols, rows int, cmd *exec.Cmd, env ...string) *Session {
	t.Helper()
	heard()
	// Not blocking, for a read to end when it is closed.
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	master := os.NewFile(uintptr(fd), "ptmx")
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{t: t, FD: fd, master: master, slave: slave, changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	s.screen = NewScreen(max(cols, 1), max(rows, 1))
	if cols == 0 {
		s.screen = NewScreen(80, 24)
	}
	s.Size(cols, rows)
	if s.before, err = unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS); err != nil {
		t.Fatal(err)
	}
	s.Cmd = cmd
	s.Cmd.Env = append(os.Environ(), env...)
	s.Cmd.Stdin, s.Cmd.Stdout, s.Cmd.Stderr = slave, slave, slave
	s.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { s.ended <- s.Cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.Cmd.Process.Kill()
		_ = slave.Close()
		_ = master.Close()
	})
	return s
}

func (s *Session) read() {
	b := make([]byte, 4096)
	for {
		n, err := s.master.Read(b)
		s.mu.Lock()
		_, _ = s.screen.Write(b[:n])
		s.raw.Write(b[:n])
		s.mu.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// Size changes the size of the terminal and leaves what is on it.
func (s *Session) Size(cols, rows int) {
	s.t.Helper()
	if err := unix.IoctlSetWinsize(s.FD, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}); err != nil {
		s.t.Fatal(err)
	}
}

// Resize changes the size as a terminal does: what is on it stays as it was in
// this one, where nothing reaches the edge.
func (s *Session) Resize(cols, rows int) {
	s.mu.Lock()
	old := s.screen
	s.screen = NewScreen(cols, rows)
	for y := range min(rows, old.Rows) {
		copy(s.screen.cells[y], old.cells[y])
	}
	s.screen.X, s.screen.Y, s.screen.Paste, s.screen.Lines = min(old.X, cols-1), min(old.Y, rows-1), old.Paste, old.Lines
	s.mu.Unlock()
	s.Size(cols, rows) // the kernel sends SIGWINCH
}

// Send types keys.
func (s *Session) Send(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// Wait waits until the screen is as f wants it.
func (s *Session) Wait(what string, f func(e *Screen) bool) {
	s.t.Helper()
	deadline := time.After(Patience)
	for {
		s.mu.Lock()
		ok := f(s.screen)
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-s.changed:
		case <-deadline:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.t.Fatalf("waited in vain for %s; the cursor is at %d,%d of\n%s", what, s.screen.X, s.screen.Y, s.screen)
		}
	}
}

// Lines is how often the program has begun to read a line.
func (s *Session) Lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Lines
}

// Until does something again and again until the screen is as f wants it: where
// nothing tells whether the program looks already.
func (s *Session) Until(what string, f func(e *Screen) bool, again func()) {
	s.t.Helper()
	seen := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return f(s.screen)
	}
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); {
		again()
		pause := time.After(200 * time.Millisecond)
		for waiting := true; waiting; {
			if seen() {
				return
			}
			select {
			case <-s.changed:
			case <-pause:
				waiting = false
			}
		}
	}
	s.Wait(what, f)
}

// Expect waits for a screen, with the cursor's place if x is not negative.
func (s *Session) Expect(screen string, x, y int) {
	s.t.Helper()
	want := strings.TrimRight(screen, "\n") + "\n"
	s.Wait(fmt.Sprintf("the cursor at %d,%d of\n%s", x, y, want), func(e *Screen) bool {
		return e.String() == want && (x < 0 || e.X == x && e.Y == y)
	})
}

// Shows waits for text anywhere on the screen.
func (s *Session) Shows(text string) {
	s.t.Helper()
	s.Wait(strconv.Quote(text), func(e *Screen) bool { return strings.Contains(e.String(), text) })
}

// Typed sends keys and waits for what the screen ends with.
func (s *Session) Typed(keys, end string) {
	s.t.Helper()
	s.Send(keys)
	s.Wait(strconv.Quote(end)+" at the end", func(e *Screen) bool {
		return strings.HasSuffix(strings.TrimRight(e.String(), "\n"), strings.TrimRight(end, " "))
	})
}

// End waits for the end of the program and checks that the terminal is as it was.
func (s *Session) End(check func(error) bool) {
	s.t.Helper()
	var err error
	select {
	case err = <-s.ended:
	case <-time.After(Patience):
		s.t.Fatalf("the program does not end after %q", s.Sent())
	}
	if !check(err) {
		s.t.Errorf("the program ended with %v after %q", err, s.Sent())
	}
	s.Sane()
	s.Wait("the end of bracketed paste", func(e *Screen) bool { return !e.Paste })
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.screen.Odd) > 0 && !s.Anything {
		s.t.Errorf("odd output: %q", s.screen.Odd)
	}
}

// HangUp closes the terminal, as a window that is closed, and waits for the end of
// the program.
func (s *Session) HangUp(check func(error) bool) {
	s.t.Helper()
	_ = s.slave.Close()
	_ = s.master.Close() // SIGHUP
	select {
	case err := <-s.ended:
		if !check(err) {
			s.t.Errorf("ended with %v", err)
		}
	case <-time.After(Patience):
		s.t.Error("the program lives on")
	}
}

// Signal sends a signal to the program.
func (s *Session) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.Cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Sane checks that the terminal is as it was.
func (s *Session) Sane() {
	s.t.Helper()
	after, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(s.before, after) {
		s.t.Errorf("the terminal is not as it was:\n%+v\n%+v", s.before, after)
	}
}

// Cooked waits until the terminal is as it was: the program reads no keys, and
// Ctrl-C is a signal.
func (s *Session) Cooked() {
	s.t.Helper()
	for deadline := time.Now().Add(Patience); ; {
		now, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
		if err != nil {
			s.t.Fatal(err)
		}
		if reflect.DeepEqual(s.before, now) {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the terminal stays raw after %q", s.Sent())
		}
		time.Sleep(time.Millisecond) // nothing tells of a change
	}
}

// Switches counts how often the threads of the program have slept.
func (s *Session) Switches() int {
	s.t.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(s.Cmd.Process.Pid) + "/task/*/status")
	if err != nil || len(files) == 0 {
		s.t.Skip("no /proc")
	}
	n := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			if count, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				k, _ := strconv.Atoi(strings.TrimSpace(count))
				n += k
			}
		}
	}
	return n
}

// Sent is all that the program has written.
func (s *Session) Sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// Fine tells whether the program ended with exit code 0.
func Fine(err error) bool { return err == nil }

// Exited tells whether the program ended with an exit code.
func Exited(code int) func(error) bool {
	return func(err error) bool {
		var e *exec.ExitError
		return errors.As(err, &e) && e.ExitCode() == code
	}
}

// Killed tells whether a signal ended the program.
func Killed(by syscall.Signal) func(error) bool {
	return func(err error) bool {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			return false
		}
		status := e.Sys().(syscall.WaitStatus)
		return status.Signaled() && status.Signal() == by
	}
}

// Play types the keys of each step and waits for its screen.
func (s *Session) Play(steps []Step) {
	s.t.Helper()
	for _, step := range steps {
		for _, k := range step.Keys {
			s.Send(k)
		}
		s.Wait(fmt.Sprintf("%s with the cursor at %d,%d:\n%s", step.Name, step.X, step.Y, step.Screen), func(e *Screen) bool {
			return e.String() == step.Screen && e.X == step.X && e.Y == step.Y
		})
	}
}
