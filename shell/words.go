package shell

import (
	"strings"
	"unicode"
)

// Words cuts a line into its words as the line reader of Kafka's shell does
// (jline 3, DefaultParser). Blanks separate; ' and " quote, but only at the
// beginning of a word: further in they are characters that keep blanks together.
// A backslash takes away the meaning of what follows, within quotes as well. A
// quote that is never closed reaches to the end of the line, a backslash at the
// end is dropped, and so are words without characters, quoted or not.
func Words(line string) []string {
	words, _ := scan(line)
	return words
}

// Word is the word that is being typed at the end of a line.
type Word struct {
	// Before are the words in front of it: with none of them it is a command.
	Before []string
	// Text is the word with quotes and escapes taken away; empty behind a blank.
	Text string
	// Start is where it begins in the line, in bytes, with its opening quote.
	Start int
	// Quote is the quote that is still open, or 0.
	Quote rune
}

// WordAt gives the word in front of the cursor, which is a position in bytes.
// What is behind the cursor does not count.
func WordAt(line string, cursor int) Word {
	words, w := scan(line[:min(max(cursor, 0), len(line))])
	if w.Text != "" {
		words = words[:len(words)-1]
	}
	w.Before = words
	return w
}

func scan(line string) (words []string, last Word) {
	var word strings.Builder
	var quote rune    // that is open
	var stripped bool // it opened the word, so it is no part of it
	var escaped bool  // by the character before
	for i, c := range line {
		escape := c == '\\' && !escaped
		switch {
		case quote == 0 && !escaped && (c == '\'' || c == '"'):
			quote = c
			if stripped = word.Len() == 0; !stripped {
				word.WriteRune(c)
			}
		case quote == c && !escaped:
			if !stripped {
				word.WriteRune(c)
			}
			quote, stripped = 0, false
		case quote == 0 && !escaped && blank(c):
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			last.Start = i + len(string(c))
		case !escape:
			word.WriteRune(c)
		}
		escaped = escape
	}
	last.Text = word.String()
	if last.Text != "" {
		words = append(words, last.Text)
	}
	if stripped {
		last.Quote = quote
	}
	return words, last
}

// blank is Character.isWhitespace of Java: no-break spaces are none.
func blank(c rune) bool {
	switch {
	case c >= '\t' && c <= '\r', c >= 0x1c && c <= 0x1f:
		return true
	case c == 0xa0, c == 0x2007, c == 0x202f:
		return false
	}
	return unicode.In(c, unicode.Zs, unicode.Zl, unicode.Zp)
}

// Escape writes a word as Kafka's shell completes it: behind an open quote it
// gets that quote again, and the closing one if it is complete. Outside of
// quotes only backslashes are doubled; a word with blanks then comes out as two
// when the line is read, in Kafka's shell too.
func Escape(word string, quote rune, complete bool) string {
	if quote == 0 && strings.IndexByte(word, '\\') < 0 {
		return word
	}
	var b strings.Builder
	if quote != 0 {
		b.WriteRune(quote)
	}
	for _, c := range word {
		if c == '\\' || quote != 0 && c == quote {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	if quote != 0 && complete {
		b.WriteRune(quote)
	}
	return b.String()
}
