package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/internal/nodeinfo"
)

// storageDocs says to write docs/storage.md anew:
//
//	go test ./internal/cli -run StorageDocs -storage-docs
var storageDocs = flag.Bool("storage-docs", false, "write docs/storage.md")

// docs/storage.md is made from the catalogue of problems.
func TestStorageDocs(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(storageDocsHead)
	for _, s := range []struct {
		severity nodeinfo.Severity
		title    string
	}{{nodeinfo.Error, "Errors"}, {nodeinfo.Warning, "Warnings"}, {nodeinfo.Note, "Notes"}} {
		fmt.Fprintf(&b, "\n### %s\n\n| id | what it means | what to do |\n|---|---|---|\n", s.title)
		for _, k := range nodeinfo.Catalogue() {
			if k.Severity == s.severity {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.ID, cell(k.Meaning), cell(k.Remedy))
			}
		}
	}
	keepDocs(t, "../../docs/storage.md", b.Bytes(), *storageDocs)
}

// keepDocs holds a file of docs that is made against what it would be now, and
// writes it if that is wanted.
func keepDocs(t *testing.T, name string, text []byte, write bool) {
	t.Helper()
	if write {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, text) {
		t.Errorf("%s is not what the catalogue says; its head tells how it is made", filepath.Base(name))
	}
}

// cell keeps a text from ending its cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

const storageDocsHead = `# kraftctl storage info and check

<!-- Made by "go test ./internal/cli -run StorageDocs -storage-docs" from the catalogue in internal/nodeinfo. Do not edit. -->

` + "`info`" + ` shows what a node's log directories hold, ` + "`check`" + ` tells whether the node will start: what ` + "`info`" + ` finds, the checks that Kafka
makes on the configuration, and every file as with [kraftctl fsck](fsck.md).

- **A running node is not disturbed.** Nothing is written, locked or mapped.
- **Errors** keep the node from starting, from ever being elected, or lose data. A warning is something that a person should look at; a note
  is worth knowing. What keeps a node from starting was tried with the servers of Kafka 3.9.1, 4.0.0, 4.3.1 and 4.4.0.
- **Exit codes.** 0: no error. 1: an error. 2: wrong usage. 3: the configuration cannot be read.
- **"As of".** Which records of the metadata log are committed is not known without the other voters. Versions, features and voters are those
  after the last record on this disk.
- **JSON.** ` + "`go doc kraftctl/internal/nodeinfo`" + ` draws its shape. Fields may be added; existing ones keep their names and meaning. Credentials are
  not in it, and neither are values of the configuration.

## Problems
`
