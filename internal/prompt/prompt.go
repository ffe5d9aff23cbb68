package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"kraftctl/internal/vfs"
	"kraftctl/shell"
)

// Options say what lines are read from and how.
type Options struct {
	// In and Out are the terminal.
	In, Out *os.File
	// Completer gives what Tab offers; nil offers nothing.
	Completer shell.Completer
	// HistoryFile keeps the history over sessions, in FS (vfs.OS if nil). Empty:
	// no file is read or written.
	HistoryFile string
	FS          vfs.FS
	// HistoryLines is how many lines are remembered; DefaultHistoryLines if 0.
	HistoryLines int
	// Warn is told what goes wrong with the history file, which ends nothing.
	Warn func(error)
	// Guard keeps the terminal's state. Without one the Reader makes its own,
	// which ends the process on SIGINT.
	Guard *Guard
	// Kafka makes it behave as the line reader of Kafka's shell, jline 3: its
	// screens, and references to older lines (see Expand).
	Kafka bool
	// Term is the kind of terminal, the variable TERM.
	Term string
}

// DefaultHistoryLines are remembered if not told otherwise.
const DefaultHistoryLines = 2000

// Interactive tells whether both are a terminal, so that New can be used.
func Interactive(in, out *os.File) bool {
	return in != nil && out != nil && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// Files gives the files behind streams; nil for a stream that is none.
func Files(in io.Reader, out io.Writer) (inFile, outFile *os.File) {
	inFile, _ = in.(*os.File)
	outFile, _ = out.(*os.File)
	return inFile, outFile
}

// Reader reads lines from a terminal. It is a shell.LineReader, shell.Follower
// and shell.Historian. Close must be called.
type Reader struct {
	o     Options
	guard *Guard
	own   bool // it made the guard
	tty   *tty

	screen  screen
	line    *line
	history history
	place   int    // in the history; behind the last for the line that is new
	draft   string // the new line, while an older one is shown
	menu    *menu
	search  *search
	pending []byte   // of the terminal, not used yet: more lines were pasted
	queue   []string // lines that were entered together with one before

	// mu guards what other goroutines set.
	mu      sync.Mutex
	reading bool
	prompt  string
	above   []string
	changed bool
	resized bool
	resumed bool
	closed  bool
}

// New makes a reader for a terminal. On a terminal that knows no cursor movement
// (TERM is dumb or empty), and on systems where lines cannot be edited, it reads
// lines as the terminal's driver edits them.
func New(o Options) (shell.LineReader, error) {
	if !Interactive(o.In, o.Out) {
		return nil, fmt.Errorf("lines cannot be edited: %w", ErrNoTerminal)
	}
	if !editable || o.Term == "" || o.Term == "dumb" {
		return NewPlain(o.In, o.Out, PlainOptions{Prompt: true, Kafka: o.Kafka}), nil
	}
	if o.FS == nil {
		o.FS = vfs.OS
	}
	if o.HistoryLines <= 0 {
		o.HistoryLines = DefaultHistoryLines
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	r := &Reader{o: o, guard: o.Guard, line: newLine(), screen: screen{out: o.Out}}
	if r.guard == nil {
		guard, err := NewGuard(o.In, o.Out, nil)
		if err != nil {
			return nil, err
		}
		r.guard, r.own = guard, true
	}
	var err error
	if r.tty, err = openTTY(o.In, func() { r.tell(&r.resized) }); err != nil {
		if r.own {
			_ = r.guard.Close()
		}
		return nil, fmt.Errorf("cannot read from the terminal: %w", err)
	}
	r.history = history{max: o.HistoryLines, jline: o.Kafka}
	if o.HistoryFile != "" {
		r.history.file = &historyFile{fsys: o.FS, name: o.HistoryFile, max: o.HistoryLines, warn: o.Warn}
		r.history.lines = r.history.file.load()
	}
	return r, nil
}

// Close restores the terminal and ends a ReadLine that waits.
func (r *Reader) Close() error {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if closed {
		return nil
	}
	r.tty.wake()
	r.tty.close()
	r.history.file.compact()
	if r.own {
		return r.guard.Close()
	}
	return nil
}

// History gives the lines that were entered, oldest first, and the number of the
// first of them. It is for the goroutine that calls ReadLine.
func (r *Reader) History() (first int, lines []string) {
	return r.history.first, append([]string(nil), r.history.lines...)
}

// Discard forgets lines that were pasted together with the last one. It is for the
// goroutine that calls ReadLine.
func (r *Reader) Discard() { r.queue, r.pending = nil, nil }

// SetPrompt changes the prompt of the line that is being read.
func (r *Reader) SetPrompt(prompt string) {
	r.mu.Lock()
	same := r.prompt == prompt
	r.prompt = prompt
	r.mu.Unlock()
	if !same {
		r.tell(&r.changed)
	}
}

// PrintAbove prints lines of text above the line that is being read; without
// one, where the cursor is. The text is not sanitised: it may have colours.
func (r *Reader) PrintAbove(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.reading {
		// Under the lock: no line may begin in the middle of it.
		_, _ = io.WriteString(r.o.Out, text)
		return
	}
	r.above = append(r.above, text)
	r.tty.wake()
}

// tell notes that something happened and wakes ReadLine up.
func (r *Reader) tell(what *bool) {
	r.mu.Lock()
	*what = true
	r.mu.Unlock()
	r.tty.wake()
}

// size of the terminal; one without a size (0x0, as a serial line has it) is
// taken for a common one.
func (r *Reader) size() (cols, rows int) {
	cols, rows, err := term.GetSize(int(r.o.Out.Fd()))
	if err != nil || cols <= 0 {
		cols = 80
	}
	if err != nil || rows <= 0 {
		rows = 24
	}
	return cols, rows
}

const (
	startPaste = "\x1b[?2004h"
	endPaste   = "\x1b[?2004l"
)

// ReadLine reads a line. Several lines that were pasted are given one after the
// other, at the latest when Enter is pressed behind them.
func (r *Reader) ReadLine(prompt string) (string, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return "", io.EOF
	}
	r.prompt, r.changed, r.resized, r.resumed = prompt, false, false, false
	r.reading = true
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reading = false
		for _, text := range r.above { // came too late for the line
			_, _ = io.WriteString(r.o.Out, text)
		}
		r.above = nil
	}()

	r.line, r.menu, r.search, r.draft = newLine(), nil, nil, ""
	r.place = len(r.history.lines)
	r.screen.cols, r.screen.rows = r.size()
	if err := r.guard.enter(startPaste, endPaste, func() { r.tell(&r.resumed) }); err != nil {
		return "", gone(err)
	}
	defer r.guard.leave() // also when the completer panics
	if len(r.queue) > 0 {
		r.line.set(r.queue[0], "")
		r.queue = r.queue[1:]
		return r.enter()
	}
	r.redraw()
	return r.loop()
}

// loop handles what comes from the terminal until a line is complete.
func (r *Reader) loop() (string, error) {
	buf := make([]byte, 4096)
	quiet := false // nothing came for a while
	for {
		dirty := false
		for {
			e, n := next(r.pending, quiet)
			if n == 0 {
				break
			}
			r.pending = r.pending[n:]
			line, err, done := r.handle(e)
			if done {
				return line, err
			}
			dirty = true
		}
		if dirty {
			r.redraw()
		}
		if r.screen.err != nil {
			return "", gone(fmt.Errorf("cannot write to the terminal: %w", r.screen.err))
		}
		n, err := r.tty.read(buf, patience(r.pending))
		if err != nil {
			return "", gone(fmt.Errorf("cannot read from the terminal: %w", err))
		}
		r.pending = append(r.pending, buf[:n]...)
		quiet = n == 0
		if r.attend() {
			return "", io.EOF
		}
	}
}

// gone makes the end of the input of what happens when a terminal was closed.
func gone(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) {
		return io.EOF
	}
	return err
}

// attend does what other goroutines asked for. It says whether to stop.
func (r *Reader) attend() (closed bool) {
	r.mu.Lock()
	above, changed, resized, resumed := r.above, r.changed, r.resized, r.resumed
	r.above, r.changed, r.resized, r.resumed = nil, false, false, false
	closed = r.closed
	r.mu.Unlock()
	if closed {
		return true
	}
	if resized || resumed {
		cols, rows := r.size()
		if resumed { // others have written to the screen
			r.screen.at, r.screen.last = 0, frame{}
			r.screen.write(startPaste)
		}
		r.screen.resize(cols, rows)
	}
	if len(above) > 0 {
		r.screen.erase()
		for _, text := range above {
			r.screen.write(crlf(text))
		}
	}
	if changed || resized || resumed || len(above) > 0 {
		r.redraw()
	}
	return false
}

// frame gives what is to be seen now.
func (r *Reader) frame() frame {
	r.mu.Lock()
	prompt := r.prompt
	r.mu.Unlock()
	text := []rune(r.line.text())
	f := frame{prompt: promptGlyphs(prompt), text: textGlyphs(text), cursor: r.line.cursor()}
	switch {
	case r.search != nil:
		f.below = []string{clip(r.search.label(), r.screen.cols-1)}
	case r.menu != nil:
		rows, _, _ := f.layout(r.screen.cols)
		f.below = r.menu.rows(r.screen.cols, r.screen.rows-len(rows))
	}
	return f
}

func (r *Reader) redraw() { r.screen.draw(r.frame()) }

// bell says that a key had nothing to do.
func (r *Reader) bell() { r.screen.write("\a") }

// cursorByte is the cursor's position in bytes.
func (r *Reader) cursorByte() int { return len(r.line.before()) }

func runes(s string) int { return utf8.RuneCountInString(s) }
