package argparse

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kraftctl/internal/javatext"
)

// unescape undoes what testdata/Vectors.java does to fields.
func unescape(t testing.TB, s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			n, err := strconv.ParseUint(s[i+1:i+5], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteRune(rune(n))
			i += 4
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// definition builds a parser from the lines that describe one.
type definition struct {
	parser  *Parser
	group   int
	section string
}

func (d *definition) options() (*[]Option, *[]Group, *[]Positional) {
	if n := len(d.parser.Commands); n > 0 {
		c := &d.parser.Commands[n-1]
		return &c.Options, &c.Groups, &c.Positionals
	}
	return &d.parser.Options, &d.parser.Groups, &d.parser.Positionals
}

func (d *definition) add(t testing.TB, f []string) {
	switch f[0] {
	case "P":
		*d = definition{parser: &Parser{Prog: f[1], NoHelp: f[2] == "1", FileArguments: f[3] == "1", Description: f[4]}}
		return
	case "C":
		d.parser.Commands = append(d.parser.Commands, Command{Name: f[1], NoHelp: f[2] == "1", Help: f[3], Description: f[4]})
		return
	}
	options, groups, positionals := d.options()
	switch f[0] {
	case "G":
		d.group = 0
		if len(f) > 1 {
			*groups = append(*groups, Group{Required: f[1] == "1"})
			d.group = len(*groups)
		}
	case "S":
		d.section = strings.Join(f[1:], "")
	case "A":
		kinds := map[string]Kind{"store": Store, "true": StoreTrue, "append": Append}
		*options = append(*options, Option{
			Names: strings.Split(f[1], " "), Dest: f[2], Metavar: f[3], Help: f[4], Required: f[5] == "1", Kind: kinds[f[6]],
			Integer: f[7] == "1", Group: d.group, Section: d.section,
		})
	case "N":
		nargs := map[string]Nargs{"": One, "?": Optional, "*": ZeroOrMore, "+": OneOrMore}
		*positionals = append(*positionals, Positional{Dest: f[1], Metavar: f[2], Help: f[3], Nargs: nargs[f[4]], Integer: f[5] == "1"})
	default:
		t.Fatalf("line %q", f)
	}
}

// outcome writes what became of a command line as the vectors do.
func outcome(r *Result, err error, integers map[string]bool) []string {
	var h *HelpRequested
	var u *UsageError
	var c *CrashError
	switch {
	case errors.As(err, &h):
		return []string{"help", h.Text}
	case errors.As(err, &u):
		return []string{"err", u.Text, u.Message}
	case errors.As(err, &c):
		return []string{"crash", c.Exception}
	case err != nil:
		return []string{err.Error()}
	}
	var keys []string
	if r.Command != "" {
		keys = append(keys, "command="+r.Command)
	}
	for k := range r.flags {
		keys = append(keys, k+"=true")
	}
	for k := range r.values {
		for _, v := range r.Strings(k) {
			if integers[k] || integers[r.Command+" "+k] {
				n, _ := javatext.ParseInt(v, 32)
				v = fmt.Sprint(n)
			}
			keys = append(keys, k+"="+v)
		}
	}
	slices.SortStableFunc(keys, func(a, b string) int {
		a, _, _ = strings.Cut(a, "=")
		b, _, _ = strings.Cut(b, "=")
		return javatext.Compare(a, b)
	})
	return append([]string{"ok"}, keys...)
}

// lines reads pairs of lines: a command line and its outcome. Others go to
// define.
func lines(t testing.TB, name string, test func(args, want []string), define ...func(f []string)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f := fields(t, s.Text())
		if f[0] != "T" {
			for _, d := range define {
				d(f)
			}
			continue
		}
		if !s.Scan() {
			t.Fatal("no outcome")
		}
		test(f[1:], fields(t, s.Text()))
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}

// TestVectors replays what argparse4j made of random command lines.
// KRAFTCTL_ARGPARSE_VECTORS names another file, for a run over very many.
func TestVectors(t *testing.T) {
	name := os.Getenv("KRAFTCTL_ARGPARSE_VECTORS")
	if name == "" {
		name = "testdata/vectors.txt.gz"
	}
	files := map[string]string{}
	read := func(name string) ([]byte, error) {
		if c, ok := files[name]; ok {
			return []byte(c), nil
		}
		return nil, fs.ErrNotExist
	}
	var d definition
	integers := map[string]bool{}
	kinds := map[string]int{}
	count, bad := 0, 0
	define := func(f []string) {
		if f[0] == "F" {
			files[f[1]] = f[2]
			return
		}
		if f[0] == "P" {
			clear(integers)
		}
		d.add(t, f)
		options, _, positionals := d.options()
		level := ""
		if n := len(d.parser.Commands); n > 0 {
			level = d.parser.Commands[n-1].Name + " "
		}
		for _, o := range *options {
			integers[level+o.dest()] = o.Integer
		}
		for _, p := range *positionals {
			integers[level+p.Dest] = p.Integer
		}
	}
	lines(t, name, func(args, want []string) {
		columns, err := strconv.Atoi(args[0])
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.parser.Parse(args[1:], read, columns)
		got := outcome(r, err, integers)
		count++
		kinds[want[0]]++
		if !slices.Equal(got, want) {
			if bad++; bad <= 10 {
				t.Errorf("columns %d, %q\n got %q\nwant %q", columns, args[1:], got, want)
			}
		}
	}, define)
	t.Logf("%d command lines, %v, %d differ", count, kinds, bad)
	if count < 3000 || kinds["ok"] < 500 || kinds["help"] < 200 || kinds["err"] < 500 {
		t.Errorf("too few vectors: %d, %v", count, kinds)
	}
}
