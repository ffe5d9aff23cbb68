package golden

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Func is a candidate: it runs one of Kafka's tools with args as if in the directory
// dir and with env on top of a plain environment, and returns the exit status.
// Relative paths in args are relative to dir.
type Func func(args []string, env map[string]string, dir string, stdin io.Reader, stdout, stderr io.Writer) int

// Run runs f on all cases of a tool that print like Release (Case.Current), each
// in a parallel subtest named after it.
func Run(t *testing.T, tool string, f Func) {
	t.Helper()
	RunSome(t, f, func(c *Case) bool { return c.Tool == tool && c.Current() })
}

// RunSome is Run for the cases that keep accepts.
func RunSome(t *testing.T, f Func, keep func(*Case) bool) {
	t.Helper()
	root := Root()
	cases, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		if !keep(c) {
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			dir := WorkDir(t, root, c.Fixture)
			var stdout, stderr bytes.Buffer
			rc := f(c.Args, c.Env, dir, strings.NewReader(c.Stdin), &stdout, &stderr)
			if why := Compare(root, c, Result{RC: rc, Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Dir: dir}); len(why) > 0 {
				t.Errorf("%s (fixture %s)\n%s", strings.Join(c.Args, " "), c.Fixture, strings.Join(why, "\n"))
			}
		})
	}
}

// WorkDir lays out a fixture in a new temporary directory, without symbolic
// links in its path, that goes away with the test.
func WorkDir(t testing.TB, root, fixture string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		dir = filepath.Join(dir, "w")
		err = Materialise(root, fixture, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Fixture lays out a directory of testdata/fixtures and returns where.
func Fixture(t testing.TB, name string) string {
	t.Helper()
	return WorkDir(t, Root(), name)
}

// Command returns the candidate that starts a program: argv with the case's
// arguments behind.
func Command(argv ...string) Func {
	return func(args []string, env map[string]string, dir string, stdin io.Reader, stdout, stderr io.Writer) int {
		cmd := exec.Command(argv[0], append(argv[1:len(argv):len(argv)], args...)...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, stdin, stdout, stderr
		cmd.Env = Environ(env)
		if err := cmd.Run(); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				_, _ = io.WriteString(stderr, err.Error())
				return -1
			}
		}
		return cmd.ProcessState.ExitCode()
	}
}

// Environ is the environment that the real tools were run in: ours, with a
// fixed locale and time zone, no terminal size, and env on top.
func Environ(env map[string]string) []string {
	var out []string
	for _, kv := range os.Environ() {
		switch k, _, _ := strings.Cut(kv, "="); k {
		case "COLUMNS", "LINES", "LANG", "LC_ALL", "TZ":
		default:
			out = append(out, kv)
		}
	}
	out = append(out, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TZ=UTC")
	for k, v := range env {
		out = append(out, k+"="+v)
	}
	return out
}
