package dumplog

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"kraftctl/decode"
	"kraftctl/internal/vfs"
)

// appendTo adds bytes to a file, as a node does that writes to its log.
func appendTo(t *testing.T, fsys vfs.FS, path string, data []byte) {
	t.Helper()
	f, err := fsys.OpenAppend(path, fs.FileMode(0o644))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// oneBatch is a batch with one record.
func oneBatch(t *testing.T, offset int64) []byte {
	t.Helper()
	b := decode.NewBatch(offset, 1, 1700000000000)
	raw, err := decode.AppendBatch(nil, &b, []decode.Record{{Offset: offset, Timestamp: 1700000000000, Value: []byte("v")}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A live directory is followed through half-written batches and rolls until the
// context ends; nothing is lost, shown twice, or called damage.
func TestFollow(t *testing.T) {
	fsys := vfs.NewMem()
	const first, second = "/data/t-0/00000000000000000000.log", "/data/t-0/00000000000000000003.log"
	if err := fsys.MkdirAll("/data/t-0", 0o755); err != nil {
		t.Fatal(err)
	}
	appendTo(t, fsys, first, oneBatch(t, 0))
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	var errOut strings.Builder
	result := make(chan Result, 1)
	go func() {
		r, err := Dump(ctx, fsys, writer, &errOut, Options{Inputs: []string{"/data/t-0"}, Deep: true, Follow: true, Poll: time.Millisecond})
		if err != nil {
			t.Error(err)
		}
		result <- r
		writer.Close()
	}()
	lines := bufio.NewScanner(reader)
	expect := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if !lines.Scan() || !strings.HasPrefix(lines.Text(), w) {
				t.Fatalf("got %q, want %q", lines.Text(), w)
			}
		}
	}
	expect("Dumping "+first, "Log starting offset: 0", "baseOffset: 0 ", "| offset: 0 ")
	half := oneBatch(t, 1)
	appendTo(t, fsys, first, half[:30])
	appendTo(t, fsys, first, half[30:])
	expect("baseOffset: 1 ", "| offset: 1 ")
	appendTo(t, fsys, first, oneBatch(t, 2))
	appendTo(t, fsys, second, oneBatch(t, 3))
	expect("baseOffset: 2 ", "| offset: 2 ", "Dumping "+second, "Log starting offset: 3", "baseOffset: 3 ", "| offset: 3 ")
	stop()
	if lines.Scan() {
		t.Errorf("and then %q", lines.Text())
	}
	if r := <-result; r.Findings != 0 || r.Batches != 4 || r.Records != 4 || errOut.Len() > 0 {
		t.Errorf("%+v, errors %q", r, errOut.String())
	}
}

// A file that is cut while it is followed is a finding, and what is written
// afterwards is shown.
func TestFollowTruncated(t *testing.T) {
	fsys := vfs.NewMem()
	const path = "/t-0/00000000000000000000.log"
	if err := fsys.MkdirAll("/t-0", 0o755); err != nil {
		t.Fatal(err)
	}
	appendTo(t, fsys, path, append(oneBatch(t, 0), oneBatch(t, 1)...))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reader, writer := io.Pipe()
	found, errWriter := io.Pipe()
	go func() {
		if _, err := Dump(ctx, fsys, writer, errWriter, Options{Inputs: []string{path}, Follow: true, Poll: time.Millisecond}); err != nil {
			t.Error(err)
		}
		writer.Close()
	}()
	lines, findings := bufio.NewScanner(reader), bufio.NewScanner(found)
	for range 4 {
		if !lines.Scan() {
			t.Fatal("the first batches are not shown")
		}
	}
	f, err := fsys.OpenReadWrite(path, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(len(oneBatch(t, 0)))); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if !findings.Scan() || !strings.Contains(findings.Text(), "was cut from") {
		t.Fatalf("finding %q", findings.Text())
	}
	appendTo(t, fsys, path, oneBatch(t, 7))
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "baseOffset: 7 ") {
		t.Fatalf("got %q after the cut", lines.Text())
	}
}
