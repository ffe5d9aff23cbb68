// Command bench runs our kafka-dump-log, kafka-storage and kafka-metadata-shell and
// Apache Kafka's side by side on the same files, and prints a table of time, processor time and memory.
//
//	bench/run.sh                    all rows, about ten minutes; the inputs are made once and kept
//	bench/run.sh -only zstd         the rows whose name matches
//	bench/run.sh -scale 0.1         inputs of a tenth
//	bench/run.sh -slow              with the time index, for which Kafka needs minutes
//
// Each row is run with its output to /dev/null and measured there; then both
// once more, to compare the hashes of what they print: a row counts only if
// they are equal. Wall time is the best of -runs for ours and of -kafka-runs
// for Kafka, everything else is of that run. Memory is the peak resident set.
//
// The shell is Kafka 4.3.1's, the last one that is published, with the heap that a
// million partitions need. It may run its command before it has loaded the file;
// outputs are compared with one that waits (conformance/java/shellwait). Rows without
// columns of Kafka's have no counterpart there. Opening a log means to replay it; what
// log PATH takes by itself is the difference of the rows with it once and twice.
//
// Kafka's JVM gets -Xmx256M, as kafka-run-class.sh gives every tool, and is
// otherwise left alone. Its start-up is part of its time, as it is for users:
// the row "tiny" is little else.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// config is what the flags say.
type config struct {
	cache     string
	only      *regexp.Regexp
	scale     float64
	slow      bool
	runs      int
	kafkaRuns int
	libs      string // Kafka's jars
	java      []string
	ours      string // our binary
	shellLibs string // jars of the release that has the shell
	shellPath string // class path of that shell made to wait
	log4j     string // option of the JVM
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var c config
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	base, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	f.StringVar(&c.cache, "cache", filepath.Join(base, "kraftctl-bench"), "where the inputs are kept")
	only := f.String("only", "", "run the rows whose name matches this expression")
	f.Float64Var(&c.scale, "scale", 1, "size of the inputs, as a factor")
	f.BoolVar(&c.slow, "slow", false, "also run the rows for which Kafka needs minutes")
	f.IntVar(&c.runs, "runs", 3, "runs of ours; the best counts")
	f.IntVar(&c.kafkaRuns, "kafka-runs", 1, "runs of Kafka's; the best counts")
	f.StringVar(&c.libs, "libs", "", "directory of Kafka's jars (conformance/fetch.sh prints it)")
	f.StringVar(&c.shellLibs, "shell-libs", "", "directory of the jars with Kafka's shell")
	f.StringVar(&c.shellPath, "shell-path", "", "class path of Kafka's shell that waits (conformance/tool.sh 4.3.1 shellpath prints it)")
	f.StringVar(&c.ours, "ours", "", "our binary")
	if err := f.Parse(args); err != nil {
		return err
	}
	if c.libs == "" || c.ours == "" || c.shellLibs == "" || c.shellPath == "" || f.NArg() > 0 {
		return fmt.Errorf("use bench/run.sh: -libs, -shell-libs, -shell-path and -ours are needed, and nothing else")
	}
	if c.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	log4j, err := filepath.Abs("../conformance/log4j2.xml")
	if err != nil {
		return err
	}
	c.log4j = "-Dlog4j2.configurationFile=" + log4j
	c.java = []string{"java", "-Xmx256M", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", c.log4j, "-cp", filepath.Join(c.libs, "*")}

	failed := false
	fmt.Println("| row | input | Kafka wall | CPU | RSS | kraftctl wall | CPU | RSS | wall ratio | CPU ratio | RSS ratio | same output |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	for _, m := range c.measurements() {
		if !c.only.MatchString(m.name) {
			continue
		}
		line, same, err := m.run()
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		failed = failed || !same
		fmt.Println(line)
	}
	if failed {
		return fmt.Errorf("some outputs differ")
	}
	return nil
}

// measurement is a row of the table, and how to get it.
type measurement struct {
	name string
	run  func() (line string, same bool, err error)
}

// measurements are those of all kinds of rows, in the order of the table.
func (c *config) measurements() []measurement {
	var list []measurement
	for _, r := range rows(c.scale) {
		if r.slow && !c.slow {
			continue
		}
		list = append(list, measurement{r.name, func() (string, bool, error) { return c.row(r) }})
	}
	for _, r := range storageRows {
		list = append(list, measurement{r.name, func() (string, bool, error) { return c.storageRow(r) }})
	}
	for _, r := range shellRows(c.scale) {
		list = append(list, measurement{r.name, func() (string, bool, error) { return c.shellRow(r) }})
	}
	for _, r := range aloneRows(c.scale) {
		list = append(list, measurement{r.name, func() (string, bool, error) {
			line, err := c.aloneRow(r)
			return line, true, err // there is nothing to compare it with
		}})
	}
	return list
}

// row runs both tools on one input and returns its line of the table.
func (c *config) row(r row) (text string, same bool, err error) {
	dir, err := c.input(r)
	if err != nil {
		return "", false, err
	}
	var files []string
	var size int64
	for _, name := range r.files {
		st, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return "", false, err
		}
		size += st.Size()
		files = append(files, filepath.Join(dir, name))
	}
	args := append(append([]string{}, r.options...), "--files", strings.Join(files, ","))
	kafka := append(append(append([]string{}, c.java...), "org.apache.kafka.tools.DumpLogSegments"), args...)
	ours := append([]string{c.ours, "kafka-dump-log"}, args...)

	theirs, err := best(kafka, c.kafkaRuns, nil)
	if err != nil {
		return "", false, err
	}
	mine, err := best(ours, c.runs, nil)
	if err != nil {
		return "", false, err
	}
	want, err := digest(kafka, "")
	if err != nil {
		return "", false, err
	}
	got, err := digest(ours, "")
	if err != nil {
		return "", false, err
	}
	return line(r.name, bytesText(size), theirs, mine, verdict(want == got)), want == got, nil
}

// verdict says whether the outputs were the same.
func verdict(same bool) string {
	if same {
		return "yes"
	}
	return "NO"
}

// line is a line of the table.
func line(name, input string, theirs, mine sample, verdict string) string {
	ratio := func(a, b float64) string { return fmt.Sprintf("%.1f", a/b) }
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |",
		name, input, seconds(theirs.wall), seconds(theirs.cpu), bytesText(theirs.rss), seconds(mine.wall), seconds(mine.cpu), bytesText(mine.rss),
		ratio(theirs.wall.Seconds(), mine.wall.Seconds()), ratio(theirs.cpu.Seconds(), mine.cpu.Seconds()), ratio(float64(theirs.rss), float64(mine.rss)), verdict)
}

func seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func bytesText(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
