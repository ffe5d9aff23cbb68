package prompt

import "strings"

// history is what was entered, oldest first.
type history struct {
	lines []string
	first int // number of lines[0]: how many were dropped
	max   int
	// jline: blanks around a line are not kept, as jline does it.
	jline bool
	file  *historyFile
}

// add remembers a line, and says whether it did: not an empty one, nor one that
// begins with a blank, nor the same again.
func (h *history) add(line string) bool {
	if line == "" || line[0] == ' ' || line[0] == '\t' {
		return false
	}
	if h.jline {
		line = strings.TrimSpace(line)
	}
	if n := len(h.lines); n > 0 && h.lines[n-1] == line {
		return false
	}
	h.lines = append(h.lines, line)
	h.trim()
	h.file.append(line)
	return true
}

func (h *history) trim() {
	if over := len(h.lines) - h.max; over > 0 {
		h.lines = append([]string(nil), h.lines[over:]...)
		h.first += over
	}
}

// search finds text in an older line than from, or a newer one. It gives the
// line's place and where in it the text begins, in bytes; -1 without one.
func (h *history) search(text string, from int, newer bool) (index, at int) {
	step := -1
	if newer {
		step = 1
	}
	for i := min(from, len(h.lines)) + step; i >= 0 && i < len(h.lines); i += step {
		at := strings.Index(h.lines[i], text)
		if !newer || at < 0 {
			at = strings.LastIndex(h.lines[i], text)
		}
		if at >= 0 {
			return i, at
		}
	}
	return -1, 0
}
