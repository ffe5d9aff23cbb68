package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGlobs compares how Kafka's shell reads a component (literal backslashes, unless
// there is a pattern) with how ours does.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern, kafka, ours, none string // names that match, separated by blanks
	}{
		{"abc", "abc", "abc", "ab abcd ABC"},
		{"a*", "a ab a/b a\nb", "a ab a/b a\nb", "ba"},
		{"*", "x .hidden ", "x .hidden ", ""},
		{"a?c", "abc a日c a.c", "abc a日c a.c", "ac abbc"},
		{"{ab,c}d", "abd cd", "abd cd", "d abcd ab,cd"},
		{"{ab}", "ab", "ab", "{ab}"},
		{"{,x}y", "y xy", "y xy", ",y"},
		{"a,b", "a,b", "a,b", "a b"},
		{"a}b", "a}b", "a}b", "ab"},
		{"{a{b}c}", "{a{b}c}", "{a{b}c}", "abc"},
		{"*{a", "*{a", "*{a", "x{a xa"},
		{`a\*`, `a\*`, "a*", "ab"},
		{`a\*?`, "a*b", "a*b", `a\*b axb`},
		{`\{a,b\}`, `\{a,b\}`, "{a,b}", "a b"},
		{`a\`, `a\`, `a\`, "a"},
		{"a.c+(d)[e]^$*", "a.c+(d)[e]^$", "a.c+(d)[e]^$x", "abc+(d)[e]^$"},
	} {
		kafka, ours := parseGlob(c.pattern), compileGlob(c.pattern)
		for _, x := range []struct {
			who   string
			g     *glob
			names string
			want  bool
		}{{"Kafka's", &kafka, c.kafka, true}, {"ours", &ours, c.ours, true}, {"Kafka's", &kafka, c.none, false}, {"ours", &ours, c.none, false}} {
			for name := range strings.SplitSeq(x.names, " ") {
				if name == "" && c.pattern != "*" {
					continue
				}
				if c.pattern == "*" && !x.want {
					continue
				}
				if x.g.matches(name) != x.want {
					t.Errorf("%s %q matches %q: %v", x.who, c.pattern, name, !x.want)
				}
			}
		}
	}
}

// TestTypableNames: a name as completion writes it matches that name.
func TestTypableNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := oddName().Draw(t, "name")
		line := typable("/", name)
		if strings.ContainsAny(line, "\n\r/\u2028") {
			t.Fatalf("%q cannot stand in a line", line)
		}
		words, err := parseLine(line)
		if err != nil || len(words) != 1 || len(words[0].words) != 1 {
			t.Fatalf("%q: %q, %v", line, words, err)
		}
		path := Split("", words[0].words[0])
		if len(path) != 1 {
			t.Fatalf("%q is the path %q", line, path)
		}
		if g := compileGlob(path[0]); !g.matches(name) {
			t.Fatalf("%q does not match %q", path[0], name)
		}
	})
}
