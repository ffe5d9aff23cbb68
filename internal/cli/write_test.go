package cli

import (
	"errors"
	"testing"

	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Output that is lost is not a success.
func TestLostOutput(t *testing.T) {
	for _, args := range [][]string{
		{"storage", "random-uuid"}, {"storage", "version-mapping"}, {"storage", "version-mapping", "-o", "json"}, {"storage", "feature-dependencies", "-f", "group.version=1"},
		{"storage", "template", "--roles", "broker", "--node-id", "1", "--quorum", "a:1"}, {"storage", "info", "/nothing", "-o", "json"}, {"storage", "check", "/nothing"},
		{"kafka-storage", "random-uuid"}, {"kafka-storage", "version-mapping"},
	} {
		s, _, errOut := term.Test("")
		s.Out = fullWriter{}
		if code := Main(&Env{Streams: s, FS: vfs.OS}, append([]string{"kraftctl"}, args...)); code == 0 || errOut.Len() == 0 {
			t.Errorf("%v: exit code %d, %q", args, code, errOut)
		}
	}
}
