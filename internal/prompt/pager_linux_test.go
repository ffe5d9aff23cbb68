package prompt

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kraftctl/internal/ptytest"
)

func page(t *testing.T, rows int, pager, lines string) *ptytest.Session {
	t.Helper()
	return start(t, 40, rows, "pager", "PROMPT_TEST_PAGER="+pager, "PROMPT_TEST_LINES="+lines, "LESS=")
}

func TestShortOutputNeedsNoPager(t *testing.T) {
	t.Parallel()
	s := page(t, 6, "false", "4")
	s.Expect("line 1\nline 2\nline 3\nline 4\nDONE true", -1, -1)
	s.End(ptytest.Fine)
}

func TestPagerOfOurOwn(t *testing.T) {
	t.Parallel()
	s := page(t, 4, "no-such-pager-here -R", "9")
	s.Expect("line 1\nline 2\nline 3\n--More--", 8, 3)
	s.Send("\r")
	s.Expect("line 2\nline 3\nline 4\n--More--", 8, 3)
	s.Send(" ")
	s.Expect("line 5\nline 6\nline 7\n--More--", 8, 3)
	s.Send(" ")
	s.Expect("line 8\nline 9\nDONE true", 0, 3)
	s.End(ptytest.Fine)

	for _, key := range []string{"q", ctrlC} {
		s = page(t, 4, "no-such-pager-here", "1000000")
		s.Typed("", "--More--")
		s.Send(key)
		s.Shows("DONE false")
		s.End(ptytest.Fine)
	}
}

func TestLess(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("less"); err != nil {
		t.Skip("no less here")
	}
	s := page(t, 4, DefaultPager, "100")
	s.Anything = true // less has a way of its own with the terminal
	s.Wait("its prompt", func(e *ptytest.Screen) bool { return strings.HasSuffix(e.String(), "line 3\n:\n") })
	s.Send("G")
	s.Shows("line 100")
	s.Send("q")
	s.Shows("DONE true")
	s.End(ptytest.Fine)
}

// TestInterruptIsForThePager: Ctrl-C in it does not end us.
func TestInterruptIsForThePager(t *testing.T) {
	t.Parallel()
	s := page(t, 4, `trap "echo CAUGHT" INT; echo READY; read x </dev/tty; read x </dev/tty; cat >/dev/null`, "10")
	s.Shows("READY")
	s.Send(ctrlC + "\n\n") // some shells act when what they wait for has come
	s.Shows("CAUGHT")
	s.Shows("DONE true")
	s.End(ptytest.Fine)
}

// TestPagerQuitsEarly: more output than a pipe holds does not hang.
func TestPagerQuitsEarly(t *testing.T) {
	t.Parallel()
	s := page(t, 4, "head -2", "1000000")
	s.Expect("line 1\nline 2\nDONE false", -1, -1)
	s.End(ptytest.Fine)
	s = page(t, 4, "sh -c 'exit 3'", "1000000") // it cannot even be started
	s.Shows("DONE false")
	s.End(ptytest.Fine)
}

// TestPagerLeavesTheTerminal: whatever the pager did to it.
func TestPagerLeavesTheTerminal(t *testing.T) {
	t.Parallel()
	s := page(t, 4, "stty raw -echo </dev/tty; cat >/dev/null; kill -9 $$", "10")
	s.Shows("DONE true")
	s.End(ptytest.Fine)
}

func TestPagerKilledWithUs(t *testing.T) {
	t.Parallel()
	s := page(t, 4, "no-such-pager-here", "100")
	s.Typed("", "--More--")
	s.Signal(syscall.SIGTERM)
	s.End(ptytest.Killed(syscall.SIGTERM))
}

func TestNoPagerIntoAFile(t *testing.T) {
	text := strings.Repeat("line\n", 1000)
	for _, command := range []string{"cat", "", "false"} {
		name := filepath.Join(t.TempDir(), "out")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		p := Pager{In: f, Out: f, Command: command}
		if err := p.Page(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, []byte(text)) {
			t.Errorf("PAGER=%q: %d bytes, %v", command, len(got), err)
		}
	}
}

func TestPagerCommand(t *testing.T) {
	empty, less := "  ", " less -X "
	for want, variable := range map[string]*string{DefaultPager: nil, "": &empty, "less -X": &less} {
		if got := PagerCommand(variable); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
