package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kraftctl/internal/cli"
	"kraftctl/internal/golden"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// TestMain puts the commands into PATH under their names: the test binary is
// all of them, as the real binary is.
func TestMain(m *testing.M) {
	run := func() {
		os.Exit(cli.Main(&cli.Env{Streams: term.System(), FS: vfs.OS, LookupEnv: os.LookupEnv}, os.Args))
	}
	testscript.Main(m, map[string]func(){"kraftctl": run, "kafka-dump-log": run, "kafka-dump-log.sh": run, "kafka-storage": run, "kafka-metadata-shell": run})
}

// What the real tool of Kafka 4.4.0 prints, byte for byte, from the binary as it
// is shipped. The cases of 3.9.1 and 4.0.0 are there to show what changed since;
// their arguments are the same, so no tool can pass both.
func TestGoldens(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "kraftctl")
	if out, err := exec.Command("go", "build", "-o", bin, "kraftctl/cmd/kraftctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for tool, command := range map[string]string{"dump-log": "kafka-dump-log", "storage": "kafka-storage", "shell": "kafka-metadata-shell"} {
		golden.Run(t, tool, golden.Command(bin, command))
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code},
		Setup: func(e *testscript.Env) error {
			e.Setenv("FIXTURES", golden.Root()+"/fixtures")
			return nil
		},
	})
}

// code runs a command that must end with an exit code: code 1 kraftctl fsck DIR.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
