package compress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/OneOfOne/xxhash"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// input draws bytes of several characters: random, repetitive, long.
func input(t *rapid.T) []byte {
	b := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes")
	return bytes.Repeat(b, rapid.SampledFrom([]int{1, 1, 2, 50, 1000}).Draw(t, "times"))
}

func TestRoundTrip(t *testing.T) {
	var d Decoder
	var e Encoder
	rapid.Check(t, func(t *rapid.T) {
		magic := int8(rapid.IntRange(0, 2).Draw(t, "magic"))
		codec := Codec(rapid.IntRange(0, 4).Draw(t, "codec"))
		level := rapid.IntRange(0, 9).Draw(t, "level")
		src := input(t)
		z, err := e.Compress([]byte("head"), codec, magic, level, src)
		if codec == Zstd && magic < 2 {
			if err == nil {
				t.Fatal("zstd was written for an old magic")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, 0, rapid.IntRange(0, 2*len(src)+10).Draw(t, "cap"))
		got, err := d.Decompress(dst, codec, magic, z[4:], int64(len(src))+int64(rapid.IntRange(1, 9).Draw(t, "over")))
		if err != nil || !bytes.Equal(got, src) {
			t.Fatalf("%d bytes, %v, want %d", len(got), err, len(src))
		}
	})
}

// TestTruncation cuts each vector at each byte. What comes out is a prefix, and
// a cut is noticed unless the format cannot tell.
func TestTruncation(t *testing.T) {
	var d Decoder
	for _, v := range vectors(t) {
		if len(v.src) > 4000 {
			continue
		}
		for n := 0; n < len(v.src); n++ {
			got, err := d.Decompress(nil, v.codec, v.magic, v.src[:n], 0)
			if !bytes.HasPrefix(v.want, got) && !(v.codec == Snappy && n < xerialHeader) {
				t.Fatalf("%s cut to %d: not a prefix", v.name, n)
			}
			var e *Error
			switch {
			case err == nil && v.codec == Snappy && n >= xerialHeader: // may end at chunk bounds
			case err == nil && v.codec == Zstd && n == 0: // no frame at all: Kafka reads that as empty
			case !errors.As(err, &e):
				t.Fatalf("%s cut to %d: %v, want an *Error", v.name, n, err)
			case e.Pos < 0 || e.Pos > n || e.Delivered < 0 || e.Delivered > len(got):
				t.Fatalf("%s cut to %d: %+v with %d bytes", v.name, n, e, len(got))
			}
		}
	}
}

// TestBitFlips flips each bit of the smaller vectors: no panic, no runaway, and
// typed errors.
func TestBitFlips(t *testing.T) {
	var d Decoder
	for _, v := range vectors(t) {
		if len(v.src) > 1400 {
			continue
		}
		src := bytes.Clone(v.src)
		for i := range src {
			for bit := 0; bit < 8; bit++ {
				src[i] ^= 1 << bit
				got, err := d.Decompress(nil, v.codec, v.magic, src, 1<<20)
				var e *Error
				if err != nil && !errors.As(err, &e) {
					t.Fatalf("%s bit %d of byte %d: %v", v.name, bit, i, err)
				}
				if e != nil && (e.Pos < 0 || e.Pos > len(src) || e.Delivered < 0 || e.Delivered > len(got) || e.Codec != v.codec) {
					t.Fatalf("%s bit %d of byte %d: %+v", v.name, bit, i, e)
				}
				if len(got) > 1<<20 {
					t.Fatalf("%s bit %d of byte %d: %d bytes", v.name, bit, i, len(got))
				}
				src[i] ^= 1 << bit
			}
		}
	}
}

func TestKafkasWords(t *testing.T) {
	var e Encoder
	good, _ := e.Compress(nil, LZ4, 2, 0, text(1000))
	with := func(pos int, b ...byte) []byte { c := bytes.Clone(good); copy(c[pos:], b); return c }
	blockSum := []byte{0x04, 0x22, 0x4d, 0x18, 0x70, 0x40}
	blockSum = append(blockSum, byte(xxhash.Checksum32(blockSum[4:])>>8), 1, 0, 0, 0x80, 'x', 1, 2, 3, 4, 0, 0, 0, 0)
	for _, c := range []struct {
		codec Codec
		magic int8
		src   []byte
		want  string
	}{
		{LZ4, 2, with(0, 0), "lz4 stream, byte 0: Stream unsupported (invalid magic bytes): want 04224d18, found 00224d18"},
		{LZ4, 2, with(4, 0x61), "lz4 stream, byte 4: Reserved bits must be 0: FLG is 61"},
		{LZ4, 2, with(4, 0x40), "lz4 stream, byte 4: Dependent block stream is unsupported: FLG is 40"},
		{LZ4, 2, with(4, 0xa0), "lz4 stream, byte 4: Version 2 is unsupported: FLG is a0"},
		{LZ4, 2, with(5, 0x41), "lz4 stream, byte 5: Reserved2 field must be 0: BD is 41"},
		{LZ4, 2, with(5, 0x30), "lz4 stream, byte 5: Block size value must be between 4 and 7: BD is 30"},
		{LZ4, 2, with(5, 0xc0), "lz4 stream, byte 5: Reserved3 field must be 0: BD is c0"},
		{LZ4, 2, with(6, 0x1a), "lz4 stream, byte 6: Stream frame descriptor corrupted: want 82, found 1a"},
		{LZ4, 0, with(6, 0x55), ""},
		{LZ4, 2, with(7, 1, 0, 1, 0), "lz4 stream, byte 7: Block size 65537 exceeded max: 65536: block size word is 00010001"},
		{LZ4, 2, good[:5], "lz4 stream, byte 5: Stream ended prematurely: want a header of 7 bytes, found 5: unexpected EOF"},
		{LZ4, 2, good[:len(good)-4], "Stream ended prematurely: want a block size of 4 bytes, found 0: unexpected EOF"},
		{LZ4, 2, blockSum, "lz4 stream, byte 12: Block checksum mismatch: want "},
		{LZ4, 2, append(bytes.Clone(good), "ignored"...), ""},
		{Snappy, 2, nil, "Cannot decompress empty stream"},
		{Snappy, 2, unhex("82534e4150505900 00000001 00000001 ffffffff"), "chunkSize is too big or negative : -1"},
		{Snappy, 2, unhex("82534e4150505900 00000001 00000001 00000009 00"), "failed to read chunk: want 9 bytes, found 1"},
		{Snappy, 2, unhex("82534e4150505900 00000001 00000001 00000002 ff01"), "it claims 255 bytes, its 0 bytes decode to 0 at most"},
		{Snappy, 2, unhex("82534e4150505900 00000001 00000001 82534e41"), "Insufficient header size in a concatenated block"},
		{Snappy, 2, unhex("82534e4150505900 00000001 00000001 82534e4150505900 00000000 00000001"), "Compressed with an incompatible codec version 0. At least version 1 is required"},
		{Snappy, 2, unhex("05 00 61 01 00"), "snappy stream, byte 3: invalid snappy block: copy of 4 bytes from 0 back"}, // s2 would repeat here
		{Gzip, 2, unhex("1f8c08000000000000ff"), "gzip stream, byte 0: Not in GZIP format: want 1f8b, found 1f8c"},
		{Gzip, 2, unhex("1f8b07000000000000ff"), "Unsupported compression method: want 8, found 7"},
		{Gzip, 2, unhex("1f8b08000000000000ff4b4cc4077433527372f201ea83506524000000"), "Corrupt GZIP trailer: crc32: the data has 645083ea, the trailer says 655083ea"},
		{Zstd, 2, unhex("28b52ffe0000"), "zstd stream, byte 0: Unknown frame descriptor: want 28b52ffd, found 28b52ffe"},
		{Zstd, 2, unhex("28b52ffd 20 09 210000 78787878"), "content size 9, but the blocks decode to 4 bytes at most"},
		{Zstd, 2, unhex("28b52ffd 20 00 210000 78787878"), "Data corruption detected: frame of 13 bytes: frame size exceeded"},
		{Zstd, 2, unhex("28b52ffd"), "Truncated source: frame header: want 2 bytes, found 0"},
		{Codec(6), 2, nil, "unknown(6) stream, byte 0: Unknown compression type id: 6"},
	} {
		var d Decoder
		_, err := d.Decompress(nil, c.codec, c.magic, c.src, 0)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %x\n got %v\nwant %s", c.codec, c.src[:min(len(c.src), 40)], err, c.want)
		}
	}
}

func TestConcatenated(t *testing.T) {
	var d Decoder
	var e Encoder
	a, b := text(3000), text(70000)
	for _, codec := range []Codec{Gzip, Snappy, Zstd} {
		z, err := e.Compress(nil, codec, 2, 0, a)
		if err == nil {
			z, err = e.Compress(z, codec, 2, 0, b)
		}
		if err != nil {
			t.Fatal(err)
		}
		if codec == Zstd { // and a skippable frame
			z = append(z, 0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'h', 'i')
		}
		got, err := d.Decompress(nil, codec, 2, z, 0)
		if err != nil || !bytes.Equal(got, append(bytes.Clone(a), b...)) {
			t.Errorf("%s: %d bytes, %v", codec, len(got), err)
		}
	}
	// Java ignores what follows a gzip member and is not one.
	z, _ := e.Compress(nil, Gzip, 2, 0, a)
	for _, tail := range []string{"x", strings.Repeat("rubbish ", 20), "\x1f\x8b\x08"} {
		if got, err := d.Decompress(nil, Gzip, 2, append(bytes.Clone(z), tail...), 0); err != nil || !bytes.Equal(got, a) {
			t.Errorf("gzip with tail %q: %d bytes, %v", tail, len(got), err)
		}
	}
}

func TestZstdOddFrames(t *testing.T) {
	want := text(300000)
	for name, opts := range map[string][]zstd.EOption{
		"checksum": {zstd.WithEncoderCRC(true)},
		"single":   {zstd.WithSingleSegment(true)},
		"best":     {zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(1 << 20)},
	} {
		var buf bytes.Buffer
		enc, _ := zstd.NewWriter(&buf, opts...)
		_, _ = enc.Write(want) // streamed: no content size
		_ = enc.Close()
		for _, src := range [][]byte{buf.Bytes(), enc.EncodeAll(want, nil)} {
			var d Decoder
			got, err := d.Decompress(nil, Zstd, 2, src, 0)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			src[len(src)-1] ^= 1
			got, err = d.Decompress(nil, Zstd, 2, src, 0)
			if name == "checksum" && err == nil || len(got) > len(want) {
				t.Errorf("%s: damage at the end went unnoticed", name)
			}
		}
	}
}

// TestPartial: the good blocks before the damage come out.
func TestPartial(t *testing.T) {
	var d Decoder
	var e Encoder
	want := text(1 << 20)
	for _, codec := range []Codec{Gzip, Snappy, LZ4, Zstd} {
		z, _ := e.Compress(nil, codec, 2, 0, want)
		z = z[:len(z)*3/4]
		got, err := d.Decompress(nil, codec, 2, z, 0)
		var ce *Error
		if !errors.As(err, &ce) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%s: %v", codec, err)
		}
		if !bytes.HasPrefix(want, got) || len(got) < len(want)/2 || ce.Delivered < len(want)/2 || ce.Delivered > len(got) {
			t.Errorf("%s: %d bytes, %d delivered, want most of %d", codec, len(got), ce.Delivered, len(want)*3/4)
		}
	}
}

// TestBombs: what a small source costs is bounded by the limit, and by what
// its bytes can decode to, not by what it claims.
func TestBombs(t *testing.T) {
	const limit = 8 << 20
	zeros := make([]byte, 64<<20)
	var e Encoder
	gz, _ := e.Compress(nil, Gzip, 2, 0, zeros)
	zs, _ := e.Compress(nil, Zstd, 2, 0, zeros)
	lz, _ := e.Compress(nil, LZ4, 2, 0, zeros)
	sn, _ := e.Compress(nil, Snappy, 2, 0, zeros)
	rle := unhex("28b52ffd 00 58")
	for i := 0; i < 1000; i++ {
		rle = append(rle, 2, 0, 16, 'z') // 128 KiB of z, not the last
	}
	claims := binary.AppendUvarint(nil, 1<<31)
	for name, c := range map[string]struct {
		codec Codec
		src   []byte
		most  uint64 // memory
	}{
		"gzip": {Gzip, gz, 4 * limit}, "zstd": {Zstd, zs, 4 * limit}, "lz4": {LZ4, lz, 4 * limit}, "snappy": {Snappy, sn, 4 * limit},
		"zstd rle":    {Zstd, rle, 6 * limit},
		"zstd size":   {Zstd, unhex("28b52ffd e0 0000000001000000 010000"), 1 << 20},
		"snappy size": {Snappy, append(claims, 0, 'x'), 1 << 20},
		"lz4 4 MiB":   {LZ4, append(append(unhex("04224d18 60 70 73"), 3, 0, 0, 0), "abcdefg"...), 1 << 20},
	} {
		var d Decoder
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		got, err := d.Decompress(nil, c.codec, 2, c.src, limit)
		runtime.ReadMemStats(&b)
		if err == nil || len(got) > limit {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if used := b.TotalAlloc - a.TotalAlloc; used > c.most {
			t.Errorf("%s: allocated %d bytes for a source of %d, at most %d wanted", name, used, len(c.src), c.most)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop things at random under the race detector")
	}
	var e Encoder
	src := text(40000)
	for _, codec := range []Codec{None, Gzip, Snappy, LZ4, Zstd} {
		var d Decoder
		z, _ := e.Compress(nil, codec, 2, 0, src)
		var buf []byte
		if n := testing.AllocsPerRun(50, func() {
			var err error
			if buf, err = d.Decompress(buf[:0], codec, 2, z, 1<<20); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations per batch", codec, n)
		}
	}
}

func BenchmarkDecompress(b *testing.B) {
	src := jsonBatch(40 << 10)
	for _, codec := range []Codec{Gzip, Snappy, LZ4, Zstd} {
		b.Run(codec.String(), func(b *testing.B) {
			var d Decoder
			var e Encoder
			z, _ := e.Compress(nil, codec, 2, 0, src)
			var buf []byte
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = d.Decompress(buf[:0], codec, 2, z, 1<<20)
			}
		})
	}
}

func BenchmarkCompress(b *testing.B) {
	src := jsonBatch(40 << 10)
	for _, codec := range []Codec{Gzip, Snappy, LZ4, Zstd} {
		b.Run(codec.String(), func(b *testing.B) {
			var e Encoder
			var buf []byte
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = e.Compress(buf[:0], codec, 2, 0, src)
			}
		})
	}
}

// jsonBatch is like the records of the side-by-side benchmarks.
func jsonBatch(size int) []byte {
	words := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar")
	var b []byte
	x := uint32(7)
	next := func() uint32 { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x }
	for i := 0; len(b) < size; i++ {
		b = append(b, byte(0xb0), 5, 0, byte(i*2), byte(i*2), 18) // 05 00: looks like a snappy repeat
		b = append(b, `{"id":`...)
		for end := len(b) + 390; len(b) < end; {
			b = append(b, `,"`...)
			b = append(b, words[next()%15]...)
			b = append(b, `":`...)
			b = binaryDecimal(b, next())
		}
		b = append(b, '}', 0)
	}
	return b
}

func binaryDecimal(b []byte, v uint32) []byte {
	if v >= 10 {
		b = binaryDecimal(b, v/10)
	}
	return append(b, byte('0'+v%10))
}
