package decode_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"kraftctl/decode"
)

// A packed copy that was cut off is an error, not the end of the segment.
func TestCutStreamIsAnError(t *testing.T) {
	raw := makeSegment(t, 100, 100, 100)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, part := range [][]byte{raw[:len(raw)/3], raw[len(raw)/3:]} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil { // what is behind a flush can be read without what follows
			t.Fatal(err)
		}
	}
	for cut := 20; cut < packed.Len(); cut++ {
		r, err := gzip.NewReader(bytes.NewReader(packed.Bytes()[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		s := decode.NewStreamScanner(r, decode.ScanOptions{File: "f"})
		positions(t, s)
		if !errors.Is(s.Err(), io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d of %d: %v", cut, packed.Len(), s.Err())
		}
	}
}

// idle gives nothing and no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestIdleStreamEnds(t *testing.T) {
	s := decode.NewStreamScanner(idle{}, decode.ScanOptions{})
	if positions(t, s); !errors.Is(s.Err(), io.ErrNoProgress) {
		t.Errorf("got %v", s.Err())
	}
}

// failing reads until a position and fails behind it.
type failing struct {
	io.ReaderAt
	from int64
}

var errDisk = errors.New("disk")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, off)
}

// once notes what Done is told, chunk by chunk.
type once struct {
	worked bool
	told   *[]error
}

func (w *once) Work(*decode.Chunk, *decode.Turn) error { w.worked = true; return nil }
func (w *once) Done(_ *decode.Chunk, err error) error {
	*w.told = append(*w.told, err)
	return err
}

// A chunk that cannot be loaded is told of, and nothing behind it is done.
func TestLoadError(t *testing.T) {
	sizes := make([]int, 100)
	for i := range sizes {
		sizes[i] = 50_000
	}
	raw := makeSegment(t, sizes...)
	for _, workers := range []int{1, 4} {
		var told []error
		s := decode.NewScanner(failing{bytes.NewReader(raw), int64(len(raw)) / 2}, int64(len(raw)), decode.ScanOptions{File: "f"})
		err := decode.Process(t.Context(), s, workers, func() decode.Worker { return &once{told: &told} })
		if !errors.Is(err, errDisk) || len(told) == 0 {
			t.Fatalf("%d workers: %v, %d chunks", workers, err, len(told))
		}
		for _, e := range told[:len(told)-1] {
			if e != nil {
				t.Errorf("%d workers: %v before the last chunk", workers, e)
			}
		}
	}
}

// stopper ends its context with the first chunk.
type stopper struct {
	stop func()
	done *int
}

func (w *stopper) Work(*decode.Chunk, *decode.Turn) error { return nil }
func (w *stopper) Done(*decode.Chunk, error) error {
	w.stop()
	*w.done++
	return nil
}

func TestProcessStops(t *testing.T) {
	sizes := make([]int, 200)
	for i := range sizes {
		sizes[i] = 50_000
	}
	raw := makeSegment(t, sizes...)
	ctx, stop := context.WithCancel(t.Context())
	done := 0
	err := decode.Process(ctx, decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{}), 2,
		func() decode.Worker { return &stopper{stop, &done} })
	if !errors.Is(err, context.Canceled) || done > 4 {
		t.Errorf("%v after %d chunks", err, done)
	}
}

// Many small holes cost what the file costs, not a large read each; and noise
// with believable sizes is not read again and again.
func TestResyncIsLinear(t *testing.T) {
	good := makeSegment(t, 20)
	var raw []byte
	const holes = 20_000
	for range holes {
		raw = append(append(raw, good...), "ten bytes!"...)
	}
	s := decode.NewScanner(counting{bytes.NewReader(raw), new(int64)}, int64(len(raw)), decode.ScanOptions{Resync: true})
	found := 0
	var c decode.Chunk
	for s.Next(&c) {
		found += c.Len()
	}
	if found != holes {
		t.Errorf("found %d of %d batches", found, holes)
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// counting fails once far more was read than there is.
type counting struct {
	r    *bytes.Reader
	read *int64
}

func (c counting) ReadAt(p []byte, off int64) (int, error) {
	*c.read += int64(len(p))
	if limit := c.r.Size() * 200; *c.read > limit {
		return 0, errors.New("read 200 times the size of the file")
	}
	return c.r.ReadAt(p, off)
}

// What a header claims is not allocated while looking for a batch.
func TestFindBatchClaims(t *testing.T) {
	raw := make([]byte, 8<<20)
	for i := 0; i+100 < len(raw); i += 4096 {
		head := makeSegment(t, 10)[:61]
		head[8], head[9] = 0, 0x10 // one megabyte
		copy(raw[i:], head)
	}
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, ok, err := decode.FindBatch(b.Context(), bytes.NewReader(raw[:1<<20]), 0, 1<<20); ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 24<<20 {
		t.Errorf("%d bytes allocated", allocated)
	}
}

func TestRecordsMisuse(t *testing.T) {
	it := decode.NewRecords(0)
	b := decode.NewBatch(0, 0, 0)
	b.Count = 1
	for it.Reset(&b); it.Next(); { // no bytes at all
		t.Error("a record of nothing")
	}
	if it.Err() == nil || !strings.Contains(it.Err().Error(), "shorter than its header") {
		t.Errorf("got %v", it.Err())
	}
	old := decode.Batch{Magic: 1, Size: 30}
	for it.Reset(&old); it.Next(); {
		t.Error("a message of nothing")
	}
	// Rewind works for every magic, and an empty batch has no bytes left over.
	for _, magic := range []int8{0, 1, 2} {
		h := decode.NewBatch(5, 0, 0)
		h.Magic = magic
		raw, err := decode.AppendBatch(nil, &h, []decode.Record{{Offset: 5, Value: []byte("v")}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := decode.ParseBatch(raw, 0)
		if err != nil {
			t.Fatal(err)
		}
		it.Reset(&b)
		for range 2 {
			n := 0
			for it.Next() {
				n++
			}
			if n != 1 || it.Err() != nil {
				t.Errorf("magic %d: %d records, %v", magic, n, it.Err())
			}
			it.Rewind()
		}
	}
	empty, err := decode.ParseBatch(unhex(t, vectors[2].hex), 0)
	if err != nil {
		t.Fatal(err)
	}
	if it.Reset(&empty); len(it.Plain()) != 0 {
		t.Errorf("bytes of another batch: %x", it.Plain())
	}
}

// The last offset of a batch covers its records, whatever the header said.
func TestAppendRaisesLastOffset(t *testing.T) {
	b := decode.Batch{Magic: 2, BaseOffset: 10}
	raw, err := decode.AppendBatch(nil, &b, []decode.Record{{Offset: 10}, {Offset: 11}, {Offset: 14}})
	if err != nil {
		t.Fatal(err)
	}
	if read, err := decode.ParseBatch(raw, 0); err != nil || read.LastOffset() != 14 {
		t.Errorf("last offset %d, %v", read.LastOffset(), err)
	}
}

// Headers of two bytes each take 24 times their size in memory: they are
// counted against the limit of a batch.
func TestHeaderMemoryIsLimited(t *testing.T) {
	const headers = 100_000
	b := decode.NewBatch(0, 0, 0)
	r := decode.Record{Headers: make([]decode.Header, headers)}
	for i := range r.Headers {
		r.Headers[i].Key = []byte{}
	}
	raw, err := decode.AppendBatch(nil, &b, []decode.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := decode.ParseBatch(raw, 0)
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]int{1 << 20: 0, 1 << 24: 1} {
		it := decode.NewRecords(limit)
		n := 0
		for it.Reset(&parsed); it.Next(); {
			n++
		}
		var fault *decode.Fault
		if n != want || errors.As(it.Err(), &fault) != (want == 0) {
			t.Errorf("limit %d: %d records, %v", limit, n, it.Err())
		}
	}
}
