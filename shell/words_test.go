package shell

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// utf16 offsets of jline are bytes here, as long as the lines are.
func byteOffset(line string, chars int) int {
	for i := range line {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(line)
}

// TestWordsLikeJline compares with what jline 3.30.4 made of the same lines.
func TestWordsLikeJline(t *testing.T) {
	f, err := os.Open("testdata/jline-words.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		var want struct {
			Line, Word, Escaped, Partial string
			Words, Before                []string
			Start                        int
		}
		if err := json.Unmarshal(s.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if want.Line == "" {
			want.Words = nil // jline gives one empty word, which the shell drops
		}
		if got := Words(want.Line); !slices.Equal(got, want.Words) {
			t.Errorf("Words(%q) = %q, want %q", want.Line, got, want.Words)
		}
		got := WordAt(want.Line, len(want.Line))
		start := byteOffset(want.Line, want.Start)
		if got.Text != want.Word || !slices.Equal(got.Before, want.Before) || got.Start != start {
			t.Errorf("WordAt(%q) = %+v, want %q at %d behind %q", want.Line, got, want.Word, start, want.Before)
		}
		const word = `a b'c"d\e`
		if e := Escape(word, got.Quote, true); e != want.Escaped {
			t.Errorf("%q: Escape = %q, want %q", want.Line, e, want.Escaped)
		}
		if e := Escape(word, got.Quote, false); e != want.Partial {
			t.Errorf("%q: partial Escape = %q, want %q", want.Line, e, want.Partial)
		}
	}
	if lines < 400 {
		t.Fatalf("only %d lines", lines)
	}
}

func TestWordAtInsideTheLine(t *testing.T) {
	for _, c := range []struct {
		line   string
		cursor int
		want   Word
	}{
		{"ls /im x", 6, Word{Before: []string{"ls"}, Text: "/im", Start: 3}},
		{"ls /im x", 2, Word{Text: "ls"}},
		{"ls /im x", 0, Word{}},
		{"ls /im x", 99, Word{Before: []string{"ls", "/im"}, Text: "x", Start: 7}},
		{"ls /im x", -1, Word{}},
		{`cat "a b" c`, 8, Word{Before: []string{"cat"}, Text: "a b", Start: 4, Quote: '"'}},
		{"é ü", 5, Word{Before: []string{"é"}, Text: "ü", Start: 3}},
	} {
		got := WordAt(c.line, c.cursor)
		if got.Text != c.want.Text || got.Start != c.want.Start || got.Quote != c.want.Quote || !slices.Equal(got.Before, c.want.Before) {
			t.Errorf("WordAt(%q, %d) = %+v, want %+v", c.line, c.cursor, got, c.want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"ls '/a b' \"c\" d\\ e", `a'b c'd`, `\`, `"\`, "é\u00a0x\ty", "\xff '"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, line string, cursor int) {
		if !utf8.ValidString(line) {
			line = strings.ToValidUTF8(line, "?")
		}
		for _, w := range Words(line) {
			if w == "" {
				t.Fatalf("%q has an empty word", line)
			}
		}
		w := WordAt(line, cursor)
		if w.Start < 0 || w.Start > len(line) {
			t.Fatalf("%q: word at %d", line, w.Start)
		}
		if line == "" {
			return
		}
		// What is completed behind a quote comes back as one word, and so does
		// what has a backslash before every character.
		var escaped strings.Builder
		for _, c := range line {
			escaped.WriteByte('\\')
			escaped.WriteRune(c)
		}
		for _, word := range []string{Escape(line, '\'', true), Escape(line, '"', true), escaped.String()} {
			if got := Words("x " + word); len(got) != 2 || got[1] != line {
				t.Fatalf("%q, written as %s, is read as %q", line, word, got)
			}
		}
	})
}
