// Package golden holds our tools against what the real Apache Kafka tools
// print: it reads the cases of testdata/golden, lays out the real files that
// each case works on, runs a candidate and compares.
//
// A test of the command line needs one call:
//
//	golden.Run(t, "dump-log", golden.Command("bin/kafka-dump-log"))
//
// # What is compared
//
// The exit status and standard output must be equal, byte for byte. Standard
// error must be equal too, except that
//
//   - where Kafka dies with a Java stack trace, only the exit status and a
//     standard error that is not empty are asked for;
//   - the order of the reports about files at the end is that of a Java hash of
//     absolute paths, so both sides are sorted by report.
//
// Some cases also say which files are there afterwards. Ids of directories,
// salts, keys and times are masked in them, see Mask. The work directory is
// written ${CWD} in what is expected.
package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Case is one call of a real tool and what came of it.
type Case struct {
	// Suite is the file in testdata/golden, without its extension.
	Suite string `json:"-"`
	// ID is unique within the suite.
	ID string `json:"id"`
	// Tool is which of Kafka's tools was run: kafka-TOOL.
	Tool string `json:"tool"`
	// Version is the Kafka release whose tool was run.
	Version string `json:"version"`
	// Fixture is a directory in testdata/fixtures; a copy of it is the work
	// directory. None is an empty one.
	Fixture string            `json:"fixture,omitempty"`
	Args    []string          `json:"args"`
	Stdin   string            `json:"stdin,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	// RC is the exit status.
	RC int `json:"rc"`
	// Trace says that Stderr has a Java stack trace.
	Trace  bool   `json:"trace,omitempty"`
	Stdout string `json:"stdout"`
	// Regex is what standard output must match where it is random.
	Regex string `json:"regex,omitempty"`
	// Random says that standard output shows credentials with random salts.
	Random bool   `json:"random,omitempty"`
	Stderr string `json:"stderr"`
	// AnyStderr: what stands on standard error depends on the terminal and the day.
	AnyStderr bool `json:"anyStderr,omitempty"`
	// After says that the work directory is compared as well: it must hold the
	// fixture's files unchanged but for those in Files, which are new or changed,
	// up to what is random or a time in them.
	After bool              `json:"after,omitempty"`
	Files map[string][]byte `json:"files,omitempty"`
}

// Name is the suite and the id.
func (c *Case) Name() string { return c.Suite + "/" + c.ID }

// Current reports whether the case's release prints like Release. The dump tools
// of 3.9.1 and 4.0.0 name control records differently and report gaps between
// offsets by another rule, and every release's storage tool writes its own
// layout and shows its own versions; what they print is kept for reference.
func (c *Case) Current() bool {
	switch c.Tool {
	case "storage":
		return c.Version == Release
	case "shell": // that of Release is not published
		return c.Version == ShellRelease
	}
	return !strings.HasPrefix(c.Version, "3.") && !strings.HasPrefix(c.Version, "4.0.")
}

// Root returns the project's testdata directory.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata")
}

// Load reads all suites under root/golden, in the order of their names.
func Load(root string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(root, "golden", "*.jsonl.zst"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no suites in %s", filepath.Join(root, "golden"))
	}
	sort.Strings(files)
	var all []Case
	for _, f := range files {
		cases, err := loadSuite(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f), err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

func loadSuite(file string) ([]Case, error) {
	b, err := readFile(file)
	if err != nil {
		return nil, err
	}
	suite := strings.TrimSuffix(filepath.Base(file), ".jsonl.zst")
	var cases []Case
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		c := Case{Suite: suite}
		dec := json.NewDecoder(bytes.NewReader(sc.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&c); err != nil {
			return nil, fmt.Errorf("case %d: %w", len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	return cases, sc.Err()
}

// Save writes the suites of cases under root/golden: one JSON object a line,
// compressed.
func Save(root string, cases []Case) error {
	suites := map[string]*bytes.Buffer{}
	for i := range cases {
		c := &cases[i]
		if suites[c.Suite] == nil {
			suites[c.Suite] = new(bytes.Buffer)
		}
		enc := json.NewEncoder(suites[c.Suite])
		enc.SetEscapeHTML(false)
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	defer func() { _ = enc.Close() }()
	for suite, b := range suites {
		file := filepath.Join(root, "golden", suite+".jsonl.zst")
		if err := os.WriteFile(file, enc.EncodeAll(b.Bytes(), nil), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files caches what readFile has decompressed: fixtures are laid out many times.
var files sync.Map

// readFile reads a file, and decompresses it if its name ends in .zst. The
// result must not be changed.
func readFile(name string) ([]byte, error) {
	if !strings.HasSuffix(name, ".zst") {
		return os.ReadFile(name)
	}
	if b, ok := files.Load(name); ok {
		return b.([]byte), nil
	}
	z, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	b, err := dec.DecodeAll(z, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	files.Store(name, b)
	return b, nil
}

// ReadFixture returns the contents of one file of root/fixtures, decompressed.
func ReadFixture(root, name string) ([]byte, error) {
	p := filepath.Join(root, "fixtures", filepath.FromSlash(name))
	if _, err := os.Stat(p + ".zst"); err == nil {
		p += ".zst"
	}
	b, err := readFile(p)
	return bytes.Clone(b), err
}

// Materialise lays out the fixture (a directory of root/fixtures) as dir, which
// is made if need be. Compressed files are decompressed.
func Materialise(root, fixture, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return walk(root, fixture, func(rel string, read func() ([]byte, error)) error {
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		b, err := read()
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
}

// walk calls f with each file of a fixture: its path in it, without .zst.
func walk(root, fixture string, f func(rel string, read func() ([]byte, error)) error) error {
	if fixture == "" {
		return nil
	}
	src := filepath.Join(root, "fixtures", filepath.FromSlash(fixture))
	return filepath.WalkDir(src, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(src, p)
		if err != nil {
			return err
		}
		return f(strings.TrimSuffix(rel, ".zst"), func() ([]byte, error) { return readFile(p) })
	})
}
