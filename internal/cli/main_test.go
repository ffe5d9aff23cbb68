package cli_test

import (
	"os"
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
	run := func() { os.Exit(cli.Main(&cli.Env{Streams: term.System(), FS: vfs.OS}, os.Args)) }
	testscript.Main(m, map[string]func(){"kraftctl": run, "kafka-dump-log": run, "kafka-dump-log.sh": run})
}

// What the real tool of Kafka 4.4.0 prints, byte for byte. The cases of 3.9.1
// and 4.0.0 are there to show what changed since; their arguments are the same,
// so no tool can pass both.
func TestGoldens(t *testing.T) {
	golden.RunSome(t, golden.Command("kafka-dump-log"), func(c *golden.Case) bool {
		return c.Version == "4.4.0" || c.Version == "4.3.1"
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("FIXTURES", golden.Root()+"/fixtures")
			return nil
		},
	})
}
