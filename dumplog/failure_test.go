package dumplog

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// dumpedSegment writes n batches of one record to a memory file system.
func dumpedSegment(t *testing.T, n, valueSize int) (fsys *vfs.Mem, path string) {
	t.Helper()
	fsys, path = vfs.NewMem(), "/t-0/00000000000000000000.log"
	if err := fsys.MkdirAll("/t-0", 0o755); err != nil {
		t.Fatal(err)
	}
	var raw []byte
	for i := range n {
		b := decode.NewBatch(int64(i), 1, 1700000000000)
		var err error
		raw, err = decode.AppendBatch(raw, &b, []decode.Record{{Offset: int64(i), Timestamp: 1700000000000, Value: bytes.Repeat([]byte("v"), valueSize)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	appendTo(t, fsys, path, raw)
	return fsys, path
}

// breaking fails one write and takes all others, like a disk that is full for a moment.
type breaking struct {
	io.Writer
	good int
}

var errFull = errors.New("no space left")

func (w *breaking) Write(p []byte) (int, error) {
	if w.good--; w.good == -1 {
		return 0, errFull
	}
	return w.Writer.Write(p)
}

// Output that could not be written ends the dump with an error, wherever it happens.
func TestWriteErrorsAreNotLost(t *testing.T) {
	fsys, path := dumpedSegment(t, 60, 200_000)
	for good := range 12 {
		for _, workers := range []int{1, 3} {
			_, err := Dump(t.Context(), fsys, &breaking{io.Discard, good}, io.Discard, Options{Inputs: []string{path}, Deep: true, Contents: true,
				Decoder: DecodeClasses, KeyDecoder: "string", ValueDecoder: "string", Workers: workers})
			if !errors.Is(err, errFull) {
				t.Errorf("write %d, %d workers: %v", good, workers, err)
			}
		}
	}
}

// A chunk that cannot be read is told of once, and nothing is shown twice.
func TestReadErrors(t *testing.T) {
	fsys, path := dumpedSegment(t, 200, 50_000)
	errDisk := errors.New("disk")
	for _, workers := range []int{1, 3} {
		var reads atomic.Int32
		broken := vfs.Inject(fsys, func(op vfs.Op, _ string) error {
			if op == vfs.OpRead && reads.Add(1) > 60 {
				return errDisk
			}
			return nil
		})
		var out, errOut bytes.Buffer
		r, err := Dump(t.Context(), broken, &out, &errOut, Options{Inputs: []string{path}, Workers: workers})
		if err != nil || r.Unreadable != 1 || !strings.Contains(errOut.String(), "disk") {
			t.Errorf("%d workers: %+v, %v, %q", workers, r, err, errOut.String())
		}
		seen := map[string]bool{}
		for _, line := range strings.Split(out.String(), "\n") {
			if strings.HasPrefix(line, "baseOffset") {
				if seen[line] {
					t.Errorf("%d workers: twice: %.40s", workers, line)
				}
				seen[line] = true
			}
		}
		if int64(len(seen)) != r.Batches {
			t.Errorf("%d workers: %d batches shown, %d counted", workers, len(seen), r.Batches)
		}
	}
}

// kafkaDump runs the drop-in over files of the operating system.
func kafkaDump(t *testing.T, o KafkaOptions) (out, errOut string, err error) {
	t.Helper()
	o.MaxBytes = func() (int32, error) { return math.MaxInt32, nil }
	o.MaxMessageSize = func() (int32, error) { return DefaultMaxMessageSize, nil }
	var stdout, stderr bytes.Buffer
	err = Kafka(vfs.OS, &stdout, &stderr, o)
	return stdout.String(), stderr.String(), err
}

// Kafka lists all batches to the end of the segment before it looks for the one
// of a time index entry, so that damage behind it shows at the first entry.
func TestTimeIndexMeetsDamageAnywhere(t *testing.T) {
	for _, c := range []struct{ dir, class string }{
		{"zero-tail", classCorruptRecord}, {"flip-length-zero", classCorruptRecord}, {"flip-length-negative", classCorruptRecord},
		{"garbage-tail", ""}, {"flip-magic-negative", ""}, {"intact", ""},
	} {
		path := filepath.Join("..", "testdata", "fixtures", "corrupt", c.dir, "00000000000000000000.timeindex")
		out, _, err := kafkaDump(t, KafkaOptions{Files: []string{path}})
		var exception *Exception
		if errors.As(err, &exception) != (c.class != "") || exception != nil && exception.Class != c.class {
			t.Errorf("%s: %v", c.dir, err)
		}
		if lines := strings.Count(out, "\n"); (lines > 1) != (c.class == "") {
			t.Errorf("%s: %q", c.dir, out)
		}
	}
}

// A time index costs one walk over its segment, not one for each entry.
func TestTimeIndexIsLinear(t *testing.T) {
	dir := t.TempDir()
	const batches = 5000
	var raw, offsets, times []byte
	for i := range int64(batches) {
		var err error
		if offsets, err = index.AppendOffsetEntry(offsets, 0, index.OffsetEntry{Offset: i, Position: int32(len(raw))}); err != nil {
			t.Fatal(err)
		}
		if times, err = index.AppendTimeEntry(times, 0, index.TimeEntry{Timestamp: 1700000000000 + i, Offset: i}); err != nil {
			t.Fatal(err)
		}
		b := decode.NewBatch(i, 1, 1700000000000+i)
		if raw, err = decode.AppendBatch(raw, &b, []decode.Record{{Offset: i, Timestamp: 1700000000000 + i, Value: []byte("v")}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"log": raw, "index": offsets, "timeindex": times} {
		if err := os.WriteFile(filepath.Join(dir, "00000000000000000000."+name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reads := 0
	counted := vfs.Inject(vfs.OS, func(op vfs.Op, path string) error {
		if op == vfs.OpRead && strings.HasSuffix(path, ".log") {
			reads++
		}
		return nil
	})
	var out bytes.Buffer
	o := KafkaOptions{Files: []string{filepath.Join(dir, "00000000000000000000.timeindex")}, MaxBytes: nil,
		MaxMessageSize: func() (int32, error) { return DefaultMaxMessageSize, nil }}
	if err := Kafka(counted, &out, &out, o); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\ntimestamp: "); lines != batches {
		t.Errorf("%d entries shown of %d: %.200s", lines, batches, out.String())
	}
	if reads > 2*batches {
		t.Errorf("%d reads for %d entries", reads, batches)
	}
}

func TestJavaPath(t *testing.T) {
	for in, want := range map[string]string{"a//b": "a/b", "a/": "a", "//": "/", "": "", "./a/../b.log": "./a/../b.log", "a///b//": "a/b"} {
		if got := javaPath(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
