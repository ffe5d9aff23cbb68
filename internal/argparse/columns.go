package argparse

import (
	"math"

	"kraftctl/internal/javatext"
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
		v, ok := javatext.ParseInt(env, 32)
		if !ok {
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
