package compress

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/OneOfOne/xxhash"
	"github.com/pierrec/lz4/v4"
)

const (
	lz4Magic       = 0x184D2204 // LE: 04 22 4d 18
	lz4Stored      = 1 << 31
	lz4MaxRatio    = 255 // a length byte of 255 stands for 255 bytes
	lz4Premature   = "Stream ended prematurely"
	lz4BadMagic    = "Stream unsupported (invalid magic bytes)"
	lz4BadHC       = "Stream frame descriptor corrupted"
	lz4BadChecksum = "Block checksum mismatch"
	lz4Malformed   = "Malformed input"
)

// lz4Header is a parsed frame descriptor.
type lz4Header struct {
	size            int // of the whole header
	maxBlock        int
	blockChecksum   bool
	contentChecksum bool
}

func parseLZ4Header(src []byte, magic int8) (h lz4Header, e *Error) {
	fail := func(pos int, msg, format string, args ...any) (lz4Header, *Error) {
		return h, &Error{Codec: LZ4, Pos: pos, Msg: msg, Detail: fmt.Sprintf(format, args...)}
	}
	short := func(want int) (lz4Header, *Error) {
		h, e := fail(len(src), lz4Premature, "want a header of %d bytes, found %d", want, len(src))
		e.Err = io.ErrUnexpectedEOF
		return h, e
	}
	if len(src) < 6 {
		return short(7)
	}
	if m := binary.LittleEndian.Uint32(src); m != lz4Magic {
		return fail(0, lz4BadMagic, "want 04224d18, found %x", src[:4])
	}
	flg, bd := src[4], src[5]
	switch {
	case flg&3 != 0:
		return fail(4, "Reserved bits must be 0", "FLG is %02x", flg)
	case flg>>5&1 != 1:
		return fail(4, "Dependent block stream is unsupported", "FLG is %02x", flg)
	case flg>>6 != 1:
		return fail(4, fmt.Sprintf("Version %d is unsupported", flg>>6), "FLG is %02x", flg)
	case bd&15 != 0:
		return fail(5, "Reserved2 field must be 0", "BD is %02x", bd)
	case bd>>4&7 < 4:
		return fail(5, "Block size value must be between 4 and 7", "BD is %02x", bd)
	case bd>>7 != 0:
		return fail(5, "Reserved3 field must be 0", "BD is %02x", bd)
	}
	h.size = 6
	if flg&8 != 0 { // content size: skipped, as Kafka does
		h.size += 8
	}
	if len(src) < h.size+1 {
		return short(h.size + 1)
	}
	if magic > 0 { // magic 0: KAFKA-3160, see the package comment
		if hc := byte(xxhash.Checksum32(src[4:h.size]) >> 8); src[h.size] != hc {
			return fail(h.size, lz4BadHC, "want %02x, found %02x", hc, src[h.size])
		}
	}
	h.size++
	h.maxBlock = 1 << (2*(bd>>4) + 8)
	h.blockChecksum, h.contentChecksum = flg&16 != 0, flg&4 != 0
	return h, nil
}

func (d *Decoder) unlz4(dst, src []byte, magic int8, top int) ([]byte, error) {
	base := len(dst)
	h, e := parseLZ4Header(src, magic)
	if e != nil {
		return dst, e
	}
	fail := func(dst []byte, pos int, msg, format string, args ...any) ([]byte, *Error) {
		if at, n, ok := d.firstRefused(src[:pos], h); !ok && n <= len(dst)-base {
			pos, msg, format, args = at, lz4Malformed, "the block does not end as a block must", nil
			dst = dst[:base+n]
		}
		return dst, &Error{Codec: LZ4, Pos: pos, Msg: msg, Detail: fmt.Sprintf(format, args...), Delivered: len(dst) - base}
	}
	premature := func(dst []byte, pos int, format string, args ...any) ([]byte, error) {
		dst, e := fail(dst, pos, lz4Premature, format, args...)
		e.Err = io.ErrUnexpectedEOF
		return dst, e
	}
	for pos := h.size; ; {
		if len(src)-pos < 4 {
			return premature(dst, pos, "want a block size of 4 bytes, found %d", len(src)-pos)
		}
		word := binary.LittleEndian.Uint32(src[pos:])
		size := int(word &^ lz4Stored)
		if size == 0 { // the end mark; what follows is not looked at
			if h.contentChecksum && len(src)-pos < 8 {
				return premature(dst, pos+4, "want a content checksum of 4 bytes, found %d", len(src)-pos-4)
			}
			return dst, nil
		}
		if size > h.maxBlock {
			return fail2(fail(dst, pos, fmt.Sprintf("Block size %d exceeded max: %d", size, h.maxBlock), "block size word is %08x", word))
		}
		at := pos
		pos += 4
		if len(src)-pos < size {
			return premature(dst, at, "want a block of %d bytes, found %d", size, len(src)-pos)
		}
		block := src[pos : pos+size]
		pos += size
		// Kafka decodes before it verifies the checksum, but a block with a bad
		// one never gets out.
		out := dst
		var err error
		if word&lz4Stored != 0 {
			if n := min(size, top-len(dst)); n < size {
				return append(dst, block[:n]...), tooLarge(LZ4, at, len(dst)-base, top-base)
			}
			out = append(grow(dst, size, len(src), top), block...)
		} else if out, err = d.lz4Block(dst, block, h.maxBlock, len(src), top); err == ErrTooLarge {
			return dst, tooLarge(LZ4, at, len(dst)-base, top-base)
		} else if err != nil {
			return fail2(fail(dst, at, lz4Malformed, "block of %d bytes: %v", size, err))
		}
		if h.blockChecksum {
			if len(src)-pos < 4 {
				return premature(dst, pos, "want a block checksum of 4 bytes, found %d", len(src)-pos)
			}
			want, got := xxhash.Checksum32(block), binary.LittleEndian.Uint32(src[pos:])
			if want != got {
				return fail2(fail(dst, pos, lz4BadChecksum, "want %08x, found %08x", want, got))
			}
			pos += 4
		}
		dst = out
	}
}

func fail2(dst []byte, e *Error) ([]byte, error) { return dst, e }

// lz4Block appends what one block decodes to, at most maxBlock bytes.
func (d *Decoder) lz4Block(dst, block []byte, maxBlock, srcLen, top int) ([]byte, error) {
	most := min(maxBlock, len(block)*lz4MaxRatio)
	if most <= top-len(dst) {
		dst = grow(dst, most, srcLen, top)
		if n, err := lz4.UncompressBlock(block, dst[len(dst):len(dst)+most]); err == nil {
			return dst[:len(dst)+n], nil
		}
	}
	// The block is damaged, or may not fit under the limit: decoding it tells.
	if cap(d.spare) < most {
		d.spare = make([]byte, most)
	}
	n, err := lz4.UncompressBlock(block, d.spare[:most])
	if err != nil {
		var ok bool
		if n, ok = lz4Lenient(d.spare[:most], maxBlock, block); !ok {
			return dst, err
		}
	}
	if n > top-len(dst) {
		return dst, ErrTooLarge
	}
	return append(grow(dst, n, srcLen, top), d.spare[:n]...), nil
}

// firstRefused looks at the blocks of a damaged frame again, up to the place
// where the damage showed, for one that LZ4_decompress_safe does not accept and
// pierrec/lz4 does: a wrong block size puts the error there, not where the next
// block should be. It returns the place of that block and how much the blocks
// before it decode to. ok: there is none.
func (d *Decoder) firstRefused(src []byte, h lz4Header) (at, n int, ok bool) {
	for pos := h.size; len(src)-pos >= 4; {
		word := binary.LittleEndian.Uint32(src[pos:])
		size := int(word &^ lz4Stored)
		if size > len(src)-pos-4 || size > h.maxBlock {
			return 0, 0, true
		}
		block := src[pos+4 : pos+4+size]
		if word&lz4Stored != 0 {
			n += size
		} else {
			most := min(h.maxBlock, size*lz4MaxRatio)
			if cap(d.spare) < most {
				d.spare = make([]byte, most)
			}
			m, ok := lz4Lenient(d.spare[:most], h.maxBlock, block)
			if !ok {
				return pos, n, false
			}
			n += m
		}
		pos += 4 + size
		if h.blockChecksum {
			pos += 4
		}
	}
	return 0, 0, true
}
