// Package javatext does with strings what Java's String and Integer do, where
// Kafka's tools take or order text by them and Go's packages differ.
package javatext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Trim is String.trim: all up to the space goes, at both ends.
func Trim(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// Hash is String.hashCode, which is over UTF-16 units.
func Hash(s string) (h uint32) {
	for _, r := range s {
		if high, low := utf16.EncodeRune(r); r > 0xffff {
			h = (h*31+uint32(high))*31 + uint32(low)
			continue
		}
		h = h*31 + uint32(r)
	}
	return h
}

// Len is String.length: the number of UTF-16 units.
func Len(s string) (n int) {
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// Compare is String.compareTo: by UTF-16 units, which is not the order of bytes
// for characters beyond U+FFFF.
func Compare(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	switch {
	case i < n && a[i] < utf8.RuneSelf && b[i] < utf8.RuneSelf:
		return cmp.Compare(a[i], b[i])
	case i == n && len(a) == len(b):
		return 0
	case i == n && len(a) > n && a[n] < utf8.RuneSelf:
		return 1
	case i == n && len(b) > n && b[n] < utf8.RuneSelf:
		return -1
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// ParseInt is Short.parseShort, Integer.parseInt and Long.parseLong for 16, 32
// and 64 bits: a sign, and decimal digits of any script. Java looks at UTF-16
// units, so digits beyond U+FFFF are none.
func ParseInt(s string, bits int) (int64, bool) {
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		s = strings.Map(asciiDigit, s)
	}
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil
}

// asciiDigit replaces a digit of another script; Unicode has them in runs of ten
// that begin with the zero.
func asciiDigit(r rune) rune {
	if r < utf8.RuneSelf || r > 0xffff {
		return r
	}
	for _, run := range unicode.Nd.R16 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return '0' + (r-rune(run.Lo))%10
		}
	}
	return r
}
