package compress

import (
	"bytes"
	"errors"
	"testing"
)

// The fuzz targets hold for any input: no panic; never more output than the
// limit; typed errors; and the result does not depend on the capacity that dst
// happens to have, nor on what the Decoder met before.
func fuzzCodec(f *testing.F, codec Codec) {
	for _, v := range vectors(f) {
		if v.codec == codec && len(v.src) < 2000 {
			f.Add(v.src, v.magic, uint16(len(v.want)))
		}
	}
	var used Decoder
	f.Fuzz(func(t *testing.T, src []byte, magic int8, room uint16) {
		const limit = 1 << 20
		var fresh Decoder
		defer fresh.Close()
		want, wantErr := fresh.Decompress(nil, codec, magic, src, limit)
		got, gotErr := used.Decompress(make([]byte, 3, 3+int(room)), codec, magic, src, limit)
		if len(want) > limit {
			t.Fatalf("%d bytes with a limit of %d", len(want), limit)
		}
		if !bytes.Equal(got[3:], want) || (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%d bytes, %v without capacity; %d bytes, %v with %d", len(want), wantErr, len(got)-3, gotErr, room)
		}
		if wantErr == nil {
			return
		}
		var a, b *Error
		if !errors.As(wantErr, &a) || !errors.As(gotErr, &b) || a.Pos != b.Pos || a.Delivered != b.Delivered || a.Msg != b.Msg {
			t.Fatalf("%v, %v", wantErr, gotErr)
		}
		if a.Pos < 0 || a.Pos > len(src) || a.Delivered < 0 || a.Delivered > len(want) {
			t.Fatalf("%+v with %d bytes of %d", a, len(want), len(src))
		}
		// A smaller limit gives a prefix.
		if len(want) > 1 {
			part, err := used.Decompress(nil, codec, magic, src, int64(len(want)-1))
			if err == nil || len(part) >= len(want) || !bytes.HasPrefix(want, part) {
				t.Fatalf("limit %d: %d bytes, %v", len(want)-1, len(part), err)
			}
		}
	})
}

func FuzzGzip(f *testing.F)   { fuzzCodec(f, Gzip) }
func FuzzSnappy(f *testing.F) { fuzzCodec(f, Snappy) }
func FuzzLZ4(f *testing.F)    { fuzzCodec(f, LZ4) }
func FuzzZstd(f *testing.F)   { fuzzCodec(f, Zstd) }

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some text, some text"), int8(2), uint8(3), uint8(5))
	var d Decoder
	var e Encoder
	f.Fuzz(func(t *testing.T, src []byte, magic int8, codec, level uint8) {
		c := Codec(codec % 5)
		magic = int8(uint8(magic) % 3)
		if c == Zstd {
			magic = 2
		}
		z, err := e.Compress(nil, c, magic, int(level%10), src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Decompress(nil, c, magic, z, 0)
		if err != nil || !bytes.Equal(got, src) {
			t.Fatalf("%s: %d bytes, %v, want %d", c, len(got), err, len(src))
		}
	})
}
