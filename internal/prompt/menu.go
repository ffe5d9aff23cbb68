package prompt

import (
	"fmt"
	"strings"

	goprompt "github.com/c-bata/go-prompt"

	"kraftctl/shell"
)

// menu is the list of candidates below the line.
type menu struct {
	list []shell.Candidate
	// shown are the sanitised texts of the list, with their widths.
	shown     []shownCandidate
	width     int  // of the widest, with its description
	described bool // some have a description
	// selected is the candidate in the line, or -1 while it is only a list.
	selected int
	first    int // first row that is seen
	columns  int // of the last layout
	lines    int
	// before and after are what stands around the candidate, and word is what it
	// took the place of.
	before, word, after string
	jline               bool
}

type shownCandidate struct {
	display, description string
	width                int
}

const (
	columnGap      = 3 // between columns, as in jline
	descriptionGap = 2
)

func newMenu(list []shell.Candidate, jline bool) *menu {
	m := &menu{list: list, shown: make([]shownCandidate, len(list)), selected: -1, jline: jline}
	for i, c := range list {
		display := c.Display
		if display == "" {
			display = c.Text
		}
		s := shownCandidate{display: Sanitise(display)}
		s.width = columns(s.display)
		if !jline {
			s.description = Sanitise(c.Description)
		}
		m.described = m.described || s.description != ""
		m.width = max(m.width, s.width)
		m.shown[i] = s
	}
	return m
}

// layout follows jline: as many columns as fit, then as few as the rows allow,
// filled from top to bottom. Candidates with descriptions stand one in a row.
func (m *menu) layout(cols int) (columns, lines, width int) {
	width = max(min(m.width, cols), 1)
	columns = max(cols/width, 1)
	for columns > 1 && columns*width+(columns-1)*columnGap >= cols {
		columns--
	}
	if m.described {
		columns = 1
	}
	lines = (len(m.list) + columns - 1) / columns
	columns = (len(m.list) + lines - 1) / lines
	return columns, lines, width
}

// rows gives what fits in a height, around the selected candidate.
func (m *menu) rows(cols, height int) []string {
	columns, lines, width := m.layout(cols)
	m.columns, m.lines = columns, lines
	if height <= 0 {
		return nil
	}
	seen := lines
	if lines > height {
		seen = height - 1 // the last row says what is not seen
	}
	if m.selected >= 0 {
		row := m.selected % lines
		if row >= m.first+seen {
			m.first = row - seen + 1
		}
		m.first = min(m.first, row)
	}
	m.first = max(0, min(m.first, lines-seen))
	var out []string
	for row := m.first; row < m.first+seen; row++ {
		var b strings.Builder
		for column := 0; column < columns; column++ {
			i := column*lines + row
			if i >= len(m.list) {
				break
			}
			if column > 0 {
				b.WriteString(strings.Repeat(" ", columnGap))
			}
			m.cell(&b, i, width, cols)
		}
		out = append(out, b.String())
	}
	if lines > height {
		text := fmt.Sprintf("… %d of %d", min((m.first+seen)*columns, len(m.list)), len(m.list))
		out = append(out, clip(text, cols-1))
	}
	return out
}

// cell writes one candidate, padded to the width of its column.
func (m *menu) cell(b *strings.Builder, i, width, cols int) {
	s := m.shown[i]
	text := clip(s.display, min(width, cols-1))
	pad := strings.Repeat(" ", max(0, min(width, cols-1)-columnsOf(s, text)))
	if i == m.selected {
		b.WriteString("\x1b[7m" + text + pad + "\x1b[27m")
	} else {
		b.WriteString(text + pad)
	}
	if room := cols - 1 - width - descriptionGap; s.description != "" && room > 3 {
		b.WriteString(strings.Repeat(" ", descriptionGap) + "\x1b[2m" + clip(s.description, room) + "\x1b[22m")
	}
}

// columnsOf is the width of a text that may have been clipped.
func columnsOf(s shownCandidate, text string) int {
	if text == s.display {
		return s.width
	}
	return columns(text)
}

// complete asks for candidates. One is taken, of several what they have in common
// is, and they are listed.
func (r *Reader) complete() {
	if r.o.Completer == nil {
		r.bell()
		return
	}
	text, cursor := r.line.text(), r.cursorByte()
	start, list := r.o.Completer(text, cursor)
	if len(list) == 0 || start < 0 || start > cursor {
		r.bell()
		return
	}
	before, word, after := text[:start], text[start:cursor], text[cursor:]
	if len(list) == 1 {
		r.accept(before, list[0], after)
		return
	}
	common := list[0].Text
	for _, c := range list[1:] {
		common = shell.CommonPrefix(common, c.Text)
	}
	if len(common) > len(word) && strings.HasPrefix(common, word) {
		word = common
		r.line.set(before+word, after)
	}
	r.menu = newMenu(list, r.o.Kafka)
	r.menu.before, r.menu.word, r.menu.after = before, word, after
}

// accept puts a candidate in the line, with a blank behind it if it is complete.
func (r *Reader) accept(before string, c shell.Candidate, after string) {
	before += lineText(c.Text)
	if !c.Partial {
		after = strings.TrimPrefix(after, " ")
		before += " "
	}
	r.line.set(before, after)
}

// lineText is a candidate's text for the line: names hold no newlines, and the
// line would be cut there.
func lineText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\n", string(newline))
}

// choosing handles a key while candidates are listed and says whether that is
// all. Tab and the arrows choose, Enter takes what was chosen, Escape and Ctrl-G
// take it back; any other key takes it and does what it always does.
func (r *Reader) choosing(e *event) bool {
	m := r.menu
	move := 0
	n := len(m.list)
	switch e.key {
	case goprompt.Tab, goprompt.ControlI:
		move = 1
	case goprompt.BackTab:
		move = -1
	case goprompt.Down, goprompt.Up, goprompt.Left, goprompt.Right:
		if m.selected < 0 {
			if m.jline || e.key != goprompt.Down {
				r.menu = nil
				return false
			}
			move = 1
			break
		}
		move = map[goprompt.Key]int{goprompt.Down: 1, goprompt.Up: -1, goprompt.Right: m.lines, goprompt.Left: -m.lines}[e.key]
		if to := m.selected + move; (move > 1 || move < -1) && (to < 0 || to >= n) {
			r.bell()
			return true
		}
	case goprompt.Enter, goprompt.ControlM, goprompt.ControlJ:
		r.menu = nil
		if m.selected < 0 {
			return false
		}
		r.accept(m.before, m.list[m.selected], m.after)
		return true
	case goprompt.ControlG, goprompt.Escape:
		r.menu = nil
		r.line.set(m.before+m.word, m.after)
		return true
	default:
		r.menu = nil
		return false
	}
	if m.selected < 0 && move < 0 {
		m.selected = 0
	}
	m.selected = ((m.selected+move)%n + n) % n
	r.line.set(m.before+lineText(m.list[m.selected].Text), m.after)
	return true
}
