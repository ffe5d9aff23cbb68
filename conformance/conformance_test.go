//go:build conformance

package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kraftctl/internal/golden"
)

const (
	defaultSeed  = 1
	defaultCases = 12000
	// maxShown is how many failures are shown in full.
	maxShown = 10
)

// testCase is one line of cases.tsv, with what Kafka made of it.
type testCase struct {
	id, note string
	args     []string
	rc       string
	out, err []byte
}

// read takes what Kafka made of the case from the files of its id in a directory.
func (c *testCase) read(t *testing.T, dir string) {
	t.Helper()
	file := func(suffix string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, c.id+suffix))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	c.rc, c.out, c.err = string(file(".rc")), file(".out"), file(".err")
}

// writeCases numbers commands, and lists them for Kafka in dir/cases.tsv.
func writeCases(t *testing.T, dir string, commands [][]string) []testCase {
	t.Helper()
	var text strings.Builder
	cases := make([]testCase, len(commands))
	for i, args := range commands {
		cases[i] = testCase{id: strconv.Itoa(i), args: args}
		text.WriteString(cases[i].id + "\t" + strings.Join(args, "\t") + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.tsv"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return cases
}

// suite is a directory of files, cases and Kafka's outputs.
type suite struct {
	dir   string
	seed  int64
	cases []testCase
	// earlier counts cases of diedEarlier.
	earlier atomic.Int64
}

func setting(t *testing.T, name string, or int64) int64 {
	s := os.Getenv(name)
	if s == "" {
		return or
	}
	if s == "random" {
		return int64(rand.Uint32())
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// java runs a class of java/ in dir. run.sh has set its environment.
func java(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cp := os.Getenv("KRAFTCTL_CONFORMANCE_CP")
	if cp == "" {
		t.Skip("run conformance/run.sh: it fetches Kafka and compiles the makers")
	}
	argv := append([]string{"-Xmx512M", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC",
		"-Dfile.encoding=UTF-8", "-Djava.awt.headless=true", log4jOption(t), "-cp", cp}, args...)
	cmd := exec.Command("java", argv...)
	cmd.Dir = dir
	cmd.Env = golden.Environ(nil)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("java %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// log4jOption makes a JVM log to standard error: standard output is for answers.
func log4jOption(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("log4j2.xml")
	if err != nil {
		t.Fatal(err)
	}
	return "-Dlog4j2.configurationFile=" + file
}

// buildBinary returns our program.
func buildBinary(t *testing.T) string {
	t.Helper()
	if b := os.Getenv("KRAFTCTL_CONFORMANCE_BIN"); b != "" {
		return b
	}
	b := filepath.Join(t.TempDir(), "kraftctl")
	if out, err := exec.Command("go", "build", "-o", b, "kraftctl/cmd/kraftctl").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return b
}

// testDir is a directory that stays if the test fails.
func testDir(t *testing.T, what string) string {
	t.Helper()
	return keptDir(t, "", what)
}

// keptDir makes a directory in parent, or in that for temporary files, that stays
// if the test fails.
func keptDir(t *testing.T, parent, what string) string {
	t.Helper()
	dir, err := os.MkdirTemp(parent, "kraftctl-"+what+"-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("everything, with Kafka's outputs, is kept in %s", dir)
		} else {
			_ = os.RemoveAll(dir)
		}
	})
	return dir
}

// newSuite lets fill write files, cases.tsv and notes.tsv to a directory, which
// stays if the test fails, and has Kafka run the cases.
func newSuite(t *testing.T, seed int64, fill func(dir string)) *suite {
	t.Helper()
	dir := testDir(t, fmt.Sprintf("conformance-%d", seed))
	fill(dir)
	t.Log(java(t, dir, "Oracle", "org.apache.kafka.tools.DumpLogSegments", "cases.tsv", "expected"))
	s := &suite{dir: dir, seed: seed}
	notes := map[string]string{}
	for _, l := range lines(t, filepath.Join(dir, "notes.tsv")) {
		id, note, _ := strings.Cut(l, "\t")
		notes[id] = note
	}
	for _, l := range lines(t, filepath.Join(dir, "cases.tsv")) {
		w := strings.Split(l, "\t")
		c := testCase{id: w[0], note: notes[w[0]], args: w[1:]}
		c.read(t, filepath.Join(dir, "expected"))
		if c.rc != "skip" {
			s.cases = append(s.cases, c)
		}
	}
	return s
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

var quota = regexp.MustCompile(`"value":-?[0-9.]+(E-?[0-9]+)?`)

// sameDoubles rewrites the numbers of quota records. Java before 19 gives some
// doubles a digit more than they need (JDK-4511638). Make avoids those, but
// damage may bring them about.
func sameDoubles(b []byte) []byte {
	return quota.ReplaceAllFunc(b, func(m []byte) []byte {
		f, err := strconv.ParseFloat(string(m[len(`"value":`):]), 64)
		if err != nil {
			return m
		}
		return strconv.AppendFloat([]byte(`"value":`), f, 'g', -1, 64)
	})
}

const (
	badStream  = "org.apache.kafka.common.KafkaException: Failed to decompress record stream"
	damagedEnd = "compresscodec: zstd"
	maxEarlier = 1000 // one case in so many
)

// diedEarlier reports whether our tool died over a damaged zstd stream which
// Kafka's decoder reads on: to good records, or to wrong ones that it dies of.
// Such streams are rare among the damaged ones, see maxEarlier; the batch is
// the last thing that we print, and its checksum is wrong.
func diedEarlier(c *testCase, out, stderr []byte) bool {
	if !bytes.Contains(stderr, []byte(badStream)) || bytes.Contains(c.err, []byte(badStream)) || !bytes.HasPrefix(c.out, out) {
		return false
	}
	lines := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	last := lines[len(lines)-1]
	return bytes.Contains(last, []byte(damagedEnd)) && bytes.HasSuffix(last, []byte("isvalid: false"))
}

// run runs a candidate on one case and returns how it differs.
func (s *suite) run(c *testCase, argv []string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:len(argv):len(argv)], c.args...)...)
	cmd.Dir, cmd.Env = s.dir, golden.Environ(nil)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return []string{err.Error()}
	}
	if diedEarlier(c, out.Bytes(), stderr.Bytes()) {
		s.earlier.Add(1)
		return nil
	}
	var why []string
	if rc := strconv.Itoa(cmd.ProcessState.ExitCode()); rc != c.rc {
		why = append(why, fmt.Sprintf("exit status: want %s, got %s", c.rc, rc))
	}
	if !bytes.Equal(out.Bytes(), c.out) && !bytes.Equal(sameDoubles(out.Bytes()), sameDoubles(c.out)) {
		why = append(why, golden.Diff("stdout", string(c.out), out.String())...)
	}
	switch {
	case bytes.Contains(c.err, []byte("\n\tat ")):
		if stderr.Len() == 0 {
			why = append(why, "stderr is empty, Kafka's ends with a stack trace")
		}
	default:
		if want, got := golden.SortReports(string(c.err)), golden.SortReports(stderr.String()); want != got {
			why = append(why, golden.Diff("stderr", want, got)...)
		}
	}
	if len(why) > 0 && len(c.err) > 0 {
		first, _, _ := strings.Cut(string(c.err), "\n")
		why = append(why, "Kafka's stderr: "+first, fmt.Sprintf("ours: %.300s", stderr.String()))
	}
	return why
}

// compare runs the candidate on all cases, as many at a time as there are
// processors.
func (s *suite) compare(t *testing.T, argv ...string) {
	t.Helper()
	type failure struct {
		c   *testCase
		why []string
	}
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed []failure
	)
	next := make(chan *testCase)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for c := range next {
				if why := s.run(c, argv); len(why) > 0 {
					mu.Lock()
					failed = append(failed, failure{c, why})
					mu.Unlock()
				}
			}
		})
	}
	for i := range s.cases {
		next <- &s.cases[i]
	}
	close(next)
	wg.Wait()
	slices.SortFunc(failed, func(a, b failure) int { return strings.Compare(a.c.id, b.c.id) })
	var all strings.Builder
	for i, f := range failed {
		text := fmt.Sprintf("seed %d, case %s (%s)\ncd %s && kafka-dump-log %s\n%s", s.seed, f.c.id, f.c.note, s.dir, strings.Join(f.c.args, " "), strings.Join(f.why, "\n"))
		all.WriteString(text + "\n\n")
		if i < maxShown {
			t.Error(text)
		}
	}
	if len(failed) > 0 {
		file := filepath.Join(s.dir, "failures.txt")
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("all failures are in %s", file)
	}
	earlier := int(s.earlier.Load())
	if earlier > 1+len(s.cases)/maxEarlier {
		t.Errorf("%d cases died over a zstd stream that Kafka read on", earlier)
	}
	t.Logf("%d cases died over a zstd stream that Kafka read on", earlier)
	t.Logf("seed %d: %d passed, %d failed", s.seed, len(s.cases)-len(failed), len(failed))
}

func TestAgainstKafka(t *testing.T) {
	bin := buildBinary(t)
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	n := setting(t, "KRAFTCTL_CONFORMANCE_CASES", defaultCases)
	s := newSuite(t, seed, func(dir string) {
		t.Log(java(t, dir, "Make", ".", strconv.FormatInt(seed, 10), strconv.FormatInt(n, 10)))
	})
	s.compare(t, bin, "kafka-dump-log")
}

// TestOracle holds the one-JVM runs against the tool as users start it, on a
// few cases: the measure must be right itself.
func TestOracle(t *testing.T) {
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	s := newSuite(t, seed, func(dir string) { t.Log(java(t, dir, "Make", ".", strconv.FormatInt(seed, 10), "60")) })
	tool, err := filepath.Abs("tool.sh")
	if err != nil {
		t.Fatal(err)
	}
	some := s.cases[:0]
	for i := 0; i < len(s.cases); i += 12 {
		some = append(some, s.cases[i])
	}
	s.cases = some
	s.compare(t, tool, golden.Release, "dump-log")
}
