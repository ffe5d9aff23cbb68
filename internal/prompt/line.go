package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	goprompt "github.com/c-bata/go-prompt"
)

// newline stands for a pasted newline in the buffer, see the package comment.
const newline = '\u2028'

// line is the line that is edited: go-prompt's buffer, and what was cut last.
type line struct {
	buf  *goprompt.Buffer
	kill string
}

func newLine() *line { return &line{buf: goprompt.NewBuffer()} }

func (l *line) text() string   { return l.buf.Text() }
func (l *line) before() string { return l.buf.Document().TextBeforeCursor() }
func (l *line) after() string  { return l.buf.Document().TextAfterCursor() }

// cursor is the position in characters.
func (l *line) cursor() int { return utf8.RuneCountInString(l.before()) }

// set replaces all.
func (l *line) set(before, after string) {
	l.buf = goprompt.NewBuffer()
	l.buf.InsertText(before, false, true)
	l.buf.InsertText(after, false, false)
}

func (l *line) insert(s string) {
	l.buf.InsertText(strings.ToValidUTF8(s, string(utf8.RuneError)), false, true)
}

func (l *line) home() { l.buf.CursorLeft(l.cursor()) }
func (l *line) end()  { l.right(utf8.RuneCountInString(l.after())) }

func (l *line) right(n int) {
	if n > 0 {
		l.buf.CursorRight(n)
	}
}

// step counts the characters of one visible one, to the left or the right:
// marks that sit on a letter go with it.
func step(text []rune, left bool) int {
	n := 0
	for n < len(text) {
		r := text[n]
		if left {
			r = text[len(text)-1-n]
		}
		mark := r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me)
		if !left && n > 0 && !mark {
			return n
		}
		n++
		if left && !mark {
			return n
		}
	}
	return n
}

// word counts the characters to the other end of a word. Words are letters and
// digits, or with blanks all that is between blanks.
func word(text []rune, left, blanks bool) int {
	in := func(i int) bool {
		r := text[i]
		if left {
			r = text[len(text)-1-i]
		}
		if blanks {
			return !unicode.IsSpace(r)
		}
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
	}
	n := 0
	for n < len(text) && !in(n) {
		n++
	}
	for n < len(text) && in(n) {
		n++
	}
	return n
}

func (l *line) left()          { l.buf.CursorLeft(step([]rune(l.before()), true)) }
func (l *line) stepRight()     { l.right(step([]rune(l.after()), false)) }
func (l *line) wordLeft()      { l.buf.CursorLeft(word([]rune(l.before()), true, false)) }
func (l *line) wordRight()     { l.right(word([]rune(l.after()), false, false)) }
func (l *line) backspace()     { l.buf.DeleteBeforeCursor(step([]rune(l.before()), true)) }
func (l *line) delete()        { l.cutRight(step([]rune(l.after()), false), false) }
func (l *line) killEnd()       { l.cutRight(utf8.RuneCountInString(l.after()), true) }
func (l *line) killStart()     { l.cutLeft(l.cursor()) }
func (l *line) killBlankWord() { l.cutLeft(word([]rune(l.before()), true, true)) }
func (l *line) killWordLeft()  { l.cutLeft(word([]rune(l.before()), true, false)) }
func (l *line) killWordRight() { l.cutRight(word([]rune(l.after()), false, false), true) }
func (l *line) yank()          { l.insert(l.kill) }

func (l *line) cutLeft(n int) {
	if n > 0 {
		l.kill = l.buf.DeleteBeforeCursor(n)
	}
}

func (l *line) cutRight(n int, keep bool) {
	if n == 0 {
		return
	}
	if keep {
		l.kill = string([]rune(l.after())[:n])
	}
	l.buf.Delete(n)
}

// swap exchanges the two characters around the cursor, at the end the last two.
func (l *line) swap() {
	before, after := []rune(l.before()), []rune(l.after())
	if len(after) > 0 {
		before, after = append(before, after[0]), after[1:]
	}
	n := len(before)
	if n < 2 {
		return
	}
	before[n-2], before[n-1] = before[n-1], before[n-2]
	l.set(string(before), string(after))
}
