package argparse

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
)

// message is the bare sentence of an error, "help COMMAND" or "".
func message(err error) string {
	var h *HelpRequested
	var u *UsageError
	switch {
	case errors.As(err, &h):
		return strings.TrimSpace("help " + h.Command)
	case errors.As(err, &u):
		return u.Message
	case err != nil:
		return "crash " + err.Error()
	}
	return ""
}

// TestRules has one line for each rule; all of them were seen in Kafka's tool.
func TestRules(t *testing.T) {
	files := func(name string) ([]byte, error) {
		f := map[string]string{"one": "-c\nx", "empty": "", "blank": "\n", "self": "@self\n", "crlf": "-c\r\nx\r\n", "nest": "info\n@@one\n"}
		if c, ok := f[name]; ok {
			return []byte(c), nil
		}
		return nil, fs.ErrNotExist
	}
	const expected = "argument --config/-c: expected one argument"
	const hint = "\nChecking trailing white spaces or new lines in @file may help."
	for _, c := range []struct{ args, want string }{
		{"info|-c|x", ""}, {"info|-cx", ""}, {"info|-c=x", ""}, {"info|--config=", ""}, {"info|--c|x", ""}, {"inf|-c|x", ""},
		{"info|-c|", ""}, {"info|-c|-1", ""}, {"info|-c|-", ""}, {"info|-c|---", ""}, {"info|-c|x|--", ""}, {"info|-c--", ""},
		{"info|-c|-1.5", expected}, {"info|-c|-x", expected}, {"info|-c|--|x", expected}, {"info|-c", expected}, {"info|-c|- y", expected},
		{"info", "argument --config/-c is required"}, {"format", "argument --cluster-id/-t is required"},
		{"", "invalid choice: '' (choose from 'info', 'format', 'version-mapping', 'feature-dependencies', 'random-uuid')"},
		{"f", "ambiguous command: f could match feature-dependencies, format"},
		{"format|--i", "ambiguous option: --i could match --ignore-formatted, --initial-controllers"},
		{"info|-=x", "ambiguous option: - could match --config, --help, -c, -h"},
		{"format|-gsc|a|-t|b", ""}, {"format|-gsca|-tb", ""}, {"format|-gz", "unrecognized arguments: '-gz'"},
		{"format|-g=x", "argument --ignore-formatted/-g: ignore implicit argument 'x'"},
		{"format|-s|-N", "argument --no-initial-controllers/-N: not allowed with argument --standalone/-s"},
		{"format|-N|-s", "argument --standalone/-s: not allowed with argument --no-initial-controllers/-N"},
		{"format|-s|-I", "argument --initial-controllers/-I: not allowed with argument --standalone/-s"},
		{"format|-s|-s|-ca|-tb", ""}, {"format|-s|-h|-N", "help format"}, {"-h|nope", "help"}, {"info|--nope|-h", "unrecognized arguments: '--nope'"},
		{"info|-hx", "help info"}, {"info|--help=x", "argument -h/--help: ignore implicit argument 'x'"},
		{"random-uuid|a|b", "unrecognized arguments: 'a b'"}, {"random-uuid|--a|b", "unrecognized arguments: '--a'"},
		{"random-uuid|--|--", "unrecognized arguments: '--'"}, {"--|random-uuid", "unrecognized arguments: 'random-uuid'"},
		{"-c|info", "unrecognized arguments: '-c'"}, {"--", "too few arguments"},
		{"info|@one", ""}, {"info|@crlf", ""}, {"@nest", ""}, {"info|@no", "Could not read arguments from file 'no'"}, {"-h|@no", "help"},
		{"info|@self", "Could not read arguments from file 'self'"}, {"info|-c|@", ""}, {"info|-c@one", ""}, {"info|@one|@blank", "unrecognized arguments: ''" + hint},
		{"info|@empty|-cx", ""}, {"info|@empty", "crash java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0"},
	} {
		_, err := storage(t).Parse(strings.Split(c.args, "|"), files, DefaultColumns)
		if got := message(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
	}
	if _, err := storage(t).Parse(nil, nil, DefaultColumns); message(err) != "too few arguments" {
		t.Errorf("no arguments: %v", err)
	}
}

func TestResult(t *testing.T) {
	r, err := storage(t).Parse(strings.Fields("form -c a -t b -f x --feature=y -f -1 -g -c z"), nil, DefaultColumns)
	if err != nil {
		t.Fatal(err)
	}
	if r.Command != "format" || r.Typed != "form" || r.String("config") != "z" || !r.Bool("ignore_formatted") || r.Bool("standalone") {
		t.Errorf("%+v", r)
	}
	if got := r.Strings("feature"); !slices.Equal(got, []string{"x", "y", "-1"}) || r.String("feature") != "-1" {
		t.Errorf("%q", got)
	}
	if !r.Has("config") || !r.Has("ignore_formatted") || r.Has("standalone") || r.Has("release_version") || r.Strings("nothing") != nil {
		t.Error("Has")
	}
	p := &Parser{Options: []Option{{Names: []string{"--id"}, Integer: true}}, Positionals: []Positional{{Dest: "a", Nargs: Optional}, {Dest: "b", Integer: true}}}
	if r, err = p.Parse([]string{"--id", "+4", "-7"}, nil, DefaultColumns); err != nil || r.Int("id") != 4 || r.Int("b") != -7 || r.Has("a") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		env      string
		set      bool
		terminal int
		want     int
	}{
		{"", false, 0, 75}, {"", false, 133, 128}, {"", false, 5, 75}, {"", false, 6, 1}, {"", true, 133, 75}, {"abc", true, 133, 75}, {"100", true, 133, 95},
		{"6", true, 0, 1}, {"5", true, 0, 75}, {"-5", true, 0, 75}, {" 90", true, 0, 75}, {"+90", true, 0, 85}, {"090", true, 0, 85}, {"٩٠", true, 0, 85},
		{"2147483647", true, 0, 2147483642}, {"2147483648", true, 0, 75}, {"-2147483648", true, 0, 2147483643}, {"-", true, 0, 75}, {"1e2", true, 0, 75},
	} {
		if got := Columns(c.env, c.set, c.terminal); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestWrap has lines from TextHelper.wrap. A bar stands for a line feed.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text        string
		max, offset int
		indent      string
		want        string
	}{
		{"aaa bbb ccc ddd", 8, 0, "", "aaa  bbb|ccc ddd"}, {"aaa bbb ccc ddd", 8, 3, "  ", "aaa|  bbb|  ccc|  ddd"}, {"aaa bbb ccc ddd", 7, 0, "", "aaa|bbb|ccc ddd"},
		{"  aaa bbb ccc ddd", 10, 0, "", "aaa    bbb|ccc ddd"}, {"aaaaaaaaaaaaaaaa bbb ccc ddd", 10, 0, "", "|aaaaaaaaaaaaaaaa|bbb    ccc|ddd"},
		{"a\n\nb", 10, 0, "S", "a|S|Sb"}, {"a \n b", 10, 0, "S", "a |S b"}, {"a\r\nb", 10, 0, "", "a\r|b"}, {"aaa a aa ", 8, 0, "", "aaa    a|aa "},
		{"aaa\n\nbbb\n", 0, 0, "", "|aaa||||bbb|"}, {"", 5, 0, "S", ""}, {"x y あいう aaa", 6, 0, "", "x y あい|う aaa"}, {"😀 b c d", 6, 0, "", "😀   b|c d"},
		{"`kraft.version=1`", 10, 0, "", "`kraft.|version=1`"}, {"f() g(x) h", 4, 0, "", "f()|g|(x)|h"}, {"salt=\"N3E=\"", 8, 0, "", "salt=\"|N3E=\""}, {"3.3-IV3 1-2", 5, 0, "", "3.3-|IV3|1-2"},
	} {
		if got := strings.ReplaceAll(wrap(c.text, c.max, c.offset, c.indent), "\n", "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.max, got, c.want)
		}
	}
	for _, c := range []struct {
		line string
		room int
		want string
	}{
		{"a b c d", 8, "a b  c d"}, {"a b c d", 9, "a b  c  d"}, {"a b c d", 14, "a   b    c   d"}, {"a  b c", 10, "a    b   c"}, {"a b", 1, "a b"}, {"abc", 9, "abc"},
		{"   ", 8, ""}, {"a\tb c", 8, "a\tb    c"}, {"a b c d e", 11, "a b  c  d e"},
	} {
		if got := justify(c.line, c.room); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.line, c.room, got, c.want)
		}
	}
}

// TestWrapIsLinear: every hyphen makes the search for a break look ahead to the
// end. Without its memory this takes minutes.
func TestWrapIsLinear(t *testing.T) {
	text := strings.Repeat("-\"", 1<<20)
	begin := time.Now()
	if got := wrap(text, 10, 0, ""); strings.Count(got, "\n") < 1000 {
		t.Errorf("%d bytes", len(got))
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestSuggest(t *testing.T) {
	for _, c := range []struct{ wrong, known, want string }{
		{"nope", "config help", "config help"}, {"x", "info format", "info"}, {"", "b a", "a b"}, {"FORMAT", "info format", ""}, {"z5", "help config", "help"},
		{"ab", "ba ac", "ba"}, {"abc", "bc ab", "bc"}, {"abcdef", "abf", ""}, {"abcd", "axcd abcqd", "abcqd"},
	} {
		got := strings.Fields(strings.TrimPrefix(suggest(c.wrong, strings.Fields(c.known), ""), "\nDid you mean:\n"))
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q among %q: %q, want %q", c.wrong, c.known, got, c.want)
		}
	}
}

// TestDecode has what Java's InputStreamReader makes of broken UTF-8.
func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"41e180a0bf9f": "41e180a0efbfbdefbfbd", "f180c2bf": "efbfbdc2bf", "9080dff4f5": "efbfbdefbfbdefbfbdefbfbdefbfbd", "e282": "efbfbd", "c3a9": "c3a9",
	} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString([]byte(decode(b))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzParse: no command line and no width makes the parser panic or run on, an
// error is one of the three, and the texts are as they have to be.
func FuzzParse(f *testing.F) {
	f.Add("info\x00-c\x00x", 75, "-c\nx")
	f.Add("format\x00@f\x00-gs", 20, "--nope\n@f")
	f.Add("-- ()-\"\u2028\x00$-\"-\"", 0, "")
	p := storage(f)
	f.Fuzz(func(t *testing.T, line string, columns int, file string) {
		read := func(name string) ([]byte, error) {
			if name == "f" && len(file) < 1000 {
				return []byte(file), nil
			}
			return nil, fs.ErrNotExist
		}
		r, err := p.Parse(strings.Split(line, "\x00"), read, columns)
		var h *HelpRequested
		var u *UsageError
		var c *CrashError
		switch {
		case errors.As(err, &h):
			if h.Text != p.Help(h.Command, columns) || !strings.HasSuffix(h.Text, "\n") {
				t.Errorf("%q", h.Text)
			}
		case errors.As(err, &u):
			if !strings.HasPrefix(u.Text, "usage: kafka-storage") || !strings.HasSuffix(u.Text, "\n") {
				t.Errorf("%q", u.Text)
			}
			// Wrapping changes blanks only.
			if squeeze := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }; !strings.Contains(squeeze(u.Text), squeeze(u.Message)) {
				t.Errorf("%q does not have %q", u.Text, u.Message)
			}
		case errors.As(err, &c):
		case err != nil:
			t.Fatal(err)
		case p.Help(r.Command, columns) == "" || r.Command == "" || !strings.HasPrefix(r.Command, r.Typed):
			t.Errorf("%+v", r)
		}
	})
}
