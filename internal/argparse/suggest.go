package argparse

import (
	"slices"
	"strings"
	"unicode/utf16"

	"kraftctl/internal/javatext"
)

// What a change costs when a wrong word is compared with a known one. Two
// neighbours can change places for nothing, and to leave out letters at the
// beginning is cheap.
const (
	costReplace = 2
	costInsert  = 1
	costLeading = 1
	costDelete  = 4
	costLimit   = 6 // nothing dearer is suggested
)

// suggest is the block of known words that are nearest to a wrong one, or
// empty. Each is shown with the prefix that was not compared.
func suggest(wrong string, known []string, prefix string) string {
	best := costLimit
	var near []string
	for _, k := range known {
		c := 0
		if !strings.HasPrefix(k, wrong) {
			c = distance(utf16.Encode([]rune(wrong)), utf16.Encode([]rune(k)))
		}
		switch {
		case c > best:
		case c < best:
			best = c
			near = []string{k}
		default:
			near = append(near, k)
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.SortFunc(near, javatext.Compare)
	var b strings.Builder
	b.WriteString("\nDid you mean:\n")
	for _, k := range near {
		b.WriteString("\t" + prefix + k + "\n")
	}
	return b.String()
}

// distance is the cost to turn one word into the other. It takes no more than
// three rows of the second word's length.
func distance(from, to []uint16) int {
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j * costInsert
	}
	for i, f := range from {
		row[0] = (i + 1) * costLeading
		for j, t := range to {
			c := last[j]
			if f != t {
				c += costReplace
			}
			if i > 0 && j > 0 && f == to[j-1] && from[i-1] == t {
				c = min(c, before[j-1])
			}
			row[j+1] = min(c, last[j+1]+costDelete, row[j]+costInsert)
		}
		before, last, row = last, row, before
	}
	return last[len(to)]
}
