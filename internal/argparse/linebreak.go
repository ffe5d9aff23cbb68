package argparse

import "sort"

// Where a line can be broken is what java.text.BreakIterator of Java 17 says.
// That is no Unicode algorithm: it breaks behind hyphens, behind "." before a
// letter, behind quotes here and there. z_linebreak.go has it as an automaton
// over classes of characters.

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
