package prompt

import (
	"unicode/utf8"

	goprompt "github.com/c-bata/go-prompt"
)

// search is a search through the history that goes on with every key.
type search struct {
	text    string
	newer   bool
	failing bool
	place   int // where the match is
	// What was there before it began.
	before, after string
	from          int
}

// label is the row below the line. Its words are jline's.
func (s *search) label() string {
	text := "bck-i-search: "
	if s.newer {
		text = "fwd-i-search: "
	}
	if s.failing {
		text = "failing " + text
	}
	return text + Sanitise(s.text) + "_"
}

func (r *Reader) startSearch() {
	r.search = &search{before: r.line.before(), after: r.line.after(), from: r.place, place: r.place}
	if r.place == len(r.history.lines) {
		r.draft = r.line.text()
	}
}

// searching handles a key during a search and says whether that is all: a key
// that edits or runs the line ends the search and goes on.
func (r *Reader) searching(e *event) bool {
	s := r.search
	switch {
	case e.key == textKey:
		s.text += pasted(*e)
		// The line that is shown may go on matching.
		if s.newer {
			r.find(s.place - 1)
		} else {
			r.find(s.place + 1)
		}
	case e.key == goprompt.ControlR:
		s.newer = false
		r.find(s.place)
	case e.key == goprompt.ControlS:
		s.newer = true
		r.find(s.place)
	case e.key == goprompt.Backspace || e.key == goprompt.ControlH:
		if s.text == "" {
			r.bell()
			return true
		}
		_, n := utf8.DecodeLastRuneInString(s.text)
		s.text = s.text[:len(s.text)-n]
		s.place = s.from
		r.line.set(s.before, s.after)
		r.find(s.from)
	case e.key == goprompt.ControlG:
		r.line.set(s.before, s.after)
		r.place, r.search = s.from, nil
	case e.key == goprompt.Escape:
		r.search = nil
	case e.key == goprompt.Ignore && e.meta == 0:
	default:
		r.search = nil
		return false
	}
	return true
}

// find shows the next match behind a place in the history.
func (r *Reader) find(from int) {
	s := r.search
	s.failing = false
	if s.text == "" {
		return
	}
	place, at := r.history.search(s.text, from, s.newer)
	if place < 0 {
		s.failing = true
		r.bell()
		return
	}
	line := r.history.lines[place]
	r.line.set(line[:at], line[at:])
	s.place, r.place = place, place
}
