package prompt

import (
	"fmt"
	"strconv"
	"strings"
)

// Expand replaces references to older lines as jline does: !! the last line, !n
// line n counted from 1, !-n the n-th last, !text the last one that begins with
// text, !?text? the last one with text in it, !$ the last word of the last line,
// !# what stands in front of it, ^a^b^ the last line with b for a. Quotes (') and
// a backslash keep a mark as it is. The error is that an event is not found; the
// shell then runs the line as it stands. first is the number of history[0].
func Expand(line string, first int, history []string) (string, error) {
	e := expander{line: line, first: first, history: history}
	for e.i < len(line) {
		if e.out.Len() > maxExpanded {
			return line, fmt.Errorf("the line grows beyond %d bytes", maxExpanded)
		}
		c := line[e.i]
		e.i++
		switch {
		case c == '\\' && e.i < len(line):
			e.out.WriteByte(c)
			e.out.WriteByte(line[e.i])
			e.i++
		case c == '\'':
			e.quoted = !e.quoted
			e.out.WriteByte(c)
		case c == '!' && !e.quoted && e.i < len(line):
			if err := e.event(); err != nil {
				return line, err
			}
		case c == '^' && e.i == 1:
			if err := e.substitute(); err != nil {
				return line, err
			}
		default:
			e.out.WriteByte(c)
		}
	}
	return e.out.String(), nil
}

// maxExpanded bounds a line that doubles itself with every !#.
const maxExpanded = 1 << 20

type expander struct {
	line    string
	i       int
	quoted  bool
	first   int
	history []string
	out     strings.Builder
}

func (e *expander) missing(event string) error { return fmt.Errorf("%s: event not found", event) }

// event expands what stands behind the exclamation mark.
func (e *expander) event() error {
	rest := e.line[e.i:]
	last := len(e.history) - 1
	switch c := rest[0]; {
	case c == '!' || c == '$':
		if last < 0 {
			return e.missing("!" + string(c))
		}
		s := e.history[last]
		if c == '$' {
			s = strings.TrimSpace(s)
			s = s[strings.LastIndexByte(s, ' ')+1:]
		}
		e.out.WriteString(s)
		e.i++
	case c == '#':
		e.out.WriteString(e.out.String())
		e.i++
	case c == '?':
		text, _, _ := strings.Cut(rest[1:], "?")
		e.i += min(len(text)+2, len(rest))
		return e.find("!?"+text, func(s string) bool { return strings.Contains(s, text) })
	case c == ' ' || c == '\t':
		e.out.WriteString("!" + string(c))
		e.i++
	case c == '-' || c >= '0' && c <= '9':
		return e.number(rest)
	default:
		e.i = len(e.line)
		return e.find("!"+rest, func(s string) bool { return strings.HasPrefix(s, rest) })
	}
	return nil
}

func (e *expander) find(event string, match func(string) bool) error {
	for i := len(e.history) - 1; i >= 0; i-- {
		if match(e.history[i]) {
			e.out.WriteString(e.history[i])
			return nil
		}
	}
	return e.missing(event)
}

// number expands !n and !-n. The character behind the digits is swallowed: it
// is in jline.
func (e *expander) number(rest string) error {
	digits := strings.TrimPrefix(rest, "-")
	n := 0
	for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
		n++
	}
	event := "!" + rest[:len(rest)-len(digits)+n]
	e.i += len(event) - 1
	if e.i < len(e.line) {
		e.i++
	}
	number, err := strconv.Atoi(digits[:n])
	if err != nil {
		return e.missing(event)
	}
	index := number - 1 - e.first
	if rest[0] == '-' {
		index = len(e.history) - number
	}
	if index < 0 || index >= len(e.history) {
		return e.missing(event)
	}
	e.out.WriteString(e.history[index])
	return nil
}

// substitute expands ^a^b^ at the beginning of a line.
func (e *expander) substitute() error {
	from, rest, ok := strings.Cut(e.line[1:], "^")
	if !ok {
		e.out.WriteByte('^')
		return nil
	}
	to, behind, closed := strings.Cut(rest, "^")
	if len(e.history) == 0 {
		return e.missing("^" + from)
	}
	e.out.WriteString(strings.ReplaceAll(e.history[len(e.history)-1], from, to))
	e.i = len(e.line)
	if closed {
		e.i -= len(behind)
	}
	return nil
}
