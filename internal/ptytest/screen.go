package ptytest

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// widths are those of a Western terminal, whatever the locale says.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// Screen is as much of a terminal as the tests need. What it does not know it
// keeps in Odd, so that a test fails rather than misses it.
type Screen struct {
	Cols, Rows int
	// X and Y are where the cursor is.
	X, Y    int
	wrap    bool // the last column was written, the next character wraps
	cells   [][]rune
	pending []byte
	Paste   bool // bracketed paste is on
	// Lines is how often it was switched on: once for each line that is read.
	Lines int
	Bells int
	// Odd is what was written and is not known.
	Odd []string
}

// NewScreen gives an empty one.
func NewScreen(cols, rows int) *Screen {
	s := &Screen{Cols: cols, Rows: rows}
	for range rows {
		s.cells = append(s.cells, s.blank())
	}
	return s
}

func (s *Screen) blank() []rune { return []rune(strings.Repeat(" ", s.Cols)) }

// Write shows what a program has written.
func (s *Screen) Write(b []byte) (int, error) {
	s.pending = append(s.pending, b...)
	for len(s.pending) > 0 {
		n := s.one(s.pending)
		if n == 0 {
			break
		}
		s.pending = s.pending[n:]
	}
	return len(b), nil
}

func (s *Screen) one(b []byte) int {
	switch b[0] {
	case '\r':
		s.X, s.wrap = 0, false
	case '\n':
		s.down()
	case '\b':
		s.X, s.wrap = max(0, s.X-1), false
	case '\a':
		s.Bells++
	case '\t':
		s.X, s.wrap = min(s.Cols-1, s.X&^7+8), false
	case 0x1b:
		return s.sequence(b)
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		if r < ' ' || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r) {
			s.Odd = append(s.Odd, strconv.QuoteRune(r))
			return n
		}
		s.put(r, widths.RuneWidth(r))
		return n
	}
	return 1
}

func (s *Screen) put(r rune, width int) {
	if width == 0 {
		return
	}
	if s.wrap || s.X+width > s.Cols {
		s.X, s.wrap = 0, false
		s.down()
	}
	if width > s.Cols {
		s.Odd = append(s.Odd, strconv.QuoteRune(r))
		return
	}
	s.cells[s.Y][s.X] = r
	if width == 2 {
		s.cells[s.Y][s.X+1] = 0
	}
	if s.X += width; s.X >= s.Cols {
		s.X, s.wrap = s.Cols-1, true
	}
}

func (s *Screen) down() {
	if s.Y++; s.Y >= s.Rows {
		s.Y = s.Rows - 1
		s.cells = append(s.cells[1:], s.blank())
	}
}

func (s *Screen) sequence(b []byte) int {
	n := 2
	for n < len(b) && b[n] >= 0x20 && b[n] <= 0x3f {
		n++
	}
	if n >= len(b) {
		return 0
	}
	if b[1] != '[' {
		s.Odd = append(s.Odd, strconv.Quote(string(b[:2])))
		return 2
	}
	parameter := string(b[2:n])
	count, _ := strconv.Atoi(parameter)
	switch b[n] {
	case 'A':
		s.Y, s.wrap = max(0, s.Y-max(count, 1)), false
	case 'B':
		s.Y, s.wrap = min(s.Rows-1, s.Y+max(count, 1)), false
	case 'C':
		s.X, s.wrap = min(s.Cols-1, s.X+max(count, 1)), false
	case 'H':
		s.X, s.Y, s.wrap = 0, 0, false
	case 'J', 'K':
		if count == 2 {
			for y := range s.cells {
				s.cells[y] = s.blank()
			}
			break
		}
		for x := s.X; x < s.Cols; x++ {
			s.cells[s.Y][x] = ' '
		}
		for y := s.Y + 1; b[n] == 'J' && y < s.Rows; y++ {
			s.cells[y] = s.blank()
		}
	case 'm':
	case 'h', 'l':
		switch parameter {
		case "?2004":
			if s.Paste = b[n] == 'h'; s.Paste {
				s.Lines++
			}
		case "?25":
		default:
			s.Odd = append(s.Odd, strconv.Quote(string(b[:n+1])))
		}
	default:
		s.Odd = append(s.Odd, strconv.Quote(string(b[:n+1])))
	}
	return n + 1
}

// String is the screen as "tmux capture-pane" prints it, without the empty rows
// at the end.
func (s *Screen) String() string {
	var b strings.Builder
	for _, row := range s.cells {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
