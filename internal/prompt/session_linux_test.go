package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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
		s.send(c.keys)
		s.send("\r")
		s.shows("GOT " + quoted(c.line))
		s.typed("\x0c", ">") // Ctrl-L
		s.expect(">", 2, 0)
	}
	s.leave()
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
	s.typed("abc", "> abc")
	s.send(ctrlC)
	s.expect("> abc^C\nCANCELLED\n>", 2, 2)
	s.typed("x"+ctrlD, "> x") // Ctrl-D on a line does not leave
	s.typed("\x15"+ctrlD, "BYE")
	s.end(fine)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.send("x bet\t")
	s.expect("> x beta", 9, 0) // unique: a blank follows
	s.send("\x15bro\t")
	s.expect("> brokers/", 10, 0) // it goes on
	s.send("\x15gr\t")
	s.expect("> gr\ngröße   grüße", 4, 0) // what they have in common ends within a letter
	s.send("\x15al\t")
	s.expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.send("\t")
	s.expect("> alpha\nalpha  the first\nalps   mountains", 7, 0)
	s.send("\x1b[Z") // Shift-Tab
	s.expect("> alps\nalpha  the first\nalps   mountains", 6, 0)
	s.send("\x1b[B") // Down
	s.expect("> alpha\nalpha  the first\nalps   mountains", 7, 0)
	s.send("\x07") // Ctrl-G takes it back
	s.expect("> alp", 5, 0)
	s.send("\t\t\t\r") // Enter takes it and does not run the line
	s.expect("> alps", 7, 0)
	s.send("\x01\x06\x06al\t\x1b[D\x1b[D") // in the middle of a line
	s.send(ctrlC + "\x0c")
	s.expect(">", 2, 0)
	s.send("ev\t") // a name with control characters
	s.expect("> evil^[]0;x^G", 15, 0)
	s.send("\x15zzz\t")
	s.expect("> zzz", 5, 0)
	s.send("\x15" + "many\t")
	s.expect("> many-\n"+manyRows(8)+"… 24 of 1000", 7, 0)
	s.send(strings.Repeat("\t", 10)) // scrolls
	s.wait("row 10", func(e *emulator) bool { return strings.Contains(e.String(), "> many-009\nmany-002") })
	s.send("\x15" + ctrlD)
	s.end(fine)
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
		s.typed(line+"\r", "GOT \""+line+"\"\n>")
	}
	s.typed("draft\x1b[A", "> ls three")
	s.typed("\x1b[A", "> cd two")
	s.typed("\x1b[A\x1b[A\x1b[A", "> ls one")
	s.typed("\x1b[B", "> cd two")
	s.typed("\x1b[B\x1b[B", "> draft")
	s.typed("\x15\x12l", "> ls three\nbck-i-search: l_")
	s.typed("s", "> ls three\nbck-i-search: ls_")
	s.typed("\x12", "> ls one\nbck-i-search: ls_")
	s.typed("\x12", "> ls one\nfailing bck-i-search: ls_")
	s.typed("\x13", "> ls three\nfwd-i-search: ls_")
	s.typed("\x07", ">")
	s.typed("\x12two\r", "> cd two\nGOT \"cd two\"\n>")
	s.leave()

	data, err := os.ReadFile(file)
	if err != nil || string(data) != "ls one\ncd two\nls three\ncd two\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	s = start(t, 40, 20, "echo", "PROMPT_TEST_HISTORY="+file)
	s.typed("\x1b[A\x1b[A", "> ls three")
	s.typed("\r", "GOT \"ls three\"\n>")
	s.leave()
}

func TestPasteIsNotRun(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 20, "echo")
	s.send("\x1b[200~ls a\rls b\nls\tc\n\x1b[201~")
	s.expect("> ls a\nls b\nls^Ic", 5, 2)
	s.send("\x1b[A\x1b[A") // up within what was pasted
	s.expect("> ls a\nls b\nls^Ic", 6, 0)
	s.send("!\x1b[B?\r")
	s.expect("> ls a!\nGOT \"ls a!\"\n> ls b?\nGOT \"ls b?\"\n> ls^Ic\nGOT \"ls\\tc\"\n>", 2, 6)
	s.send("\x1b[200~one\ntwo\x1b[201~" + ctrlC)
	s.shows("CANCELLED")
	s.leave() // nothing of it is left
}

// TestRawPaste: a terminal without bracketed paste types what is pasted.
func TestRawPaste(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 20, "echo")
	s.send("one\rtwo\rthr")
	s.shows("GOT \"two\"")
	s.typed("ee\r", "GOT \"three\"\n>")
	// Lines that come while a command runs are kept as well.
	s.typed("wait\r", "WAITING")
	s.send("four\nfi")
	s.shows("four\nfi") // the driver echoes them
	_ = s.cmd.Process.Signal(syscall.SIGUSR2)
	s.typed("ve\r", "GOT \"five\"\n>")
	s.shows("GOT \"four\"")
	s.leave()
}

func TestLongPaste(t *testing.T) {
	t.Parallel()
	s := start(t, 80, 24, "echo")
	text := strings.Repeat("0123456789", 2000)
	s.send("\x1b[200~" + text + "\x1b[201~")
	s.send("END\r")
	s.shows("END\"")
	if !strings.Contains(s.sent(), "GOT \""+text+"END\"") {
		t.Error("the line was not read as it was pasted")
	}
	s.leave()
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	s := start(t, 10, 8, "echo")
	s.send("this is wider")
	s.expect("> this is\nwider", 5, 1)
	s.send("\x01")
	s.expect("> this is\nwider", 2, 0)
	s.send("\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x05")
	s.expect("> is wider", 0, 1) // a full row: the cursor is on the next
	s.send("\x15日本語日本語")
	s.expect("> 日本語日\n本語", 4, 1)
	s.send("\x15" + "abcdefg日")
	s.expect("> abcdefg\n日", 2, 1) // a wide letter does not fit in one column
	s.send("\x15al\t")
	s.expect("> alp\nalpha\nalps", 5, 0) // no room for descriptions
	s.send("\x07\x15\x12xyz")
	s.expect(">\nfailing …", 2, 0)
	s.send("\x07" + strings.Repeat("abcdefgh ", 20)) // more than the screen
	s.wait("the end of the line", func(e *emulator) bool { return e.y == 7 && e.paste })
	s.send("\x01")
	s.wait("its beginning", func(e *emulator) bool { return e.x == 2 && e.y == 0 && strings.HasPrefix(e.String(), "> abcdefgh") })
	s.send("\x0b" + ctrlD)
	s.end(fine)
}

func TestNoSize(t *testing.T) {
	t.Parallel()
	s := start(t, 0, 0, "echo")
	s.send("ls alp\t\t")
	s.expect("> ls alpha\nalpha  the first\nalps   mountains", 10, 0)
	s.send("\r\r")
	s.shows("GOT \"ls alpha \"")
	s.leave()
}

func TestOneColumn(t *testing.T) {
	t.Parallel()
	s := start(t, 1, 1, "echo")
	s.send("日本\t\x15ab\r")
	s.send("al\t\t\x07\x15")
	s.leave()
}

func TestResize(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.send("alp\t")
	s.expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.resize(20, 6)
	s.expect("> alp\nalpha  the first\nalps   mountains", 5, 0)
	s.send("0123456789012345")
	s.expect("> alp012345678901234\n5", 1, 1)
	s.send("\x15")
	s.expect(">", 2, 0)
	s.resize(8, 6)
	s.send("0123456")
	s.expect("> 012345\n6", 1, 1)
	s.send("\r")
	s.shows("GOT")
	s.leave()
}

func TestFollow(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	s.send("half a li")
	s.expect("> half a li", 11, 0)
	_ = s.cmd.Process.Signal(syscall.SIGUSR1)
	s.expect("change 1\n1> half a li", 12, 1)
	s.send("\x1b[D")
	s.expect("change 1\n1> half a li", 11, 1)
	_ = s.cmd.Process.Signal(syscall.SIGUSR1)
	s.expect("change 1\nchange 2\n2> half a li", 11, 2)
	s.send("\x05ne\r")
	s.expect("change 1\nchange 2\n2> half a line\nGOT \"half a line\"\n>", 2, 4)
	s.leave()
}

func TestKilled(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		for _, keys := range []string{"half a line", "al\t\t", "wait\r"} {
			t.Run(sig.String(), func(t *testing.T) {
				t.Parallel()
				s := start(t, 40, 10, "echo")
				s.send(keys)
				s.wait("the keys", func(e *emulator) bool {
					return strings.Contains(e.String(), "half a line") || strings.Contains(e.String(), "> alpha") || strings.Contains(e.String(), "WAITING")
				})
				if err := s.cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				s.end(killed(sig))
			})
		}
	}
}

// TestInterruptOfACommand: while no line is read Ctrl-C is a signal.
func TestInterruptOfACommand(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "interrupts")
	s.typed("wait\r", "WAITING")
	s.send(ctrlC)
	s.shows("INTERRUPTED")
	_ = s.cmd.Process.Signal(syscall.SIGUSR2)
	s.typed("", ">")
	s.leave()
}

func TestHangUp(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo")
	_ = s.slave.Close()
	_ = s.master.Close() // SIGHUP
	select {
	case err := <-s.ended:
		// It sees the end of its input, or the signal before that.
		if !fine(err) && !killed(syscall.SIGHUP)(err) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(patienceOfTests):
		t.Error("the program lives on")
	}
}

func TestPanicLeavesTheTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, 100, 40, "echo")
	s.anything = true // the stack
	s.send("panic\t")
	s.shows("the completer panics")
	s.end(func(err error) bool { return err != nil })
}

func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, 40, 10, "echo", "TERM=dumb")
	s.typed("abc\n", "GOT \"abc\"\n>")
	s.leave()
	if strings.Contains(s.sent(), "\x1b[?") {
		t.Errorf("a dumb terminal was sent %q", s.sent())
	}
}
