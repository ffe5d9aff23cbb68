package javatext

import "testing"

func TestHash(t *testing.T) {
	// As Java 17 gives them.
	for s, want := range map[string]uint32{"": 0, "a": 97, "Aa": 2112, "BB": 2112, "hello": 99162322, "é": 233, "\U0001F600": 1772899} {
		if got := Hash(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestParseInt(t *testing.T) {
	for _, c := range []struct {
		s    string
		bits int
		want int64
		ok   bool
	}{
		{"1", 32, 1, true}, {"+1", 32, 1, true}, {"-1", 32, -1, true}, {"007", 32, 7, true}, {"１２", 32, 12, true}, {"-٣", 32, -3, true},
		{"2147483647", 32, 2147483647, true}, {"-2147483648", 32, -2147483648, true}, {"32767", 16, 32767, true}, {"-32768", 16, -32768, true},
		{"", 32, 0, false}, {"+", 32, 0, false}, {"-", 32, 0, false}, {" 1", 32, 0, false}, {"1 ", 32, 0, false}, {"1_0", 32, 0, false}, {"0x1", 32, 0, false},
		{"2147483648", 32, 0, false}, {"-2147483649", 32, 0, false}, {"32768", 16, 0, false}, {"\U0001D7CE", 32, 0, false}, {"é", 32, 0, false}, {"--1", 32, 0, false},
	} {
		if got, ok := ParseInt(c.s, c.bits); ok != c.ok || ok && got != c.want {
			t.Errorf("%q, %d bits: %d, %v", c.s, c.bits, got, ok)
		}
	}
}

func TestTrimAndCompare(t *testing.T) {
	if got := Trim("\x00 \t a b\n\u00a0"); got != "a b\n\u00a0" {
		t.Errorf("%q", got)
	}
	// U+FF41 is below U+1F600 by code points, and above it by UTF-16 units.
	if Compare("\uff41", "\U0001F600") <= 0 || Compare("a", "b") >= 0 || Compare("a", "a") != 0 || Compare("a", "ab") >= 0 {
		t.Error("not by UTF-16 units")
	}
}

func TestLen(t *testing.T) {
	for s, want := range map[string]int{"": 0, "ab": 2, "ü": 1, "\uffff": 1, "\U00010000": 2, "a\U0001F600b": 4} {
		if got := Len(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
