package argparse

import (
	"errors"
	"math"
	"unicode"
)

// DefaultColumns is the width of help when nothing else is known.
const DefaultColumns = 75

// margin is what argparse4j leaves free of a terminal's width.
const margin = 5

// Columns is the width of help and errors. The environment variable COLUMNS
// counts when it is set, even if it makes no sense; else the width of the
// controlling terminal does, 0 if there is none.
func Columns(env string, set bool, terminal int) int {
	n := terminal
	if set {
		v, err := parseInt(env)
		if err != nil {
			return DefaultColumns
		}
		n = int(v)
	}
	// The subtraction overflows as it does in Java: the lowest integers make
	// very wide lines.
	if w := int32(n) - margin; w > 0 && n <= math.MaxInt32 {
		return int(w)
	}
	return DefaultColumns
}

var errInteger = errors.New("not an integer of 32 bits")

// parseInt reads what Java's Integer.parseInt takes: a sign and decimal digits
// of any script in the basic plane.
func parseInt(s string) (int32, error) {
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "" {
		return 0, errInteger
	}
	var n int64
	for _, r := range s {
		d := digit(r)
		if d < 0 {
			return 0, errInteger
		}
		if n = n*10 + int64(d); n > math.MaxInt32+1 {
			return 0, errInteger
		}
	}
	if negative {
		n = -n
	} else if n > math.MaxInt32 {
		return 0, errInteger
	}
	return int32(n), nil
}

// digit is the value of a decimal digit, or -1.
func digit(r rune) int {
	if r < 0x80 {
		if r < '0' || r > '9' {
			return -1
		}
		return int(r - '0')
	}
	// Digits of a script are ten characters in a row, from zero on.
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	return -1
}
