package compress

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// text repeats the text of testdata/Vectors.java.
func text(size int) []byte {
	if size == 36 {
		return []byte(strings.Repeat("a", 30) + "-hello")
	}
	var b []byte
	x := int64(42)
	for i := 0; len(b) < size; i++ {
		x = (x*1103515245 + 12345) & 0x7fffffff
		b = fmt.Appendf(b, "line %d value %d of the text\n", i, x)
	}
	return b[:size]
}

// vector is a stream that Kafka wrote, and what it stands for.
type vector struct {
	name  string
	codec Codec
	magic int8
	src   []byte
	want  []byte
}

func vectors(t testing.TB) []vector {
	t.Helper()
	var vs []vector
	names, err := filepath.Glob("testdata/*.m[012]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		name := filepath.Base(file)
		if strings.HasSuffix(name, ".records") {
			continue
		}
		p := strings.Split(name, ".")
		codec, err := ParseCodec(p[1])
		if err != nil {
			t.Fatal(err)
		}
		v := vector{name: name, codec: codec, magic: int8(p[2][1] - '0')}
		if v.src, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		if size, ok := strings.CutPrefix(p[0], "text-"); ok {
			n, err := strconv.Atoi(size)
			if err != nil {
				t.Fatal(err)
			}
			v.want = text(n)
		} else if v.want, err = os.ReadFile(strings.TrimSuffix(file, "payload") + "records"); err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	if len(vs) < 30 {
		t.Fatalf("%d vectors in testdata, want at least 30", len(vs))
	}
	return vs
}

func TestKafkaVectors(t *testing.T) {
	var d Decoder
	defer d.Close()
	for _, v := range vectors(t) {
		for _, room := range []int{0, 1, len(v.want), len(v.want) + 300000} {
			dst := append(make([]byte, 0, 3+room), "abc"...)
			got, err := d.Decompress(dst, v.codec, v.magic, v.src, 0)
			if err != nil {
				t.Fatalf("%s, capacity %d: %v", v.name, room, err)
			}
			if !bytes.Equal(got, append([]byte("abc"), v.want...)) {
				t.Fatalf("%s, capacity %d: %d bytes differ from the %d wanted", v.name, room, len(got)-3, len(v.want))
			}
		}
		// The limit is exact: the output's length is enough, one less is not.
		if _, err := d.Decompress(nil, v.codec, v.magic, v.src, int64(max(1, len(v.want)))); err != nil {
			t.Errorf("%s, limit %d: %v", v.name, len(v.want), err)
		}
		for _, limit := range []int{len(v.want) - 1, len(v.want) / 2, 1} {
			if limit < 1 || limit >= len(v.want) {
				continue
			}
			got, err := d.Decompress(nil, v.codec, v.magic, v.src, int64(limit))
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s, limit %d: %v, want ErrTooLarge", v.name, limit, err)
			}
			if len(got) > limit || !bytes.HasPrefix(v.want, got) {
				t.Errorf("%s, limit %d: %d bytes, want a prefix within the limit", v.name, limit, len(got))
			}
		}
	}
}

// TestMeasuredFrames has the frames of the 36 byte text that were measured
// with several releases; readers must accept them all, writers may differ.
func TestMeasuredFrames(t *testing.T) {
	want := text(36)
	for _, c := range []struct {
		codec  Codec
		magics []int8
		hex    string
	}{
		{Snappy, []int8{0, 1, 2}, "82534e4150505900 00000001 00000001 0000000d 240061720100142d68656c6c6f"},
		{LZ4, []int8{0, 1, 2}, "04224d18 60 40 82 0c000000 1f6101000a602d68656c6c6f 00000000"},
		{LZ4, []int8{0}, "04224d18 60 40 1a 0c000000 1f6101000a602d68656c6c6f 00000000"},
		{Gzip, []int8{0, 1, 2}, "1f8b08000000000000ff4b4cc4077433527372f201ea83506424000000"},
		{Gzip, []int8{2}, "1f8b08000000000000004b4cc4077433527372f201ea83506424000000"},
		{Snappy, []int8{2}, "240061720100142d68656c6c6f"}, // no xerial header: one raw block
	} {
		src := unhex(c.hex)
		for _, magic := range c.magics {
			var d Decoder
			got, err := d.Decompress(nil, c.codec, magic, src, 0)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s magic %d: %q, %v", c.codec, magic, got, err)
			}
		}
	}
}

func TestWrittenHeaders(t *testing.T) {
	var e Encoder
	for _, c := range []struct {
		codec Codec
		magic int8
		hex   string
	}{
		{Gzip, 2, "1f8b08000000000000ff"},
		{Snappy, 2, "82534e41505059000000000100000001"},
		{LZ4, 0, "04224d1860401a"},
		{LZ4, 1, "04224d18604082"},
		{LZ4, 2, "04224d18604082"},
		{Zstd, 2, "28b52ffd"},
	} {
		got, err := e.Compress([]byte("x"), c.codec, c.magic, DefaultLevel, text(100))
		if err != nil || !bytes.HasPrefix(got[1:], unhex(c.hex)) {
			t.Errorf("%s magic %d: %x, %v", c.codec, c.magic, got, err)
		}
	}
	// What does not shrink is stored.
	got, err := e.Compress(nil, LZ4, 2, DefaultLevel, []byte{1, 2, 3})
	if want := unhex("04224d18604082 03000080 010203 00000000"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("stored block: %x, %v, want %x", got, err, want)
	}
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}
