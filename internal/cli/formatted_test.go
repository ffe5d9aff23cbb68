package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/internal/cli"
	"kraftctl/internal/golden"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// For every release and mode, storage format --target writes what this release's
// own tool wrote (conformance/fixtures/formatted.sh): the same files, byte for
// byte but for random ids and times; and --if-needed then finds it the same, on
// the real tool's files as well.
func TestFormattedLikeEveryRelease(t *testing.T) {
	root := filepath.Join(golden.Root(), "fixtures", "formatted")
	modes, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(modes) < 70 {
		t.Fatalf("%d modes, %v", len(modes), err)
	}
	for _, mode := range modes {
		rel, _ := filepath.Rel(root, mode)
		release := filepath.Dir(rel)
		t.Run(filepath.ToSlash(rel), func(t *testing.T) {
			args, err := os.ReadFile(filepath.Join(mode, "args"))
			if err != nil {
				t.Fatal(err)
			}
			given := strings.Fields(strings.TrimSuffix(string(args), "\n"))
			dir := t.TempDir()
			t.Chdir(dir) // log.dirs is relative
			format := func(more ...string) (int, string) {
				s, out, errOut := term.Test("")
				all := append([]string{"kraftctl", "storage", "format", "-c", filepath.Join(mode, "node.properties"), "-t", "XcZZOzUqS4yHOjhMQB6JLQ", "--target", release}, given...)
				code := cli.Main(&cli.Env{Streams: s, FS: vfs.OS}, append(all, more...))
				return code, out.String() + errOut.String()
			}
			if code, out := format(); code != 0 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			want, err := golden.ReadTree(filepath.Join(mode, "after"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := golden.ReadTree(dir)
			if err != nil {
				t.Fatal(err)
			}
			if why := golden.CompareFiles(want, got, given); len(why) > 0 {
				t.Error(strings.Join(why, "\n"))
			}
			if code, out := format("--if-needed"); code != 0 || !strings.Contains(out, "nothing to do") {
				t.Errorf("formatting again: exit code %d: %s", code, out)
			}
			for name, b := range want {
				if bytes.Equal(b, got[name]) {
					continue
				}
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if code, out := format("--if-needed"); code != 0 || !strings.Contains(out, "nothing to do") {
				t.Errorf("on the files of Kafka's tool: exit code %d: %s", code, out)
			}
		})
	}
}
