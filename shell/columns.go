package shell

import (
	"io"
	"strings"

	"kraftctl/internal/javatext"
)

// writeColumns writes names as ls does on a screen of a width: in as many columns
// as fit, top to bottom, then left to right. A width of 0 is no screen: one name a
// line.
func writeColumns(w io.Writer, names []string, width int) error {
	widths := layout(names, width)
	rows := (len(names) + len(widths) - 1) / len(widths)
	var b strings.Builder
	for row := range rows {
		for col, wide := range widths {
			i := col*rows + row
			if i >= len(names) {
				continue
			}
			b.WriteString(names[i])
			if col < len(widths)-1 {
				b.WriteString(strings.Repeat(" ", max(0, wide-javatext.Len(names[i]))))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// layout gives the widths of the columns: of the most columns that fit.
func layout(names []string, width int) []int {
	for columns := width / 4; columns > 1; columns-- {
		rows := (len(names) + columns - 1) / columns
		if rows == 0 || (columns-1)*rows >= len(names) {
			continue // the last one would be empty
		}
		widths := make([]int, columns)
		total := 0
		for i, name := range names {
			widths[i/rows] = max(widths[i/rows], javatext.Len(name)+2)
		}
		for _, n := range widths {
			total += n
		}
		if total <= width {
			return widths
		}
	}
	return []int{0}
}
