package index

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"sort"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// drawOffsets draws a sound .index file: entries and the padding behind them.
func drawOffsets(t *rapid.T) (base int64, list []OffsetEntry, data []byte) {
	base = rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64Range(0, math.MaxInt64-math.MaxInt32)).Draw(t, "base")
	rel, pos := int64(0), int32(0)
	for range rapid.IntRange(0, 50).Draw(t, "n") {
		rel += rapid.Int64Range(1, 100).Draw(t, "step")
		pos += rapid.Int32Range(1, 10000).Draw(t, "bytes")
		list = append(list, OffsetEntry{base + rel, pos})
	}
	for _, e := range list {
		var err error
		if data, err = AppendOffsetEntry(data, base, e); err != nil {
			t.Fatal(err)
		}
	}
	padding := rapid.SampledFrom([]int{0, 1, 8000 / OffsetEntrySize, 100000 / OffsetEntrySize}).Draw(t, "padding")
	return base, list, append(data, make([]byte, padding*OffsetEntrySize)...)
}

func TestOffsetIndexProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, list, data := drawOffsets(t)
		x, err := OpenOffsetIndex(bytes.NewReader(data), int64(len(data)), base, "F")
		if err != nil {
			t.Fatal(err)
		}
		if x.Used() != int64(len(list)) || x.Len() != int64(len(data)/OffsetEntrySize) || x.Padded() != (x.Len() > x.Used()) || x.Base() != base {
			t.Fatalf("%d of %d used, want %d", x.Used(), x.Len(), len(list))
		}
		if err := errors.Join(x.Verify(), x.SanityCheck()); err != nil {
			t.Fatal(err)
		}
		got, err := collect(x.Entries().Next)
		if err != nil || !slices.Equal(got, list) {
			t.Fatalf("got %v, %v; want %v", got, err, list)
		}
		target := base + rapid.Int64Range(-5, 5000).Draw(t, "target")
		want := OffsetEntry{Offset: base}
		if i := sort.Search(len(list), func(i int) bool { return list[i].Offset > target }); i > 0 {
			want = list[i-1]
		}
		if e, err := x.Lookup(target); err != nil || e != want {
			t.Fatalf("lookup of %d: %v, %v; want %v", target, e, err, want)
		}
		if _, err := x.Entry(x.Len()); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if _, err := x.Entry(-1); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
}

func TestTimeIndexProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64Range(0, 1000).Draw(t, "base")
		var list []TimeEntry
		var data []byte
		e := TimeEntry{rapid.Int64Range(0, 1<<41).Draw(t, "start"), base}
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			e.Timestamp += rapid.Int64Range(1, 100).Draw(t, "step")
			e.Offset += rapid.Int64Range(0, 100).Draw(t, "records")
			list = append(list, e)
			var err error
			if data, err = AppendTimeEntry(data, base, e); err != nil {
				t.Fatal(err)
			}
		}
		data = append(data, make([]byte, TimeEntrySize*rapid.SampledFrom([]int{0, 1, 5000}).Draw(t, "padding"))...)
		x, err := OpenTimeIndex(bytes.NewReader(data), int64(len(data)), base, "F")
		if err != nil {
			t.Fatal(err)
		}
		if x.Used() != int64(len(list)) || x.Padded() != (len(data) > TimeEntrySize*len(list)) || x.Base() != base {
			t.Fatalf("%d of %d used, want %d", x.Used(), x.Len(), len(list))
		}
		if err := x.Verify(); err != nil {
			t.Fatal(err)
		}
		got, err := collect(x.Entries().Next)
		if err != nil || !slices.Equal(got, list) {
			t.Fatalf("got %v, %v; want %v", got, err, list)
		}
		target := e.Timestamp + rapid.Int64Range(-5000, 50).Draw(t, "target")
		want := TimeEntry{NoTimestamp, base}
		if i := sort.Search(len(list), func(i int) bool { return list[i].Timestamp > target }); i > 0 {
			want = list[i-1]
		}
		if e, err := x.Lookup(target); err != nil || e != want {
			t.Fatalf("lookup of %d: %v, %v; want %v", target, e, err, want)
		}
	})
}

// TestStreamingReaders: how the bytes arrive makes no difference.
func TestStreamingReaders(t *testing.T) {
	base, n := int64(100), 20000 // more than a chunk
	var data []byte
	for i := range n {
		data, _ = AppendOffsetEntry(data, base, OffsetEntry{base + int64(i), int32(i)})
	}
	for name, r := range map[string]io.Reader{
		"plain": bytes.NewReader(data), "one byte": iotest.OneByteReader(bytes.NewReader(data)),
		"half": iotest.HalfReader(bytes.NewReader(data)), "data and EOF": iotest.DataErrReader(bytes.NewReader(data)),
	} {
		list, err := collect(NewOffsetReader(r, base, "F").Next)
		if err != nil || len(list) != n || list[n-1] != (OffsetEntry{base + int64(n) - 1, int32(n) - 1}) {
			t.Errorf("%s: %d entries, %v", name, len(list), err)
		}
	}
	snapshot := AppendProducerSnapshot(nil, make([]ProducerState, 100))
	list, err := collect(NewProducerReader(iotest.OneByteReader(bytes.NewReader(snapshot)), -1, "F").Next)
	if err != nil || len(list) != 100 {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

// TestPreallocatedIndex: 10 MiB of zeros, as at the start of each KRaft segment,
// cost no memory; see BenchmarkOpenPreallocated for the time.
func TestPreallocatedIndex(t *testing.T) {
	data := make([]byte, 10<<20)
	copy(data, readFile(t, "testdata/4.4.0/u-txn-0/00000000000000000007.index"))
	r := bytes.NewReader(data)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := OpenOffsetIndex(r, int64(len(data)), 7, "F")
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Lookup(1 << 40)
	runtime.ReadMemStats(&after)
	if x.Used() != 4 || e != (OffsetEntry{51, 2291}) || err != nil {
		t.Errorf("%d entries used, the last one %v, %v", x.Used(), e, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4*chunk {
		t.Errorf("%d bytes allocated", n)
	}
}

// BenchmarkOpenPreallocated is the time that the padding of a new segment costs.
func BenchmarkOpenPreallocated(b *testing.B) {
	r := bytes.NewReader(make([]byte, 10<<20))
	b.SetBytes(r.Size())
	for b.Loop() {
		if _, err := OpenOffsetIndex(r, r.Size(), 0, "F"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOffsetReader is the time per .index file of 10 MiB.
func BenchmarkOffsetReader(b *testing.B) {
	data := make([]byte, 10<<20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewOffsetReader(bytes.NewReader(data), 0, "F")
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}

func TestOffsetRange(t *testing.T) {
	for _, c := range []struct {
		base, offset int64
		ok           bool
	}{
		{0, 0, true}, {0, math.MaxInt32, true}, {0, math.MaxInt32 + 1, false}, {1, 0, false},
		{math.MinInt64, math.MaxInt64, false}, {math.MaxInt64, math.MinInt64, false}, {math.MaxInt64 - 5, math.MaxInt64, true},
	} {
		_, err := AppendOffsetEntry(nil, c.base, OffsetEntry{Offset: c.offset})
		_, err2 := AppendTimeEntry(nil, c.base, TimeEntry{Offset: c.offset})
		if (err == nil) != c.ok || (err2 == nil) != c.ok || !c.ok && !errors.Is(err, ErrOffsetRange) {
			t.Errorf("%d from %d: %v, %v", c.offset, c.base, err, err2)
		}
	}
}

func TestRoundTrips(t *testing.T) {
	states := rapid.SliceOf(rapid.Make[ProducerState]())
	txns := rapid.SliceOf(rapid.Make[AbortedTxn]())
	epochs := rapid.SliceOf(rapid.Make[EpochEntry]())
	offsets := rapid.SliceOf(rapid.Custom(func(t *rapid.T) PartitionOffset {
		return PartitionOffset{rapid.StringMatching(`[a-zA-Z0-9._-]{1,40}`).Draw(t, "topic"), rapid.Int32().Draw(t, "partition"), rapid.Int64().Draw(t, "offset")}
	}))
	rapid.Check(t, func(t *rapid.T) {
		s := states.Draw(t, "states")
		if got, err := ParseProducerSnapshot(AppendProducerSnapshot(nil, s), "F"); err != nil || !slices.Equal(got, s) {
			t.Fatalf("%v became %v, %v", s, got, err)
		}
		a := txns.Draw(t, "txns")
		var data []byte
		for _, e := range a {
			data = AppendAbortedTxn(data, e)
		}
		if got, err := txnEntries(data); err != nil || !slices.Equal(got, a) {
			t.Fatalf("%v became %v, %v", a, got, err)
		}
		e := epochs.Draw(t, "epochs")
		if got, err := ParseEpochCheckpoint(AppendEpochCheckpoint(nil, e), "F"); err != nil || !slices.Equal(got, e) {
			t.Fatalf("%v became %v, %v", e, got, err)
		}
		o := offsets.Draw(t, "offsets")
		if got, err := ParseOffsetCheckpoint(AppendOffsetCheckpoint(nil, o), "F"); err != nil || !slices.Equal(got, o) {
			t.Fatalf("%v became %v, %v", o, got, err)
		}
		d := DirName{
			Topic:     rapid.StringMatching(`[a-zA-Z0-9._-]{1,180}`).Draw(t, "topic"),
			Partition: rapid.Int32Range(0, math.MaxInt32).Draw(t, "partition"),
			State:     rapid.SampledFrom([]DirState{DirLive, DirDelete, DirFuture, DirStray}).Draw(t, "state"),
		}
		if d.State != DirLive {
			d.Unique = rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "unique")
		}
		if got, err := ParseDirName(d.String()); err != nil || got != d {
			t.Fatalf("%v became %v, %v", d, got, err)
		}
	})
}

func TestOverlaps(t *testing.T) {
	a := AbortedTxn{FirstOffset: 10, LastOffset: 20}
	for _, c := range []struct {
		from, upTo int64
		want       bool
	}{{0, 10, false}, {0, 11, true}, {20, 30, true}, {21, 30, false}, {12, 13, true}} {
		if got := a.Overlaps(c.from, c.upTo); got != c.want {
			t.Errorf("%d to %d: %v", c.from, c.upTo, got)
		}
	}
}

func TestFirstSequenceWraps(t *testing.T) {
	for _, c := range []struct{ last, delta, want int32 }{{5, 5, 0}, {5, 6, math.MaxInt32}, {0, 2, math.MaxInt32 - 1}} {
		if got := (ProducerState{LastSequence: c.last, OffsetDelta: c.delta}).FirstSequence(); got != c.want {
			t.Errorf("%d-%d: %d, want %d", c.last, c.delta, got, c.want)
		}
	}
	if got := (ProducerState{LastSequence: -1, LastOffset: -1}).FirstSequence(); got != -1 {
		t.Errorf("without a batch: %d", got)
	}
}
