package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"kraftctl/internal/ptytest"
	"kraftctl/shell"
)

func testFrame(prompt, text string, cursor int, below ...string) frame {
	r := []rune(strings.ReplaceAll(text, "\n", string(newline)))
	return frame{prompt: promptGlyphs(prompt), text: textGlyphs(r), cursor: min(max(cursor, 0), len(r)), below: below}
}

// FuzzScreen draws one frame over another and expects what the second looks like
// on an empty screen, whatever the width.
func FuzzScreen(f *testing.F) {
	f.Add("> ", "ls /image", "ls", 3, 1, 10)
	f.Add("\x1b[1m> \x1b[0m", "日本語日本語", "a\nb\n", 2, 9, 7)
	f.Add("1234567890", "", "0123456789", 0, 10, 10)
	f.Add(">>>>", "e\u0301e\u0301\x1b\x7f\u202e", "x\n\ny", 1, 2, 5)
	f.Add("", "日", "日日", 1, 1, 1)
	f.Fuzz(func(t *testing.T, prompt, one, two string, at1, at2, cols int) {
		if len(one)+len(two)+len(prompt) > 200 {
			return
		}
		one, two = strings.ToValidUTF8(one, "?"), strings.ToValidUTF8(two, "?")
		cols = 1 + (cols%40+40)%40
		const rows = 900 // everything fits
		a, b := testFrame(prompt, one, at1, "below"), testFrame(prompt, two, at2)
		a.below[0] = clip(a.below[0], cols-1)

		over := ptytest.NewScreen(cols, rows)
		s := screen{out: over, cols: cols, rows: rows}
		s.draw(a)
		s.draw(b)
		alone := ptytest.NewScreen(cols, rows)
		(&screen{out: alone, cols: cols, rows: rows}).draw(b)
		if over.String() != alone.String() || over.X != alone.X || over.Y != alone.Y {
			t.Fatalf("%d columns: %q at %d over %q at %d\n%s%d,%d, want\n%s%d,%d", cols, two, b.cursor, one, a.cursor, over, over.X, over.Y, alone, alone.X, alone.Y)
		}
		if len(over.Odd) > 0 {
			t.Fatalf("odd output: %q", over.Odd)
		}
		s.erase()
		if over.String() != "\n" || over.X != 0 || over.Y != 0 {
			t.Fatalf("erased: %q", over.String())
		}
		// On a screen of three rows nothing is drawn outside of it.
		small := ptytest.NewScreen(cols, 3)
		s = screen{out: small, cols: cols, rows: 3}
		s.draw(a)
		s.draw(b)
		s.draw(b)
		_, y, x := b.layout(cols)
		if small.X != x || small.Y > y {
			t.Fatalf("cursor at %d,%d, want %d,%d", small.X, small.Y, x, y)
		}
	})
}

func TestSanitise(t *testing.T) {
	for in, want := range map[string]string{
		"topic-1": "topic-1", "\x1b[2J": "^[[2J", "a\tb\n": "a^Ib^J", "\x7f": "^?", "größe 日本": "größe 日本",
		"\u009b31m": "<009b>31m", "\u202eabc": "<202e>abc", "\u200b": "<200b>", "\ue000": "<e000>", "\xff": "\ufffd",
	} {
		if got := Sanitise(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestPromptIsSanitised: colours pass, nothing else of a terminal does.
func TestPromptIsSanitised(t *testing.T) {
	var b strings.Builder
	width := 0
	for _, g := range promptGlyphs("\x1b[1;31m/évil\x1b]0;x\a\x1b[2J\xff\x1b[0m> \x1b[0m") {
		b.WriteString(g.text)
		width += g.width
	}
	if want := "\x1b[1;31m/évil^[]0;x^G^[[2J\ufffd\x1b[0m> \x1b[0m"; b.String() != want || width != 21 {
		t.Errorf("got %q, %d wide", b.String(), width)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in, want string
		width    int
	}{{"abc", "abc", 3}, {"abcd", "ab…", 3}, {"日本語", "日…", 4}, {"ab", "…", 1}, {"ab", "", 0}, {"ab", "", -1}} {
		if got := clip(c.in, c.width); got != c.want {
			t.Errorf("clip(%q, %d) = %q", c.in, c.width, got)
		}
	}
}

// FuzzKeys: every byte is taken, in pieces or as a whole, and no text of an
// event has control characters, unless it was pasted.
func FuzzKeys(f *testing.F) {
	for _, s := range []string{"ls\r", "\x1b[A\x1bOA\x1b[1;5D", "\x1b[200~a\rb\x1b[201~x", "\x1b", "\x1b[", "\x1b[200~", "日\xff\xe6", "\x1b\x1b[D", "\x1bb\x1bO", "\x1b[\x03"} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		piece = 1 + (piece&0x7fffffff)%8
		var pending []byte
		for rest := data; len(rest) > 0 || len(pending) > 0; {
			last := len(rest) == 0
			n := min(piece, len(rest))
			pending, rest = append(pending, rest[:n]...), rest[n:]
			for {
				e, n := next(pending, last)
				if n == 0 {
					break
				}
				if n < 0 || n > len(pending) {
					t.Fatalf("took %d of %d bytes", n, len(pending))
				}
				pending = pending[n:]
				if !e.paste && strings.ContainsFunc(e.text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("typed %q", e.text)
				}
			}
			if last && len(pending) > 0 {
				t.Fatalf("%q is left", pending)
			}
		}
	})
}

// TestManyCandidates: a directory of a hundred thousand topics.
func TestManyCandidates(t *testing.T) {
	list := make([]shell.Candidate, 100_000)
	for i := range list {
		list[i].Text = fmt.Sprintf("topic-%06d", i)
	}
	m := newMenu(list, false)
	for _, height := range []int{1, 2, 20} {
		for _, selected := range []int{-1, 0, 50_000, 99_999} {
			m.selected = selected
			rows := m.rows(80, height)
			if len(rows) != height {
				t.Fatalf("%d rows of %d", len(rows), height)
			}
			if selected >= 0 && height > 1 && !strings.Contains(strings.Join(rows, "\n"), list[selected].Text) {
				t.Errorf("%d is not seen", selected)
			}
		}
	}
	if rows := m.rows(80, 0); rows != nil {
		t.Errorf("%q without room", rows)
	}
}

func BenchmarkManyCandidates(b *testing.B) {
	list := make([]shell.Candidate, 100_000)
	for i := range list {
		list[i].Text = fmt.Sprintf("topic-%06d", i)
	}
	r := &Reader{line: newLine(), screen: screen{out: io.Discard, cols: 80, rows: 24}}
	r.o.Completer = func(string, int) (int, []shell.Candidate) { return 0, list }
	for b.Loop() {
		r.line.set("t", "")
		r.complete()
		r.redraw()
	}
}

func TestWriteErrorIsKept(t *testing.T) {
	broken := errors.New("broken")
	pr, pw := io.Pipe()
	_ = pr.CloseWithError(broken)
	s := screen{out: pw, cols: 10, rows: 5}
	s.draw(testFrame("> ", "x", 1))
	if !errors.Is(s.err, broken) {
		t.Errorf("got %v", s.err)
	}
	var b bytes.Buffer
	s = screen{out: &b, cols: 10, rows: 5}
	if s.draw(testFrame("> ", "x", 1)); s.err != nil || b.Len() == 0 {
		t.Errorf("%v", s.err)
	}
}
