package props

import (
	"time"
	"unicode/utf8"
)

// Header is the top of a stored file: a comment and the time.
type Header struct {
	// Comment becomes "#Comment". Kafka gives an empty one, which makes the
	// first line of meta.properties a lone "#".
	Comment string
	// Date becomes the second line. It is written in its own location.
	Date time.Time
}

// Append writes a file as Properties.store does: the header, then one line per
// property, in the order of the list, each ended by a single LF. With Latin1
// everything outside printable ASCII is written as \uXXXX; with UTF8 it is
// written as it is, and only the characters with a meaning are escaped.
func Append(dst []byte, cs Charset, h Header, list []Property) []byte {
	dst = appendComment(dst, cs, h.Comment)
	dst = append(dst, '#')
	dst = AppendDate(dst, h.Date)
	dst = append(dst, '\n')
	for _, p := range list {
		dst = appendEscaped(dst, cs, p.Key, true)
		dst = append(dst, '=')
		dst = appendEscaped(dst, cs, p.Value, false)
		dst = append(dst, '\n')
	}
	return dst
}

// AppendDate writes a time as java.util.Date.toString does:
// "EEE MMM dd HH:mm:ss zzz yyyy", in English.
func AppendDate(dst []byte, t time.Time) []byte {
	return t.AppendFormat(dst, "Mon Jan 02 15:04:05 MST 2006")
}

const upperHex = "0123456789ABCDEF"

func appendUnicode(dst []byte, u uint16) []byte {
	return append(dst, '\\', 'u', upperHex[u>>12], upperHex[u>>8&15], upperHex[u>>4&15], upperHex[u&15])
}

// appendComment writes "#" and the comment; every line of it becomes a comment
// line. Characters beyond Latin-1 are escaped whatever the charset.
func appendComment(dst []byte, cs Charset, comment string) []byte {
	dst = append(dst, '#')
	var all []uint16
	units(comment, func(u uint16) { all = append(all, u) })
	for i := 0; i < len(all); i++ {
		switch u := all[i]; {
		case u > 0xFF:
			dst = appendUnicode(dst, u)
		case u == '\n' || u == '\r':
			dst = append(dst, '\n')
			if u == '\r' && i+1 < len(all) && all[i+1] == '\n' {
				i++
			}
			if i+1 == len(all) || all[i+1] != '#' && all[i+1] != '!' {
				dst = append(dst, '#')
			}
		case cs == Latin1:
			dst = append(dst, byte(u))
		default:
			dst = utf8.AppendRune(dst, rune(u))
		}
	}
	return append(dst, '\n')
}

// appendEscaped writes a key or value. Of spaces, a key has all escaped and a
// value the first character only.
func appendEscaped(dst []byte, cs Charset, s string, key bool) []byte {
	start := len(dst)
	for len(s) > 0 {
		switch c := s[0]; {
		case c == ' ':
			if key || len(dst) == start {
				dst = append(dst, '\\')
			}
			dst = append(dst, ' ')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\f':
			dst = append(dst, '\\', 'f')
		case c == '=' || c == ':' || c == '#' || c == '!' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ' && c < 0x7F, cs == UTF8 && c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			var n int
			dst, n = appendBeyondASCII(dst, cs, s)
			s = s[n:]
			continue
		}
		s = s[1:]
	}
	return dst
}

// appendBeyondASCII writes the first character of s, which is a control
// character or outside ASCII, and gives its length.
func appendBeyondASCII(dst []byte, cs Charset, s string) ([]byte, int) {
	_, n := decodeSurrogate(s)
	if cs == UTF8 {
		if n > 0 {
			return append(dst, '?'), n // Java's encoder has nothing better for half a pair
		}
		r, n := utf8.DecodeRuneInString(s)
		return utf8.AppendRune(dst, r), n
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
	}
	units(s[:n], func(u uint16) { dst = appendUnicode(dst, u) })
	return dst, n
}
