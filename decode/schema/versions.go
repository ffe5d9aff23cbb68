package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Versions is an inclusive range of versions. It is empty when Min > Max; a
// Max of 32767 means "and all later ones".
type Versions struct{ Min, Max int16 }

// NoVersions is the empty range.
var NoVersions = Versions{0, -1}

// ParseVersions reads "3", "0-4", "2+" and "none"; an empty text is none.
func ParseVersions(s string) (Versions, error) {
	if s == "" || s == "none" {
		return NoVersions, nil
	}
	lo, hi := s, s
	if low, open := strings.CutSuffix(s, "+"); open {
		lo, hi = low, strconv.Itoa(math.MaxInt16)
	} else if low, high, ok := strings.Cut(s, "-"); ok {
		lo, hi = low, high
	}
	a, err := strconv.ParseInt(lo, 10, 16)
	if err != nil {
		return NoVersions, fmt.Errorf("versions %q: %w", s, err)
	}
	b, err := strconv.ParseInt(hi, 10, 16)
	if err != nil {
		return NoVersions, fmt.Errorf("versions %q: %w", s, err)
	}
	if a < 0 || a > b {
		return NoVersions, fmt.Errorf("versions %q: not a range", s)
	}
	return Versions{int16(a), int16(b)}, nil
}

// Empty reports whether no version is in the range.
func (v Versions) Empty() bool { return v.Min > v.Max }

// Contains reports whether version is in the range.
func (v Versions) Contains(version int16) bool { return v.Min <= version && version <= v.Max }

// Covers reports whether all of other is in the range.
func (v Versions) Covers(other Versions) bool {
	return other.Empty() || v.Min <= other.Min && other.Max <= v.Max
}

// Intersect returns the versions in both ranges.
func (v Versions) Intersect(other Versions) Versions {
	r := Versions{max(v.Min, other.Min), min(v.Max, other.Max)}
	if r.Empty() {
		return NoVersions
	}
	return r
}

// String writes the range as in the tables.
func (v Versions) String() string {
	switch {
	case v.Empty():
		return "none"
	case v.Max == math.MaxInt16:
		return strconv.Itoa(int(v.Min)) + "+"
	case v.Min == v.Max:
		return strconv.Itoa(int(v.Min))
	}
	return strconv.Itoa(int(v.Min)) + "-" + strconv.Itoa(int(v.Max))
}
