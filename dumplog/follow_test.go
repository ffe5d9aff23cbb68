package dumplog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
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

// following is a Dump that follows, with what it prints.
type following struct {
	t              *testing.T
	lines, found   *bufio.Scanner
	stop           func()
	result         chan Result
	out, errOut    *io.PipeWriter
	outEnd, errEnd *io.PipeReader
}

func follow(t *testing.T, fsys vfs.FS, o Options) *following {
	t.Helper()
	f := &following{t: t, result: make(chan Result, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	f.outEnd, f.out = io.Pipe()
	f.errEnd, f.errOut = io.Pipe()
	f.lines, f.found = bufio.NewScanner(f.outEnd), bufio.NewScanner(f.errEnd)
	o.Follow, o.Deep, o.Poll = true, true, time.Millisecond
	f.stop = cancel
	t.Cleanup(func() { cancel(); f.outEnd.Close(); f.errEnd.Close() })
	go func() {
		r, err := Dump(ctx, fsys, f.out, f.errOut, o)
		if err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
		f.result <- r
		f.out.Close()
		f.errOut.Close()
	}()
	return f
}

// expect reads lines of output.
func (f *following) expect(want ...string) {
	f.t.Helper()
	for _, w := range want {
		if !f.lines.Scan() || !strings.HasPrefix(f.lines.Text(), w) {
			f.t.Fatalf("got %q, want %q", f.lines.Text(), w)
		}
	}
}

// finding reads a line of errors.
func (f *following) finding(want string) {
	f.t.Helper()
	if !f.found.Scan() || !strings.Contains(f.found.Text(), want) {
		f.t.Fatalf("finding %q, want %q", f.found.Text(), want)
	}
}

// end stops it; nothing more must have been said.
func (f *following) end() Result {
	f.t.Helper()
	f.stop()
	if f.lines.Scan() {
		f.t.Errorf("and then %q", f.lines.Text())
	}
	if f.found.Scan() {
		f.t.Errorf("and then the finding %q", f.found.Text())
	}
	return <-f.result
}

const segment0, segment3 = "/data/t-0/00000000000000000000.log", "/data/t-0/00000000000000000003.log"

// topicDir is a file system with a directory for a partition.
func topicDir(t *testing.T) *vfs.Mem {
	t.Helper()
	fsys := vfs.NewMem()
	if err := fsys.MkdirAll("/data/t-0", 0o755); err != nil {
		t.Fatal(err)
	}
	return fsys
}

// A live directory is followed through half-written batches and rolls until the
// context ends; nothing is lost, shown twice, or called damage, and a segment is
// closed before the next one is opened.
func TestFollow(t *testing.T) {
	mem := topicDir(t)
	open := 0
	fsys := vfs.Inject(mem, func(op vfs.Op, path string) error {
		switch op {
		case vfs.OpOpen:
			if open++; open > 1 {
				t.Errorf("%s is opened while another file is open", path)
			}
		case vfs.OpClose:
			open--
		}
		return nil
	})
	appendTo(t, mem, segment0, oneBatch(t, 0))
	f := follow(t, fsys, Options{Inputs: []string{"/data/t-0"}})
	f.expect("Dumping "+segment0, "Log starting offset: 0", "baseOffset: 0 ", "| offset: 0 ")
	half := oneBatch(t, 1)
	appendTo(t, mem, segment0, half[:30])
	appendTo(t, mem, segment0, half[30:])
	f.expect("baseOffset: 1 ", "| offset: 1 ")
	appendTo(t, mem, segment0, oneBatch(t, 2))
	appendTo(t, mem, segment3, oneBatch(t, 3))
	f.expect("baseOffset: 2 ", "| offset: 2 ", "Dumping "+segment3, "Log starting offset: 3", "baseOffset: 3 ", "| offset: 3 ")
	for i := int64(4); i < 9; i++ {
		appendTo(t, mem, fmt.Sprintf("/data/t-0/%020d.log", i), oneBatch(t, i))
		f.expect("Dumping ", "Log starting offset: ", fmt.Sprintf("baseOffset: %d ", i), "| offset: ")
	}
	if r := f.end(); r.Findings != 0 || r.Batches != 9 || r.Records != 9 || r.Files != 7 {
		t.Errorf("%+v", r)
	}
	if open != 0 {
		t.Errorf("%d files are left open", open)
	}
}

// A file that is cut while it is followed is a finding, and what is written
// afterwards is shown; that its offset does not follow what was cut is no gap.
func TestFollowTruncated(t *testing.T) {
	fsys := topicDir(t)
	appendTo(t, fsys, segment0, oneBatch(t, 0))
	f := follow(t, fsys, Options{Inputs: []string{segment0}})
	f.expect("Dumping ", "Log starting ", "baseOffset: 0 ", "| offset")
	for i := int64(1); i < 4; i++ {
		appendTo(t, fsys, segment0, oneBatch(t, i))
		f.expect(fmt.Sprintf("baseOffset: %d ", i), "| offset")
	}
	cut, err := fsys.OpenReadWrite(segment0, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := cut.Truncate(int64(len(oneBatch(t, 0)))); err != nil {
		t.Fatal(err)
	}
	cut.Close()
	f.finding(segment0 + ": was cut or written anew while it was followed: from ")
	appendTo(t, fsys, segment0, oneBatch(t, 7))
	for f.lines.Scan() && !strings.HasPrefix(f.lines.Text(), "baseOffset: 7 ") {
		if strings.Contains(f.lines.Text(), "ffset: 1 ") {
			t.Fatal("what was cut is shown")
		}
	}
	f.expect("| offset: 7 ")
	f.end()
}

// A log that was cut and has grown beyond its old size before anybody looked is
// shown from the last place that is still the same.
func TestFollowRewritten(t *testing.T) {
	fsys := topicDir(t)
	appendTo(t, fsys, segment0, append(oneBatch(t, 0), oneBatch(t, 1)...))
	d := &dump{ctx: t.Context(), fs: fsys, out: io.Discard, errOut: io.Discard, o: Options{Deep: true}}
	filter := NewFilter()
	d.o.Filter = &filter
	in, err := d.resolve(segment0)
	if err != nil {
		t.Fatal(err)
	}
	file, err := d.open(in[0])
	if err != nil {
		t.Fatal(err)
	}
	w := &follower{d: d, f: file}
	defer func() { w.f.Close() }()
	if w.run, err = d.segmentRun(file); err != nil {
		t.Fatal(err)
	}
	step := func(batches int64, findings int) {
		t.Helper()
		d.result = Result{}
		if _, err := w.step(false); err != nil || d.result.Batches != batches || d.result.Findings != findings {
			t.Fatalf("%+v, %v: want %d batches, %d findings", d.result, err, batches, findings)
		}
	}
	step(2, 0)
	appendTo(t, fsys, segment0, append(oneBatch(t, 2), oneBatch(t, 3)...))
	step(2, 0)
	change, err := fsys.OpenReadWrite(segment0, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer change.Close()
	size := int64(len(oneBatch(t, 0)))
	if err := change.Truncate(3 * size); err != nil {
		t.Fatal(err)
	}
	other := decode.NewBatch(3, 2, 1700000000001)
	raw, err := decode.AppendBatch(nil, &other, []decode.Record{{Offset: 3, Value: []byte("other")}, {Offset: 4, Value: []byte("other")}})
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, fsys, segment0, raw)
	step(2, 1) // offset 2 once more, and 3 to 4
	step(0, 0)
}

// What is left over in a segment that has a newer one will never be whole.
func TestFollowRolledTail(t *testing.T) {
	fsys := topicDir(t)
	appendTo(t, fsys, segment0, append(oneBatch(t, 0), oneBatch(t, 1)[:30]...))
	f := follow(t, fsys, Options{Inputs: []string{"/data/t-0"}})
	f.expect("Dumping ", "Log starting ", "baseOffset: 0 ", "| offset")
	appendTo(t, fsys, segment3, oneBatch(t, 1))
	f.finding(segment0 + ": at byte 69: 30 bytes after the last whole batch")
	f.expect("Found 30 invalid bytes", "Dumping ", "Log starting ", "baseOffset: 1 ", "| offset")
	f.end()
}

// Space that was reserved is waited in, and is no finding.
func TestFollowPreallocated(t *testing.T) {
	fsys := topicDir(t)
	first := oneBatch(t, 0)
	appendTo(t, fsys, segment0, append(first, make([]byte, 300<<10)...))
	f := follow(t, fsys, Options{Inputs: []string{segment0}})
	f.expect("Dumping ", "Log starting ", "baseOffset: 0 ", "| offset")
	file, err := fsys.OpenReadWrite(segment0, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i := int64(1); i < 4; i++ {
		if _, err := file.WriteAt(oneBatch(t, i), i*int64(len(first))); err != nil {
			t.Fatal(err)
		}
		f.expect(fmt.Sprintf("baseOffset: %d ", i), "| offset")
	}
	f.end()
}

// A file that is deleted or replaced is followed by its name.
func TestFollowReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t-0")
	if err := vfs.OS.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fsys vfs.FS
		path string
	}{{topicDir(t), segment0}, {vfs.OS, filepath.Join(dir, "00000000000000000000.log")}} {
		appendTo(t, c.fsys, c.path, append(oneBatch(t, 0), oneBatch(t, 1)...))
		f := follow(t, c.fsys, Options{Inputs: []string{c.path}})
		f.expect("Dumping ", "Log starting ", "baseOffset: 0 ", "| offset", "baseOffset: 1 ", "| offset")
		if err := c.fsys.Remove(c.path); err != nil {
			t.Fatal(err)
		}
		f.finding(c.path + ": was deleted while it was followed")
		appendTo(t, c.fsys, c.path+".new", append(oneBatch(t, 5), oneBatch(t, 6)...))
		if err := c.fsys.Rename(c.path+".new", c.path); err != nil {
			t.Fatal(err)
		}
		f.finding(c.path + ": was replaced by another file")
		f.expect("baseOffset: 5 ", "| offset", "baseOffset: 6 ", "| offset")
		appendTo(t, c.fsys, c.path+".new", oneBatch(t, 7))
		if err := c.fsys.Rename(c.path+".new", c.path); err != nil {
			t.Fatal(err)
		}
		f.finding(c.path + ": was replaced by another file")
		f.expect("baseOffset: 7 ", "| offset")
		f.end()
	}
}

// The limit of bytes holds for all that is appended later.
func TestFollowMaxBytes(t *testing.T) {
	fsys := topicDir(t)
	first := oneBatch(t, 0)
	appendTo(t, fsys, segment0, first)
	f := follow(t, fsys, Options{Inputs: []string{segment0}, MaxBytes: 2*int64(len(first)) + 5})
	f.expect("Dumping ", "Log starting ", "baseOffset: 0 ", "| offset")
	for i := int64(1); i < 3; i++ {
		appendTo(t, fsys, segment0, oneBatch(t, i))
	}
	appendTo(t, fsys, segment3, oneBatch(t, 3))
	f.expect("baseOffset: 1 ", "| offset", "Dumping ", "Log starting ", "baseOffset: 3 ", "| offset")
	f.end()
}
