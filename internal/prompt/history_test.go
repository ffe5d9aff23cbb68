package prompt

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/vfs"
)

func testFile(fsys vfs.FS, most int) (*historyFile, *[]error) {
	var warned []error
	return &historyFile{fsys: fsys, name: "/state/kraftctl/history", max: most, warn: func(err error) { warned = append(warned, err) }}, &warned
}

func TestHistoryFileKeepsLines(t *testing.T) {
	fsys := vfs.NewMem()
	f, warned := testFile(fsys, 100)
	if got := f.load(); got != nil || len(*warned) > 0 {
		t.Fatalf("without a file: %q, %v", got, *warned)
	}
	h := &history{max: 100, file: f}
	lines := []string{"ls /", "größe", "tab\there", "esc\x1b[2J\nnew\rline", "bad\xffbyte", `"quoted"`, `\x41`, "c1\u0085x", "end "}
	for _, s := range lines {
		h.add(s)
	}
	h.add("")
	h.add(" not kept")
	h.add("\tnor this")
	h.add("end ")
	h.add(strings.Repeat("long", maxHistoryLine))
	g, warned := testFile(fsys, 100)
	if got := g.load(); !slices.Equal(got, lines) {
		t.Errorf("read %q", got)
	}
	data, err := vfs.ReadFile(fsys, f.name, 1<<20)
	if err != nil || !plain(strings.ReplaceAll(string(data), "\n", "")) {
		t.Errorf("the file has %q, %v", data, err)
	}
	if info, err := fsys.Stat(f.name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if len(*warned) > 0 {
		t.Errorf("warned: %v", *warned)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	fsys := vfs.NewMem()
	f, warned := testFile(fsys, 3)
	h := &history{max: 3, file: f}
	for _, s := range strings.Split("abcdefg", "") {
		h.add(s)
	}
	if !slices.Equal(h.lines, []string{"e", "f", "g"}) || h.first != 4 {
		t.Errorf("kept %q from %d", h.lines, h.first)
	}
	// Another session has added lines meanwhile.
	other, _ := testFile(fsys, 3)
	other.append("other")
	f.compact()
	if data, err := vfs.ReadFile(fsys, f.name, 1000); err != nil || string(data) != "f\ng\nother\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
	f.compact() // short enough now
	if len(*warned) > 0 {
		t.Errorf("warned: %v", *warned)
	}
}

// TestHistoryFailures: the session goes on, is told once, and nothing that was
// in the file is lost.
func TestHistoryFailures(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, op := range []vfs.Op{vfs.OpOpen, vfs.OpCreate, vfs.OpStat, vfs.OpWrite, vfs.OpRename} {
		fsys := vfs.NewMem()
		first, _ := testFile(fsys, 1)
		for _, s := range strings.Split("abcde", "") {
			first.append(s)
		}
		f, warned := testFile(vfs.Inject(fsys, func(o vfs.Op, _ string) error {
			if o == op {
				return broken
			}
			return nil
		}), 1)
		f.load()
		f.append("x")
		f.append("y")
		f.compact()
		if len(*warned) != 1 || !errors.Is((*warned)[0], broken) || !strings.Contains((*warned)[0].Error(), "history") {
			t.Errorf("%v: warned %v", op, *warned)
		}
		if data, err := vfs.ReadFile(fsys, first.name, 1000); err != nil || !strings.HasPrefix(string(data), "a\nb\nc\nd\ne\n") {
			t.Errorf("%v: the file has %q, %v", op, data, err)
		}
	}
}

func TestHistoryIsNoFile(t *testing.T) {
	fsys := vfs.NewMem()
	f, warned := testFile(fsys, 10)
	name := f.name
	if err := fsys.MkdirAll(name, 0o700); err != nil {
		t.Fatal(err)
	}
	f.load()
	f.append("x")
	f.compact()
	if len(*warned) != 1 {
		t.Errorf("warned %v", *warned)
	}
	if info, err := fsys.Stat(name); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := fsys.Stat(name + ".tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it left something behind")
	}
}

// TestHistoryReadsTheEnd of a file that is far too large.
func TestHistoryReadsTheEnd(t *testing.T) {
	fsys := vfs.NewMem()
	f, warned := testFile(fsys, 2)
	f.append("first")
	file, err := fsys.OpenAppend(f.name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte(strings.Repeat("x", maxHistoryBytes) + "\nlast\n")); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := f.load(); !slices.Equal(got, []string{"last"}) || len(*warned) > 0 {
		t.Errorf("%q, %v", got, *warned)
	}
}

func FuzzHistoryFile(f *testing.F) {
	for _, s := range []string{"ls\ncd x\n", " \"a\\x1b\"\n", " \"broken\n", "\x1b[2J\n", "a\r\nb", " secret\n\n\t\n", "\xff\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := parseHistory(data)
		var b strings.Builder
		for _, s := range lines {
			b.WriteString(formatHistory(s))
		}
		if again := parseHistory([]byte(b.String())); !slices.Equal(lines, again) {
			t.Fatalf("%q was written as %q and read as %q", lines, b.String(), again)
		}
	})
}

func TestSearch(t *testing.T) {
	h := &history{lines: []string{"ls a", "cd ls", "pwd"}, max: 10}
	for _, c := range []struct {
		text      string
		from      int
		newer     bool
		index, at int
	}{
		{"ls", 3, false, 1, 3}, {"ls", 4, false, 1, 3}, {"ls", 1, false, 0, 0}, {"ls", 0, false, -1, 0},
		{"ls", 0, true, 1, 3}, {"ls", 1, true, -1, 0}, {"x", 3, false, -1, 0},
	} {
		if index, at := h.search(c.text, c.from, c.newer); index != c.index || at != c.at {
			t.Errorf("%+v: got %d, %d", c, index, at)
		}
	}
}
