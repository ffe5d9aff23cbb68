package golden

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Result is what a candidate did with a case.
type Result struct {
	RC             int
	Stdout, Stderr []byte
	// Dir is the work directory that the candidate was run in.
	Dir string
}

// Release is the Kafka release that we print like.
const Release = "4.4.0"

// ShellRelease is that of the metadata shell.
const ShellRelease = "4.3.1"

var (
	traceLine  = regexp.MustCompile(`^\s+at |^\s+\.\.\. \d+ (more|common)`)
	reportHead = regexp.MustCompile(`(?m)^(Mismatches in|Found timestamp mismatch in|Found out of order timestamp in|The following indexed offsets|Non-consecutive offsets in)`)
)

// Compare returns how got differs from what c wants, as lines for a person to
// read: none if it does not. root is the testdata directory.
func Compare(root string, c *Case, got Result) []string {
	var why []string
	if got.RC != c.RC {
		why = append(why, fmt.Sprintf("exit status: want %d, got %d", c.RC, got.RC))
	}
	stdout, stderr := cwd(got.Stdout, got.Dir), cwd(got.Stderr, got.Dir)
	wantOut := c.Stdout
	if c.Random {
		wantOut, stdout = MaskCredentials(wantOut, c.Args), MaskCredentials(stdout, c.Args)
	}
	switch {
	case c.Regex != "":
		if !regexp.MustCompile("^(?:" + c.Regex + ")$").MatchString(stdout) {
			why = append(why, fmt.Sprintf("stdout %q does not match %q", stdout, c.Regex))
		}
	case stdout != wantOut:
		why = append(why, diff("stdout", wantOut, stdout)...)
	}
	want := stripTrace(c.Stderr)
	switch {
	case c.AnyStderr:
	case c.Trace:
		if strings.TrimSpace(stderr) == "" {
			why = append(why, "stderr is empty, want something like: "+firstLine(want))
		}
	default:
		if w, g := SortReports(want), SortReports(stripTrace(stderr)); w != g {
			why = append(why, diff("stderr", w, g)...)
		}
	}
	if c.After {
		why = append(why, compareDir(root, c, got.Dir)...)
	}
	return why
}

func cwd(b []byte, dir string) string {
	if dir != "" {
		b = bytes.ReplaceAll(b, []byte(dir), []byte("${CWD}"))
	}
	return string(b)
}

func stripTrace(s string) string {
	var b strings.Builder
	for _, l := range strings.SplitAfter(s, "\n") {
		if !traceLine.MatchString(l) {
			b.WriteString(l)
		}
	}
	return b.String()
}

// SortReports sorts dump-log's reports about files, which end its output; each
// is a head line and the lines up to the next head.
func SortReports(s string) string {
	at := reportHead.FindAllStringIndex(s, -1)
	if len(at) < 2 {
		return s
	}
	var parts []string
	for i, a := range at {
		end := len(s)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		parts = append(parts, s[a[0]:end])
	}
	sort.Strings(parts)
	return s[:at[0][0]] + strings.Join(parts, "")
}

// compareDir holds the files in dir against those that the case wants.
func compareDir(root string, c *Case, dir string) (why []string) {
	want := map[string][]byte{}
	err := walk(root, c.Fixture, func(rel string, read func() ([]byte, error)) error {
		b, err := read()
		want[rel] = b
		return err
	})
	if err != nil {
		return []string{err.Error()}
	}
	for name, b := range c.Files {
		want[filepath.FromSlash(name)] = b
	}
	got, err := ReadTree(dir)
	if err != nil {
		return []string{err.Error()}
	}
	return CompareFiles(want, got, c.Args)
}

// CompareFiles tells how the files of got differ from those of want, masked. What
// is in known is not random.
func CompareFiles(want, got map[string][]byte, known []string) (why []string) {
	mask := func(files map[string][]byte) *Masker { return NewMasker(files, known) }
	maskWant, maskGot := mask(want), mask(got)
	for rel, b := range got {
		switch w, ok := want[rel]; {
		case !ok:
			why = append(why, "unexpected after the run: "+rel)
		case !bytes.Equal(maskWant.Mask(rel, w), maskGot.Mask(rel, b)):
			why = append(why, "differs after the run: "+rel)
		}
	}
	for rel := range want {
		if _, ok := got[rel]; !ok {
			why = append(why, "missing after the run: "+rel)
		}
	}
	sort.Strings(why)
	return why
}

// ReadTree reads all files below a directory, by their paths in it.
func ReadTree(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err == nil {
			files[rel], err = os.ReadFile(p)
		}
		return err
	})
	return files, err
}

// ReadTreeModes is ReadTree with the modes: of each file and directory, under its
// path and " (mode)".
func ReadTreeModes(dir string) (map[string][]byte, error) {
	files, err := ReadTree(dir)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			files[rel+" (mode)"] = []byte(info.Mode().String())
		}
		return err
	})
	return files, err
}

// maxDiff is how many lines of a difference are shown.
const maxDiff = 12

// diff shows where two texts part: the first lines that differ, with the line
// before them.
func diff(what, want, got string) []string {
	w, g := splitLines(want), splitLines(got)
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	out := []string{fmt.Sprintf("--- %s differs from line %d on (want %d lines, got %d)", what, i+1, len(w), len(g))}
	if i > 0 {
		out = append(out, "  "+clip(w[i-1]))
	}
	for k := i; k < i+maxDiff/2 && (k < len(w) || k < len(g)); k++ {
		if k < len(w) && k < len(g) && w[k] == g[k] {
			break
		}
		if k < len(w) {
			out = append(out, "- "+clip(w[k]))
		}
		if k < len(g) {
			out = append(out, "+ "+clip(g[k]))
		}
	}
	return out
}

// splitLines cuts s into lines, each with its line end.
func splitLines(s string) []string {
	l := strings.SplitAfter(s, "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

// Diff shows where two texts part, as Compare does.
func Diff(what, want, got string) []string { return diff(what, want, got) }

func clip(s string) string {
	const most = 400
	q, ended := strings.CutSuffix(s, "\n")
	if len(q) > most {
		q = q[:most] + "..."
	}
	if !ended {
		q += " (no newline)"
	}
	return q
}

func firstLine(s string) string { l, _, _ := strings.Cut(s, "\n"); return l }
