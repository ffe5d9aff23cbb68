// Package term is everything between a command and its terminal: the three
// streams with what is known of them (is it a terminal, how wide, are colours
// wanted), tables, progress, and exit codes. Commands get a Streams value and
// never touch os.Stdout, so a test runs them with buffers and a made-up width.
package term

import (
	"bytes"
	"io"
	"os"

	"github.com/fatih/color"
	xterm "golang.org/x/term"
)

// Streams are the standard streams of a command.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	// OutTerminal and ErrTerminal tell whether a person looks at the stream.
	OutTerminal, ErrTerminal bool
	// Width of the terminal in columns; DefaultWidth where there is none.
	Width int
	// Columns is the variable COLUMNS, nil if it is not set: Kafka's tools lay out
	// their help by it, and without it by the width that TTYWidth gives.
	Columns *string
	// TTYWidth gives the width of the controlling terminal, wherever the streams
	// go; 0 without one. It is nil in tests.
	TTYWidth func() int
	// Color is whether colours are wanted on Out.
	Color bool
}

// DefaultWidth is assumed where output goes to no terminal.
const DefaultWidth = 80

// System gives the streams of this process. NO_COLOR, if set to anything, and
// TERM=dumb turn colours off.
func System() *Streams {
	s := &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Width: DefaultWidth, TTYWidth: ttyWidth,
		OutTerminal: xterm.IsTerminal(int(os.Stdout.Fd())), ErrTerminal: xterm.IsTerminal(int(os.Stderr.Fd()))}
	if s.OutTerminal {
		if w, _, err := xterm.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
			s.Width = w
		}
	}
	if columns, ok := os.LookupEnv("COLUMNS"); ok {
		s.Columns = &columns
	}
	s.Color = s.OutTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return s
}

// CurrentWidth is the width of the terminal that Out goes to now, which may have
// changed; Width if it cannot be told.
func (s *Streams) CurrentWidth() int {
	if f, ok := s.Out.(*os.File); ok && s.OutTerminal {
		if w, _, err := xterm.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return s.Width
}

// ttyWidth asks the controlling terminal.
func ttyWidth() int {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return 0
	}
	defer func() { _ = tty.Close() }()
	w, _, err := xterm.GetSize(int(tty.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// Test gives streams over buffers, as seen by a command whose output goes into a pipe.
func Test(in string) (s *Streams, out, errOut *bytes.Buffer) {
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	return &Streams{In: bytes.NewBufferString(in), Out: out, Err: errOut, Width: DefaultWidth}, out, errOut
}

// Paint gives text in a colour, or as it is where colours are not wanted.
func (s *Streams) Paint(text string, attributes ...color.Attribute) string {
	if !s.Color {
		return text
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(text)
}
