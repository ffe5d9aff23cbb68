package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/internal/fsck"
	"kraftctl/internal/golden"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// fsckDocs says to write docs/fsck.md anew:
//
//	go test ./internal/cli -run FsckDocs -fsck-docs
var fsckDocs = flag.Bool("fsck-docs", false, "write docs/fsck.md")

func runFsck(t *testing.T, width int, color bool, args ...string) (code term.Code, out, errOut string) {
	t.Helper()
	s, stdout, stderr := term.Test("")
	s.Width, s.Color = width, color
	c := newFsck(&Env{Streams: s, FS: vfs.OS})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(context.Background())
	code = term.Report(s.Err, err, "kraftctl fsck", false)
	return code, stdout.String(), stderr.String()
}

func TestFsckExitCodes(t *testing.T) {
	corrupt := golden.WorkDir(t, golden.Root(), "corrupt")
	for _, c := range []struct {
		args string
		want term.Code
		err  string
	}{
		{"DIR/intact", term.OK, ""},
		{"DIR/small-tail", term.OK, ""}, // information alone
		{"DIR/flip-crc", term.NotFine, ""},
		{"DIR/zero-tail", term.NotFine, ""},
		{"--min-severity error DIR/zero-tail", term.OK, ""},
		{"--min-severity error DIR/flip-crc", term.NotFine, ""},
		{"--deep --workers 1 DIR/intact DIR/intact", term.OK, ""},
		{"DIR/nope", term.Unreadable, "no such file"},
		{"DIR/nope DIR/flip-crc", term.Unreadable, "no such file"},
		{"DIR/names/noextension", term.Unreadable, "not a name of Kafka's"},
		{"", term.Usage, "nothing to check"},
		{"--rules DIR", term.Usage, "leave out"},
		{"--output xml DIR", term.Usage, "table and json"},
		{"--min-severity bad DIR", term.Usage, "info, warning and error"},
		{"--workers -1 DIR", term.Usage, "negative"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "DIR", corrupt))
		code, out, errOut := runFsck(t, 80, false, args...)
		if code != c.want || !strings.Contains(errOut, c.err) || c.err == "" && errOut != "" {
			t.Errorf("%s: code %d, standard error %q\n%s", c.args, code, errOut, out)
		}
	}
}

func TestFsckJSON(t *testing.T) {
	dir := golden.WorkDir(t, golden.Root(), "corrupt")
	_, out, _ := runFsck(t, 80, false, "-o", "json", filepath.Join(dir, "truncated-mid-batch"), filepath.Join(dir, "nope"))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var findings []string
	for i, line := range lines {
		var kind struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal([]byte(line), &kind); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		switch kind.Type {
		case "finding":
			var x fsckFinding
			if err := decoder.Decode(&x); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			findings = append(findings, fmt.Sprint(x.Rule, " ", x.Severity, " ", *x.Position, " ", *x.Offset))
		case "summary":
			var x fsckSummary
			if err := decoder.Decode(&x); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if i != len(lines)-1 || x.Errors != 2 || x.Infos != 1 || x.Files != 3 || len(x.Unreadable) != 1 {
				t.Errorf("summary %s", line)
			}
		default:
			t.Errorf("line %s", line)
		}
	}
	want := "index-past-end error 16 62\ntail-torn-active info 4991 60\ntimeindex-past-end error 24 62"
	if got := strings.Join(findings, "\n"); got != want {
		t.Errorf("findings\n%s\nwant\n%s", got, want)
	}
}

func TestFsckRules(t *testing.T) {
	_, out, _ := runFsck(t, 60, false, "--rules")
	for _, r := range fsck.Catalogue() {
		if !strings.Contains(out, string(r.ID)+" ("+r.Severity.String()+"): "+r.Title) {
			t.Errorf("%s is not there", r.ID)
		}
	}
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, " ") && len(line) > 60 {
			t.Errorf("line of %d columns: %s", len(line), line)
		}
	}
	_, out, _ = runFsck(t, 60, false, "--rules", "-o", "json", "--min-severity", "error")
	if strings.Contains(out, `"severity":"info"`) || strings.Count(out, "\n") < 20 {
		t.Errorf("rules as JSON: %s", out)
	}
}

// Colours do not change what is said, and damaged names cannot move the cursor.
func TestFsckColors(t *testing.T) {
	dir := golden.WorkDir(t, golden.Root(), "corrupt")
	path := filepath.Join(dir, "names")
	if err := os.WriteFile(filepath.Join(path, "\x1b[2J.log"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, plain, _ := runFsck(t, 80, false, path)
	_, color, _ := runFsck(t, 80, true, path)
	if strings.Contains(plain, "\x1b") || !strings.Contains(color, "\x1b[") {
		t.Error("escapes in plain output, or none in coloured output")
	}
	if strings.Contains(color, "\x1b[2J") {
		t.Error("a file name clears the screen")
	}
}

// docs/fsck.md is made from the catalogue and a run of the command.
func TestFsckDocs(t *testing.T) {
	dir := golden.WorkDir(t, golden.Root(), "corrupt")
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Rename("truncated-mid-batch", "orders-3"); err != nil {
		t.Fatal(err)
	}
	_, example, _ := runFsck(t, 110, false, "--min-severity", "warning", "orders-3")
	_, asJSON, _ := runFsck(t, 110, false, "-o", "json", "--min-severity", "error", "orders-3")
	t.Chdir(back)

	var b bytes.Buffer
	b.WriteString(fsckDocsHead)
	fmt.Fprintf(&b, "```\n$ kraftctl fsck --min-severity warning orders-3\n%s```\n\nThe same for a program:\n\n```\n$ kraftctl fsck -o json --min-severity error orders-3\n%s```\n\n## Rules\n",
		trimLines(example), asJSON)
	for _, severity := range []fsck.Severity{fsck.Error, fsck.Warning, fsck.Info} {
		fmt.Fprintf(&b, "\n### %s\n\n| rule | what was found | what it means | what to do |\n|---|---|---|---|\n", map[fsck.Severity]string{
			fsck.Error: "Errors", fsck.Warning: "Warnings", fsck.Info: "Information"}[severity])
		for _, r := range fsck.Catalogue() {
			if r.Severity == severity {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Title, r.Meaning, r.Action)
			}
		}
	}
	keepDocs(t, filepath.Join(back, "..", "..", "docs", "fsck.md"), b.Bytes(), *fsckDocs)
}

// trimLines cuts the spaces that pad the last column of tables.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

const fsckDocsHead = `# kraftctl fsck

<!-- Made by "go test ./internal/cli -run FsckDocs -fsck-docs" from the catalogue in internal/fsck. Do not edit. -->

Checks what a Kafka node has on disk against everything that holds for a sound one. A path is a log directory, several log directories of
one node (JBOD), a directory that holds log directories, a partition directory, or a file.

- **A running node is not disturbed.** Nothing is written, locked or mapped. Files may vanish, grow or be replaced during the check; what
  would be an alarm in files that change is looked at again before it is reported, and the half-written end of an active segment is
  information at most.
- **One pass, constant memory.** A segment is read once, whatever the number of indexes that are held against it, and files are checked in
  parallel. Without ` + "`--deep`" + ` batches are checked by headers and checksums; with it all records are decompressed and decoded.
- **Exit codes.** 0: no errors and no warnings. 1: errors or warnings. 2: wrong usage. 3: a path cannot be read at all, or its name means
  nothing to Kafka (everything else was checked and reported). Information alone, and what ` + "`--min-severity`" + ` leaves out, do not count.
- **JSON.** An object a line. Findings have ` + "`type` (`finding`), `rule`, `severity`, `file`, `position` (byte in the file), `offset` (in the partition), `message`, `want`, `got`, `more`" + `
  (further findings of this rule in this file that were left out); fields without a meaning are not there. The last line has ` + "`type` (`summary`), `errors`, `warnings`, `infos`, `files`, `bytes`" + ` and, if there
  were any, ` + "`unreadable`" + ` (messages).

What it does not do: it does not repair, and it does not compare replicas of different brokers. Gaps between offsets are no alarm in a log
that shows signs of compaction. Checksums do not cover the base offset and the leader epoch of a batch; those are checked against their
neighbours and against leader-epoch-checkpoint. Of a producer snapshot the last batches are held against the log if it is not compacted.

## Example

A partition whose log lost its last bytes, as its indexes show:

`
