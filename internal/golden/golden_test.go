package golden

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuites reads every case and looks for its fixture.
func TestSuites(t *testing.T) {
	root := Root()
	cases, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 1000 {
		t.Fatalf("%d cases, want at least 1000", len(cases))
	}
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if seen[c.Name()] {
			t.Errorf("%s is there twice", c.Name())
		}
		seen[c.Name()] = true
		if _, err := os.Stat(filepath.Join(root, "fixtures", c.Fixture)); c.Fixture != "" && err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
		if strings.Contains(c.Stderr, "\n\tat ") != c.Trace {
			t.Errorf("%s: the trace flag is %v", c.Name(), c.Trace)
		}
	}
}

// TestPerfectCandidate: a candidate that prints the golden outputs passes.
func TestPerfectCandidate(t *testing.T) {
	root := Root()
	cases, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{}
	for i := range cases {
		c := &cases[i]
		dir := dirs[c.Fixture]
		if dir == "" || c.After {
			dir = WorkDir(t, root, c.Fixture)
			dirs[c.Fixture] = dir
		}
		for name, b := range c.Files {
			to := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, b, 0o644)); err != nil {
				t.Fatal(err)
			}
			delete(dirs, c.Fixture)
		}
		in := func(s string) []byte { return []byte(strings.ReplaceAll(s, "${CWD}", dir)) }
		if why := Compare(root, c, Result{RC: c.RC, Stdout: in(c.Stdout), Stderr: in(c.Stderr), Dir: dir}); len(why) > 0 {
			t.Errorf("%s: %s", c.Name(), strings.Join(why, "\n"))
		}
	}
}

func TestDifferencesAreFound(t *testing.T) {
	root := Root()
	dir := WorkDir(t, root, "corrupt/intact")
	plain := Case{Fixture: "corrupt/intact", Stdout: "a\nb\n", Stderr: "Mismatches in :x\n  1\nNon-consecutive offsets in y\n"}
	after := Case{Fixture: "corrupt/intact", After: true, Files: map[string][]byte{"new": nil}}
	trace := Case{RC: 1, Trace: true, Stderr: "Exception in thread\n\tat x\n"}
	for _, c := range []struct {
		name string
		c    Case
		got  Result
		want string
	}{
		{"equal", plain, Result{Stdout: []byte("a\nb\n"), Stderr: []byte(plain.Stderr)}, ""},
		{"reports in another order", plain, Result{Stdout: []byte("a\nb\n"), Stderr: []byte("Non-consecutive offsets in y\nMismatches in :x\n  1\n")}, ""},
		{"line", plain, Result{Stdout: []byte("a\nc\n"), Stderr: []byte(plain.Stderr)}, "--- stdout differs from line 2 on (want 2 lines, got 2)\n  a\n- b\n+ c"},
		{"newline", plain, Result{Stdout: []byte("a\nb"), Stderr: []byte(plain.Stderr)}, "+ b (no newline)"},
		{"status", plain, Result{RC: 2, Stdout: []byte("a\nb\n"), Stderr: []byte(plain.Stderr)}, "exit status: want 0, got 2"},
		{"stderr", plain, Result{Stdout: []byte("a\nb\n")}, "--- stderr"},
		{"trace", trace, Result{RC: 1, Stderr: []byte("anything")}, ""},
		{"no trace", trace, Result{RC: 1}, "stderr is empty, want something like: Exception in thread"},
		{"missing file", after, Result{Dir: dir}, "missing after the run: new"},
	} {
		got := strings.Join(Compare(root, &c.c, c.got), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "golden"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := Case{Suite: "s", ID: "i", Version: "4.4.0", Fixture: "f", Args: []string{"--x", "<é>"}, Stdout: "a\u0000b\n", RC: 1}
	if err := Save(dir, []Case{want}); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil || len(got) != 1 || got[0].Stdout != want.Stdout || got[0].Args[1] != want.Args[1] || got[0].Suite != "s" {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestCommand(t *testing.T) {
	var out strings.Builder
	dir := t.TempDir()
	rc := Command("sh", "-c", "pwd; echo $TZ $X; exit 3")(nil, map[string]string{"X": "y"}, dir, strings.NewReader(""), &out, io.Discard)
	if rc != 3 || !strings.HasSuffix(out.String(), "UTC y\n") {
		t.Fatalf("%d, %q", rc, out.String())
	}
}
