package shell

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"kraftctl/decode/snapshot"
	"kraftctl/internal/image"
	"kraftctl/internal/snapshottest"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// message is a record of any kind.
type message = snapshottest.Record

func ptr(s string) *string { return &s }

const snapshotName = "/00000000000000000100-0000000001.checkpoint"

// snapshotOf is a file system with a snapshot of records.
func snapshotOf(t testing.TB, records ...message) vfs.FS {
	t.Helper()
	m := vfs.NewMem()
	if err := vfs.WriteFileAtomic(m, snapshotName, snapshottest.Bytes(t, 1, snapshot.Header{}, 0, records...), 0o666); err != nil {
		t.Fatal(err)
	}
	return m
}

// testShell is a session whose output is kept.
type testShell struct {
	*Shell
	out, errs bytes.Buffer
	t         testing.TB
}

// plainTable joins the cells of each row.
func plainTable(w io.Writer, header []string, rows [][]string, _ []bool) error {
	for _, row := range append([][]string{header}, rows...) {
		if len(row) > 0 {
			if _, err := io.WriteString(w, strings.Join(row, " | ")+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func openShell(t testing.TB, change func(*Terminal, *Options), records ...message) *testShell {
	t.Helper()
	line, err := timeline.Open(snapshotOf(t, records...), snapshotName)
	if err != nil {
		t.Fatal(err)
	}
	s := &testShell{t: t}
	same := func(text string) string { return text }
	terminal := Terminal{Out: &s.out, Err: &s.errs, Width: func() int { return 0 }, Table: plainTable, Bold: same}
	var options Options
	if change != nil {
		change(&terminal, &options)
	}
	if s.Shell, err = New(context.Background(), line, timeline.Latest, terminal, options); err != nil {
		t.Fatal(err)
	}
	if p := s.State().Problems; len(p) > 0 {
		t.Fatalf("the snapshot has problems: %v", p)
	}
	return s
}

// run runs a line and gives all that it printed.
func (s *testShell) run(line string) (string, error) {
	s.out.Reset()
	s.errs.Reset()
	err := s.Run(context.Background(), line)
	return s.out.String() + s.errs.String(), err
}

// imageOf is the image of a snapshot of records.
func imageOf(t testing.TB, records ...message) *image.Image {
	t.Helper()
	return openShell(t, nil, records...).State().Image
}
