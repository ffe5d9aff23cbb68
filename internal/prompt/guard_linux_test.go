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

	"kraftctl/internal/ptytest"
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
			s := ptytest.Start(t, 60, 20, exec.Command(bash, "--norc", "--noprofile", "--noediting", "-i"), "PS1=$ ", "TERM=xterm")
			s.Typed("PROMPT_TEST_PROGRAM=echo "+os.Args[0]+"\n", "\n>")
			s.Wait("the prompt", func(e *ptytest.Screen) bool { return e.Paste })
			s.Typed("half a line", "> half a line")
			if how == "Ctrl-Z" {
				s.Send("\x1a")
			} else {
				pgrp, err := unix.IoctlGetInt(s.FD, unix.TIOCGPGRP)
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(pgrp, syscall.SIGTSTP); err != nil {
					t.Fatal(err)
				}
			}
			s.Shows("Stopped")
			s.Wait("the end of bracketed paste", func(e *ptytest.Screen) bool { return !e.Paste })
			s.Sane()
			s.Typed("fg\n", "> half a line")
			s.Wait("the prompt", func(e *ptytest.Screen) bool { return e.Paste && !strings.HasSuffix(e.String(), "fg\n") })
			s.Typed(" goes on\r", "GOT \"half a line goes on\"\n>")
			s.Typed(ctrlD, "BYE\n$")
			s.Send("exit\n")
			s.End(ptytest.Fine)
		})
	}
}

// TestNobodyToWakeUp: a program without a shell that could wake it up is not
// stopped by Ctrl-Z, and reads on.
func TestNobodyToWakeUp(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.Typed("half\x1a", "> half")
	s.Typed("\x01\x0b", ">")
	s.Typed("more\r", "GOT \"more\"\n>")
	leave(s)
}

// TestInterrupts: an interrupt counts for what has begun since the last line was
// entered, also if it comes before that listens; not while a line is typed.
func TestInterrupts(t *testing.T) {
	calls := 0
	g := &Guard{onInt: func() { calls++ }}
	for _, c := range []struct {
		raw, deaf bool
		want      int
	}{{true, false, 0}, {false, true, 1}, {false, false, 1}} {
		g.raw, g.deaf, g.interrupted = c.raw, 0, false
		if c.deaf {
			g.IgnoreInterrupts()
		}
		before := calls
		if handled := g.interrupt(); !handled || calls-before != c.want || g.Interrupted() != (c.want > 0) {
			t.Errorf("%+v: handled %v, %d calls, %v", c, handled, calls-before, g.Interrupted())
		}
	}
	g = &Guard{raw: true} // of a program that does not catch it
	if g.interrupt() {
		t.Error("an interrupt that nobody listens to is handled")
	}
	g.raw = false
	g.IgnoreInterrupts()
	if !g.interrupt() {
		t.Error("an interrupt for another program would end ours")
	}
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
	s.Typed("abc\x1b[D", "> abc")
	s.Wait("the cursor", func(e *ptytest.Screen) bool { return e.X == 4 })
	// Another session works meanwhile. A program that looks for keys a hundred
	// times a second would wake up twenty times; the runtime's own threads may
	// take some of the time to fall asleep.
	other := start(t, 40, 10, "echo")
	n, lines := 0, 0
	for range 5 {
		first := s.Switches()
		for began := time.Now(); time.Since(began) < 200*time.Millisecond; {
			line := strconv.Itoa(lines)
			other.Typed(line+"\r", "GOT \""+line+"\"\n>")
			lines++
		}
		if n = s.Switches() - first; n <= 5 {
			break
		}
	}
	if n > 5 {
		t.Errorf("%d context switches with nothing to do", n)
	}
	leave(other)
	s.Typed("\x05\x15", ">")
	leave(s)
}
