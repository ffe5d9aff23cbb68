package nodeinfo

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// TestBatchesLikeReader reads batches around the size of the window, and
// compares them with what decode.Reader gives.
func TestBatchesLikeReader(t *testing.T) {
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
	b, err := openBatches(m, "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	r := decode.NewReaderAt(bytes.NewReader(data), int64(len(data)), "/f")
	for n := int64(0); ; n++ {
		want, err1 := r.Next()
		got, err2 := b.next()
		if err1 == io.EOF && err2 == io.EOF && n == base {
			break
		}
		if err1 != nil || err2 != nil || got.Position != want.Position || got.BaseOffset != want.BaseOffset || !bytes.Equal(got.Raw, want.Raw) {
			t.Fatalf("batch %d: %v, %v", n, err1, err2)
		}
	}
	if cap(b.buf) > 4*window {
		t.Errorf("a buffer of %d bytes", cap(b.buf))
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
		b, err := openBatches(m, "/f")
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.next()
		b.close()
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
