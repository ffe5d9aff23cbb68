package prompt

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"
)

// DefaultPager is used where PAGER is not set: it ends by itself on short output,
// shows colours, and leaves what it showed on the screen.
const DefaultPager = "less -FRX"

// ErrPagerQuit is what Write returns once the pager was left: nobody will see
// more. It is the sign to stop, and no failure.
var ErrPagerQuit = errors.New("the pager was left")

// Pager shows output that is longer than the screen.
type Pager struct {
	// In and Out are the terminal. If Out is none, or In where the built-in pager
	// would read its keys, output passes through.
	In, Out *os.File
	// Command is run by the system's shell with the output as its input. None is
	// run if it is empty or cat. See PagerCommand.
	Command string
	// Guard is that of the session; without one a pager has its own.
	Guard *Guard
}

// PagerCommand is the command for a variable PAGER: nil for one that is not set.
func PagerCommand(variable *string) string {
	if variable == nil {
		return DefaultPager
	}
	return strings.TrimSpace(*variable)
}

// Page shows what r gives. That the pager is left early is no error.
func (p Pager) Page(r io.Reader) error {
	w := p.Open()
	_, err := io.Copy(w, r)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, ErrPagerQuit) {
		return nil
	}
	return err
}

// Open gives a writer for one command's output. It is held back until it is more
// than the screen shows; then a pager is started. Close waits until that is left.
func (p Pager) Open() io.WriteCloser {
	w := &pageWriter{p: p}
	if p.Command == "" || p.Command == "cat" || p.In == nil || !Interactive(p.In, p.Out) {
		w.direct = p.Out
		return w
	}
	cols, rows, err := term.GetSize(int(p.Out.Fd()))
	if err != nil || cols <= 0 || rows <= 1 {
		cols, rows = 80, 24
	}
	w.cols, w.height = cols, rows-1
	return w
}

// pageWriter is the output of one command.
type pageWriter struct {
	p      Pager
	direct io.Writer // once it is clear where the output goes

	cols, height int
	held         bytes.Buffer
	seen         int // of what is held
	lines        int // on the screen
	column       int

	cmd   *exec.Cmd
	pipe  io.WriteCloser
	guard *Guard
	end   func() // of the time that interrupts are for the pager
	quit  bool
}

// Write shows or holds back output. Its error is ErrPagerQuit once the pager is gone.
func (w *pageWriter) Write(b []byte) (int, error) {
	if w.quit {
		return 0, ErrPagerQuit
	}
	if w.direct == nil {
		w.held.Write(b)
		w.measure()
		if w.lines < w.height {
			return len(b), nil
		}
		if err := w.start(); err != nil {
			return 0, err
		}
		held := w.held.Bytes()
		w.held = bytes.Buffer{}
		if err := w.pass(held); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	if err := w.pass(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// pass hands output on. A pager that has gone closes its end of the pipe.
func (w *pageWriter) pass(b []byte) error {
	_, err := w.direct.Write(b)
	if err != nil && w.pipe != nil {
		w.quit = true
		return ErrPagerQuit
	}
	if errors.Is(err, ErrPagerQuit) {
		w.quit = true
	}
	return err
}

// measure counts the rows of what is held. Sequences of colours count as text:
// a pager that comes too early does no harm.
func (w *pageWriter) measure() {
	held := w.held.Bytes()
	for _, c := range held[w.seen:] {
		switch {
		case c == '\n':
			w.lines, w.column = w.lines+1, 0
		case c&0xc0 != 0x80: // the first byte of a character
			if w.column++; w.column > w.cols {
				w.lines, w.column = w.lines+1, 1
			}
		}
	}
	w.seen = len(held)
}

// start runs the pager, or the built-in one if there is no such command.
func (w *pageWriter) start() error {
	if w.guard = w.p.Guard; w.guard == nil {
		guard, err := NewGuard(w.p.In, w.p.Out, nil)
		if err != nil {
			return err
		}
		w.guard = guard
	}
	w.end = w.guard.IgnoreInterrupts()
	if available(w.p.Command) {
		cmd := shellCommand(w.p.Command)
		cmd.Stdout, cmd.Stderr = w.p.Out, w.p.Out
		pipe, err := cmd.StdinPipe()
		if err == nil {
			if err = cmd.Start(); err == nil {
				w.cmd, w.pipe, w.direct = cmd, pipe, pipe
				return nil
			}
			_ = pipe.Close()
		}
	}
	w.direct = &more{in: w.p.In, out: w.p.Out, cols: w.cols, height: w.height, left: w.height}
	return nil
}

// available tells whether the first word of a command can be run. A command
// that is more than words is left to the shell.
func available(command string) bool {
	fields := strings.Fields(command)
	if strings.ContainsAny(command, "'\"\\$`;|&<>()*?[]{}~#\n") {
		return true
	}
	for _, f := range fields {
		if strings.Contains(f, "=") { // LESS=-R less
			continue
		}
		_, err := exec.LookPath(f)
		return err == nil
	}
	return false
}

// Close shows what is held back, waits for the pager and restores the terminal.
// How the pager ended does not matter: a person ended it.
func (w *pageWriter) Close() error {
	if w.direct == nil {
		_, err := w.p.Out.Write(w.held.Bytes())
		w.held = bytes.Buffer{}
		w.direct, w.quit = w.p.Out, true
		return err
	}
	if w.pipe != nil {
		_ = w.pipe.Close() // EPIPE: it was left already
		_ = w.cmd.Wait()
		w.pipe, w.quit = nil, true
	}
	if w.end == nil {
		return nil
	}
	w.end()
	w.end = nil
	if w.p.Guard == nil {
		return w.guard.Close()
	}
	return w.guard.Restore()
}
