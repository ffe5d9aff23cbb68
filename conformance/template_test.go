//go:build conformance

package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/internal/nodetemplate"
)

// TestTemplatesAgainstKafka has Kafka load every template: it must find fault with
// nothing but the directories, which are not there.
func TestTemplatesAgainstKafka(t *testing.T) {
	dir := t.TempDir()
	var cases []storageCase
	for o := range nodetemplate.Combinations() {
		text, err := nodetemplate.Render(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		id := fmt.Sprint("t", len(cases))
		cases = append(cases, storageCase{id: id, files: map[string]string{id + "/node.properties": text}, args: []string{"info", "-c", id + "/node.properties"}})
	}
	runStorage(t, dir, "", cases)
	for _, c := range cases {
		out, err := os.ReadFile(filepath.Join(dir, "expected", c.id+".out"))
		if err != nil {
			t.Fatal(err)
		}
		stderr, err := os.ReadFile(filepath.Join(dir, "expected", c.id+".err"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(out), "Found problems:\n  /a does not exist\n  /b does not exist\n  /m does not exist\n") || len(stderr) > 0 {
			t.Errorf("%s\nKafka: %s%.300s", c.files[c.id+"/node.properties"], out, stderr)
		}
	}
}
