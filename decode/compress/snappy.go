package compress

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/golang/snappy"
)

const (
	xerialHeader   = 16
	xerialMaxChunk = 512 << 20 // the library's default limit for one chunk
	// snappyMaxRatio bounds what a raw block can decode to: its densest element
	// is a copy of 64 bytes in 3.
	snappyMaxRatio = 22
	javaSnappyOut  = 2 << 10 // ChunkedBytesStream around SnappyInputStream
)

var xerialMagic = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

func (d *Decoder) unsnappy(dst, src []byte, top int) ([]byte, error) {
	base := len(dst)
	whole := base // the end of the last good chunk
	fail := func(dst []byte, e *Error) ([]byte, error) {
		e.Codec = Snappy
		// A chunk comes out whole or not at all, and SnappyInputStream.read
		// fills the caller's buffer over chunk bounds.
		e.Delivered = (whole - base) / javaSnappyOut * javaSnappyOut
		return dst, e
	}
	if len(src) == 0 {
		return fail(dst, &Error{Msg: "Cannot decompress empty stream", Detail: "want a xerial header or a raw block", Err: io.ErrUnexpectedEOF})
	}
	if len(src) < xerialHeader || !bytes.HasPrefix(src, xerialMagic) {
		dst, e := snappyBlock(dst, src, 0, top, base)
		if e != nil {
			return fail(dst, e)
		}
		return dst, nil
	}
	for pos := xerialHeader; len(src)-pos >= 4; { // fewer than 4 bytes end the stream silently
		n := int(int32(binary.BigEndian.Uint32(src[pos:])))
		if n == -0x7dacb1bf { // 82 53 4e 41: the start of another header
			if len(src)-pos < xerialHeader {
				return fail(dst, &Error{Pos: pos, Msg: "Insufficient header size in a concatenated block",
					Detail: fmt.Sprintf("want %d bytes, found %d", xerialHeader, len(src)-pos), Err: io.ErrUnexpectedEOF})
			}
			if !bytes.HasPrefix(src[pos:], xerialMagic) {
				return dst, nil
			}
			if v := int32(binary.BigEndian.Uint32(src[pos+8:])); v < 1 {
				return fail(dst, &Error{Pos: pos + 8, Msg: fmt.Sprintf("Compressed with an incompatible codec version %d. At least version 1 is required", v)})
			}
			pos += xerialHeader
			continue
		}
		switch {
		case n < 0:
			return fail(dst, &Error{Pos: pos, Msg: fmt.Sprintf("chunkSize is too big or negative : %d", n)})
		case n > xerialMaxChunk:
			return fail(dst, &Error{Pos: pos, Msg: fmt.Sprintf("Received chunkSize %d is greater than max configured chunk size %d", n, xerialMaxChunk)})
		case n > len(src)-pos-4:
			return fail(dst, &Error{Pos: pos, Msg: "failed to read chunk", Detail: fmt.Sprintf("want %d bytes, found %d", n, len(src)-pos-4), Err: io.ErrUnexpectedEOF})
		}
		pos += 4
		var e *Error
		if dst, e = snappyBlock(dst, src[pos:pos+n], pos, top, base); e != nil {
			return fail(dst, e)
		}
		pos += n
		whole = len(dst)
	}
	return dst, nil
}

// snappyBlock appends what the raw block b decodes to; b starts at pos of the
// source.
func snappyBlock(dst, b []byte, pos, top, base int) ([]byte, *Error) {
	claim, n := binary.Uvarint(b)
	if n <= 0 || n > 5 || claim > 1<<32-1 {
		return dst, &Error{Pos: pos, Msg: "invalid snappy block", Detail: "its length prefix is not a varint of 32 bits"}
	}
	if most := uint64(len(b)-n) * snappyMaxRatio; claim > most {
		return dst, &Error{Pos: pos, Msg: "invalid snappy block",
			Detail: fmt.Sprintf("it claims %d bytes, its %d bytes decode to %d at most", claim, len(b)-n, most)}
	}
	if claim > uint64(top-len(dst)) {
		return dst, tooLarge(Snappy, pos, 0, top-base)
	}
	size := int(claim)
	dst = grow(dst, size, len(b), top)
	// golang/snappy rather than s2, which reads a superset: a copy of offset 0
	// means "repeat" to it and is damage here.
	if _, err := snappy.Decode(dst[len(dst):len(dst)+size:len(dst)+size], b); err == nil {
		return dst[:len(dst)+size], nil
	}
	return snappySlow(dst, b[n:], pos+n, size)
}

// snappySlow decodes the elements b of a raw block, which start at pos of the
// source and must give size bytes. It keeps what comes before the damage and
// says where that is. dst has room for size bytes.
func snappySlow(dst, b []byte, pos, size int) ([]byte, *Error) {
	start, end := len(dst), len(dst)+size
	bad := func(i int, format string, args ...any) ([]byte, *Error) {
		return dst, &Error{Pos: pos + i, Msg: "invalid snappy block", Detail: fmt.Sprintf(format, args...)}
	}
	for i := 0; i < len(b); {
		at, tag := i, b[i]
		length, offset, extra := int(tag>>2)+1, 0, 0
		switch tag & 3 {
		case 0:
			if length > 60 {
				extra = length - 60
			}
		case 1:
			length, extra = int(tag>>2&7)+4, 1
		case 2:
			extra = 2
		case 3:
			extra = 4
		}
		i++
		if len(b)-i < extra {
			return bad(at, "element %02x needs %d more bytes, found %d", tag, extra, len(b)-i)
		}
		v := le(b[i : i+extra])
		i += extra
		if tag&3 == 0 {
			if extra > 0 {
				length = int(min(v+1, 1<<31-1))
			}
			if length > len(b)-i || length > end-len(dst) {
				return bad(at, "literal of %d bytes, found %d in the block and room for %d", length, len(b)-i, end-len(dst))
			}
			dst = append(dst, b[i:i+length]...)
			i += length
			continue
		}
		if tag&3 == 1 {
			v |= uint64(tag>>5) << 8
		}
		offset = int(min(v, 1<<31-1))
		if offset == 0 || offset > len(dst)-start || length > end-len(dst) {
			return bad(at, "copy of %d bytes from %d back, where %d are decoded and there is room for %d", length, offset, len(dst)-start, end-len(dst))
		}
		for ; length > 0; length-- {
			dst = append(dst, dst[len(dst)-offset])
		}
	}
	if len(dst) != end {
		return bad(len(b), "want %d bytes, the block decodes to %d", size, len(dst)-start)
	}
	return dst, nil
}
