package shell

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes a text harmless for a terminal: control characters, what changes the
// direction of writing, and bytes that are no UTF-8 are shown as escapes. Tabs
// stay.
func Clean(s string) string {
	clean := true
	for _, r := range s {
		if harmful(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + hexByte(s[i]))
		case !harmful(r):
			b.WriteString(s[i : i+n])
		case r < 0x100:
			b.WriteString(`\x` + hexByte(byte(r)))
		default:
			b.WriteString(`\u` + strconv.FormatInt(int64(r), 16))
		}
		i += n
	}
	return b.String()
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

func harmful(r rune) bool {
	return r == utf8.RuneError || r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// CleanJSON is Clean for a JSON document, which says the same afterwards.
func CleanJSON(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r != '\n' && harmful(r) && r < 0x10000 {
			b.WriteString(`\u`)
			h := strconv.FormatInt(int64(r), 16)
			b.WriteString(strings.Repeat("0", 4-len(h)) + h)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
