package compress

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/OneOfOne/xxhash"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// DefaultLevel is the level that stands for each codec's own default: 6 for
// gzip, the fast compressor for lz4, 3 for zstd. Snappy has no levels.
const DefaultLevel = 0

const (
	lz4BlockSize    = 64 << 10
	xerialBlockSize = 32 << 10
)

// Encoder compresses batches into the frames that Kafka's readers accept. Its
// zero value is ready, it is reused for every batch, and it must not be used
// by two goroutines at once.
type Encoder struct {
	out     sink
	flate   *flate.Writer
	flateAt int
	zstd    *zstd.Encoder
	zstdAt  int
	lz4     lz4.Compressor
	lz4hc   lz4.CompressorHC
}

// sink is an io.Writer that appends.
type sink struct{ b []byte }

func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

// Compress appends src, compressed, to dst and returns the extended slice.
//
// magic is the format version of the batch: it decides the header checksum of
// LZ4 (see the package comment), and zstd is refused below 2. level is one of
// the codec's own (gzip 1 to 9, lz4 1 to 17, zstd 1 to 22) or DefaultLevel;
// level 9 of lz4 means its default too, as in Kafka (KIP-780).
func (e *Encoder) Compress(dst []byte, codec Codec, magic int8, level int, src []byte) ([]byte, error) {
	bad := func(msg string) ([]byte, error) { return dst, &Error{Codec: codec, Msg: msg} }
	switch codec {
	case None:
		return append(dst, src...), nil
	case Gzip:
		if level < 0 || level > 9 {
			return bad(fmt.Sprintf("level %d is not within 1 to 9", level))
		}
		return e.gzip(dst, level, src)
	case Snappy:
		return e.snappy(dst, src), nil
	case LZ4:
		if level < 0 || level > 17 {
			return bad(fmt.Sprintf("level %d is not within 1 to 17", level))
		}
		return e.lz4Frame(dst, magic, level, src)
	case Zstd:
		if magic < 2 {
			return bad(fmt.Sprintf("zstd is not allowed in magic %d", magic))
		}
		if level < 0 || level > 22 {
			return bad(fmt.Sprintf("level %d is not within 1 to 22", level))
		}
		return e.zstdFrame(dst, level, src)
	}
	return bad(fmt.Sprintf("Unknown compression type id: %d", uint8(codec)))
}

func (e *Encoder) gzip(dst []byte, level int, src []byte) ([]byte, error) {
	if level == DefaultLevel {
		level = 6
	}
	e.out.b = append(dst, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
	if e.flate == nil || e.flateAt != level {
		w, err := flate.NewWriter(&e.out, level)
		if err != nil {
			return dst, &Error{Codec: Gzip, Msg: "no encoder", Err: err}
		}
		e.flate, e.flateAt = w, level
	} else {
		e.flate.Reset(&e.out)
	}
	_, err := e.flate.Write(src)
	if err == nil {
		err = e.flate.Close()
	}
	if err != nil {
		return dst, &Error{Codec: Gzip, Msg: "deflate", Err: err}
	}
	out := binary.LittleEndian.AppendUint32(e.out.b, crc32.ChecksumIEEE(src))
	e.out.b = nil
	return binary.LittleEndian.AppendUint32(out, uint32(len(src))), nil
}

func (e *Encoder) snappy(dst, src []byte) []byte {
	dst = append(dst, xerialMagic...)
	dst = binary.BigEndian.AppendUint32(dst, 1)
	dst = binary.BigEndian.AppendUint32(dst, 1)
	for len(src) > 0 {
		n := min(len(src), xerialBlockSize)
		at := len(dst)
		dst = ensure(dst, 4+s2.MaxEncodedLen(n))
		block := s2.EncodeSnappy(dst[at+4:cap(dst)], src[:n])
		binary.BigEndian.PutUint32(dst[at:at+4], uint32(len(block)))
		dst = dst[:at+4+len(block)]
		src = src[n:]
	}
	return dst
}

func (e *Encoder) lz4Frame(dst []byte, magic int8, level int, src []byte) ([]byte, error) {
	at := len(dst)
	dst = append(dst, 0x04, 0x22, 0x4d, 0x18, 0x60, 0x40)
	hashed := dst[at+4:]
	if magic < 1 {
		hashed = dst[at:]
	}
	dst = append(dst, byte(xxhash.Checksum32(hashed)>>8))
	for len(src) > 0 {
		n := min(len(src), lz4BlockSize)
		at := len(dst)
		dst = ensure(dst, 4+lz4.CompressBlockBound(n))
		room := dst[at+4 : cap(dst)]
		var size int
		var err error
		if level == DefaultLevel || level == 9 {
			size, err = e.lz4.CompressBlock(src[:n], room)
		} else {
			e.lz4hc.Level = lz4.CompressionLevel(1 << (8 + min(level, 9)))
			size, err = e.lz4hc.CompressBlock(src[:n], room)
		}
		if err != nil {
			return dst[:at], &Error{Codec: LZ4, Msg: "block", Err: err}
		}
		word := uint32(size)
		if size == 0 || size >= n { // no gain: stored
			size, word = n, uint32(n)|lz4Stored
			copy(room, src[:n])
		}
		binary.LittleEndian.PutUint32(dst[at:at+4], word)
		dst = dst[:at+4+size]
		src = src[n:]
	}
	return append(dst, 0, 0, 0, 0), nil
}

func (e *Encoder) zstdFrame(dst []byte, level int, src []byte) ([]byte, error) {
	if level == DefaultLevel {
		level = 3
	}
	if e.zstd == nil || e.zstdAt != level {
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true),
			zstd.WithLowerEncoderMem(true), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)))
		if err != nil {
			return dst, &Error{Codec: Zstd, Msg: "no encoder", Err: err}
		}
		e.zstd, e.zstdAt = enc, level
	}
	return e.zstd.EncodeAll(src, dst), nil
}

// ensure returns b with room for n more bytes.
func ensure(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	nb := make([]byte, len(b), max(2*cap(b), len(b)+n))
	copy(nb, b)
	return nb
}
