package compress

import (
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

// Codec is the compression of a batch: bits 0-2 of its attributes.
type Codec uint8

// The codecs with Kafka's numbers. 5 to 7 are not assigned.
const (
	None Codec = iota
	Gzip
	Snappy
	LZ4
	Zstd
)

var codecNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

// String returns the name used in Kafka's configuration (compression.type).
func (c Codec) String() string {
	if int(c) < len(codecNames) {
		return codecNames[c]
	}
	return fmt.Sprintf("unknown(%d)", uint8(c))
}

// Valid reports whether c is one of the five codecs.
func (c Codec) Valid() bool { return int(c) < len(codecNames) }

// ParseCodec returns the codec with that configuration name.
func ParseCodec(name string) (Codec, error) {
	for i, n := range codecNames {
		if n == name {
			return Codec(i), nil
		}
	}
	return None, fmt.Errorf("unknown compression name: %s", name)
}

// Error tells what is wrong with a compressed stream, and where.
type Error struct {
	// Codec is the codec of the stream.
	Codec Codec
	// Pos is the byte offset in the source of the damaged structure: the
	// header field, the block or the trailer that could not be accepted.
	Pos int
	// Msg is the complaint, in Kafka's own words where it has some.
	Msg string
	// Detail says what was expected and what was found, or is empty.
	Detail string
	// Delivered is how many of the decoded bytes Kafka's own reader hands to
	// its record parser before it fails. Its streams lose what they decoded
	// in the very read call that runs into the damage, so it can be less than
	// what Decompress returns.
	Delivered int
	// Err is the cause, or nil. It is ErrTooLarge if the limit was reached.
	Err error
}

// Error returns the codec, the place, the complaint and its details.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s stream, byte %d: %s", e.Codec, e.Pos, e.Msg)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Err != nil && e.Err != ErrTooLarge {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrTooLarge is the cause of an *Error where the output would exceed the
// limit of the call. The bytes up to the limit, or a little less, are returned.
var ErrTooLarge = errors.New("decompressed data exceeds the limit")

// MaxOutput is the limit used when a call gives none, in bytes: the longest
// array of Kafka's own runtime.
const MaxOutput = math.MaxInt32

// Decoder decompresses batches. Its zero value is ready. It keeps the state of
// the codecs it has met, so that further calls allocate nothing once dst has
// grown to the size of the batches. A Decoder must not be used by two
// goroutines at once.
type Decoder struct {
	inflater inflater
	zstd     *zstd.Decoder
	spare    []byte // a block that may not fit under the limit
}

// Decompress appends the decompressed bytes of src to dst and returns the
// extended slice; spare capacity of dst is used first and may be overwritten
// beyond the returned length. magic is the batch's format version (0 to 2), it
// matters for LZ4 only. limit is the most bytes that may be appended, MaxOutput
// if it is 0 or less.
//
// src is the payload of one batch (magic 2: all that follows the header;
// magic 0 and 1: the wrapper's value). Whatever is wrong with it is reported as
// an *Error, and the bytes that were decoded before the damage are returned
// along with it. dst and src must not overlap.
func (d *Decoder) Decompress(dst []byte, codec Codec, magic int8, src []byte, limit int64) ([]byte, error) {
	if limit <= 0 || limit > MaxOutput {
		limit = MaxOutput
	}
	top := len(dst) + int(limit)
	if top < 0 { // 32 bit
		top = math.MaxInt
	}
	switch codec {
	case None:
		if len(src) > top-len(dst) {
			n := top - len(dst)
			return append(dst, src[:n]...), tooLarge(None, n, n, int(limit))
		}
		return append(dst, src...), nil
	case Gzip:
		return d.gunzip(dst, src, top)
	case Snappy:
		return d.unsnappy(dst, src, top)
	case LZ4:
		return d.unlz4(dst, src, magic, top)
	case Zstd:
		return d.unzstd(dst, src, top)
	}
	return dst, &Error{Codec: codec, Msg: fmt.Sprintf("Unknown compression type id: %d", uint8(codec)), Detail: "want 0 to 4"}
}

// grow returns b with room for at least need more bytes, never with more than
// top bytes in all. The new capacity is at least twice the old one, and at
// least four times the source's length, so that ordinary data is copied once
// at most. The caller has checked that len(b)+need <= top.
func grow(b []byte, need, srcLen, top int) []byte {
	if cap(b)-len(b) >= need {
		return b
	}
	n := min(max(len(b)+need, 2*cap(b), len(b)+4*srcLen+64), top)
	nb := make([]byte, len(b), n)
	copy(nb, b)
	return nb
}

func tooLarge(c Codec, pos, delivered, limit int) *Error {
	return &Error{Codec: c, Pos: pos, Delivered: delivered, Msg: fmt.Sprintf("decompressed data exceeds the limit of %d bytes", limit), Err: ErrTooLarge}
}

// Close frees what the codecs hold. The Decoder can be used again afterwards.
func (d *Decoder) Close() {
	if d.zstd != nil {
		d.zstd.Close()
	}
	*d = Decoder{}
}
