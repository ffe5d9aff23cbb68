package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// patienceOfTests bounds every wait for output. It is reached by failures only.
const patienceOfTests = 10 * time.Second

// session is a program that runs in a terminal of its own.
type session struct {
	t      *testing.T
	fd     int // of master
	master *os.File
	slave  *os.File // kept open, so that the terminal's state can be read at the end
	cmd    *exec.Cmd
	before *unix.Termios

	mu      sync.Mutex
	screen  *emulator
	raw     bytes.Buffer
	changed chan struct{}
	ended   chan error
	// anything may be printed
	anything bool
}

// start runs this test binary as a program of TestMain in a terminal.
func start(t *testing.T, cols, rows int, program string, env ...string) *session {
	t.Helper()
	// The race detector delays the end of a program by a second.
	env = append([]string{"TERM=xterm", "GORACE=atexit_sleep_ms=0", "PROMPT_TEST_PROGRAM=" + program}, env...)
	s := startCommand(t, cols, rows, exec.Command(os.Args[0]), env...)
	if program != "pager" {
		// What is typed before is echoed by the terminal's driver.
		s.wait("the prompt", func(e *emulator) bool { return e.paste || strings.HasPrefix(e.String(), ">") })
	}
	return s
}

// startCommand runs a command in a terminal.
func startCommand(t *testing.T, cols, rows int, cmd *exec.Cmd, env ...string) *session {
	t.Helper()
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
	s := &session{t: t, fd: fd, master: master, slave: slave, changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	s.screen = newEmulator(max(cols, 1), max(rows, 1))
	if cols == 0 {
		s.screen = newEmulator(80, 24)
	}
	s.size(cols, rows)
	if s.before, err = unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS); err != nil {
		t.Fatal(err)
	}
	s.cmd = cmd
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = slave, slave, slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = slave.Close()
		_ = master.Close()
	})
	return s
}

func (s *session) read() {
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

func (s *session) size(cols, rows int) {
	s.t.Helper()
	if err := unix.IoctlSetWinsize(s.fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}); err != nil {
		s.t.Fatal(err)
	}
}

// resize changes the size as a terminal does: what is on it stays as it was in
// this one, where nothing reaches the edge.
func (s *session) resize(cols, rows int) {
	s.mu.Lock()
	old := s.screen
	s.screen = newEmulator(cols, rows)
	for y := range min(rows, old.rows) {
		copy(s.screen.cells[y], old.cells[y])
	}
	s.screen.x, s.screen.y, s.screen.paste = min(old.x, cols-1), min(old.y, rows-1), old.paste
	s.mu.Unlock()
	s.size(cols, rows) // the kernel sends SIGWINCH
}

func (s *session) send(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits until the screen is as f wants it.
func (s *session) wait(what string, f func(e *emulator) bool) {
	s.t.Helper()
	deadline := time.After(patienceOfTests)
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
			s.t.Fatalf("waited in vain for %s; the cursor is at %d,%d of\n%s", what, s.screen.x, s.screen.y, s.screen)
		}
	}
}

// expect waits for a screen, with the cursor's place if x is not negative.
func (s *session) expect(screen string, x, y int) {
	s.t.Helper()
	want := strings.TrimRight(screen, "\n") + "\n"
	s.wait(fmt.Sprintf("the cursor at %d,%d of\n%s", x, y, want), func(e *emulator) bool {
		return e.String() == want && (x < 0 || e.x == x && e.y == y)
	})
}

// shows waits for text anywhere on the screen.
func (s *session) shows(text string) {
	s.t.Helper()
	s.wait(strconv.Quote(text), func(e *emulator) bool { return strings.Contains(e.String(), text) })
}

// typed sends keys and waits for what the screen ends with.
func (s *session) typed(keys, end string) {
	s.t.Helper()
	s.send(keys)
	s.wait(strconv.Quote(end)+" at the end", func(e *emulator) bool {
		return strings.HasSuffix(strings.TrimRight(e.String(), "\n"), strings.TrimRight(end, " "))
	})
}

// end waits for the end of the program and checks that the terminal is as it was.
func (s *session) end(check func(error) bool) {
	s.t.Helper()
	var err error
	select {
	case err = <-s.ended:
	case <-time.After(patienceOfTests):
		s.t.Fatalf("the program does not end after %q", s.sent())
	}
	if !check(err) {
		s.t.Errorf("the program ended with %v after %q", err, s.sent())
	}
	s.sane()
	s.wait("the end of bracketed paste", func(e *emulator) bool { return !e.paste })
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.screen.odd) > 0 && !s.anything {
		s.t.Errorf("odd output: %q", s.screen.odd)
	}
}

// leave waits for an empty line and ends the program with Ctrl-D. What comes
// before is a matter of the driver, which swallows it.
func (s *session) leave() {
	s.t.Helper()
	s.wait("an empty line", func(e *emulator) bool {
		return e.paste && (e.cols == 1 || e.x == 2) || strings.HasSuffix(e.String(), "\n>\n") && s.cmd.Env[len(s.cmd.Env)-1] == "TERM=dumb"
	})
	s.send(ctrlD)
	s.end(fine)
}

// sane checks that the terminal is as it was.
func (s *session) sane() {
	s.t.Helper()
	after, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(s.before, after) {
		s.t.Errorf("the terminal is not as it was:\n%+v\n%+v", s.before, after)
	}
}

// switches counts how often the threads of the program have slept.
func (s *session) switches() int {
	s.t.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/task/*/status")
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

// sent is all that the program has written.
func (s *session) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

func fine(err error) bool { return err == nil }

// killed tells whether a signal ended the program.
func killed(by syscall.Signal) func(error) bool {
	return func(err error) bool {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			return false
		}
		status := e.Sys().(syscall.WaitStatus)
		return status.Signaled() && status.Signal() == by
	}
}
