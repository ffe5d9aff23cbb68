package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kraftctl/internal/ptytest"
)

// kafkaSnapshot is what the screens of Kafka's shell were taken of.
func kafkaSnapshot() string {
	return filepath.Join(rich(), "__cluster_metadata-0", "00000000000000000519-0000000001.checkpoint")
}

func openKafka(t *testing.T, cols, rows int, file string) *ptytest.Session {
	t.Helper()
	s := ptytest.Start(t, cols, rows, kraftctl(t, "kafka-metadata-shell", "--snapshot", file), terminal(t)...)
	ready(s)
	return s
}

// TestKafkaShellScreens types what was typed into Kafka's shell and sees the same
// screens, to the end of the process.
func TestKafkaShellScreens(t *testing.T) {
	t.Parallel()
	steps := ptytest.ReadSteps(t, "../prompt/testdata/kafka-screens.txtar")
	if len(steps) != 44 {
		t.Errorf("%d screens, want 44", len(steps))
	}
	dir := t.TempDir()
	if err := os.Symlink(kraftctl(t, "").Path, filepath.Join(dir, "kafka-metadata-shell")); err != nil {
		t.Fatal(err)
	}
	// What drove the real shell said how it ended.
	s := ptytest.Start(t, 100, 40, exec.Command("sh", "-c", dir+"/kafka-metadata-shell --snapshot "+kafkaSnapshot()+"; echo EXIT=$?"), terminal(t, "TERM=screen")...)
	s.Play(steps)
	s.End(ptytest.Fine)
}

func TestKafkaShellSession(t *testing.T) {
	t.Parallel()
	s := openKafka(t, 80, 24, kafkaSnapshot())
	runs(s, "ls /image", "acls          cluster  delegationToken  producerIds  scram\nclientQuotas  configs  features         provenance   topics")
	s.Resize(40, 24)
	runs(s, "ls /image", "acls          delegationToken  scram\nclientQuotas  features         topics\ncluster       producerIds\nconfigs       provenance")
	s.Typed("cd /im\t", ">> cd /image/")
	runs(s, "", "/image/")
	runs(s, "pwd", "/image")
	s.Typed(up+up, ">> cd /image/")
	s.Typed("\x15cat fea\tmeta\t", ">> cat features/metadataVersion")
	runs(s, "", "Optional[4.3-IV0]")
	runs(s, "history 2", "    3  cat features/metadataVersion\n    4  history 2")
	s.Typed("half", ">> half")
	press(s, ctrlC)
	s.Shows(">> half\n^C\n>>")
	runs(s, "exit now", "unrecognized arguments: 'now'")
	s.Send("exit\r")
	s.End(ptytest.Fine)
}

func TestKafkaShellSizes(t *testing.T) {
	t.Parallel()
	s := openKafka(t, 10, 12, kafkaSnapshot())
	runs(s, "ls", "image\nlocal")
	leave(s)
	s = openKafka(t, 0, 0, kafkaSnapshot())
	runs(s, "ls", "image  local")
	leave(s)
}

func TestKafkaShellSignals(t *testing.T) {
	t.Parallel()
	file := manyPartitions(t)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			t.Parallel()
			s := openKafka(t, 80, 24, file)
			s.Typed("half", ">> half")
			s.Signal(sig)
			s.End(ptytest.Killed(sig))
			// While a command runs Ctrl-C is a signal, which ends it as it ends a JVM.
			s = openKafka(t, 80, 24, file)
			s.Send("find " + strings.Repeat("/image ", 500) + "\r")
			s.Cooked()
			if sig == syscall.SIGINT {
				s.Send(ctrlC)
			} else {
				s.Signal(sig)
			}
			s.End(ptytest.Killed(sig))
		})
	}
}

func TestKafkaShellErrors(t *testing.T) {
	t.Parallel()
	s := ptytest.Start(t, 80, 24, kraftctl(t, "kafka-metadata-shell"), terminal(t)...)
	s.Shows("kafka-metadata-shell: error: argument --snapshot/-s is required")
	s.End(ptytest.Exited(1))
	s = ptytest.Start(t, 80, 24, kraftctl(t, "kafka-metadata-shell", "-s", "/nowhere"), terminal(t)...)
	s.Shows("Unexpected error: java.nio.file.NoSuchFileException: /nowhere")
	s.End(ptytest.Exited(1))
	s = ptytest.Start(t, 80, 24, kraftctl(t, "kafka-metadata-shell", "-s", kafkaSnapshot(), "ls", "/nope"), terminal(t)...)
	s.Shows("ls: /nope: no such file or directory.")
	s.End(ptytest.Fine)
}
