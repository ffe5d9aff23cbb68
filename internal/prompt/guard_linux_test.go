package prompt

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestStopAndGoOn stops the program with Ctrl-Z, and by a signal, under a shell
// with job control, and has it go on.
func TestStopAndGoOn(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell with job control")
	}
	for _, how := range []string{"Ctrl-Z", "signal"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := startCommand(t, 60, 20, exec.Command(bash, "--norc", "--noprofile", "--noediting", "-i"), "PS1=$ ", "TERM=xterm")
			s.typed("PROMPT_TEST_PROGRAM=echo "+os.Args[0]+"\n", "\n>")
			s.wait("the prompt", func(e *emulator) bool { return e.paste })
			s.typed("half a line", "> half a line")
			if how == "Ctrl-Z" {
				s.send("\x1a")
			} else {
				pgrp, err := unix.IoctlGetInt(s.fd, unix.TIOCGPGRP)
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(pgrp, syscall.SIGTSTP); err != nil {
					t.Fatal(err)
				}
			}
			s.shows("Stopped")
			s.wait("the end of bracketed paste", func(e *emulator) bool { return !e.paste })
			s.sane()
			s.typed("fg\n", "> half a line")
			s.wait("the prompt", func(e *emulator) bool { return e.paste && !strings.HasSuffix(e.String(), "fg\n") })
			s.typed(" goes on\r", "GOT \"half a line goes on\"\n>")
			s.typed(ctrlD, "BYE\n$")
			s.send("exit\n")
			s.end(fine)
		})
	}
}

// TestNobodyToWakeUp: a program without a shell that could wake it up is not
// stopped by Ctrl-Z, and reads on.
func TestNobodyToWakeUp(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.typed("half\x1a", "> half")
	s.typed("\x01\x0b", ">")
	s.typed("more\r", "GOT \"more\"\n>")
	s.leave()
}

func TestGuardNeedsATerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := NewGuard(f, f, nil); err != ErrNoTerminal {
		t.Errorf("got %v", err)
	}
	if _, err := New(Options{In: f, Out: f, Term: "xterm"}); err == nil {
		t.Error("no error without a terminal")
	}
}

// TestIdle: a program that waits for keys does nothing at all.
func TestIdle(t *testing.T) {
	s := start(t, 40, 10, "echo")
	s.typed("abc\x1b[D", "> abc")
	s.wait("the cursor", func(e *emulator) bool { return e.x == 4 })
	// Another session works meanwhile. A program that looks for keys a hundred
	// times a second would wake up twenty times; the runtime's own threads may
	// take some of the time to fall asleep.
	other := start(t, 40, 10, "echo")
	n, lines := 0, 0
	for range 5 {
		first := s.switches()
		for began := time.Now(); time.Since(began) < 200*time.Millisecond; {
			line := strconv.Itoa(lines)
			other.typed(line+"\r", "GOT \""+line+"\"\n>")
			lines++
		}
		if n = s.switches() - first; n <= 5 {
			break
		}
	}
	if n > 5 {
		t.Errorf("%d context switches with nothing to do", n)
	}
	other.leave()
	s.typed("\x05\x15", ">")
	s.leave()
}
