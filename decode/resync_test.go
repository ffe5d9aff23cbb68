package decode_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
)

// resyncAll gives the base offsets that resync finds and the ranges that it skips.
func resyncAll(t testing.TB, raw []byte) (offsets []int64, skipped [][2]int64, tail int64) {
	t.Helper()
	s := decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{File: "f", Resync: true})
	var c decode.Chunk
	var b decode.Batch
	for s.Next(&c) {
		if c.Skipped[1] > 0 {
			skipped = append(skipped, c.Skipped)
			if c.Reason == nil {
				t.Error("skipped without a reason")
			}
		}
		for i := range c.Len() {
			if err := c.Batch(i, &b); err != nil {
				t.Fatal(err)
			}
			offsets = append(offsets, b.BaseOffset)
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return offsets, skipped, s.Tail()
}

func TestResync(t *testing.T) {
	raw := makeSegment(t, 100, 100, 100, 100)
	size := len(raw) / 4
	edit := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(raw)) }
	for _, c := range []struct {
		name    string
		raw     []byte
		offsets []int64
		skipped [][2]int64
		tail    int64
	}{
		{"sound", raw, []int64{0, 1, 2, 3}, nil, 0},
		{"zero length", edit(func(b []byte) []byte { copy(b[size+8:], []byte{0, 0, 0, 0}); return b }), []int64{0, 2, 3}, [][2]int64{{int64(size), int64(2 * size)}}, 0},
		{"length past the end", edit(func(b []byte) []byte { b[size+8] = 0x7f; return b }), []int64{0, 2, 3}, [][2]int64{{int64(size), int64(2 * size)}}, 0},
		{"bytes missing", append(bytes.Clone(raw[:size+20]), raw[size+33:]...), []int64{0, 2, 3}, [][2]int64{{int64(size), int64(2*size - 13)}}, 0},
		{"bytes put in", append(append(bytes.Clone(raw[:2*size]), 1, 2, 3), raw[2*size:]...), []int64{0, 1, 2, 3}, [][2]int64{{int64(2 * size), int64(2*size + 3)}}, 0},
		{"damage inside keeps the batch", edit(func(b []byte) []byte { b[size+70] ^= 1; return b }), []int64{0, 1, 2, 3}, nil, 0},
		{"garbage before", append([]byte("garbage"), raw...), []int64{0, 1, 2, 3}, [][2]int64{{0, 7}}, 0},
		{"only garbage", bytes.Repeat([]byte("garbage"), 50), nil, nil, 350},
		{"torn tail", raw[:len(raw)-1], []int64{0, 1, 2}, nil, int64(size - 1)},
		{"empty", nil, nil, nil, 0},
	} {
		offsets, skipped, tail := resyncAll(t, c.raw)
		if !equal(offsets, c.offsets) || !equal(skipped, c.skipped) || tail != c.tail {
			t.Errorf("%s: offsets %v skipped %v tail %d, want %v %v %d", c.name, offsets, skipped, tail, c.offsets, c.skipped, c.tail)
		}
	}
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Whatever happens to one stretch of a file, batches that it does not touch are
// found again, and nothing that is found is made up.
func TestResyncFindsWhatIsLeft(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 12).Draw(rt, "sizes")
		raw := makeSegment(t, sizes...)
		sound, err := readBatches(raw)
		if err != nil {
			rt.Fatal(err)
		}
		from := rapid.IntRange(0, len(raw)-1).Draw(rt, "from")
		to := rapid.IntRange(from+1, min(len(raw), from+200)).Draw(rt, "to")
		noise := rapid.SliceOfN(rapid.Byte(), 0, 220).Draw(rt, "noise")
		damaged := append(append(bytes.Clone(raw[:from]), noise...), raw[to:]...)
		offsets, _, _ := resyncAll(t, damaged)
		found := map[int64]bool{}
		for _, o := range offsets {
			found[o] = true
		}
		borrowed := false
		for _, b := range sound {
			touched := b.Position < int64(to) && b.Position+int64(b.Size) > int64(from)
			if touched {
				// It can come out whole with a first byte of the next batch that
				// happens to be right, which is then missing there.
				borrowed = found[b.BaseOffset]
				continue
			}
			if !found[b.BaseOffset] && !borrowed {
				rt.Fatalf("batch %d at %d is lost though only %d..%d was damaged; found %v", b.BaseOffset, b.Position, from, to, offsets)
			}
			borrowed = false
		}
	})
}

// TestResyncCutOfWholeBatches: a batch that lost as many bytes as the batches behind it
// have ends where they end. They are found all the same, but what a value holds is not.
func TestResyncCutOfWholeBatches(t *testing.T) {
	raw := makeSegment(t, 3000, 4, 7)
	sound, err := readBatches(raw)
	if err != nil {
		t.Fatal(err)
	}
	first := sound[1].Position
	for _, lost := range []int64{int64(sound[1].Size), int64(sound[1].Size + sound[2].Size)} {
		cut := append(bytes.Clone(raw[:12]), raw[12+lost:]...)
		offsets, skipped, _ := resyncAll(t, cut)
		if !equal(offsets, []int64{1, 2}) || !equal(skipped, [][2]int64{{0, first - lost}}) {
			t.Errorf("%d bytes lost: offsets %v, skipped %v", lost, offsets, skipped)
		}
	}
	within := bytes.Clone(raw)
	copy(within[500:], raw[first:])
	if offsets, skipped, _ := resyncAll(t, within); !equal(offsets, []int64{0, 1, 2}) || len(skipped) > 0 {
		t.Errorf("batches in a value: offsets %v, skipped %v", offsets, skipped)
	}
}

func TestFindBatchAcrossReads(t *testing.T) {
	good := makeSegment(t, 50)
	for _, before := range []int{0, 1, 1<<20 - 30, 1 << 20, 1<<20 + 1, 3 << 20} {
		raw := append(make([]byte, before), good...)
		pos, ok, err := decode.FindBatch(context.Background(), bytes.NewReader(raw), 0, int64(len(raw)))
		if err != nil || !ok || pos != int64(before) {
			t.Errorf("behind %d bytes: found at %d, %v, %v", before, pos, ok, err)
		}
	}
}

func TestOnlyZeros(t *testing.T) {
	const step = 64 << 10 // what is read at once
	data := make([]byte, 3*step)
	data[0], data[2*step] = 1, 1
	for _, c := range []struct {
		from, to int64
		want     bool
		err      error
	}{
		{0, 1, false, nil},
		{1, 2 * step, true, nil},
		{1, 2*step + 1, false, nil},
		{2*step + 1, 3 * step, true, nil},
		{2*step + 1, 3*step + 1, false, io.ErrUnexpectedEOF},
		{5, 5, true, nil},
		{5, 4, true, nil},
	} {
		if got, err := decode.OnlyZeros(t.Context(), bytes.NewReader(data), c.from, c.to); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%d to %d: %v, %v", c.from, c.to, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if zeros, err := decode.OnlyZeros(ctx, bytes.NewReader(data), 1, 9); zeros || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v, %v", zeros, err)
	}
}
