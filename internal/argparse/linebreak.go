package argparse

import (
	"sort"
	"unicode/utf8"
)

// Where a line can be broken is what java.text.BreakIterator of Java 17 says.
// That is no Unicode algorithm: it breaks behind hyphens, behind "." before a
// letter, behind quotes here and there. z_linebreak.go has it as an automaton
// over classes of characters.

// breaker cuts a text into the parts that must not be broken, each with the
// blanks behind it.
type breaker struct {
	text string
	at   int
	// hopeless has the states, as bits, from which a segment cannot end behind
	// a position. It keeps the search linear: a quote behind a hyphen makes it
	// look ahead, maybe to the end of the text and in vain.
	hopeless []uint64
}

// next is the next part, or "" at the end of the text.
func (b *breaker) next() string {
	if b.at == len(b.text) {
		return ""
	}
	_, first := utf8.DecodeRuneInString(b.text[b.at:])
	end := b.at + first
	state := byte(0)
	for i := b.at; i < len(b.text); {
		r, n := utf8.DecodeRuneInString(b.text[i:])
		state = lineStates[state][lineClass(r)]
		i += n
		if state == stateEnd {
			break
		}
		if !tentative[state] {
			end = i
			continue
		}
		if b.hopeless == nil {
			b.hopeless = make([]uint64, len(b.text)+1)
		}
		if b.hopeless[i]&(1<<state) != 0 {
			break
		}
		// Taken for hopeless until a segment ends behind it. Then it is not met
		// again, since the next search starts there.
		b.hopeless[i] |= 1 << state
	}
	part := b.text[b.at:end]
	b.at = end
	return part
}

// lineRange are characters of one class.
type lineRange struct {
	lo, hi rune
	class  uint8
}

// lineClass is the class of a character.
func lineClass(r rune) uint8 {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return 0
	}
	i := sort.Search(len(lineRanges), func(i int) bool { return lineRanges[i].hi >= r })
	if i < len(lineRanges) && lineRanges[i].lo <= r {
		return lineRanges[i].class
	}
	return 0
}
