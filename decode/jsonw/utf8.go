package jsonw

import "unicode/utf8"

const replacement = "\uFFFD"

// AppendJavaUTF8 appends b as UTF-8 after it went through Java's
// new String(b, UTF_8): valid text unchanged, each malformed sequence replaced
// by one U+FFFD. How many bytes make one malformed sequence follows JDK 17,
// which mostly but not always agrees with the Unicode recommendation and with
// Go: a three-byte encoded surrogate is one sequence, and so is what is left
// of a sequence cut off at the end of the input. No JSON escaping is done.
func AppendJavaUTF8(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	return appendReplaced(dst, b)
}

// AppendJavaUTF8String is AppendJavaUTF8 for a string.
func AppendJavaUTF8String(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(dst, s...)
	}
	return appendReplaced(dst, s)
}

func appendReplaced[T string | []byte](dst []byte, s T) []byte {
	done := 0 // s[:done] is appended
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		if n := validLen(s[i:]); n > 0 {
			i += n
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = append(dst, replacement...)
		i += malformedLen(s[i:])
		done = i
	}
	return append(dst, s[done:]...)
}

func continuation(c byte) bool { return c&0xc0 == 0x80 }

// validLen returns the length of the valid non-ASCII character at the start
// of s, or 0.
func validLen[T string | []byte](s T) int {
	switch c := s[0]; {
	case c >= 0xc2 && c < 0xe0:
		if len(s) > 1 && continuation(s[1]) {
			return 2
		}
	case c >= 0xe0 && c < 0xf0:
		if len(s) > 2 && continuation(s[1]) && continuation(s[2]) &&
			(c != 0xe0 || s[1] >= 0xa0) && (c != 0xed || s[1] < 0xa0) {
			return 3
		}
	case c >= 0xf0 && c < 0xf5:
		if len(s) > 3 && !badSecondOf4(c, s[1]) && continuation(s[2]) && continuation(s[3]) {
			return 4
		}
	}
	return 0
}

// malformedLen returns how many bytes at the start of s Java replaces by one
// U+FFFD; s starts with a malformed sequence.
func malformedLen[T string | []byte](s T) int {
	c, n := s[0], len(s)
	switch {
	case c >= 0xe0 && c < 0xf0:
		if n > 1 && badSecondOf3(c, s[1]) {
			return 1
		}
		if n > 2 && continuation(s[2]) {
			return 3 // a surrogate
		}
		return min(n, 2)
	case c >= 0xf0 && c < 0xf5:
		if n > 1 && badSecondOf4(c, s[1]) {
			return 1
		}
		if n > 2 && !continuation(s[2]) {
			return 2
		}
		return min(n, 3)
	}
	return 1
}

func badSecondOf3(c, second byte) bool {
	return c == 0xe0 && second&0xe0 == 0x80 || !continuation(second)
}

func badSecondOf4(c, second byte) bool {
	return c == 0xf0 && second < 0x90 || c == 0xf4 && second >= 0x90 || !continuation(second)
}
