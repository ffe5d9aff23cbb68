package main

import (
	"errors"
	"os"
	"path/filepath"
)

const (
	storageClass  = "kafka.tools.StorageTool"
	storageConfig = `process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=localhost:9093
listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
log.dirs=d1,d2
`
)

// formatArgs format a node of two directories.
var formatArgs = []string{"format", "-c", "node.properties", "-t", "XcZZOzUqS4yHOjhMQB6JLQ", "--standalone"}

// storageRow is a command of kafka-storage.
type storageRow struct {
	name string
	args []string
	// formatted: the node is formatted before.
	formatted bool
	// random: what is printed is never the same.
	random bool
}

var storageRows = []storageRow{
	{name: "storage format, two directories", args: formatArgs},
	{name: "storage info, two directories", args: []string{"info", "-c", "node.properties"}, formatted: true},
	{name: "storage random-uuid", args: []string{"random-uuid"}, random: true},
	{name: "storage version-mapping", args: []string{"version-mapping"}},
}

// storageRow runs both tools, each time on a new node, and returns the line of the table.
func (c *config) storageRow(r storageRow) (text string, same bool, err error) {
	root, err := os.MkdirTemp("", "kraftctl-bench-")
	if err != nil {
		return "", false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	node := func(formatted bool) (string, error) {
		dir, err := os.MkdirTemp(root, "")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "node.properties"), []byte(storageConfig), 0o644)
		}
		if err == nil && formatted {
			_, err = best(append([]string{c.ours, "kafka-storage"}, formatArgs...), 1, func() (string, error) { return dir, nil })
		}
		return dir, err
	}
	newNode := func() (string, error) { return node(r.formatted) }
	kafka := append(append(append([]string{}, c.java...), storageClass), r.args...)
	ours := append([]string{c.ours, "kafka-storage"}, r.args...)
	theirs, err := best(kafka, c.kafkaRuns, newNode)
	if err != nil {
		return "", false, err
	}
	mine, err := best(ours, c.runs, newNode)
	if err != nil {
		return "", false, err
	}
	if r.random {
		return line(r.name, "", theirs, mine, "random"), true, nil
	}
	// Both look at one node, since its ids are random; format makes two.
	dir, err := newNode()
	if err != nil {
		return "", false, err
	}
	want, err := digest(kafka, dir)
	if err != nil {
		return "", false, err
	}
	if !r.formatted {
		if dir, err = newNode(); err != nil {
			return "", false, err
		}
	}
	got, err := digest(ours, dir)
	if err != nil {
		return "", false, err
	}
	return line(r.name, "", theirs, mine, verdict(want == got)), want == got, nil
}
