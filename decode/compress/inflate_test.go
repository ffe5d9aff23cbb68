package compress

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// reference is what the standard library makes of deflate data.
func reference(src []byte, limit int) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(src)), int64(limit)))
	return out, err
}

// checkInflate compares the inflater with the standard library's.
func checkInflate(t *testing.T, z *inflater, src []byte, room int) {
	t.Helper()
	const limit = 1 << 20
	got, n, err := z.inflate(make([]byte, 0, room), src, limit)
	want, wantErr := reference(src, limit+1)
	if errors.Is(err, ErrTooLarge) {
		if len(want) <= limit || !bytes.Equal(got, want[:len(got)]) || len(got) != limit {
			t.Fatalf("too large with %d bytes, the reference has %d", len(got), len(want))
		}
		return
	}
	var bad *inflateError
	if errors.As(err, &bad) && bad.msg == "invalid code -- missing end-of-block" {
		return // zlib refuses that, Go does not
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%d bytes, %v; the reference has %d, %v", len(got), err, len(want), wantErr)
	}
	if n < 0 || n > len(src) {
		t.Fatalf("used %d bytes of %d", n, len(src))
	}
	if err == nil {
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes differ from the reference's %d", len(got), len(want))
		}
		return
	}
	// The reference may stop some symbols earlier where the input is cut.
	if len(want) > len(got) || !bytes.Equal(got[:len(want)], want) {
		t.Fatalf("%v after %d bytes, the reference has %v after %d", err, len(got), wantErr, len(want))
	}
	if !errors.As(err, &bad) || bad.pos < 0 || bad.pos > len(src) {
		t.Fatalf("%#v", err)
	}
}

// deflated gives streams of all kinds: stored, fixed and dynamic blocks, long
// codes, short distances.
func deflated(t testing.TB) [][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	skewed := make([]byte, 200000) // some symbols are so rare that their codes are long
	for i := range skewed {
		b := byte(0)
		for b < 255 && r.IntN(3) != 0 {
			b++
		}
		skewed[i] = b * 7
	}
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var all [][]byte
	for _, data := range [][]byte{nil, []byte("a"), text(36), text(1000), text(100000), skewed, noise, make([]byte, 300000),
		bytes.Repeat([]byte("ab"), 5000), bytes.Repeat([]byte("abcdefg"), 50), jsonBatch(60000)} {
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, level)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write(data[:len(data)/2])
			_ = w.Flush()
			_, _ = w.Write(data[len(data)/2:])
			_ = w.Close()
			all = append(all, b.Bytes())
		}
	}
	return all
}

func TestInflate(t *testing.T) {
	var z inflater
	r := rand.New(rand.NewPCG(2, 2))
	for _, src := range deflated(t) {
		for _, room := range []int{0, 10, 1 << 20} {
			checkInflate(t, &z, src, room)
			checkInflate(t, &z, append(bytes.Clone(src), "behind the end"...), room)
		}
		for range 60 {
			bad := bytes.Clone(src)
			at := r.IntN(len(bad))
			if r.IntN(2) == 0 {
				at = r.IntN(min(len(bad), 100))
			}
			switch r.IntN(3) {
			case 0:
				bad = bad[:at]
			case 1:
				bad[at] ^= 1 << r.IntN(8)
			default:
				bad[at] = byte(r.Uint32())
			}
			checkInflate(t, &z, bad, r.IntN(1000))
		}
	}
}

func FuzzInflate(f *testing.F) {
	for _, src := range deflated(f) {
		if len(src) < 2000 {
			f.Add(src)
		}
	}
	var z inflater
	f.Fuzz(func(t *testing.T, src []byte) { checkInflate(t, &z, src, len(src)) })
}
