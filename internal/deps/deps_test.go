// Package deps holds no code: its test keeps the direction in which the
// packages of this module import each other.
package deps

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "kraftctl"

// levels are the packages from the bottom up. A package may import packages of
// lower levels only: those of one level do not know each other.
var levels = [][]string{
	{"internal/javatext", "internal/vfs", "internal/sensitive"},
	{"internal/props", "internal/javaerr", "internal/javahash", "internal/argparse", "decode/corrupt", "decode/kbin", "decode/jsonw"},
	{"internal/feature", "internal/kafkaconfig", "internal/raft"},
	{"internal/raft/rafttest"},
	{"decode/schema", "decode/compress"},
	{"decode/metadata", "decode/control", "decode/coordinator", "decode/raftstate", "decode/remotelog", "decode/producerstate"},
	{"decode", "decode/index", "decode/quorumstate"},
	{"decode/snapshot", "internal/cow", "internal/metalog", "internal/mask"},
	{"internal/image"},
	{"internal/timeline", "shell/node"},
	{"internal/fsck"},
	{"dumplog", "format", "internal/nodeinfo", "internal/nodetemplate", "shell/zookeeper", "shell/imagetree", "internal/snapfile"},
	{"shell"},
	{"internal/term"},
	{"internal/prompt"},
	{"internal/cli"},
	{"cmd/kraftctl"},
}

// free packages are tools and test support outside the order: nothing that is
// shipped may import them.
var free = map[string]bool{
	"cmd/genrecords": true, "internal/golden": true, "internal/ptytest": true, "internal/snapshottest": true, "internal/deps": true, "bench": true, "conformance": true,
	"decode/internal/msgtest": true,
}

// only says who may import a library, and why.
var only = []struct {
	library string
	users   []string
	why     string
}{
	{"github.com/spf13/cobra", []string{"internal/cli"}, "commands are built in one place; everything below takes options and writers"},
	{"github.com/spf13/pflag", []string{"internal/cli", "shell"}, "see cobra; the verbs of the shell have flags as well"},
	{"github.com/fatih/color", []string{"internal/term", "internal/cli"}, "whether colours are wanted is known only where the terminal is"},
	{"github.com/olekukonko/tablewriter", []string{"internal/term"}, "one look for all tables, and one place to change when the library does"},
	{"github.com/vbauerster/mpb/v8", []string{"internal/term"}, "progress belongs to the terminal"},
	{"golang.org/x/term", []string{"internal/term", "internal/prompt"}, "libraries do not ask what a stream is"},
	{"github.com/c-bata/go-prompt", []string{"internal/prompt"}, "a session gets a shell.LineReader; what it breaks is known in one place"},
	{"github.com/mattn/go-runewidth", []string{"internal/prompt"}, "how wide a character is concerns the screen only"},
	{"os/signal", []string{"internal/prompt", "internal/cli"}, "what a signal does is decided where the terminal is, or the command"},
	{"net", nil, "nothing here talks to a network yet"},
	{"net/http", nil, "see net"},
	{"os", []string{"internal/vfs", "internal/term", "internal/prompt", "cmd/kraftctl"}, "files are reached through vfs, so that tests can crash them"},
	{"encoding/json", []string{"internal/term", "internal/fsck", "internal/cli", "decode/index", "decode/quorumstate", "decode/schema"}, "hot output is appended, not reflected; these read or write small files"},
	{"reflect", nil, "no reflection on anything that reads records"},
}

type pkg struct {
	Dir        string
	ImportPath string
	Imports    []string
	GoFiles    []string
}

func list(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=Dir,ImportPath,Imports,GoFiles", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		seen(t, p)
		all = append(all, p)
	}
}

// seen opens the files that "go list" has read, for "go test" to know that the
// result depends on them: it would keep a result that no longer holds.
func seen(t *testing.T, p pkg) {
	t.Helper()
	if _, err := os.ReadDir(p.Dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range p.GoFiles {
		if _, err := os.ReadFile(filepath.Join(p.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestImportOrder(t *testing.T) {
	level := map[string]int{}
	for i, names := range levels {
		for _, n := range names {
			level[n] = i
		}
	}
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if free[name] || len(p.GoFiles) == 0 {
			continue
		}
		mine, known := level[name]
		if !known {
			t.Errorf("%s has no place in the order of packages: give it one in internal/deps", name)
			continue
		}
		for _, imported := range p.Imports {
			other, ours := strings.CutPrefix(imported, module+"/")
			if !ours {
				continue
			}
			if free[other] {
				t.Errorf("%s imports %s, which is for tools and tests", name, other)
				continue
			}
			if l := level[other]; l >= mine {
				t.Errorf("%s imports %s, which is not below it", name, other)
			}
		}
	}
}

func TestWhoImportsWhat(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if free[name] {
			continue
		}
		for _, imported := range p.Imports {
			for _, rule := range only {
				if imported == rule.library && !contains(rule.users, name) {
					t.Errorf("%s imports %s: %s", name, imported, rule.why)
				}
			}
		}
	}
}

// TestRaftIsPure keeps the replica of the quorum free of everything that is not decided
// by its input: it may import what computes, and nothing that does I/O or starts
// anything; of package time it may use durations, not clocks.
func TestRaftIsPure(t *testing.T) {
	const name = "internal/raft"
	allowed := []string{"cmp", "errors", "fmt", "math", "slices", "strconv", "strings", "time", module + "/decode/kbin"}
	found := false
	for _, p := range list(t) {
		if p.ImportPath != module+"/"+name {
			continue
		}
		found = true
		for _, imported := range p.Imports {
			if !contains(allowed, imported) {
				t.Errorf("%s imports %s: it is a pure state machine", name, imported)
			}
		}
		for _, file := range p.GoFiles {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
					t.Errorf("%v: a goroutine or channel in a pure state machine", set.Position(n.Pos()))
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && !contains([]string{"Duration", "Millisecond"}, n.Sel.Name) {
						t.Errorf("%v: time.%s in a pure state machine", set.Position(n.Pos()), n.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if !found {
		t.Fatal(name + " is not there")
	}
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
