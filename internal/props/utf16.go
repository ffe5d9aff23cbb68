package props

import "unicode/utf8"

// The surrogates of UTF-16.
const (
	surrogateMin = 0xD800
	lowMin       = 0xDC00
	surrogateMax = 0xDFFF
)

// appendUnit appends one UTF-16 code unit to a string. A low surrogate joins a
// high one that stands just before it, as it would in Java.
func appendUnit(s []byte, u uint16) []byte {
	if u < surrogateMin || u > surrogateMax {
		return utf8.AppendRune(s, rune(u))
	}
	if u >= lowMin && len(s) >= 3 {
		if high, n := decodeSurrogate(s[len(s)-3:]); n == 3 && high < lowMin {
			r := (rune(high)-surrogateMin)<<10 | (rune(u) - lowMin) + 0x10000
			return utf8.AppendRune(s[:len(s)-3], r)
		}
	}
	return append(s, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
}

// decodeSurrogate reads the three bytes that stand for half a surrogate pair;
// n is 0 if there is something else.
func decodeSurrogate[S []byte | string](s S) (u uint16, n int) {
	if len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | uint16(s[1]&0x3F)<<6 | uint16(s[2]&0x3F), 3
	}
	return 0, 0
}

// units calls f for every UTF-16 code unit of a string.
func units(s string, f func(u uint16)) {
	for len(s) > 0 {
		if u, n := decodeSurrogate(s); n > 0 {
			f(u)
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		if r >= 0x10000 {
			r -= 0x10000
			f(uint16(surrogateMin + r>>10))
			f(uint16(lowMin + r&0x3FF))
			continue
		}
		f(uint16(r))
	}
}
