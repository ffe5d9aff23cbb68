//go:build conformance

package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kraftctl/internal/golden"
)

const (
	// shellRelease is the last one whose shell is published; ours stands in for it.
	shellRelease = "4.3.1"
	// shellTries: the real shell hangs now and then on a file that it can read.
	shellTries    = "10"
	shellDeadline = 4 * time.Minute
)

// hangs is the status of a case on which the real shell only waits.
const hangs = "hangs"

// realShells runs commands of the real shell, each in a session of its own, all
// in one JVM.
func (s *serverSuite) realShells(t *testing.T, dir string, commands [][]string) []testCase {
	t.Helper()
	cases := writeCases(t, dir, commands)
	outputs := filepath.Join(dir, "expected")
	ctx, cancel := context.WithTimeout(context.Background(), shellDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.tool, shellRelease, "shells", filepath.Join(dir, "cases.tsv"), outputs, shellTries, "waitUntilCaughtUp")
	inGroup(cmd)
	cmd.Dir, cmd.Env = dir, golden.Environ(map[string]string{"ORACLE_CP": s.classes})
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	for i := range cases {
		cases[i].read(t, outputs)
	}
	return cases
}

// shellDiffers tells how our shell differs from what the real one made of a case.
// damaged: ours says that the file is, or shows nothing of it, where the real one
// shows what it had read when it met the damage.
func (s *serverSuite) shellDiffers(t *testing.T, dir string, c *testCase) (why []string, damaged bool) {
	t.Helper()
	got := run(t, dir, "", nil, append([]string{s.bin, "kafka-metadata-shell"}, c.args...)...)
	const nothing = "metadataVersion:\n      Optional.empty\n"
	if c.rc == "0" && got.code == 1 && strings.HasPrefix(got.stderr, "Unexpected error: java.io.IOException: ") ||
		c.rc == "0" && strings.Contains(got.out, nothing) && !bytes.Contains(c.out, []byte(nothing)) {
		return nil, true
	}
	if rc := strconv.Itoa(got.code); rc != c.rc {
		why = append(why, fmt.Sprintf("exit status: want %s, got %s", c.rc, rc))
	}
	if got.out != string(c.out) {
		why = append(why, golden.Diff("stdout", string(c.out), got.out)...)
	}
	if want, got := firstLine(c.err), firstLine([]byte(got.stderr)); want != got && c.rc != "0" {
		why = append(why, "stderr: want "+want, "stderr:  got "+got)
	}
	return why, false
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return string(line)
}

// compareShells runs commands in both shells. It gives the number of cases on
// which the real one hangs, and of those in which ours shows nothing of a
// damaged file and the real one does.
func (s *serverSuite) compareShells(t *testing.T, dir, note string, commands [][]string) (hanging, refused int) {
	t.Helper()
	failed := 0
	for _, c := range s.realShells(t, dir, commands) {
		if c.rc == hangs {
			hanging++
			continue
		}
		why, damaged := s.shellDiffers(t, dir, &c)
		if damaged {
			refused++
			continue
		}
		if len(why) > 0 {
			if failed++; failed <= maxShown {
				t.Errorf("%s, case %s\ncd %s && kafka-metadata-shell %s\n%s", note, c.id, dir, strings.Join(quoted(c.args), " "), strings.Join(why, "\n"))
			}
		}
	}
	if failed > 0 {
		t.Errorf("%s: %d of %d cases differ", note, failed, len(commands))
	}
	return hanging, refused
}

func quoted(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return out
}
