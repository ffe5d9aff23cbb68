package javatext

import (
	"slices"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// TestCompareLikeUnits compares with the plain way, also of what is no UTF-8.
func TestCompareLikeUnits(t *testing.T) {
	part := rapid.SampledFrom([]string{"", "a", "B", "-", "é", "\ufffd", "\ue000", "\uffff", "😀", "\U00010000", "\xff", "\xc3", "\x80"})
	text := rapid.Map(rapid.SliceOfN(part, 0, 5), func(parts []string) (s string) {
		for _, p := range parts {
			s += p
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if a == b {
			want = 0
		}
		if got := Compare(a, b); got != want {
			t.Fatalf("Compare(%q, %q) is %d, not %d", a, b, got, want)
		}
	})
}
