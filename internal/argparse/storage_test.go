package argparse

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// fields splits a line of test data.
func fields(t testing.TB, line string) []string {
	f := strings.Split(line, "\t")
	for i := range f {
		f[i] = unescape(t, f[i])
	}
	return f
}

// storage is the command line of kafka-storage 4.4.0.
func storage(t testing.TB) *Parser {
	t.Helper()
	data, err := os.ReadFile("testdata/storage/parser.txt")
	if err != nil {
		t.Fatal(err)
	}
	var d definition
	for _, l := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		d.add(t, fields(t, l))
	}
	return d.parser
}

// storageFiles are the argument files that were there when the lines were made.
func storageFiles(name string) ([]byte, error) {
	files := map[string]string{
		"one": "-c\nnofile", "two": "info\n@one\n--config\n\n", "empty": "", "crlf": "a\r\n--feature\rb\n\n",
	}
	if c, ok := files[name]; ok {
		return []byte(c), nil
	}
	return nil, fs.ErrNotExist
}

// TestStorage compares with what the real kafka-storage printed and with its
// exit codes. KRAFTCTL_ARGPARSE_STORAGE names another file of lines.
func TestStorage(t *testing.T) {
	name := os.Getenv("KRAFTCTL_ARGPARSE_STORAGE")
	if name == "" {
		name = "testdata/storage/lines.txt.gz"
	}
	p := storage(t)
	count, bad := map[string]int{}, 0
	lines(t, name, func(args, want []string) {
		columns := Columns(args[0], args[0] != "-", 0)
		got := []string{"run"}
		_, err := p.Parse(args[1:], storageFiles, columns)
		var h *HelpRequested
		var u *UsageError
		var c *CrashError
		switch {
		case errors.As(err, &h):
			got = []string{"help", h.Text, "0"}
		case errors.As(err, &u):
			got = []string{"err", u.Text, "1"}
		case errors.As(err, &c):
			got = []string{"crash", c.Exception, "1"}
		}
		count[want[0]]++
		if !slices.Equal(got, want) {
			if bad++; bad <= 10 {
				t.Errorf("%q\n got %q\nwant %q", args, got, want)
			}
		}
	})
	t.Logf("%v, %d differ", count, bad)
	if count["help"] < 50 || count["err"] < 500 || count["run"] < 200 {
		t.Errorf("too few lines: %v", count)
	}
}
