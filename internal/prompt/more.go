package prompt

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/term"
)

const morePrompt = "\x1b[7m--More--\x1b[27m"

// more is the pager of a system that has none: it stops at every screen and goes
// on at a key. Enter shows one more line, q ends it, everything else shows the
// next screen.
type more struct {
	in, out      *os.File
	cols, height int
	left         int // rows that may be written before it stops
	column       int
}

// Write shows output up to the next stop.
func (m *more) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		if m.left <= 0 {
			if err := m.ask(); err != nil {
				return done, err
			}
		}
		n := m.take(b[done:])
		if _, err := m.out.Write(b[done : done+n]); err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// take gives how much of b fills the rows that are left. It ends behind a line or
// before the character that begins a new row.
func (m *more) take(b []byte) int {
	for i, c := range b {
		switch {
		case c == '\n':
			m.left, m.column = m.left-1, 0
			if m.left <= 0 {
				return i + 1
			}
		case c&0xc0 != 0x80:
			if m.column++; m.column > m.cols {
				m.left, m.column = m.left-1, 1
				if m.left <= 0 {
					m.column = 0 // it is counted when it comes again
					return i
				}
			}
		}
	}
	return len(b)
}

// ask waits for a key.
func (m *more) ask() error {
	state, err := term.MakeRaw(int(m.in.Fd()))
	if err != nil {
		return err
	}
	_, _ = io.WriteString(m.out, morePrompt)
	var key [16]byte
	n, rerr := m.in.Read(key[:])
	_, _ = io.WriteString(m.out, "\r\x1b[K")
	if err := term.Restore(int(m.in.Fd()), state); err != nil {
		return err
	}
	if rerr != nil || n == 0 || bytes.ContainsAny(key[:n], "qQ\x03\x04") {
		return ErrPagerQuit
	}
	m.left = m.height
	if key[0] == '\r' || key[0] == '\n' || key[0] == 'j' {
		m.left = 1
	}
	return nil
}
