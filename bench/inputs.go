package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

const segmentName = "00000000000000000000"

// row is one line of the table: an input and how it is dumped.
type row struct {
	name    string
	make    []string // arguments of Generate.java, without the directory
	files   []string
	options []string
	slow    bool
}

// rows returns all rows with inputs of that scale.
func rows(scale float64) []row {
	count := func(full int) int { return max(1, int(float64(full)*scale)) }
	n := func(full int) string { return strconv.Itoa(count(full)) }
	partitions := fmt.Sprintf("snapshot of %d partitions", 50*count(20000))
	batches := fmt.Sprintf("%d batches", count(24000))
	log := []string{segmentName + ".log"}
	snapshot := []string{"snapshot", n(20000), "50"}
	plain := []string{"segment", "none", n(550)}
	indexed := []string{"indexed", n(24000), "4"}
	list := []row{
		{name: "tiny segment, printed", make: []string{"indexed", "1", "1"}, files: log, options: []string{"--print-data-log"}},
		{name: partitions + ", decoded", make: snapshot, files: []string{"00000000000001000000-0000000007.checkpoint"}, options: []string{"--cluster-metadata-decoder"}},
		{name: partitions + ", batches only", make: snapshot, files: []string{"00000000000001000000-0000000007.checkpoint"}},
		{name: "uncompressed segment, printed", make: plain, files: log, options: []string{"--print-data-log"}},
		{name: "uncompressed segment, records only", make: plain, files: log, options: []string{"--deep-iteration"}},
		{name: "uncompressed segment, batches only", make: plain, files: log},
	}
	for _, codec := range []string{"zstd", "lz4", "snappy", "gzip"} {
		list = append(list,
			row{name: codec + " segment, printed", make: []string{"segment", codec, n(512)}, files: log, options: []string{"--print-data-log"}},
			row{name: codec + " segment, records only", make: []string{"segment", codec, n(512)}, files: log, options: []string{"--deep-iteration"}})
	}
	return append(list,
		row{name: batches + ", index", make: indexed, files: []string{segmentName + ".index"}},
		row{name: batches + ", log and index", make: indexed, files: []string{segmentName + ".log", segmentName + ".index"}, options: []string{"--deep-iteration"}},
		row{name: batches + ", time index", make: indexed, files: []string{segmentName + ".timeindex"}, slow: true},
	)
}

// input makes the row's files, unless an earlier run has, and returns their
// directory. Each distinct input has its own.
func (c *config) input(r row) (string, error) {
	key := r.make[0]
	for _, a := range r.make[1:] {
		key += "-" + a
	}
	dir := filepath.Join(c.cache, key)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	tmp := dir + ".part"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "making %s ...\n", key)
	cmd := exec.Command("java", append([]string{"-cp", filepath.Join(c.libs, "*"), "Generate.java"}, append(r.make, tmp)...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("running Generate.java: %w", err)
	}
	return dir, os.Rename(tmp, dir)
}
