package decode_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

// makeSegment writes n batches of the given value sizes.
func makeSegment(t testing.TB, sizes ...int) []byte {
	t.Helper()
	var raw []byte
	for i, size := range sizes {
		b := decode.NewBatch(int64(i), 1, vectorTime)
		var err error
		raw, err = decode.AppendBatch(raw, &b, []decode.Record{{Offset: int64(i), Timestamp: vectorTime, Value: bytes.Repeat([]byte{byte(i)}, size)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return raw
}

// positions gives where the batches start, as a scanner sees them.
func positions(t testing.TB, s *decode.Scanner) []int64 {
	t.Helper()
	var c decode.Chunk
	var b decode.Batch
	var all []int64
	for s.Next(&c) {
		if err := c.Load(); err != nil {
			t.Fatal(err)
		}
		for i := range c.Len() {
			if err := c.Batch(i, &b); err != nil {
				t.Fatal(err)
			}
			if !b.Valid() {
				t.Errorf("batch at %d is not valid", b.Position)
			}
			all = append(all, b.Position)
		}
	}
	return all
}

// However a file is cut into chunks and read, the batches are the same.
func TestScannersAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(0, 20000), rapid.IntRange(0, 700000)), 0, 30).Draw(rt, "sizes")
		raw := makeSegment(t, sizes...)
		tail := rapid.IntRange(0, 40).Draw(rt, "tail")
		raw = append(raw, bytes.Repeat([]byte{0x7f}, tail)...) // a size that reaches past the end
		var want []int64
		for pos := 0; len(want) < len(sizes); {
			want = append(want, int64(pos))
			pos += int(uint32(raw[pos+8])<<24|uint32(raw[pos+9])<<16|uint32(raw[pos+10])<<8|uint32(raw[pos+11])) + decode.LogOverhead
		}
		at := decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{})
		stream := decode.NewStreamScanner(iotest.HalfReader(bytes.NewReader(raw)), decode.ScanOptions{})
		resync := decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{Resync: true})
		for name, s := range map[string]*decode.Scanner{"at": at, "stream": stream, "resync": resync} {
			got := positions(t, s)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				rt.Fatalf("%s: got %v, want %v", name, got, want)
			}
			if s.Err() != nil || s.Tail() != int64(tail) {
				rt.Fatalf("%s: tail %d, want %d, %v", name, s.Tail(), tail, s.Err())
			}
			if s.Position() != int64(len(raw)-tail) {
				rt.Fatalf("%s: position %d, want %d", name, s.Position(), len(raw)-tail)
			}
		}
	})
}

func TestScannerStops(t *testing.T) {
	raw := makeSegment(t, 10, 10, 10)
	third := int64(len(raw) / 3 * 2)
	zeroLength := bytes.Clone(raw)
	copy(zeroLength[third+8:], []byte{0, 0, 0, 13})
	for _, stream := range []bool{false, true} {
		open := func(raw []byte, o decode.ScanOptions) *decode.Scanner {
			if stream {
				return decode.NewStreamScanner(bytes.NewReader(raw), o)
			}
			return decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), o)
		}
		s := open(zeroLength, decode.ScanOptions{File: "f"})
		if got := positions(t, s); len(got) != 2 {
			t.Errorf("stream %v: batches at %v before the damage", stream, got)
		}
		var damage *corrupt.Error
		var fault *decode.Fault
		if !errors.As(s.Err(), &damage) || !errors.As(s.Err(), &fault) {
			t.Fatalf("stream %v: %v", stream, s.Err())
		}
		if damage.File != "f" || damage.Pos != third || fault.Kind != decode.FaultSizeTooSmall || fault.Got != 13 {
			t.Errorf("stream %v: %v", stream, s.Err())
		}
	}
	// A connection that breaks gives what came before, or nothing: never a guess.
	broken := decode.NewStreamScanner(io.MultiReader(bytes.NewReader(raw[:third+5]), iotest.ErrReader(errors.New("cable"))), decode.ScanOptions{File: "f"})
	if got := positions(t, broken); len(got) > 2 || broken.Err() == nil || !strings.Contains(broken.Err().Error(), "cable") {
		t.Errorf("batches at %v, then %v", got, broken.Err())
	}
	// A limit in the middle of a batch hides the batch.
	s := decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{End: third + 30})
	if got := positions(t, s); len(got) != 2 || s.Tail() != 30 {
		t.Errorf("batches at %v, tail %d", got, s.Tail())
	}
	// A file that lost its end between the look and the read is an error, not a hang.
	s = decode.NewScanner(bytes.NewReader(raw[:third]), int64(len(raw)), decode.ScanOptions{File: "f"})
	var c decode.Chunk
	for s.Next(&c) {
		if err := c.Load(); err != nil {
			return
		}
	}
	if s.Err() == nil {
		t.Error("no error for a file that shrank")
	}
}

// A few bytes that claim two gigabytes do not get them.
func TestClaimsAreNotBelieved(t *testing.T) {
	raw := append(makeSegment(t, 3), 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 2, 0, 0, 0)
	runs := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			s := decode.NewStreamScanner(bytes.NewReader(raw), decode.ScanOptions{})
			if got := positions(b, s); len(got) != 1 || s.Tail() != 20 {
				b.Fatalf("batches at %v, tail %d", got, s.Tail())
			}
		}
	})
	if perRun := runs.AllocedBytesPerOp(); perRun > 4<<20 {
		t.Errorf("%d bytes allocated for an input of %d", perRun, len(raw))
	}
}

// collector notes the order in which chunks are done.
type collector struct {
	seen   *[]int64
	fail   int64
	chunks *atomic.Int32
	pos    []int64
}

func (w *collector) Work(c *decode.Chunk, turn *decode.Turn) error {
	w.chunks.Add(1)
	w.pos = w.pos[:0]
	var b decode.Batch
	for i := range c.Len() {
		if err := c.Batch(i, &b); err != nil {
			return err
		}
		w.pos = append(w.pos, b.BaseOffset)
		if i == 0 && b.BaseOffset%3 == 0 && !turn.Wait() {
			return nil
		}
	}
	return nil
}

var errEnough = errors.New("enough")

func (w *collector) Done(_ *decode.Chunk, err error) error {
	if err != nil {
		return err
	}
	for _, p := range w.pos {
		if p == w.fail {
			return errEnough
		}
		*w.seen = append(*w.seen, p)
	}
	return nil
}

func TestProcessKeepsOrder(t *testing.T) {
	sizes := make([]int, 400)
	for i := range sizes {
		sizes[i] = 1 + i*7919%60000
	}
	raw := makeSegment(t, sizes...)
	for _, fail := range []int64{-1, 0, 123} {
		var seen []int64
		var chunks atomic.Int32
		err := decode.Process(t.Context(), decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{}), 4,
			func() decode.Worker { return &collector{seen: &seen, fail: fail, chunks: &chunks} })
		want := int64(len(sizes))
		if fail >= 0 {
			want = fail
			if !errors.Is(err, errEnough) {
				t.Errorf("fail %d: %v", fail, err)
			}
		} else if err != nil {
			t.Error(err)
		}
		if int64(len(seen)) != want {
			t.Errorf("fail %d: %d batches, want %d", fail, len(seen), want)
		}
		for i, p := range seen {
			if p != int64(i) {
				t.Fatalf("fail %d: batch %d is %d", fail, i, p)
			}
		}
		if fail < 0 && chunks.Load() < 4 {
			t.Errorf("%d chunks are no test of the order", chunks.Load())
		}
	}
}
