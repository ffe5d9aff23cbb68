package shell

import (
	"errors"
	"strings"
)

// statement is one command of a line.
type statement struct {
	words []string
	pipe  string // the system's command that its output goes to; empty: none
}

// Errors of lines that cannot be read.
var (
	errQuote  = errors.New("a quotation mark is not closed")
	errPipe   = errors.New("there is no command behind |")
	errNoPipe = errors.New("there is no command before |")
)

// globSpecial are the characters that mean something in paths.
const globSpecial = `*?{},\`

// token is a part of a line: a word, a semicolon, or a bar or a comment with all
// behind it.
type token struct {
	kind  byte // 'w', ';', '|' or '#'
	text  string
	start int
	end   int
	open  bool // a quotation mark in it is not closed
}

// lex cuts a line: words between blanks. Both kinds of quotation marks keep blanks
// together, and a backslash the character behind it; patterns that are quoted are
// none: they have a backslash in the word. What begins with # is a comment, and what
// is behind | is the system's command for the output.
func lex(line string) []token {
	var out []token
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '#':
			return append(out, token{kind: '#', start: i, end: len(line)})
		case ';':
			out = append(out, token{kind: ';', start: i, end: i + 1})
			i++
		case '|':
			return append(out, token{kind: '|', text: strings.TrimSpace(line[i+1:]), start: i, end: len(line)})
		default:
			t := lexWord(line, i)
			out = append(out, t)
			i = t.end
		}
	}
	return out
}

func lexWord(line string, start int) token {
	var word []byte
	quoted := func(c byte) {
		if strings.IndexByte(globSpecial, c) >= 0 {
			word = append(word, '\\')
		}
		word = append(word, c)
	}
	i := start
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case strings.IndexByte(" \t\r\n;|", c) >= 0:
			return token{kind: 'w', text: string(word), start: start, end: i}
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			open := end < 0
			if open {
				end = len(line) - i - 1
			}
			for _, b := range []byte(line[i+1 : i+1+end]) {
				quoted(b)
			}
			if open {
				return token{kind: 'w', text: string(word), start: start, end: len(line), open: true}
			}
			i += 1 + end
		case c == '\\' && i+1 < len(line):
			i++
			quoted(line[i])
		default:
			word = append(word, c)
		}
	}
	return token{kind: 'w', text: string(word), start: start, end: i}
}

// parseLine reads a line: commands between semicolons, and perhaps one of the
// system's for the output of the last.
func parseLine(line string) ([]statement, error) {
	var out []statement
	var now statement
	for _, t := range lex(line) {
		switch {
		case t.open:
			return nil, errQuote
		case t.kind == 'w':
			now.words = append(now.words, t.text)
		case t.kind == ';':
			out, now = append(out, now), statement{}
		case t.kind == '#':
		case len(now.words) == 0:
			return nil, errNoPipe
		case t.text == "":
			return nil, errPipe
		default:
			now.pipe = t.text
		}
	}
	return append(out, now), nil
}

// unescape takes away the backslashes that parseLine has put before characters
// that mean something in paths.
func unescape(word string) string {
	if strings.IndexByte(word, '\\') < 0 {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] == '\\' && i+1 < len(word) {
			i++
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

// escape makes a word of a name: as it can be typed.
func escape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if c := name[i]; strings.IndexByte(globSpecial+" \t\r\n'\"#;|", c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
