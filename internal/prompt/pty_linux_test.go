package prompt

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"kraftctl/internal/ptytest"
)

// start runs this test binary as a program of TestMain in a terminal.
func start(t *testing.T, cols, rows int, program string, env ...string) *ptytest.Session {
	t.Helper()
	// The race detector delays the end of a program by a second.
	env = append([]string{"TERM=xterm", "GORACE=atexit_sleep_ms=0", "PROMPT_TEST_PROGRAM=" + program}, env...)
	s := ptytest.Start(t, cols, rows, exec.Command(os.Args[0]), env...)
	if program != "pager" {
		// What is typed before is echoed by the terminal's driver.
		s.Wait("the prompt", func(e *ptytest.Screen) bool { return e.Paste || strings.HasPrefix(e.String(), ">") })
	}
	return s
}

// leave waits for an empty line and ends the program with Ctrl-D. What comes
// before is a matter of the driver, which swallows it.
func leave(s *ptytest.Session) {
	s.Wait("an empty line", func(e *ptytest.Screen) bool {
		return e.Paste && (e.Cols == 1 || e.X == 2) || strings.HasSuffix(e.String(), "\n>\n") && s.Cmd.Env[len(s.Cmd.Env)-1] == "TERM=dumb"
	})
	s.Send(ctrlD)
	s.End(ptytest.Fine)
}
