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

// parseLine reads a line: commands between semicolons, words between blanks. Both
// kinds of quotation marks keep blanks together, and a backslash the character
// behind it; patterns that are quoted are none. What begins with # is a comment, and
// what is behind | is the system's command for the output.
func parseLine(line string) ([]statement, error) {
	var (
		out  []statement
		now  statement
		word []byte
		in   bool // a word has begun
	)
	endWord := func() {
		if in {
			now.words = append(now.words, string(word))
		}
		word, in = word[:0], false
	}
	quoted := func(c byte) {
		if strings.IndexByte(globSpecial, c) >= 0 {
			word = append(word, '\\')
		}
		word = append(word, c)
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			endWord()
		case c == '#' && !in:
			i = len(line)
		case c == ';':
			endWord()
			out, now = append(out, now), statement{}
		case c == '|':
			endWord()
			if len(now.words) == 0 {
				return nil, errNoPipe
			}
			if now.pipe = strings.TrimSpace(line[i+1:]); now.pipe == "" {
				return nil, errPipe
			}
			return append(out, now), nil
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return nil, errQuote
			}
			in = true
			for _, b := range []byte(line[i+1 : i+1+end]) {
				quoted(b)
			}
			i += 1 + end
		case c == '\\' && i+1 < len(line):
			in = true
			i++
			quoted(line[i])
		default:
			in = true
			word = append(word, c)
		}
	}
	endWord()
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
		if c := name[i]; strings.IndexByte(globSpecial+` '"#;|`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
