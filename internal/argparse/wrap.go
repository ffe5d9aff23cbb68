package argparse

import (
	"strings"
	"unicode/utf8"
)

// width is the length of a text as Java counts it: in UTF-16 code units.
// Combining and wide characters are not treated otherwise.
func width(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// wrap breaks a text into lines of at most max columns and justifies all but
// the last line of a paragraph. The first line starts at column offset; indent
// precedes the others and is not counted in max's favour: it uses up columns.
func wrap(text string, max, offset int, indent string) string {
	var out, line strings.Builder
	room, used := max-offset, 0 // of the current line
	flush := func() {
		out.WriteString(justify(line.String(), room))
		out.WriteByte('\n')
		out.WriteString(indent)
		line.Reset()
		room, used = max-width(indent), 0
	}
	for len(text) > 0 {
		n := segment(text)
		piece := text[:n]
		text = text[n:]
		// The blanks behind a word count, so a line can end early because of
		// a blank that is not printed.
		w := width(piece)
		if used+w > room {
			flush()
		}
		line.WriteString(piece)
		used += w
		if piece[n-1] == '\n' {
			// As it is: the line feed of the piece ends it, or its tail
			// begins the next line.
			out.WriteString(line.String())
			out.WriteString(indent)
			line.Reset()
			room, used = max-width(indent), 0
		}
	}
	out.WriteString(line.String())
	return out.String()
}

// justify widens the blanks between words until the line fills its room.
// What does not divide evenly goes to the gaps in the middle. Blanks at both
// ends are dropped.
func justify(line string, room int) string {
	line = strings.Trim(line, " ")
	gaps := 0
	for i := 1; i < len(line); i++ {
		if line[i-1] == ' ' && line[i] != ' ' {
			gaps++
		}
	}
	extra := room - width(line)
	if gaps == 0 || extra <= 0 {
		return line
	}
	each, rest := extra/gaps, extra%gaps
	from := (gaps - rest + 1) / 2
	var b strings.Builder
	b.Grow(len(line) + extra)
	gap := 0
	for i := 0; i < len(line); i++ {
		if i > 0 && line[i-1] == ' ' && line[i] != ' ' {
			n := each
			if gap >= from && gap < from+rest {
				n++
			}
			for ; n > 0; n-- {
				b.WriteByte(' ')
			}
			gap++
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// segment is the length of the first part of a text that must not be broken,
// with the blanks behind it. It is at least one character.
func segment(text string) int {
	state, end := byte(0), 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		state = lineStates[state][lineClass(r)]
		if state == stateEnd {
			break
		}
		i += n
		if !tentative[state] {
			end = i
		}
	}
	if end == 0 && len(text) > 0 {
		_, end = utf8.DecodeRuneInString(text)
	}
	return end
}
