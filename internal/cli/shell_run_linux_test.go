package cli_test

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/ptytest"
)

func TestShellInterrupt(t *testing.T) {
	t.Parallel()
	s := openShell(t, 80, 24, terminal(t), rich())
	// A line.
	s.Typed("half", "/> half")
	press(s, ctrlC)
	s.Shows("/> half^C\n/>")
	// A command that would go on for ever.
	s.Send("\x0cwatch /image\r")
	s.Cooked()
	press(s, ctrlC)
	runs(s, "pwd", "/")
	// The lines that were pasted behind a command that is cancelled are not run.
	s.Send("\x1b[200~watch\nexit\n\x1b[201~")
	s.Shows("watch\nexit")
	s.Send("\r")
	s.Cooked()
	press(s, ctrlC)
	runs(s, "pwd", "/")
	leave(s)
}

// manyPartitions is a snapshot of a topic that takes a while to list.
func manyPartitions(t *testing.T) string {
	topic := kbin.UUID{1}
	records := []message{&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}, &metadata.TopicRecord{Name: "many", TopicID: topic}}
	for n := range int32(20_000) {
		records = append(records, &metadata.PartitionRecord{TopicID: topic, PartitionID: n, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1, Directories: make([]kbin.UUID, 1)})
	}
	return writeSnapshot(t, records...)
}

func TestShellInterruptLongCommands(t *testing.T) {
	t.Parallel()
	file := manyPartitions(t)
	// Each of these lines would take minutes.
	for what, line := range map[string]string{
		"find":  strings.Repeat("find --where 'replicas contains 2' /image;", 1000),
		"count": strings.Repeat("count /image;", 3000),
		"tree":  strings.Repeat("tree /image;", 1000),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := openShell(t, 80, 24, terminal(t), file)
			s.Send("\x1b[200~" + line + "cat /local/offset\x1b[201~")
			s.Shows("cat /local/offset")
			s.Send("\r")
			s.Cooked()
			press(s, ctrlC)
			runs(s, "pwd", "/")
			leave(s)
			if strings.Contains(s.Sent(), "\n100\r") {
				t.Error("all of it was run")
			}
		})
	}
}

func TestShellResize(t *testing.T) {
	t.Parallel()
	s := openShell(t, 100, 20, terminal(t), rich())
	s.Send("\x0c")
	s.Expect("/>", 3, 0)
	runs(s, "ls /image", "acls/          cluster/  delegationToken/  producerIds/  scram/\nclientQuotas/  configs/  features/         provenance    topics/")
	// At the prompt, which is drawn for the new width from then on.
	s.Resize(40, 20)
	runs(s, "ls /image", "acls/             features/\nclientQuotas/     producerIds/\ncluster/          provenance\nconfigs/          scram/\ndelegationToken/  topics/")
	// While a command runs.
	s.Send("\x0cwatch /image\r")
	s.Cooked()
	s.Resize(60, 20)
	press(s, ctrlC)
	s.Send("\x0c")
	runs(s, "ls /image", "cluster/       features/         scram/")
	s.Typed(strings.Repeat("0123456789", 6), "/> "+strings.Repeat("0123456789", 5)+"0123456\n789")
	press(s, ctrlC)
	leave(s)
}

func TestShellNarrow(t *testing.T) {
	t.Parallel()
	s := openShell(t, 10, 12, terminal(t), rich())
	press(s, "\x0cls\r")
	s.Shows("/> ls\nimage/\nlocal/\nzookeeper/\n/>")
	s.Send("\x0cls /im\t\t")
	s.Shows("/> ls /ima\nge/\nacls/\nclientQu…\n") // it goes on in the next row
	s.Send("\x07\x15\x0c")
	s.Expect("/>", 3, 0)
	leave(s)
}

func TestShellNoSize(t *testing.T) {
	t.Parallel()
	s := openShell(t, 0, 0, terminal(t, "PAGER=nothing-of-that-name"), rich())
	s.Send("\x0c")
	runs(s, "ls /image", "acls/          cluster/  delegationToken/  producerIds/  scram/\nclientQuotas/  configs/  features/         provenance    topics/")
	s.Send("tree /image\r")
	s.Shows("--More--") // of 24 rows
	press(s, "q")
	leave(s)
}

func TestShellSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		for _, keys := range []string{"half a line", "ls -\t\t", "watch /image\r"} {
			t.Run(fmt.Sprint(sig, " ", keys[:4]), func(t *testing.T) {
				t.Parallel()
				s := openShell(t, 80, 24, terminal(t), rich())
				s.Send(keys)
				if strings.HasSuffix(keys, "\r") {
					s.Cooked()
				} else {
					s.Wait("the keys", func(e *ptytest.Screen) bool {
						return strings.Contains(e.String(), "half a line") || strings.Contains(e.String(), "> ls --directory\n")
					})
				}
				s.Signal(sig)
				s.End(ptytest.Killed(sig))
			})
		}
	}
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		s := openShell(t, 80, 24, terminal(t), rich())
		s.HangUp(func(err error) bool { return ptytest.Fine(err) || ptytest.Killed(syscall.SIGHUP)(err) })
	})
}

// TestShellStatus: what a shell reports of a session that a signal ended.
func TestShellStatus(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell with job control")
	}
	for name, c := range map[string]struct {
		sig  syscall.Signal
		want string
	}{"TERM": {syscall.SIGTERM, "rc=143"}, "HUP": {syscall.SIGHUP, "rc=129"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			self := kraftctl(t, "kraftctl")
			s := ptytest.Start(t, 100, 20, exec.Command(bash, "--norc", "--noprofile", "--noediting", "-i"), terminal(t, "PS1=$ ", "HISTFILE=")...)
			s.Anything = true
			s.Typed("(exec -a kraftctl "+self.Path+" shell "+rich()+"); echo rc=$?\n", "\n/>")
			s.Wait("a prompt", func(e *ptytest.Screen) bool { return e.Paste })
			group, err := unix.IoctlGetInt(s.FD, unix.TIOCGPGRP)
			if err != nil {
				t.Fatal(err)
			}
			s.Typed("half", "/> half")
			if err := syscall.Kill(group, c.sig); err != nil {
				t.Fatal(err)
			}
			s.Shows(c.want)
			s.Sane()
			s.Send("exit\n")
			s.End(ptytest.Fine)
		})
	}
}

func TestShellPaste(t *testing.T) {
	t.Parallel()
	s := openShell(t, 80, 24, terminal(t), rich())
	s.Send("\x0c\x1b[200~cd /image\r\npwd\r\n\x1b[201~")
	s.Expect("/> cd /image\npwd", 3, 1) // not run until Enter
	s.Send("\r")
	s.Expect("/> cd /image\n/image> pwd\n/image\n/image>", 8, 3)
	// A terminal that does not tell that it pastes.
	s.Send("cd topics\rpwd\rls")
	s.Expect("/> cd /image\n/image> pwd\n/image\n/image> cd topics\n/image/topics> pwd\n/image/topics\n/image/topics> ls", 17, 6)
	s.Typed("\r", "byId/  byName/\n/image/topics>")
	leave(s)
}

func TestShellPager(t *testing.T) {
	t.Parallel()
	// cat is none.
	s := openShell(t, 80, 10, terminal(t), rich())
	s.Typed("tree /image/topics/byName/s-orders\r", "name:\n  s-orders\n/>")
	leave(s)
	if !strings.Contains(s.Sent(), "0:\r\n") {
		t.Error("the beginning was not printed")
	}
	// One that quits early.
	s = openShell(t, 80, 10, terminal(t, "PAGER=head -1"), rich())
	s.Typed("\x0ctree /image\r", "/> tree /image\nacls:\n/>")
	s.Typed("ls /\r", "image/  local/  zookeeper/\n/>") // fits, and needs none
	leave(s)
	// One that leaves the terminal as it likes, and one that fails.
	for _, pager := range []string{"stty raw -echo </dev/tty; cat >/dev/null", "sh -c 'exit 7'"} {
		s = openShell(t, 80, 10, terminal(t, "PAGER="+pager), rich())
		s.Typed("\x0ctree /image\r", "/> tree /image\n/>")
		leave(s)
	}
	// Our own, in which Ctrl-C leaves the pager and not the session.
	s = openShell(t, 80, 6, terminal(t, "PAGER=nothing-of-that-name"), rich())
	s.Typed("tree /image\r", "--More--")
	s.Typed(" ", "--More--")
	press(s, "q")
	s.Typed("\x0ctree /image\r", "--More--")
	press(s, ctrlC)
	s.Typed("\x0ctree /image\r", "--More--")
	s.Signal(syscall.SIGTERM)
	s.End(ptytest.Killed(syscall.SIGTERM))
	// None is wanted.
	s = openShell(t, 80, 10, terminal(t, "PAGER=false"), rich(), "--no-pager")
	s.Typed("tree /image/topics/byName/s-orders\r", "name:\n  s-orders\n/>")
	leave(s)
}

func TestShellPipe(t *testing.T) {
	t.Parallel()
	s := openShell(t, 80, 24, terminal(t), rich())
	runs(s, "ls /image | grep to", "topics")
	runs(s, "ls / | tr a-z A-Z | head -1", "IMAGE")
	runs(s, "tree /image | true", "| true") // it does not read
	runs(s, "ls | exit 3", "| exit 3")
	runs(s, "ls | nothing-of-that-name 2>/dev/null; echo $?", "127")
	runs(s, "ls | stty raw -echo </dev/tty", "/dev/tty") // its settings are taken back
	leave(s)
	// Ctrl-C is for the command. Each has a session of its own: the signal reaches us
	// as well, at some time.
	s = openShell(t, 80, 24, terminal(t), rich())
	s.Send("ls | trap 'echo CAUGHT' INT; echo READY; read x </dev/tty; read x </dev/tty; echo WENT ON\r")
	s.Shows("\nREADY")
	press(s, ctrlC+"\n\n")
	s.Shows("\nWENT ON\n")
	leave(s)
	s = openShell(t, 80, 24, terminal(t), rich())
	s.Send("ls | echo SLEEPS; exec sleep 1000\r")
	s.Shows("\nSLEEPS")
	press(s, ctrlC)
	leave(s)
	// A loop ends as well.
	s = openShell(t, 80, 24, terminal(t), rich())
	s.Send("watch /image -- cat; pwd\r")
	s.Cooked()
	press(s, ctrlC)
	leave(s)
}

// TestShellLess: Ctrl-C in a pager that goes on is no end for it, and there is no
// prompt beside it.
func TestShellLess(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("less"); err != nil {
		t.Skip("no less here")
	}
	for what, c := range map[string]struct{ pager, line string }{"as the pager": {"less", "tree /image"}, "by hand": {"cat", "ls /image | less"}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := openShell(t, 80, 12, terminal(t, "PAGER="+c.pager), rich())
			s.Anything = true // less has a way of its own with the terminal
			s.Send("\x0c" + c.line + "\r")
			s.Wait("less", func(e *ptytest.Screen) bool { return !e.Paste && strings.Contains(":(END)", lastRow(e)) })
			n := s.Lines()
			s.Send(ctrlC)
			// What is typed at the same time is thrown away with the interrupt.
			s.Until("the prompt", func(e *ptytest.Screen) bool { return e.Lines > n && e.Paste }, func() { s.Send("q") })
			s.Send("\x15")
			leave(s)
			if got := s.Lines() - n; got != 1 {
				t.Errorf("%d prompts", got)
			}
		})
	}
}

func TestShellOneShotOnATerminal(t *testing.T) {
	t.Parallel()
	// In columns, without a pager.
	s := ptytest.Start(t, 40, 10, kraftctl(t, "kraftctl", "shell", rich(), "-c", "ls /; tree /image/topics/byName/s-orders"), terminal(t, "PAGER=false")...)
	s.Shows("name:\n  s-orders\n")
	s.End(ptytest.Fine)
	s = ptytest.Start(t, 40, 10, kraftctl(t, "kraftctl", "shell", rich(), "-c", "cat /nope"), terminal(t)...)
	s.End(ptytest.Exited(1))
	s = ptytest.Start(t, 40, 10, kraftctl(t, "kraftctl", "shell", manyPartitions(t), "-c", strings.Repeat("find /image;", 1000)), terminal(t)...)
	s.Shows("/image/topics/by")
	s.Send(ctrlC)
	s.Shows("interrupted")
	s.End(ptytest.Exited(1))
}
