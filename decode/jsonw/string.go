package jsonw

import "unicode/utf8"

const hexUpper = "0123456789ABCDEF"

// plain marks the bytes that a JSON string holds as they are: printable ASCII
// without quote and backslash, and DEL.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x80; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return
}()

// AppendString appends s as a JSON string.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		if !plain[s[i]] {
			return append(appendEscaped(dst, s, i), '"')
		}
	}
	dst = append(dst, s...)
	return append(dst, '"')
}

// AppendStringBytes is AppendString for bytes.
func AppendStringBytes(dst, s []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		if !plain[s[i]] {
			return append(appendEscaped(dst, s, i), '"')
		}
	}
	dst = append(dst, s...)
	return append(dst, '"')
}

// AppendNullableString appends null for nil.
func AppendNullableString(dst []byte, s *string) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return AppendString(dst, *s)
}

// appendEscaped appends s, whose first i bytes need no escaping.
func appendEscaped[T string | []byte](dst []byte, s T, i int) []byte {
	done := 0 // s[:done] is appended
	for i < len(s) {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if n := validLen(s[i:]); n > 0 {
				i += n
				continue
			}
			dst = append(dst, s[done:i]...)
			dst = append(dst, replacement...)
			i += malformedLen(s[i:])
			done = i
			continue
		}
		dst = append(dst, s[done:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexUpper[c>>4], hexUpper[c&15])
		}
		i++
		done = i
	}
	return append(dst, s[done:]...)
}
