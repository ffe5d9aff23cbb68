package argparse

import (
	"strings"

	"kraftctl/internal/javatext"
)

// A program with a name of this length has the first line for itself, and the
// others start where its name does.
const (
	longProg  = 24
	shortHang = len("usage: ")
)

// usage is the summary of a command line. Its words are kept together with
// their values, and lines hang behind the name of the program.
func (l *level) usage(columns int) string {
	head := "usage: " + l.parser.Prog
	hang := javatext.Len(head) + 1
	room := columns - hang
	if javatext.Len(l.parser.Prog) >= longProg {
		hang = shortHang
		room = columns - hang - len("usage:") // narrower than the lines below
		head += "\n" + strings.Repeat(" ", hang-1)
	}
	indent := "\n" + strings.Repeat(" ", hang)
	var b strings.Builder
	b.WriteString(head)
	used := 0 // of the room
	for i, w := range l.words() {
		n := javatext.Len(w)
		if i > 0 && used+1+n > room {
			b.WriteString(indent + w)
			room, used = columns-hang, n
			continue
		}
		b.WriteString(" " + w)
		if used += n; i > 0 {
			used++
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// words are the parts of usage behind the program: options outside of groups,
// the groups, positionals, commands. A command comes behind what its parser
// requires.
func (l *level) words() []string {
	var out []string
	if l.parent != nil {
		out = append(l.parent.optionWords(true), l.name)
	}
	out = append(out, l.optionWords(false)...)
	for i := range l.positionals {
		p := &l.positionals[i]
		m := p.label()
		switch p.Nargs {
		case One:
		case Optional:
			m = "[" + m + "]"
		case ZeroOrMore:
			m = "[" + m + " [" + m + " ...]]"
		case OneOrMore:
			m += " [" + m + " ...]"
		}
		out = append(out, m)
	}
	if len(l.commands) > 0 {
		out = append(out, l.choices(), "...")
	}
	return out
}

// optionWords are the options of a level: all, or those that are required.
func (l *level) optionWords(required bool) []string {
	var out []string
	for i := range l.options {
		o := &l.options[i]
		switch {
		case o.Group != 0:
		case o.Required:
			out = append(out, o.with(o.first()))
		case !required:
			out = append(out, "["+o.with(o.first())+"]")
		}
	}
	for g := range l.groups {
		if required && !l.groups[g].Required {
			continue
		}
		start := len(out)
		for i := range l.options {
			if o := &l.options[i]; o.Group == g+1 {
				if len(out) > start {
					out = append(out, "|")
				}
				out = append(out, o.with(o.first()))
			}
		}
		open, end := "[", "]"
		if l.groups[g].Required {
			open, end = "(", ")"
			if len(out) == start+1 {
				open, end = "", ""
			}
		}
		if len(out) > start {
			out[start] = open + out[start]
			out[len(out)-1] += end
		}
	}
	return out
}
