package nodeinfo

import (
	"fmt"
	"strconv"
	"strings"
)

// names gathers names for one message: the first few and how many there are.
type names struct {
	n     int
	first [3]string
}

func (l *names) add(name string) {
	if l.n < len(l.first) {
		l.first[l.n] = name
	}
	l.n++
}

// String lists them: "a, b, c and 7 more".
func (l *names) String() string {
	shown := min(l.n, len(l.first))
	parts := make([]string, shown)
	for i := range parts {
		parts[i] = quoteName(l.first[i])
	}
	text := strings.Join(parts, ", ")
	if l.n > shown {
		text += fmt.Sprintf(" and %d more", l.n-shown)
	}
	return text
}

// quoteName quotes a name that would be hard to read, or is very long.
func quoteName(s string) string {
	const most = 200
	long := len(s) > most
	if long {
		s = s[:most]
	}
	if q := strconv.Quote(s); long || len(q) != len(s)+2 {
		if long {
			return q + "..."
		}
		return q
	}
	return s
}
