//go:build conformance

package conformance

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kraftctl/internal/golden"
)

const (
	storageTool  = "kafka.tools.StorageTool"
	storageCases = 1500 // of kafka-storage 4.4.0
	targetCases  = 150  // of each release, against storage format --target
)

// storageCase is a node with its directories and a command line.
type storageCase struct {
	id    string
	files map[string]string // to be there before; a name that ends in / is an empty directory
	args  []string          // with the paths that begin with the case's id
}

// write lays out what a case begins with.
func (c *storageCase) write(t *testing.T, root string) {
	t.Helper()
	for name, text := range c.files {
		to := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(to, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runStorage lets Kafka's tool of a release run the cases in root.
func runStorage(t *testing.T, root, classPath string, cases []storageCase) {
	t.Helper()
	var list strings.Builder
	for i := range cases {
		cases[i].write(t, root)
		list.WriteString(cases[i].id + "\t" + strings.Join(cases[i].args, "\t") + "\n")
	}
	if err := os.WriteFile(filepath.Join(root, "cases.tsv"), []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if classPath != "" {
		t.Setenv("KRAFTCTL_CONFORMANCE_CP", classPath)
	}
	t.Log(java(t, root, "Oracle", storageTool, "cases.tsv", "expected"))
}

// outcome is what a tool did with a case.
type outcome struct {
	rc          string
	out, stderr string
	files       map[string][]byte
}

func readOutcome(t *testing.T, root string, c *storageCase) outcome {
	t.Helper()
	read := func(ext string) string {
		b, err := os.ReadFile(filepath.Join(root, "expected", c.id+ext))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return outcome{read(".rc"), read(".out"), read(".err"), treeOf(t, root, c)}
}

func treeOf(t *testing.T, root string, c *storageCase) map[string][]byte {
	t.Helper()
	files, err := golden.ReadTreeModes(filepath.Join(root, c.id))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func runOurs(t *testing.T, root string, c *storageCase, argv ...string) outcome {
	t.Helper()
	c.write(t, root)
	cmd := exec.Command(argv[0], append(argv[1:len(argv):len(argv)], c.args...)...)
	cmd.Dir, cmd.Env = root, golden.Environ(nil)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{strconv.Itoa(cmd.ProcessState.ExitCode()), out.String(), stderr.String(), treeOf(t, root, c)}
}

// withoutTrace drops the frames of stack traces, which hold nothing but line numbers.
func withoutTrace(s string) string {
	var kept []string
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(line, "\tat ") && !strings.HasPrefix(line, "\t... ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// differences compares everything: exit code, both streams, and the files.
func (want outcome) differences(got outcome, args []string) (why []string) {
	if want.rc != got.rc {
		why = append(why, "exit status: want "+want.rc+", got "+got.rc)
	}
	if w, g := golden.MaskCredentials(withoutTrace(want.out), args), golden.MaskCredentials(withoutTrace(got.out), args); w != g {
		why = append(why, golden.Diff("stdout", w, g)...)
	}
	if w, g := withoutTrace(want.stderr), withoutTrace(got.stderr); w != g {
		why = append(why, golden.Diff("stderr", w, g)...)
	}
	return append(why, golden.CompareFiles(want.files, got.files, args)...)
}

// TestStorageAgainstKafka gives random nodes, directories and arguments to both
// tools and compares all that they say and do.
func TestStorageAgainstKafka(t *testing.T) {
	bin := buildBinary(t)
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	maker := storageMaker{rand.New(rand.NewPCG(uint64(seed), 4))}
	cases := make([]storageCase, storageCases)
	for i := range cases {
		cases[i] = maker.any(fmt.Sprint("n", i))
	}
	theirs, ours := t.TempDir(), t.TempDir()
	runStorage(t, theirs, "", cases)
	failed, odd, succeeded := 0, 0, 0
	for i := range cases {
		c := &cases[i]
		want, got := readOutcome(t, theirs, c), runOurs(t, ours, c, bin, "kafka-storage")
		if want.rc == "skip" {
			continue
		}
		if want.rc == "0" {
			succeeded++
		}
		why := want.differences(got, c.args)
		if len(why) > 0 && saferThanKafka(c, want, got) {
			odd++
			continue
		}
		if len(why) > 0 {
			if failed++; failed <= maxShown {
				t.Errorf("seed %d, case %s: kafka-storage %q\n%s", seed, c.id, c.args, strings.Join(why, "\n"))
			}
		}
	}
	t.Logf("seed %d: %d cases, %d of them succeed, %d where nothing is written in place of half, %d failed", seed, len(cases), succeeded, odd, failed)
	if odd > len(cases)/8 {
		t.Errorf("%d of %d cases write nothing where Kafka's tool writes a part", odd, len(cases))
	}
	if succeeded < len(cases)/4 {
		t.Errorf("only %d of %d cases succeed", succeeded, len(cases))
	}
}

// saferThanKafka: Kafka's tool formats the directories that it can before it dies
// over one that it cannot; ours dies with none.
func saferThanKafka(c *storageCase, want, got outcome) bool {
	if want.rc != "1" || got.rc != "1" || !strings.HasPrefix(got.stderr, "Error while writing meta.properties file ") {
		return false
	}
	// What both print is the same, up to what Kafka's tool dies of; and all is as it was.
	if golden.MaskCredentials(want.out, c.args) != golden.MaskCredentials(got.out, c.args) {
		return false
	}
	files := 0
	for name, text := range c.files {
		if strings.HasSuffix(name, "/") {
			continue
		}
		files++
		if string(got.files[strings.TrimPrefix(name, c.id+"/")]) != text {
			return false
		}
	}
	for name := range got.files {
		if !strings.HasSuffix(name, " (mode)") {
			files--
		}
	}
	return files == 0
}

// TestTargetsAgainstKafka compares the files that storage format --target writes
// with those of that release's own tool.
func TestTargetsAgainstKafka(t *testing.T) {
	bin := buildBinary(t)
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	for _, version := range []string{"3.9.1", "4.0.0", "4.1.1", "4.2.0", "4.3.1", "4.4.0"} {
		t.Run(version, func(t *testing.T) {
			maker := storageMaker{rand.New(rand.NewPCG(uint64(seed), 5))}
			cases := make([]storageCase, targetCases)
			for i := range cases {
				cases[i] = maker.fresh(fmt.Sprint("n", i))
			}
			theirs, ours := t.TempDir(), t.TempDir()
			runStorage(t, theirs, classPathOf(t, version), cases)
			failed, succeeded := 0, 0
			for i := range cases {
				c := &cases[i]
				want := readOutcome(t, theirs, c)
				own := *c
				own.args = append(slices.Clone(c.args), "--target", version, "--any-cluster-id")
				got := runOurs(t, ours, &own, bin, "storage")
				var why []string
				switch {
				case want.rc == "0" && got.rc == "0":
					succeeded++
					why = golden.CompareFiles(want.files, got.files, c.args)
				case (want.rc == "0") != (got.rc == "0"):
					why = []string{"exit status " + want.rc + ", ours " + got.rc, want.stderr, got.stderr}
				}
				if len(why) > 0 {
					if failed++; failed <= maxShown {
						t.Errorf("seed %d, case %s: storage %q\n%s", seed, c.id, own.args, strings.Join(why, "\n"))
					}
				}
			}
			t.Logf("%d cases, %d succeed, %d failed", len(cases), succeeded, failed)
			if succeeded < targetCases/3 {
				t.Errorf("only %d of %d cases succeed", succeeded, targetCases)
			}
		})
	}
}

// classPathOf is our Java classes with the jars of a release.
func classPathOf(t *testing.T, version string) string {
	t.Helper()
	cp := os.Getenv("KRAFTCTL_CONFORMANCE_CP")
	classes, _, ok := strings.Cut(cp, ":")
	if !ok {
		t.Skip("run conformance/run.sh: it fetches Kafka and compiles the makers")
	}
	libs, err := exec.Command("./fetch.sh", version).Output()
	if err != nil {
		t.Fatal(err)
	}
	return classes + ":" + strings.TrimSpace(string(libs)) + "/*"
}
