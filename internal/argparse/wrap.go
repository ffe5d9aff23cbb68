package argparse

import (
	"strings"

	"kraftctl/internal/javatext"
)

// wrap breaks a text into lines of at most max columns and justifies all but
// the last line of a paragraph. The first line starts at column offset; indent
// precedes the others and is not counted twice: it takes up columns like any text.
func wrap(text string, max, offset int, indent string) string {
	var out, line strings.Builder
	room, used := max-offset, 0 // of the current line
	flush := func() {
		out.WriteString(justify(line.String(), room))
		out.WriteByte('\n')
		out.WriteString(indent)
		line.Reset()
		room, used = max-javatext.Len(indent), 0
	}
	b := breaker{text: text}
	for piece := b.next(); piece != ""; piece = b.next() {
		// The blanks behind a word count, so a line can end early because of
		// a blank that is not printed.
		w := javatext.Len(piece)
		if used+w > room {
			flush()
		}
		line.WriteString(piece)
		used += w
		if piece[len(piece)-1] == '\n' {
			// As it is: the line feed of the piece ends it, or its tail
			// begins the next line.
			out.WriteString(line.String())
			out.WriteString(indent)
			line.Reset()
			room, used = max-javatext.Len(indent), 0
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
	extra := room - javatext.Len(line)
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
