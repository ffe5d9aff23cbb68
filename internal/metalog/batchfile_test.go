package metalog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// TestBatchesLikeReader reads batches of all sizes, and compares them with what
// decode.Reader gives.
func TestBatchesLikeReader(t *testing.T) {
	const window = 256 << 10
	var data []byte
	base := int64(0)
	for _, size := range []int{1, 100, window - 200, window, 3*window + 7, 5, 1, window - 61, 20, 2 * window, 9} {
		h := decode.NewBatch(base, 3, 1_700_000_000_000)
		var err error
		if data, err = decode.AppendBatch(data, &h, []decode.Record{{Offset: base, Timestamp: h.BaseTimestamp, Value: bytes.Repeat([]byte{byte(base)}, size)}}); err != nil {
			t.Fatal(err)
		}
		base++
	}
	m := vfs.NewMem()
	put(t, m, "/f", data)
	b, err := OpenBatches(m, "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r := decode.NewReaderAt(bytes.NewReader(data), int64(len(data)), "/f")
	for n := int64(0); ; n++ {
		want, err1 := r.Next()
		got, err2 := b.Next()
		if err1 == io.EOF && err2 == io.EOF && n == base {
			break
		}
		if err1 != nil || err2 != nil || got.Position != want.Position || got.BaseOffset != want.BaseOffset || !bytes.Equal(got.Raw, want.Raw) {
			t.Fatalf("batch %d: %v, %v", n, err1, err2)
		}
		if b.chunk.Bytes() > 4*window {
			t.Errorf("%d bytes in memory", b.chunk.Bytes())
		}
	}
}

// TestBatchesBeyondTheEnd: a last batch that is not all there, and one that claims
// more than there can be.
func TestBatchesBeyondTheEnd(t *testing.T) {
	sound := startLog(1)
	claim := func(length uint32, bytes int) []byte {
		d := append(slices.Clone(sound), sound[:bytes]...)
		binary.BigEndian.PutUint32(d[len(sound)+8:], length)
		return d
	}
	for name, c := range map[string]struct {
		data []byte
		torn bool
	}{
		"cut":               {append(slices.Clone(sound), sound[:40]...), true},
		"cut in the size":   {append(slices.Clone(sound), sound[:10]...), true},
		"as much as can be": {claim(maxBatch-decode.LogOverhead, 18), true},
		"more":              {claim(maxBatch-decode.LogOverhead+1, 18), false},
		"much more":         {claim(1<<31-1, 60), false},
	} {
		m := vfs.NewMem()
		put(t, m, "/f", c.data)
		b, err := OpenBatches(m, "/f")
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = b.Next()
		}
		var e *corrupt.Error
		if torn := errors.Is(err, io.ErrUnexpectedEOF); torn != c.torn || errors.As(err, &e) == torn || b.pos != int64(len(sound)) {
			t.Errorf("%s: %v at %d", name, err, b.pos)
		}
		b.Close()
	}
}

// TestBatchesRefuse: what is no batch of the KRaft log is damage with its place.
func TestBatchesRefuse(t *testing.T) {
	sound := startLog(1)
	change := func(at int, b byte) []byte {
		d := bytes.Clone(sound)
		d[at] = b
		return d
	}
	for name, data := range map[string][]byte{
		"magic 1":         change(16, 1),
		"magic 3":         change(16, 3),
		"checksum":        change(60, 9),
		"negative length": change(8, 0x80),
		"small length":    change(11, 13),
		"overflow":        change(0, 0x7f), // base offset near the end of all offsets is fine
	} {
		m := vfs.NewMem()
		put(t, m, "/f", data)
		b, err := OpenBatches(m, "/f")
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Next()
		b.Close()
		var e *corrupt.Error
		if name == "overflow" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.As(err, &e) || e.File != "/f" || e.Pos != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func put(t testing.TB, m vfs.FS, name string, data []byte) {
	t.Helper()
	if err := vfs.WriteFileAtomic(m, name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// startLog is a log of one batch.
func startLog(epoch int32) []byte {
	h := decode.NewBatch(0, epoch, 1_700_000_000_000)
	data, err := decode.AppendBatch(nil, &h, []decode.Record{{Timestamp: h.BaseTimestamp, Value: []byte("some record")}})
	if err != nil {
		panic(err)
	}
	return data
}
