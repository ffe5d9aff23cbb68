package prompt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// emulator is as much of a terminal as the tests need. What it does not know it
// keeps in odd, so that a test fails rather than misses it.
type emulator struct {
	cols, rows int
	x, y       int
	wrap       bool // the last column was written, the next character wraps
	cells      [][]rune
	pending    []byte
	paste      bool // bracketed paste is on
	bells      int
	odd        []string
}

func newEmulator(cols, rows int) *emulator {
	e := &emulator{cols: cols, rows: rows}
	for range rows {
		e.cells = append(e.cells, e.blank())
	}
	return e
}

func (e *emulator) blank() []rune { return []rune(strings.Repeat(" ", e.cols)) }

func (e *emulator) Write(b []byte) (int, error) {
	e.pending = append(e.pending, b...)
	for len(e.pending) > 0 {
		n := e.one(e.pending)
		if n == 0 {
			break
		}
		e.pending = e.pending[n:]
	}
	return len(b), nil
}

func (e *emulator) one(b []byte) int {
	switch b[0] {
	case '\r':
		e.x, e.wrap = 0, false
	case '\n':
		e.down()
	case '\b':
		e.x, e.wrap = max(0, e.x-1), false
	case '\a':
		e.bells++
	case 0x1b:
		return e.sequence(b)
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		if r < ' ' || r == 0x7f {
			e.odd = append(e.odd, strconv.QuoteRune(r))
			return n
		}
		e.put(r, widths.RuneWidth(r))
		return n
	}
	return 1
}

func (e *emulator) put(r rune, width int) {
	if width == 0 {
		return
	}
	if e.wrap || e.x+width > e.cols {
		e.x, e.wrap = 0, false
		e.down()
	}
	if width > e.cols {
		e.odd = append(e.odd, strconv.QuoteRune(r))
		return
	}
	e.cells[e.y][e.x] = r
	if width == 2 {
		e.cells[e.y][e.x+1] = 0
	}
	if e.x += width; e.x >= e.cols {
		e.x, e.wrap = e.cols-1, true
	}
}

func (e *emulator) down() {
	if e.y++; e.y >= e.rows {
		e.y = e.rows - 1
		e.cells = append(e.cells[1:], e.blank())
	}
}

func (e *emulator) sequence(b []byte) int {
	n := 2
	for n < len(b) && b[n] >= 0x20 && b[n] <= 0x3f {
		n++
	}
	if n >= len(b) {
		return 0
	}
	if b[1] != '[' {
		e.odd = append(e.odd, strconv.Quote(string(b[:2])))
		return 2
	}
	parameter := string(b[2:n])
	count, _ := strconv.Atoi(parameter)
	switch b[n] {
	case 'A':
		e.y, e.wrap = max(0, e.y-max(count, 1)), false
	case 'B':
		e.y, e.wrap = min(e.rows-1, e.y+max(count, 1)), false
	case 'C':
		e.x, e.wrap = min(e.cols-1, e.x+max(count, 1)), false
	case 'H':
		e.x, e.y, e.wrap = 0, 0, false
	case 'J', 'K':
		if count == 2 {
			for y := range e.cells {
				e.cells[y] = e.blank()
			}
			break
		}
		for x := e.x; x < e.cols; x++ {
			e.cells[e.y][x] = ' '
		}
		for y := e.y + 1; b[n] == 'J' && y < e.rows; y++ {
			e.cells[y] = e.blank()
		}
	case 'm':
	case 'h', 'l':
		switch parameter {
		case "?2004":
			e.paste = b[n] == 'h'
		case "?25":
		default:
			e.odd = append(e.odd, strconv.Quote(string(b[:n+1])))
		}
	default:
		e.odd = append(e.odd, strconv.Quote(string(b[:n+1])))
	}
	return n + 1
}

// String is the screen as "tmux capture-pane" prints it, without the empty rows
// at the end.
func (e *emulator) String() string {
	var b strings.Builder
	for _, row := range e.cells {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
