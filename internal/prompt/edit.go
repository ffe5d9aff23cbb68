package prompt

import (
	"io"
	"strings"
	"time"

	goprompt "github.com/c-bata/go-prompt"

	"kraftctl/shell"
)

// patience is how long the rest of a sequence may take. Escape alone is a key as
// well, and only time tells. Without half a sequence the wait has no end.
func patience(pending []byte) time.Duration {
	switch {
	case len(pending) == 0:
		return -1
	case strings.HasPrefix(string(pending), pasteBegin):
		return 2 * time.Second
	}
	return 50 * time.Millisecond
}

// crlf ends lines as raw mode needs it.
func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// handle does what an event asks for. done: the line, or the error, is the
// result of ReadLine.
func (r *Reader) handle(e event) (line string, err error, done bool) {
	if r.search != nil && r.searching(&e) {
		return "", nil, false
	}
	if r.menu != nil && r.choosing(&e) {
		return "", nil, false
	}
	if e.key == textKey {
		r.line.insert(pasted(e))
		return "", nil, false
	}
	if e.meta != 0 {
		r.meta(e.meta)
		return "", nil, false
	}
	switch e.key {
	case goprompt.Enter, goprompt.ControlM, goprompt.ControlJ:
		line, err = r.enter()
		return line, err, true
	case goprompt.ControlC:
		end := "^C"
		if r.o.Kafka {
			end = "\r\n^C"
		}
		r.screen.finish(r.frame(), end)
		r.queue = nil
		return "", shell.ErrInterrupt, true
	case goprompt.ControlD:
		if r.line.text() == "" {
			r.screen.finish(r.frame(), "")
			return "", io.EOF, true
		}
		r.line.delete()
	case goprompt.ControlZ:
		r.guard.suspend()
	case goprompt.ControlL:
		r.screen.clear()
	case goprompt.Tab, goprompt.ControlI:
		r.complete()
	case goprompt.ControlR, goprompt.ControlS:
		r.startSearch()
	case goprompt.Up, goprompt.ControlP:
		r.older()
	case goprompt.Down, goprompt.ControlN:
		r.newer()
	default:
		if do, ok := edits[e.key]; ok {
			do(r.line)
		}
	}
	return "", nil, false
}

// edits are the keys that only change the line.
var edits = map[goprompt.Key]func(*line){
	goprompt.Left:         (*line).left,
	goprompt.ControlB:     (*line).left,
	goprompt.Right:        (*line).stepRight,
	goprompt.ControlF:     (*line).stepRight,
	goprompt.ControlLeft:  (*line).wordLeft,
	goprompt.ControlRight: (*line).wordRight,
	goprompt.Home:         (*line).home,
	goprompt.ControlA:     (*line).home,
	goprompt.End:          (*line).end,
	goprompt.ControlE:     (*line).end,
	goprompt.Backspace:    (*line).backspace,
	goprompt.ControlH:     (*line).backspace,
	goprompt.Delete:       (*line).delete,
	goprompt.ControlK:     (*line).killEnd,
	goprompt.ControlU:     (*line).killStart,
	goprompt.ControlW:     (*line).killBlankWord,
	goprompt.ControlY:     (*line).yank,
	goprompt.ControlT:     (*line).swap,
}

// meta does what Alt and a key ask for.
func (r *Reader) meta(c byte) {
	switch c {
	case 'b', 'B':
		r.line.wordLeft()
	case 'f', 'F':
		r.line.wordRight()
	case 'd', 'D':
		r.line.killWordRight()
	case 0x7f, 0x08:
		r.line.killWordLeft()
	case '<':
		r.show(0)
	case '>':
		r.show(len(r.history.lines))
	}
}

// pasted is the text of an event as it goes into the buffer. The newline at the
// end of what was copied does not run it: that is what Enter is for.
func pasted(e event) string {
	if !e.paste {
		return e.text
	}
	return strings.ReplaceAll(strings.TrimSuffix(e.text, "\n"), "\n", string(newline))
}

// enter ends the line. Of several that were pasted it gives the first; the next
// calls of ReadLine give the others.
func (r *Reader) enter() (string, error) {
	lines := strings.Split(r.line.text(), string(newline))
	r.line.set(lines[0], "")
	r.queue = append(lines[1:len(lines):len(lines)], r.queue...)
	line := lines[0]
	if r.o.Kafka {
		// What cannot be expanded is run as it stands, as in jline.
		if expanded, err := Expand(line, r.history.first, r.history.lines); err == nil {
			line = expanded
			r.line.set(line, "")
		}
	}
	r.screen.finish(r.frame(), "")
	r.history.add(line)
	return line, nil
}

// older shows the line that was entered before the one that is shown. Within
// pasted lines it moves up first.
func (r *Reader) older() {
	if r.vertical(-1) {
		return
	}
	if r.place == 0 {
		r.bell()
		return
	}
	r.show(r.place - 1)
}

func (r *Reader) newer() {
	if r.vertical(1) {
		return
	}
	if r.place >= len(r.history.lines) {
		r.bell()
		return
	}
	r.show(r.place + 1)
}

// show puts a line of the history in place of the line; behind the last comes
// what was typed before.
func (r *Reader) show(place int) {
	if place == r.place {
		return
	}
	if r.place == len(r.history.lines) {
		r.draft = r.line.text()
	}
	r.place = place
	if place == len(r.history.lines) {
		r.line.set(r.draft, "")
		return
	}
	r.line.set(r.history.lines[place], "")
}

// vertical moves the cursor by a line within pasted lines, if there is one.
func (r *Reader) vertical(by int) bool {
	before, after := r.line.before(), r.line.after()
	sep := string(newline)
	if by < 0 && !strings.Contains(before, sep) || by > 0 && !strings.Contains(after, sep) {
		return false
	}
	lines := strings.Split(before+after, sep)
	at := strings.Count(before, sep)
	above := strings.Split(before, sep)
	target := []rune(lines[at+by])
	column := min(runes(above[at]), len(target))
	head := append(append([]string{}, lines[:at+by]...), string(target[:column]))
	tail := append([]string{string(target[column:])}, lines[at+by+1:]...)
	r.line.set(strings.Join(head, sep), strings.Join(tail, sep))
	return true
}
