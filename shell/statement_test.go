package shell

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", `[]`},
		{"ls", `["ls"]`},
		{" ls \t -l  /image\r", `["ls" "-l" "/image"]`},
		{"cd /a; ls;pwd", `["cd" "/a"] ["ls"] ["pwd"]`},
		{"ls;", `["ls"] []`},
		{";;", `[] [] []`},
		{"# nothing", `[]`},
		{"ls # all", `["ls"]`},
		{"ls a#b", `["ls" "a#b"]`},
		{`ls 'a b' "c;d|e#f"`, `["ls" "a b" "c;d|e#f"]`},
		{`ls a'b c'd`, `["ls" "ab cd"]`},
		{`ls ''`, `["ls" ""]`},
		{`ls '"' "'"`, `["ls" "\"" "'"]`},
		{`ls s-* '*' \* "{a,b}"`, `["ls" "s-*" "\\*" "\\*" "\\{a\\,b\\}"]`},
		{`ls \'a\ b\; \\`, `["ls" "'a b;" "\\\\"]`},
		{`ls 'a\b'`, `["ls" "a\\\\b"]`},
		{`ls \`, `["ls" "\\"]`},
		{"ls | sort -r; wc", `["ls"] | "sort -r; wc"`},
		{"pwd; ls|cat", `["pwd"] ["ls"] | "cat"`},
		{`ls 'a|b' | grep '|'`, `["ls" "a|b"] | "grep '|'"`},
	} {
		got, err := parseLine(c.line)
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
			continue
		}
		var parts []string
		for _, s := range got {
			parts = append(parts, fmt.Sprintf("%q", s.words))
			if s.pipe != "" {
				parts = append(parts, fmt.Sprintf("| %q", s.pipe))
			}
		}
		if text := strings.Join(parts, " "); text != c.want {
			t.Errorf("%q is %s, want %s", c.line, text, c.want)
		}
	}
	for line, want := range map[string]error{
		`ls 'a`: errQuote, `ls "a'`: errQuote, `'`: errQuote, "| cat": errNoPipe, "ls; | cat": errNoPipe, "ls |": errPipe, "ls | \t": errPipe, "ls |# x": nil,
	} {
		if _, err := parseLine(line); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", line, err, want)
		}
	}
}

// oddName are names with what means something in lines and paths.
func oddName() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringOfN(rapid.SampledFrom([]rune("ab-. \t'\"\\*?{},;|#/\n\r$é日\u2028\x1b")), 0, 8, -1), rapid.StringN(0, 8, -1))
}

// TestEscapedNames: what is escaped is read as it was.
func TestEscapedNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(oddName()).Draw(t, "names")
		var words, want []string
		for _, n := range names {
			if n != "" {
				words, want = append(words, escape(n)), append(want, n)
			}
		}
		line := strings.Join(words, " ")
		got, err := parseLine(line)
		if err != nil || len(got) != 1 {
			t.Fatalf("%q: %q, %v", line, got, err)
		}
		for i, w := range got[0].words {
			if g := compileGlob(w); g.pattern != nil {
				t.Fatalf("%q has become a pattern", w)
			}
			got[0].words[i] = unescape(w)
		}
		if fmt.Sprintf("%q", got[0].words) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q is %q, want %q", line, got[0].words, want)
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, line := range []string{"ls", `cat 'a b' \* | sort`, `a"b`, `\`, "x;#", "find --where 'isr.si"} {
		f.Add(line, len(line))
	}
	s := openShell(f, nil, oddRecords("a b", "c*d")...)
	f.Fuzz(func(t *testing.T, line string, cursor int) {
		tokens := lex(line)
		at := 0
		for _, x := range tokens {
			if x.start < at || x.end < x.start || x.end > len(line) {
				t.Fatalf("%q: a token at %d to %d", line, x.start, x.end)
			}
			at = x.end
		}
		_, _ = parseLine(line)
		start, _ := s.Complete(line, cursor)
		if n := min(max(cursor, 0), len(line)); start < 0 || start > n {
			t.Fatalf("%q: what is completed at %d begins at %d", line, n, start)
		}
	})
}
