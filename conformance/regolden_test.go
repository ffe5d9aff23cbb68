//go:build conformance

package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"kraftctl/internal/golden"
)

// TestRegolden runs the real tools for the cases of testdata/golden and writes
// down what they say. It is for regolden.sh, and skipped without its pattern.
func TestRegolden(t *testing.T) {
	pattern := os.Getenv("KRAFTCTL_REGOLDEN")
	if pattern == "" {
		t.Skip("conformance/regolden.sh runs this")
	}
	only := regexp.MustCompile(pattern)
	root := golden.Root()
	cases, err := golden.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := filepath.Abs("tool.sh")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range cases {
		c := &cases[i]
		if !only.MatchString(c.Name()) {
			continue
		}
		dir := golden.WorkDir(t, root, c.Fixture)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			was := *c
			var out, stderr bytes.Buffer
			c.RC = golden.Command(tool, c.Version, c.Tool)(c.Args, c.Env, dir, strings.NewReader(c.Stdin), &out, &stderr)
			sub := func(b []byte) string { return string(bytes.ReplaceAll(b, []byte(dir), []byte("${CWD}"))) }
			c.Stdout, c.Stderr = sub(out.Bytes()), sub(stderr.Bytes())
			c.Trace = strings.Contains(c.Stderr, "\n\tat ")
			if c.After {
				c.Files = newFiles(root, c.Fixture, dir)
			}
			if why := golden.Compare(root, &was, golden.Result{RC: c.RC, Stdout: out.Bytes(), Stderr: stderr.Bytes(), Dir: dir}); len(why) > 0 {
				t.Logf("changed: %s\n%s", c.Name(), strings.Join(why, "\n"))
			} else {
				*c = was // the traces' frames and the order of reports are not news
			}
		})
	}
	wg.Wait()
	if err := golden.Save(root, cases); err != nil {
		t.Fatal(err)
	}
}

// newFiles gives the files in dir that the fixture does not have, or has otherwise.
func newFiles(root, fixture, dir string) map[string][]byte {
	before := map[string][]byte{}
	if fixture != "" {
		// A fixture that cannot be read shows as files that are all new.
		before, _ = golden.ReadTree(filepath.Join(root, "fixtures", fixture))
	}
	after, err := golden.ReadTree(dir)
	if err != nil {
		return nil
	}
	for name, b := range after {
		if was, ok := before[name]; ok && bytes.Equal(was, b) {
			delete(after, name)
		}
	}
	return after
}
