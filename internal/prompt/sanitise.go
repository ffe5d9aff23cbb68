package prompt

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// widths are those of a Western terminal whatever the locale says: East Asian
// ambiguous characters are narrow nearly everywhere.
var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// cell gives what a character looks like on the screen and its width there.
// Characters that would move the cursor, change the terminal or turn the
// direction of the text are written out.
func cell(r rune) (string, int) {
	switch {
	case r >= ' ' && r < 0x7f:
		return string(r), 1
	case r < ' ':
		return "^" + string(r+'@'), 2
	case r == 0x7f:
		return "^?", 2
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
		s := fmt.Sprintf("<%04x>", r)
		return s, len(s)
	}
	return string(r), widths.RuneWidth(r)
}

// Sanitise writes out the control characters of a text of one line.
func Sanitise(s string) string {
	clean := true
	for _, r := range s {
		if r < ' ' || r >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		c, _ := cell(r)
		b.WriteString(c)
	}
	return b.String()
}

// columns is the width of a text that was sanitised.
func columns(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x7f {
			n++
			continue
		}
		n += widths.RuneWidth(r)
	}
	return n
}

// clip cuts a sanitised text to a width.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		w := widths.RuneWidth(r)
		if n+w > width-1 {
			if width < 1 {
				return ""
			}
			return s[:i] + "…"
		}
		n += w
	}
	return s
}

// glyph is one character of the edited area: what is written for it, its
// width, and whether a new row begins behind it.
type glyph struct {
	text  string
	width int
	brk   bool
}

// glyphs of a prompt: colours (SGR sequences) pass and take no room, everything
// else is sanitised, since a prompt may hold the name of a node.
func promptGlyphs(s string) []glyph {
	var out []glyph
	pending := ""
	for s != "" {
		if n := sgr(s); n > 0 {
			pending += s[:n]
			s = s[n:]
			continue
		}
		r := []rune(s[:min(len(s), 4)])[0]
		n := len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(s, string(r)) {
			n = 1 // a byte that is no UTF-8
		}
		s = s[n:]
		if r == '\n' {
			out = append(out, glyph{text: pending, brk: true})
		} else {
			c, w := cell(r)
			out = append(out, glyph{text: pending + c, width: w})
		}
		pending = ""
	}
	if pending != "" {
		out = append(out, glyph{text: pending})
	}
	return out
}

// sgr is the length of the colour sequence that s begins with, or 0.
func sgr(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c >= '0' && c <= '9', c == ';', c == ':':
		default:
			return 0
		}
	}
	return 0
}

// textGlyphs are those of the typed line, by character.
func textGlyphs(text []rune) []glyph {
	out := make([]glyph, len(text))
	for i, r := range text {
		if r == newline {
			out[i] = glyph{brk: true}
			continue
		}
		c, w := cell(r)
		out[i] = glyph{text: c, width: w}
	}
	return out
}
