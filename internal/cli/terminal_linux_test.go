package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode/snapshot"
	"kraftctl/internal/golden"
	"kraftctl/internal/ptytest"
	"kraftctl/internal/snapshottest"
)

const ctrlC, ctrlD, up = "\x03", "\x04", "\x1b[A"

// kraftctl is the command, which is the test binary under another name.
func kraftctl(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{name}, args...)}
}

// terminal is what programs see around them. Lines are remembered in a directory of
// their own.
func terminal(t *testing.T, more ...string) []string {
	// The race detector delays the end of a program by a second.
	return append([]string{"TERM=xterm", "GORACE=atexit_sleep_ms=0", "PAGER=cat", "XDG_STATE_HOME=" + t.TempDir(), "TZ=UTC", "LESS="}, more...)
}

// rich is a controller's directory that Kafka 4.3.1 wrote.
func rich() string { return filepath.Join(golden.Root(), "fixtures/meta-4.3.1-rich/c1") }

// openShell starts a session of kraftctl shell and waits for its prompt.
func openShell(t *testing.T, cols, rows int, env []string, args ...string) *ptytest.Session {
	t.Helper()
	s := ptytest.Start(t, cols, rows, kraftctl(t, "kraftctl", append([]string{"shell"}, args...)...), env...)
	ready(s)
	return s
}

// lastRow is what the cursor's line begins with.
func lastRow(e *ptytest.Screen) string {
	rows := strings.Split(strings.TrimRight(e.String(), "\n"), "\n")
	return rows[len(rows)-1]
}

// ready waits for a prompt with nothing behind it.
func ready(s *ptytest.Session) {
	s.Wait("a prompt", func(e *ptytest.Screen) bool { return e.Paste && strings.HasSuffix(lastRow(e), ">") })
}

// press sends keys that end a line or a command and waits for the next prompt.
func press(s *ptytest.Session, keys string) {
	n := s.Lines()
	s.Send(keys)
	s.Wait("the next prompt", func(e *ptytest.Screen) bool { return e.Lines > n && e.Paste && strings.HasSuffix(lastRow(e), ">") })
}

// runs types a line and waits for the prompt behind its output; what the output ends
// with is compared.
func runs(s *ptytest.Session, line, output string) {
	n := s.Lines()
	s.Send(line + "\r")
	s.Wait("the output of "+line+":\n"+output, func(e *ptytest.Screen) bool {
		text := strings.TrimRight(e.String(), "\n")
		end := strings.LastIndexByte(text, '\n')
		return e.Lines > n && e.Paste && strings.HasSuffix(text, ">") && end >= 0 && strings.HasSuffix(text[:end], output)
	})
}

// leave ends a session at an empty line.
func leave(s *ptytest.Session) {
	ready(s)
	s.Send(ctrlD)
	s.End(ptytest.Fine)
}

type message = snapshottest.Record

// writeSnapshot writes a snapshot of records and gives its name.
func writeSnapshot(t *testing.T, records ...message) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "00000000000000000100-0000000001.checkpoint")
	if err := os.WriteFile(name, snapshottest.Bytes(t, 1, snapshot.Header{}, 0, records...), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
