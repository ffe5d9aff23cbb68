package prompt

import (
	"io"
	"strconv"
	"strings"
)

// screen draws the prompt, the line and what is below it. It knows where the
// cursor is relative to the first row of the prompt, and moves from there.
type screen struct {
	out        io.Writer
	cols, rows int
	// at is the row of the cursor, counted from the first that is drawn.
	at   int
	last frame
	err  error // the first that happened
}

// frame is what is to be seen: two runs of characters, the cursor's place in
// the second, and rows below, which are cut to the width already.
type frame struct {
	prompt, text []glyph
	cursor       int
	below        []string
}

// row is one row of the screen. soft: the next goes on with the same line, by
// the terminal's own wrapping, so that it can wrap anew when it is resized.
type row struct {
	text  string
	width int
	soft  bool
}

// layout cuts a frame into rows and finds the cursor.
func (f *frame) layout(cols int) (rows []row, y, x int) {
	cols = max(cols, 1)
	var b strings.Builder
	width, open := 0, true
	flush := func(soft bool) {
		rows = append(rows, row{b.String(), width, soft})
		b.Reset()
		width, open = 0, true
	}
	mark := len(f.prompt) + f.cursor
	for i := 0; i <= len(f.prompt)+len(f.text); i++ {
		var g glyph
		switch {
		case i < len(f.prompt):
			g = f.prompt[i]
		case i < len(f.prompt)+len(f.text):
			g = f.text[i-len(f.prompt)]
		}
		if g.width > cols {
			g.text, g.width = "?", 1
		}
		if g.width > 0 && width+g.width > cols {
			for ; width < cols; width++ {
				b.WriteByte(' ')
			}
			flush(true)
		}
		if i == mark {
			// A full row has no room for the cursor behind it.
			if width == cols && g.width == 0 {
				if !g.brk {
					flush(true)
				}
			}
			y, x = len(rows), min(width, cols-1)
		}
		b.WriteString(g.text)
		width += g.width
		if g.brk {
			flush(false)
		}
	}
	if open {
		rows = append(rows, row{b.String(), width, false})
	}
	return rows, y, x
}

// draw brings the screen to a frame.
func (s *screen) draw(f frame) {
	rows, y, x := f.layout(s.cols)
	// What does not fit on the screen is not drawn: moving up would stop at its
	// first row and everything would be drawn over the rest.
	height := max(s.rows, 1)
	if len(rows) > height {
		first := min(max(0, y-height+1), len(rows)-height)
		rows, y = rows[first:first+height], y-first
	}
	below := f.below[:min(len(f.below), height-len(rows))]

	// One write, so that nothing is seen of the erasing.
	var b strings.Builder
	b.WriteString("\x1b[?25l")
	s.home(&b)
	b.WriteString("\x1b[J")
	for i, r := range rows {
		b.WriteString(r.text)
		switch {
		case i+1 == len(rows):
		case !r.soft:
			b.WriteString("\r\n")
		case rows[i+1].text == "":
			b.WriteString(" \r\x1b[K") // makes the terminal wrap
		}
	}
	for _, text := range below {
		b.WriteString("\r\n" + text + "\x1b[0m")
	}
	up(&b, len(rows)+len(below)-1-y)
	b.WriteByte('\r')
	if x > 0 {
		b.WriteString("\x1b[" + strconv.Itoa(x) + "C")
	}
	b.WriteString("\x1b[?25h")
	s.at, s.last = y, f
	s.write(b.String())
}

// home moves to the first column of the first row that was drawn.
func (s *screen) home(b *strings.Builder) {
	up(b, s.at)
	b.WriteByte('\r')
	s.at = 0
}

func up(b *strings.Builder, n int) {
	if n > 0 {
		b.WriteString("\x1b[" + strconv.Itoa(n) + "A")
	}
}

// erase takes away what was drawn.
func (s *screen) erase() {
	var b strings.Builder
	s.home(&b)
	b.WriteString("\x1b[J")
	s.write(b.String())
}

// resize learns a new size. Terminals wrap what is on them anew, so the cursor
// is where it would be had everything been drawn at this width.
func (s *screen) resize(cols, rows int) {
	if s.last.prompt != nil || s.last.text != nil {
		all, y, _ := s.last.layout(cols)
		if len(all) > rows {
			y = min(y, max(rows-1, 0))
		}
		s.at = y
	}
	s.cols, s.rows = cols, rows
	s.erase()
}

// finish leaves the line as it is and goes to the row behind it.
func (s *screen) finish(f frame, end string) {
	f.below, f.cursor = nil, len(f.text)
	s.draw(f)
	s.write(end + "\r\n")
	s.at, s.last = 0, frame{}
}

// clear empties the screen.
func (s *screen) clear() {
	s.write("\x1b[H\x1b[2J")
	s.at = 0
}

func (s *screen) write(text string) {
	if _, err := io.WriteString(s.out, text); err != nil && s.err == nil {
		s.err = err
	}
}
