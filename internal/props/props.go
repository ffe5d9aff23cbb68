// Package props reads and writes Java properties text, the format of Kafka's
// meta.properties and of every server configuration file, as java.util.Properties
// does it, to the byte.
//
//	# comment            ! comment, too
//	node.id=1            key, separator, value
//	node.id : 1          the separator is =, : or white space, with white space around it
//	path = C:\\dir \     a backslash at the end of a line continues it;
//	       and more      white space at the start of the next line is dropped
//	key\ with\ spaces=v  \x is x, but \t \n \r \f are what they are in Java
//	caf\u00e9=1          \uXXXX is one UTF-16 code unit
//	alone                an empty value
//
// Lines end with LF, CR or CRLF. Keys may repeat; the last one counts.
//
// Java strings are UTF-16 and may hold half of a surrogate pair. Here they are
// UTF-8, and such a half is kept as the three bytes that UTF-8 would have for it
// (WTF-8), so that nothing is lost between reading and writing.
//
// The reader is our own because github.com/magiconair/properties v1.18.13 with
// expansion off gives something else than java.util.Properties for one in three
// of the random texts of testdata/Vectors.java. Three that may well be met: a
// continuation in a file with CRLF line ends makes two properties of one, a text
// that ends in a backslash is an error, and a \uXXXX surrogate pair is lost.
package props

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Property is one key with its value.
type Property struct{ Key, Value string }

// Charset says how bytes outside ASCII are read and written.
type Charset uint8

const (
	// Latin1 is ISO-8859-1, one byte per character: what Properties.load and
	// store do with a stream. Kafka reads all its properties files this way.
	Latin1 Charset = iota
	// UTF8 is what they do with a Reader or Writer of UTF-8. Kafka writes
	// meta.properties this way, although it reads it as Latin1.
	UTF8
)

// SyntaxError is a malformed \uXXXX, the only error the format knows.
type SyntaxError struct {
	Line int   // the number of the line, from 1, on which the logical line starts
	Pos  int64 // where that logical line starts, in bytes
	// Key is what stands before the separator, if that is a plain key; else it is
	// empty, since the line may be a piece of a certificate or password.
	Key string
}

// Error names the line and the key. It never shows the value, which may be a secret.
func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("line %d: malformed \\uXXXX encoding", e.Line)
	if e.Key != "" {
		text += " in the value of " + e.Key
	}
	return text
}

// maxKey is longer than any key of Kafka's.
const maxKey = 200

// plainKey gives the key of a logical line if it has a separator, and before it
// nothing but what keys are made of.
func plainKey(line []byte) string {
	n := slices.IndexFunc(line, func(c byte) bool { return c == '=' || c == ':' || isSpace(c) })
	if n < 0 || n > maxKey {
		return ""
	}
	for _, c := range line[:n] {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '-', c == '_':
		default:
			return ""
		}
	}
	return string(line[:n])
}

// Read gives the properties of a text in the order in which they stand there,
// repeated keys included. The error is a *SyntaxError; the properties before it
// are returned with it.
//
// In UTF8, a byte that is not UTF-8 reads as U+FFFD, as in Java, which may give
// fewer of them for several such bytes in a row.
func Read(data []byte, cs Charset) ([]Property, error) {
	var list []Property
	r := lineReader{rest: data, line: 1}
	for r.next() {
		p, ok := parseLine(r.buf, cs)
		if !ok {
			return list, &SyntaxError{r.startLine, int64(r.startPos), plainKey(r.buf)}
		}
		list = append(list, p)
	}
	return list, nil
}

// Get gives the value of a key: that of its last occurrence.
func Get(list []Property, key string) (value string, ok bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Key == key {
			return list[i].Value, true
		}
	}
	return "", false
}

// Unique drops all but the last occurrence of every key. What stays keeps the
// place of the key's first occurrence, which is the order in which Java's map
// learned of the keys.
func Unique(list []Property) []Property {
	at := make(map[string]int, len(list))
	out := make([]Property, 0, len(list))
	for _, p := range list {
		if i, ok := at[p.Key]; ok {
			out[i] = p
			continue
		}
		at[p.Key] = len(out)
		out = append(out, p)
	}
	return out
}

// lineReader cuts a text into logical lines.
type lineReader struct {
	rest []byte // not read yet
	pos  int    // of rest in the text
	line int    // of rest in the text
	crlf bool   // the last byte taken was a CRLF

	buf       []byte // the logical line: no comments, no continuations, escapes as they stand
	startPos  int
	startLine int
}

// take gives the next byte; CR, LF and CRLF all come out as one LF.
func (r *lineReader) take() byte {
	c := r.rest[0]
	n := 1
	r.crlf = false
	if c == '\r' {
		c = '\n'
		if len(r.rest) > 1 && r.rest[1] == '\n' {
			n, r.crlf = 2, true
		}
	}
	if c == '\n' {
		r.line++
	}
	r.rest, r.pos = r.rest[n:], r.pos+n
	return c
}

// next reads one logical line into buf; false at the end of the text.
func (r *lineReader) next() bool {
	r.buf = r.buf[:0]
	skipSpace, continued, backslash := true, false, false
	for len(r.rest) > 0 {
		if len(r.buf) == 0 && !continued {
			r.startPos, r.startLine = r.pos, r.line
		}
		c := r.take()
		if skipSpace {
			if c == ' ' || c == '\t' || c == '\f' || !continued && c == '\n' {
				continue
			}
			skipSpace, continued = false, false
		}
		// An empty logical line may still be a comment, even after a line that
		// held nothing but a backslash.
		if len(r.buf) == 0 && (c == '#' || c == '!') {
			for len(r.rest) > 0 && r.take() != '\n' {
			}
			skipSpace = true
			continue
		}
		switch {
		case c != '\n':
			r.buf = append(r.buf, c)
			backslash = c == '\\' && !backslash
		case len(r.buf) == 0:
			skipSpace = true
		case !backslash:
			return true
		case len(r.rest) == 0 && !r.crlf:
			return r.dropBackslash()
		default:
			r.buf = r.buf[:len(r.buf)-1]
			skipSpace, continued, backslash = true, true, false
		}
	}
	if backslash {
		return r.dropBackslash()
	}
	return len(r.buf) > 0
}

// dropBackslash ends a line whose continuation is missing. Java gives an empty
// property for a text that is a lone backslash, also with a CR or LF after it
// (but not with both), and so do we.
func (r *lineReader) dropBackslash() bool {
	r.buf = r.buf[:len(r.buf)-1]
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\f' }

// parseLine splits a logical line and resolves its escapes.
func parseLine(line []byte, cs Charset) (p Property, ok bool) {
	keyEnd, backslash := 0, false
	for keyEnd < len(line) {
		c := line[keyEnd]
		if !backslash && (c == '=' || c == ':' || isSpace(c)) {
			break
		}
		backslash = c == '\\' && !backslash
		keyEnd++
	}
	// White space, at most one = or :, and white space.
	start, separator := keyEnd, false
	for ; start < len(line); start++ {
		c := line[start]
		if isSpace(c) {
			continue
		}
		if separator || c != '=' && c != ':' {
			break
		}
		separator = true
	}
	if p.Key, ok = unescape(line[:keyEnd], cs); !ok {
		return p, false
	}
	p.Value, ok = unescape(line[start:], cs)
	return p, ok
}

// unescape resolves backslashes and decodes the charset.
func unescape(s []byte, cs Charset) (string, bool) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			switch c = s[i]; c {
			case 't':
				out = append(out, '\t')
			case 'n':
				out = append(out, '\n')
			case 'r':
				out = append(out, '\r')
			case 'f':
				out = append(out, '\f')
			case 'u':
				if len(s)-i-1 < 4 {
					return "", false
				}
				var u uint16
				for _, h := range s[i+1 : i+5] {
					d, ok := hexDigit(h)
					if !ok {
						return "", false
					}
					u = u<<4 | uint16(d)
				}
				out = appendUnit(out, u)
				i += 4
			default: // the character itself
				out, i = appendChar(out, s, i, cs)
			}
		case c != '\\':
			out, i = appendChar(out, s, i, cs)
		}
	}
	return string(out), true
}

// appendChar decodes the character at s[i] and gives the place of its last byte.
func appendChar(out, s []byte, i int, cs Charset) ([]byte, int) {
	c := s[i]
	if c < utf8.RuneSelf {
		return append(out, c), i
	}
	if cs == Latin1 {
		return utf8.AppendRune(out, rune(c)), i
	}
	r, n := utf8.DecodeRune(s[i:])
	return utf8.AppendRune(out, r), i + n - 1
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
