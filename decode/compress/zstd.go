package compress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	zstdMagic     = 0xFD2FB528 // LE: 28 b5 2f fd
	zstdSkippable = 0x184D2A50 // and the 15 numbers after it
	zstdMaxBlock  = 128 << 10
	zstdMaxWindow = 1<<27 + 1 // libzstd's ZSTD_MAXWINDOWSIZE_DEFAULT
	// zstdSlack is what the decoder wants free behind its output to take its
	// fastest path: a whole block and a little more.
	zstdSlack   = zstdMaxBlock + 64
	javaZstdOut = 16 << 10 // ChunkedBytesStream around ZstdInputStream
)

func (d *Decoder) unzstd(dst, src []byte, top int) ([]byte, error) {
	base := len(dst)
	if d.zstd == nil {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdMaxWindow), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return dst, &Error{Codec: Zstd, Msg: "no decoder", Err: err}
		}
		d.zstd = dec
	}
	for pos := 0; pos < len(src); {
		start := len(dst)
		// ZstdInputStream hands on what it has at the end of a frame. Within one,
		// libzstd goes on to the next block in the very call that brings the last
		// bytes of a block, and all that this call brought is lost if it fails.
		delivered := func(dst []byte) int {
			return start - base + max(0, len(dst)-start-1)/javaZstdOut*javaZstdOut
		}
		f, e := walkZstd(src, pos)
		// A damaged frame is decoded all the same: its first blocks may be good.
		out, err := d.zstdFrame(dst, src[pos:f.end], f, top)
		if err == ErrTooLarge {
			return out, tooLarge(Zstd, pos, delivered(out), top-base)
		}
		if e == nil && err != nil {
			e = &Error{Codec: Zstd, Pos: pos, Msg: "Data corruption detected", Detail: fmt.Sprintf("frame of %d bytes", f.end-pos), Err: err}
		}
		dst = out
		if e != nil {
			e.Delivered = delivered(dst)
			if errors.Is(err, zstd.ErrFrameSizeMismatch) {
				// Noticed with the last block, before its bytes come out. All
				// blocks before it are as long as they can be, in practice.
				e.Delivered = delivered(dst[:start+max(0, len(dst)-start-1)/zstdMaxBlock*zstdMaxBlock])
			}
			if e.Err == io.ErrUnexpectedEOF && (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) {
				// A stream that just ends: Kafka gets all there was, even of a
				// stored block.
				tail := f.tail[:min(len(f.tail), top-len(dst))]
				dst = append(grow(dst, len(tail), len(tail), top), tail...)
				e.Delivered = len(dst) - base
			}
			return dst, e
		}
		pos = f.end
	}
	return dst, nil
}

// zstdFrame decodes one frame, which f describes, behind dst.
func (d *Decoder) zstdFrame(dst, frame []byte, f zstdFrame, top int) ([]byte, error) {
	if f.most == 0 && !f.started {
		return dst, nil
	}
	if f.sized && f.content > uint64(top-len(dst)) {
		return dst, ErrTooLarge
	}
	// The decoder stops in the midst of a block, with one of several errors, if
	// its buffer is full. So it always gets room for a whole block more than
	// wanted, and what comes out is whole blocks: more than wanted, or damage.
	left := uint64(top - len(dst))
	want := min(f.most, uint64(max(4*len(frame), 2*zstdMaxBlock)), left)
	if f.sized {
		want = f.content
	}
	if free := cap(dst) - len(dst); free > zstdSlack {
		want = max(want, min(uint64(free-zstdSlack), left))
	}
	for {
		room := int(want) + zstdSlack
		dst = grow(dst, room, 0, len(dst)+room)
		out, err := d.zstd.DecodeAll(frame, dst[len(dst):len(dst):len(dst)+room])
		switch {
		case len(out) == 0:
			return dst, err
		case uint64(len(out)) <= want:
			if in := dst[:len(dst)+1]; &in[len(dst)] == &out[0] {
				return dst[:len(dst)+len(out)], err
			}
			return append(dst, out...), err
		case f.sized && uint64(len(out)) <= left: // more than the frame says: err is not nil
			return append(dst, out...), err
		case want >= left || f.sized:
			return append(dst, out[:left]...), ErrTooLarge
		}
		want = min(max(2*want, zstdMaxBlock), left) // it did fill the buffer
	}
}

// zstdFrame is what the headers of a frame and its blocks say.
type zstdFrame struct {
	end     int    // where the frame ends, or its readable part
	most    uint64 // the most that its blocks can decode to
	content uint64 // the content size, if sized
	sized   bool
	started bool   // the frame header could be read and is not a skippable one
	tail    []byte // what there is of a stored block that is cut
}

// walkZstd reads the frame header at pos and hops over its blocks.
func walkZstd(src []byte, pos int) (f zstdFrame, e *Error) {
	b := src[pos:]
	f.end = len(src)
	fail := func(at int, msg, format string, args ...any) (zstdFrame, *Error) {
		return f, &Error{Codec: Zstd, Pos: pos + at, Msg: msg, Detail: fmt.Sprintf(format, args...)}
	}
	short := func(at int, what string, want int) (zstdFrame, *Error) {
		return f, &Error{Codec: Zstd, Pos: pos + at, Msg: "Truncated source",
			Detail: fmt.Sprintf("%s: want %d bytes, found %d", what, want, max(0, len(b)-at)), Err: io.ErrUnexpectedEOF}
	}
	if len(b) < 4 {
		return short(0, "frame magic", 4)
	}
	magic := binary.LittleEndian.Uint32(b)
	if magic&^15 == zstdSkippable {
		if len(b) < 8 {
			return short(4, "skippable frame's size", 4)
		}
		n := int64(binary.LittleEndian.Uint32(b[4:]))
		if n > int64(len(b)-8) {
			return short(8, "skippable frame", int(min(n, 1<<31-1)))
		}
		f.end = pos + 8 + int(n)
		return f, nil
	}
	if magic != zstdMagic {
		return fail(0, "Unknown frame descriptor", "want 28b52ffd, found %x", b[:4])
	}
	if len(b) < 6 {
		return short(4, "frame header", 2)
	}
	fhd := b[4]
	if fhd&8 != 0 {
		return fail(4, "Unsupported frame parameter", "the reserved bit is set in the frame header descriptor %02x", fhd)
	}
	single := fhd&32 != 0
	dict := [...]int{0, 1, 2, 4}[fhd&3]
	fcs := [...]int{0, 2, 4, 8}[fhd>>6]
	if single && fcs == 0 {
		fcs = 1
	}
	n := 5
	var window uint64
	if !single {
		exp, mantissa := b[5]>>3, uint64(b[5]&7)
		window = 1 << (10 + exp)
		window += window / 8 * mantissa
		n++
	}
	if len(b) < n+dict+fcs {
		return short(n, "frame header", dict+fcs)
	}
	if id := le(b[n : n+dict]); id != 0 {
		return fail(n, "Dictionary mismatch", "the frame needs dictionary %d", id)
	}
	n += dict
	if f.sized = fcs > 0; f.sized {
		f.content = le(b[n : n+fcs])
		if fcs == 2 {
			f.content += 256
		}
		n += fcs
	}
	if single {
		window = f.content
	}
	if window > zstdMaxWindow {
		return fail(5, "Frame requires too much memory for decoding", "window of %d bytes, at most %d", window, zstdMaxWindow)
	}
	f.started = true
	blockMax := min(max(window, 1<<10), zstdMaxBlock)
	for last := false; !last; {
		if len(b)-n < 3 {
			return short(n, "block header", 3)
		}
		h := uint32(b[n]) | uint32(b[n+1])<<8 | uint32(b[n+2])<<16
		size, in := uint64(h>>3), int(h>>3)
		last = h&1 != 0
		out := size
		switch h >> 1 & 3 {
		case 1: // RLE
			in = 1
		case 2: // compressed
			out = blockMax
		case 3:
			return fail(n, "Data corruption detected", "block type 3 is reserved, block header %06x", h)
		}
		if size > blockMax {
			return fail(n, "Data corruption detected", "block of %d bytes, at most %d", size, blockMax)
		}
		if len(b)-n-3 < in {
			if h>>1&3 == 0 {
				f.tail = b[n+3:]
			}
			return short(n+3, "block", in)
		}
		f.most += out
		n += 3 + in
	}
	if fhd&4 != 0 {
		if len(b)-n < 4 {
			return short(n, "content checksum", 4)
		}
		n += 4
	}
	f.end = pos + n
	if f.sized && f.content > f.most {
		f.sized = false
		return fail(5, "Data corruption detected", "content size %d, but the blocks decode to %d bytes at most", f.content, f.most)
	}
	return f, nil
}

func le(b []byte) (v uint64) {
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}
