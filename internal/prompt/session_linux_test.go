package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kraftctl/internal/ptytest"
)

const ctrlC, ctrlD = "\x03", "\x04"

func TestEditing(t *testing.T) {
	t.Parallel()
	s := start(t, 60, 30, "echo")
	for _, c := range []struct{ keys, line string }{
		{"ls /image", "ls /image"},
		{"ls\x01x \x05 y", "x ls y"},                 // Ctrl-A Ctrl-E
		{"abc\x1b[D\x1b[DX", "aXbc"},                 // Left
		{"abc\x1bOD\x1bODX", "aXbc"},                 // Left, application mode
		{"abc\x1b[H\x1b[CX\x1b[F!", "aXbc!"},         // Home Right End
		{"abc\x1b[1~\x1b[3~", "bc"},                  // Home Delete
		{"abc\x02\x02\x04", "ac"},                    // Ctrl-B Ctrl-D
		{"one two\x17three", "one three"},            // Ctrl-W
		{"one two\x15three", "three"},                // Ctrl-U
		{"one two\x01\x06\x06\x06\x0b", "one"},       // Ctrl-F Ctrl-K
		{"one two\x17\x19\x19", "one twotwo"},        // Ctrl-Y
		{"one two\x1bbX\x1b<\x1b>", "one Xtwo"},      // Alt-B, to the oldest line and back
		{"one two\x01\x1bd\x1bf!", " two!"},          // Alt-D Alt-F
		{"one/two\x1b\x7fx", "one/x"},                // Alt-Backspace
		{"one two\x1b[1;5DX\x1b[1;5CY", "one XtwoY"}, // Ctrl-Left Ctrl-Right
		{"ab\x14", "ba"},                             // Ctrl-T
		{"größe\x7f\x7fß\x1b[D\x1b[D\x7fo", "goöß"},  // multi-byte
		{"日本語\x02\x7f", "日語"},                        // wide
		{"e\u0301x\x02\x02y", "ye\u0301x"},           // a letter with its mark is one step
		{"e\u0301\x7fx", "x"},                        // and one key takes both
		{"x\x1b[99;99Xy\x1b[200z", "xy"},             // unknown sequences are not typed
		{"a\x00b\x1c", "ab"},                         // nor unknown control characters
		{"x\xffy", "x\ufffdy"},                       // what is no UTF-8
	} {
		s.Send(c.keys)
		s.Send("\r")
		s.Shows("GOT " + quoted(c.line))
		s.Typed("\x0c", ">") // Ctrl-L
		s.Expect(">", 2, 0)
	}
	leave(s)
}

func quoted(s string) string {
	switch s {
	case "ye\u0301x":
		return "\"ye" // the mark takes no cell of the emulator
	}
	return `"` + s + `"`
}

func TestCancelAndLeave(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.Typed("abc", "> abc")
	s.Send(ctrlC)
	s.Expect("> abc^C\nCANCELLED\n>", 2, 2)
	s.Typed("x"+ctrlD, "> x") // Ctrl-D on a line does not leave
	s.Typed("\x15"+ctrlD, "BYE")
	s.End(ptytest.Fine)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.Send("x bet\t")
	s.Expect("> x beta", 9, 0) // unique: a blank follows
	s.Send("\x15bro\t")
	s.Expect("> brokers/", 10, 0) // it goes on
	s.Send("\x15gr\t")
	s.Expect("> gr\ngröße   grüße", 4, 0) // what they have in common ends within a letter
	s.Send("\x15al\t")
	s.Expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.Send("\t")
	s.Expect("> alpha\nalpha  the first\nalps   mountains", 7, 0)
	s.Send("\x1b[Z") // Shift-Tab
	s.Expect("> alps\nalpha  the first\nalps   mountains", 6, 0)
	s.Send("\x1b[B") // Down
	s.Expect("> alpha\nalpha  the first\nalps   mountains", 7, 0)
	s.Send("\x07") // Ctrl-G takes it back
	s.Expect("> alp", 5, 0)
	s.Send("\t\t\t\r") // Enter takes it and does not run the line
	s.Expect("> alps", 7, 0)
	s.Send("\x01\x06\x06al\t\x1b[D\x1b[D") // in the middle of a line
	s.Send(ctrlC + "\x0c")
	s.Expect(">", 2, 0)
	s.Send("ev\t") // a name with control characters
	s.Expect("> evil^[]0;x^G", 15, 0)
	s.Send("\x15zzz\t")
	s.Expect("> zzz", 5, 0)
	s.Send("\x15" + "many\t")
	s.Expect("> many-\n"+manyRows(8)+"… 24 of 1000", 7, 0)
	s.Send(strings.Repeat("\t", 10)) // scrolls
	s.Wait("row 10", func(e *ptytest.Screen) bool { return strings.Contains(e.String(), "> many-009\nmany-002") })
	s.Send("\x15" + ctrlD)
	s.End(ptytest.Fine)
}

// manyRows are the first rows of a thousand names, three in a row.
func manyRows(n int) string {
	var b strings.Builder
	for i := range n {
		for column := range 3 {
			if column > 0 {
				b.WriteString("   ")
			}
			k := column*334 + i
			b.WriteString("many-" + string(rune('0'+k/100)) + string(rune('0'+k/10%10)) + string(rune('0'+k%10)))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestHistory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "history")
	s := start(t, 40, 20, "echo", "PROMPT_TEST_HISTORY="+file)
	for _, line := range []string{"ls one", "cd two", "cd two", " secret", "ls three"} {
		s.Typed(line+"\r", "GOT \""+line+"\"\n>")
	}
	s.Typed("draft\x1b[A", "> ls three")
	s.Typed("\x1b[A", "> cd two")
	s.Typed("\x1b[A\x1b[A\x1b[A", "> ls one")
	s.Typed("\x1b[B", "> cd two")
	s.Typed("\x1b[B\x1b[B", "> draft")
	s.Typed("\x15\x12l", "> ls three\nbck-i-search: l_")
	s.Typed("s", "> ls three\nbck-i-search: ls_")
	s.Typed("\x12", "> ls one\nbck-i-search: ls_")
	s.Typed("\x12", "> ls one\nfailing bck-i-search: ls_")
	s.Typed("\x13", "> ls three\nfwd-i-search: ls_")
	s.Typed("\x07", ">")
	s.Typed("\x12two\r", "> cd two\nGOT \"cd two\"\n>")
	leave(s)

	data, err := os.ReadFile(file)
	if err != nil || string(data) != "ls one\ncd two\nls three\ncd two\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	s = start(t, 40, 20, "echo", "PROMPT_TEST_HISTORY="+file)
	s.Typed("\x1b[A\x1b[A", "> ls three")
	s.Typed("\r", "GOT \"ls three\"\n>")
	leave(s)
}

func TestPasteIsNotRun(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 20, "echo")
	s.Send("\x1b[200~ls a\rls b\nls\tc\n\x1b[201~")
	s.Expect("> ls a\nls b\nls^Ic", 5, 2)
	s.Send("\x1b[A\x1b[A") // up within what was pasted
	s.Expect("> ls a\nls b\nls^Ic", 6, 0)
	s.Send("!\x1b[B?\r")
	s.Expect("> ls a!\nGOT \"ls a!\"\n> ls b?\nGOT \"ls b?\"\n> ls^Ic\nGOT \"ls\\tc\"\n>", 2, 6)
	s.Send("\x1b[200~one\ntwo\x1b[201~" + ctrlC)
	s.Shows("CANCELLED")
	leave(s) // nothing of it is left
}

// TestRawPaste: a terminal without bracketed paste types what is pasted.
func TestRawPaste(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 20, "echo")
	s.Send("one\rtwo\rthr")
	s.Shows("GOT \"two\"")
	s.Typed("ee\r", "GOT \"three\"\n>")
	// Lines that come while a command runs are kept as well.
	s.Typed("wait\r", "WAITING")
	s.Send("four\nfi")
	s.Shows("four\nfi") // the driver echoes them
	s.Signal(syscall.SIGUSR2)
	s.Typed("ve\r", "GOT \"five\"\n>")
	s.Shows("GOT \"four\"")
	leave(s)
}

func TestLongPaste(t *testing.T) {
	t.Parallel()
	s := start(t, 80, 24, "echo")
	text := strings.Repeat("0123456789", 2000)
	s.Send("\x1b[200~" + text + "\x1b[201~")
	s.Send("END\r")
	s.Shows("END\"")
	if !strings.Contains(s.Sent(), "GOT \""+text+"END\"") {
		t.Error("the line was not read as it was pasted")
	}
	leave(s)
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	s := start(t, 10, 8, "echo")
	s.Send("this is wider")
	s.Expect("> this is\nwider", 5, 1)
	s.Send("\x01")
	s.Expect("> this is\nwider", 2, 0)
	s.Send("\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x05")
	s.Expect("> is wider", 0, 1) // a full row: the cursor is on the next
	s.Send("\x15日本語日本語")
	s.Expect("> 日本語日\n本語", 4, 1)
	s.Send("\x15" + "abcdefg日")
	s.Expect("> abcdefg\n日", 2, 1) // a wide letter does not fit in one column
	s.Send("\x15al\t")
	s.Expect("> alp\nalpha\nalps", 5, 0) // no room for descriptions
	s.Send("\x07\x15\x12xyz")
	s.Expect(">\nfailing …", 2, 0)
	s.Send("\x07" + strings.Repeat("abcdefgh ", 20)) // more than the screen
	s.Wait("the end of the line", func(e *ptytest.Screen) bool { return e.Y == 7 && e.Paste })
	s.Send("\x01")
	s.Wait("its beginning", func(e *ptytest.Screen) bool {
		return e.X == 2 && e.Y == 0 && strings.HasPrefix(e.String(), "> abcdefgh")
	})
	s.Send("\x0b" + ctrlD)
	s.End(ptytest.Fine)
}

func TestNoSize(t *testing.T) {
	t.Parallel()
	s := start(t, 0, 0, "echo")
	s.Send("ls alp\t\t")
	s.Expect("> ls alpha\nalpha  the first\nalps   mountains", 10, 0)
	s.Send("\r\r")
	s.Shows("GOT \"ls alpha \"")
	leave(s)
}

func TestOneColumn(t *testing.T) {
	t.Parallel()
	s := start(t, 1, 1, "echo")
	s.Send("日本\t\x15ab\r")
	s.Send("al\t\t\x07\x15")
	leave(s)
}

func TestResize(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.Send("alp\t")
	s.Expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.Resize(20, 6)
	s.Expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.Send("0123456789012345")
	s.Expect("> alp012345678901234\n5", 1, 1)
	s.Send("\x15")
	s.Expect(">", 2, 0)
	s.Resize(8, 6)
	s.Send("0123456")
	s.Expect("> 012345\n6", 1, 1)
	s.Send("\r")
	s.Shows("GOT")
	leave(s)
}

func TestFollow(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.Send("half a li")
	s.Expect("> half a li", 11, 0)
	s.Signal(syscall.SIGUSR1)
	s.Expect("change 1\n1> half a li", 12, 1)
	s.Send("\x1b[D")
	s.Expect("change 1\n1> half a li", 11, 1)
	s.Signal(syscall.SIGUSR1)
	s.Expect("change 1\nchange 2\n2> half a li", 11, 2)
	s.Send("\x05ne\r")
	s.Expect("change 1\nchange 2\n2> half a line\nGOT \"half a line\"\n>", 2, 4)
	leave(s)
}

func TestKilled(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		for _, keys := range []string{"half a line", "al\t\t", "wait\r"} {
			t.Run(sig.String(), func(t *testing.T) {
				t.Parallel()
				s := start(t, 40, 10, "echo")
				s.Send(keys)
				s.Wait("the keys", func(e *ptytest.Screen) bool {
					return strings.Contains(e.String(), "half a line") || strings.Contains(e.String(), "> alpha") || strings.Contains(e.String(), "WAITING")
				})
				s.Signal(sig)
				s.End(ptytest.Killed(sig))
			})
		}
	}
}

// TestInterruptOfACommand: while no line is read Ctrl-C is a signal.
func TestInterruptOfACommand(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "interrupts")
	s.Typed("wait\r", "WAITING")
	s.Send(ctrlC)
	s.Shows("INTERRUPTED")
	s.Signal(syscall.SIGUSR2)
	s.Typed("", ">")
	leave(s)
}

func TestHangUp(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	// It sees the end of its input, or the signal before that.
	s.HangUp(func(err error) bool { return ptytest.Fine(err) || ptytest.Killed(syscall.SIGHUP)(err) })
}

func TestPanicLeavesTheTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, 100, 40, "echo")
	s.Anything = true // the stack
	s.Send("panic\t")
	s.Shows("the completer panics")
	s.End(func(err error) bool { return err != nil })
}

func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo", "TERM=dumb")
	s.Typed("abc\n", "GOT \"abc\"\n>")
	leave(s)
	if strings.Contains(s.Sent(), "\x1b[?") {
		t.Errorf("a dumb terminal was sent %q", s.Sent())
	}
}
