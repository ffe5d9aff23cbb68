//go:build conformance

package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kraftctl/decode/compress"
)

const (
	codecLimit   = 1 << 18
	codecStreams = 6000
)

// stream is one compressed stream and what Kafka's reader makes of it.
type stream struct {
	codec  compress.Codec
	magic  int8
	src    []byte
	what   string
	status byte // as Codecs.java says
	text   string
	out    []byte
}

// TestDamagedStreams gives the same damaged streams to Kafka's readers of each
// codec and to ours. Both must accept or refuse them, with the same bytes
// before the damage.
func TestDamagedStreams(t *testing.T) {
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	r := rand.New(rand.NewPCG(uint64(seed), 5))
	streams := makeStreams(t, r)
	runCodecs(t, streams)
	var d compress.Decoder
	var failed, tolerated [compress.Zstd + 1]int
	for i := range streams {
		s := &streams[i]
		why := checkStream(&d, s)
		if why == "" {
			continue
		}
		if s.codec == compress.Zstd && s.status != 1 && strings.Contains(why, "refused") {
			// libzstd does not look whether the literals' Huffman streams end
			// where they should; klauspost's decoder does.
			tolerated[s.codec]++
			continue
		}
		if failed[s.codec]++; failed[s.codec] <= 5 {
			t.Errorf("seed %d, stream %d: %s magic %d, %s: %s\nKafka: status %d, %d bytes, %s\n%x", seed, i, s.codec, s.magic, s.what, why, s.status, len(s.out), s.text, s.src[:min(len(s.src), 200)])
		}
	}
	t.Logf("seed %d: %d streams, failed by codec %v, stricter than Kafka %v", seed, len(streams), failed, tolerated)
}

func checkStream(d *compress.Decoder, s *stream) string {
	got, err := d.Decompress(nil, s.codec, s.magic, s.src, codecLimit)
	var e *compress.Error
	switch {
	case s.status == 2:
		if !errors.Is(err, compress.ErrTooLarge) {
			return fmt.Sprintf("refused with %v, want more than the limit", err)
		}
		return ""
	case s.status == 0 && err != nil:
		return fmt.Sprintf("refused with %v", err)
	case s.status == 1 && !errors.As(err, &e):
		return fmt.Sprintf("accepted (%d bytes)", len(got))
	case s.status == 0 && !bytes.Equal(got, s.out):
		return fmt.Sprintf("%d other bytes", len(got))
	case s.status == 1 && errors.Is(err, compress.ErrTooLarge):
		return ""
	case s.status == 1 && e.Delivered != len(s.out):
		return fmt.Sprintf("%d bytes delivered (%d decoded), %v", e.Delivered, len(got), err)
	case s.status == 1 && !bytes.Equal(got[:e.Delivered], s.out):
		return "other bytes before the damage"
	}
	return ""
}

// makeStreams compresses texts with our encoder, and takes Kafka's own streams
// from decode/compress/testdata; then it damages most of them.
func makeStreams(t *testing.T, r *rand.Rand) []stream {
	var good []stream
	var e compress.Encoder
	for codec := compress.Gzip; codec <= compress.Zstd; codec++ {
		for _, size := range []int{10, 300, 2000, 9000, 40000, 150000} {
			for magic := int8(0); magic <= 2; magic++ {
				if codec == compress.Zstd && magic < 2 {
					continue
				}
				z, err := e.Compress(nil, codec, magic, compress.DefaultLevel, words(r, size))
				if err != nil {
					t.Fatal(err)
				}
				good = append(good, stream{codec: codec, magic: magic, src: z})
			}
		}
	}
	files, _ := filepath.Glob("../decode/compress/testdata/*.m2*")
	for _, f := range files {
		codec, err := compress.ParseCodec(strings.Split(filepath.Base(f), ".")[1])
		if err != nil || strings.HasSuffix(f, ".records") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, stream{codec: codec, magic: 2, src: b})
	}
	all := append([]stream{}, good...)
	for len(all) < codecStreams {
		s := good[r.IntN(len(good))]
		s.src, s.what = harm(r, s.src)
		all = append(all, s)
	}
	return all
}

func words(r *rand.Rand, size int) []byte {
	var b []byte
	for len(b) < size {
		switch r.IntN(6) {
		case 0:
			b = append(b, bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(200))...)
		case 1:
			b = strconv.AppendUint(b, r.Uint64(), 10)
		default:
			b = append(b, strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel")[r.IntN(8)]...)
		}
	}
	return b[:size]
}

func harm(r *rand.Rand, src []byte) ([]byte, string) {
	b := bytes.Clone(src)
	at := r.IntN(len(b))
	if r.IntN(3) == 0 {
		at = r.IntN(min(len(b), 30))
	}
	switch r.IntN(6) {
	case 0, 1:
		b[at] ^= 1 << r.IntN(8)
		return b, fmt.Sprintf("bit flip at %d", at)
	case 2:
		return b[:at], fmt.Sprintf("cut to %d", at)
	case 3:
		n := min(len(b)-at, 1+r.IntN(60))
		clear(b[at : at+n])
		return b, fmt.Sprintf("zeros from %d to %d", at, at+n)
	case 4:
		tail := make([]byte, 1+r.IntN(40))
		if r.IntN(2) == 0 {
			for i := range tail {
				tail[i] = byte(r.Uint32())
			}
		}
		return append(b, tail...), fmt.Sprintf("%d bytes appended", len(tail))
	}
	b[at] = byte(r.Uint32())
	return b, fmt.Sprintf("byte at %d", at)
}

// runCodecs has Kafka read the streams.
func runCodecs(t *testing.T, streams []stream) {
	dir := t.TempDir()
	var in []byte
	for _, s := range streams {
		in = append(in, byte(s.codec), byte(s.magic))
		in = binary.BigEndian.AppendUint32(in, uint32(len(s.src)))
		in = append(in, s.src...)
	}
	if err := os.WriteFile(filepath.Join(dir, "in"), in, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log(java(t, dir, "Codecs", "in", "out", strconv.Itoa(codecLimit)))
	out, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	part := func() []byte {
		n := binary.BigEndian.Uint32(out)
		p := out[4 : 4+n]
		out = out[4+n:]
		return p
	}
	for i := range streams {
		streams[i].status, out = out[0], out[1:]
		streams[i].text = string(part())
		streams[i].out = part()
	}
}
