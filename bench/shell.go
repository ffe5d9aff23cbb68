package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	shellClass   = "org.apache.kafka.shell.MetadataShell"
	snapshotName = "00000000000001000000-0000000007.checkpoint"
	// shellHeap is what Kafka's shell needs for a million partitions: with the 256 MB
	// that kafka-run-class.sh gives it, it does not come to an end.
	shellHeap = "-Xmx2G"
	// shellLimit is when a run of Kafka's shell is given up: it hangs now and then.
	shellLimit = time.Minute
)

// shellRow is a command that both shells run on one snapshot.
type shellRow struct {
	name    string
	make    []string
	command []string
}

func shellRows(scale float64) []shellRow {
	topics := fmt.Sprint(max(1, int(10000*scale)))
	big, small := []string{"snapshot", topics, "100"}, []string{"snapshot", "100", "100"}
	ls, cat := []string{"ls", "/image/topics/byName"}, []string{"cat", "/image/topics/byName/topic-0/50"}
	return []shellRow{
		{"shell, " + topics + "00 partitions, ls of topics", big, ls},
		{"shell, " + topics + "00 partitions, cat of one", big, cat},
		{"shell, 10000 partitions, ls of topics", small, ls},
		{"shell, 10000 partitions, cat of one", small, cat},
	}
}

// shellRow runs both shells and returns the line of the table. Kafka's begins its
// command as soon as the first records are there. Where it has shown an empty tree
// for that, it is timed waiting until the file is loaded, and the line says so.
func (c *config) shellRow(r shellRow) (text string, same bool, err error) {
	dir, err := c.input(row{make: r.make})
	if err != nil {
		return "", false, err
	}
	args := append([]string{"--snapshot", filepath.Join(dir, snapshotName)}, r.command...)
	ours := append([]string{c.ours, "kafka-metadata-shell"}, args...)
	kafka := func(path string) []string {
		return append([]string{"java", shellHeap, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", c.log4j, "-cp", path, shellClass}, args...)
	}
	waiting := kafka(c.shellPath)
	want, err := digest(waiting, "")
	if err != nil {
		return "", false, err
	}
	got, err := digest(ours, "")
	if err != nil {
		return "", false, err
	}
	timed, note := kafka(filepath.Join(c.shellLibs, "*")), ""
	if out, err := limited(timed); err != nil || out != want {
		timed, note = waiting, ", Kafka's made to wait"
	}
	theirs, err := best(timed, c.kafkaRuns, nil)
	if err != nil {
		return "", false, err
	}
	mine, err := best(ours, c.runs, nil)
	if err != nil {
		return "", false, err
	}
	return line(r.name+note, "", theirs, mine, verdict(want == got)), want == got, nil
}

// limited is digest for a command that may hang.
func limited(argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), shellLimit)
	defer cancel()
	return digestOf(exec.CommandContext(ctx, argv[0], argv[1:]...))
}

// aloneRow is what Kafka's shell has no counterpart of.
type aloneRow struct {
	name    string
	make    []string
	path    string // in the input's directory
	options []string
}

func aloneRows(scale float64) []aloneRow {
	topics, megabytes := fmt.Sprint(max(1, int(10000*scale))), fmt.Sprint(max(2, int(500*scale)))
	big := []string{"snapshot", topics, "100"}
	log := []string{"metalog", "200", megabytes}
	const node = "/image/topics/byName/topic-7/5"
	open := "shell, metadata log of " + megabytes + " MB"
	return []aloneRow{
		{"shell, count of " + topics + "00 partitions", big, snapshotName, []string{"-c", "count /image/topics/byName"}},
		{"shell, two offsets of " + topics + "00 partitions", big, snapshotName, []string{"-c", "diff 999999 latest"}},
		{open, log, "", []string{"-c", "cat " + node}},
		{open + ", --at 1000000", log, "", []string{"--at", "1000000", "-c", "cat " + node}},
		{open + ", log of a partition", log, "", []string{"-c", "log -n 5 " + node}},
		{open + ", log of a partition twice", log, "", []string{"-c", "log -n 5 " + node + "; log -n 5 " + node}},
	}
}

// aloneRow measures ours.
func (c *config) aloneRow(r aloneRow) (string, error) {
	dir, err := c.input(row{make: r.make})
	if err != nil {
		return "", err
	}
	mine, err := best(append([]string{c.ours, "shell", filepath.Join(dir, r.path)}, r.options...), c.runs, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s | | | | | %s | %s | %s | | | | |", r.name, seconds(mine.wall), seconds(mine.cpu), bytesText(mine.rss)), nil
}
