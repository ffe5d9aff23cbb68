package compress

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Sizes of the buffers in Kafka's reader of gzip batches. They decide which
// bytes its parser sees before damage, and whether trailing bytes are looked at.
const (
	javaInflateIn  = 8 << 10  // GZIPInputStream's input buffer
	javaInflateOut = 16 << 10 // ChunkedBytesStream around it
)

func (d *Decoder) gunzip(dst, src []byte, top int) ([]byte, error) {
	base := len(dst)
	start, e := gzipHeader(src, 0)
	if e != nil {
		return dst, e
	}
	fetched := start // what Java has taken out of the source so far
	for {
		member := len(dst)
		var n int
		var err error
		dst, n, err = d.inflater.inflate(dst, src[start:], top)
		end := start + n
		if err == ErrTooLarge {
			return dst, tooLarge(Gzip, end, len(dst)-base, top-base)
		}
		if bad, ok := err.(*inflateError); ok {
			e := &Error{Codec: Gzip, Pos: start + bad.pos, Msg: bad.msg, Delivered: len(dst) - base}
			if bad.eof {
				e.Msg, e.Detail, e.Err = "Unexpected end of ZLIB input stream", "the source ends inside the deflate data", io.ErrUnexpectedEOF
			} else {
				e.Delivered = member - base + d.javaDelivered(src[start:end], len(dst)-member)
			}
			return dst, e
		}
		if end > fetched {
			fetched = min(len(src), fetched+(end-fetched+javaInflateIn-1)/javaInflateIn*javaInflateIn)
		}
		delivered := len(dst) - base // the inflater says it is finished only in the call after the last bytes
		if len(src)-end < 8 {
			return dst, &Error{Codec: Gzip, Pos: end, Delivered: delivered, Msg: "Unexpected end of GZIP trailer",
				Detail: fmt.Sprintf("want 8 bytes, found %d", len(src)-end), Err: io.ErrUnexpectedEOF}
		}
		crc, size := binary.LittleEndian.Uint32(src[end:]), binary.LittleEndian.Uint32(src[end+4:])
		if got := crc32.ChecksumIEEE(dst[member:]); got != crc {
			return dst, &Error{Codec: Gzip, Pos: end, Delivered: delivered, Msg: "Corrupt GZIP trailer",
				Detail: fmt.Sprintf("crc32: the data has %08x, the trailer says %08x", got, crc)}
		}
		if got := uint32(len(dst) - member); got != size {
			return dst, &Error{Codec: Gzip, Pos: end + 4, Delivered: delivered, Msg: "Corrupt GZIP trailer",
				Detail: fmt.Sprintf("size: the data has %d bytes, the trailer says %d", got, size)}
		}
		// Java looks for another member only if its source has more to give, or
		// if more than 18 bytes are left in its buffer behind the trailer.
		buffered := fetched - end
		fetched = max(fetched, end+8)
		if fetched >= len(src) && buffered <= 26 {
			return dst, nil
		}
		next, e := gzipHeader(src, end+8)
		if e != nil {
			return dst, nil
		}
		start = next
		fetched = max(fetched, start)
	}
}

// javaDelivered returns how many of the n bytes that in (deflate data up to the
// damage) decodes to come out of Java's streams. An inflater call ends when its
// 16 KiB of output are full or its 8 KiB of input are used up, and the call
// that meets the damage returns nothing.
func (d *Decoder) javaDelivered(in []byte, n int) int {
	done := 0
	for cut := javaInflateIn; cut < len(in); cut += javaInflateIn {
		d.spare, _, _ = d.inflater.inflate(d.spare[:0], in[:cut], n)
		done = len(d.spare)
	}
	return done + (n-done)/javaInflateOut*javaInflateOut
}

// gzipHeader checks the member header at pos and returns where its deflate
// data starts.
func gzipHeader(src []byte, pos int) (int, *Error) {
	fail := func(at int, msg, detail string, err error) (int, *Error) {
		return 0, &Error{Codec: Gzip, Pos: at, Msg: msg, Detail: detail, Err: err}
	}
	b := src[pos:]
	if len(b) >= 2 && (b[0] != 0x1f || b[1] != 0x8b) {
		return fail(pos, "Not in GZIP format", fmt.Sprintf("want 1f8b, found %02x%02x", b[0], b[1]), nil)
	}
	if len(b) >= 3 && b[2] != 8 {
		return fail(pos+2, "Unsupported compression method", fmt.Sprintf("want 8, found %d", b[2]), nil)
	}
	const short = "Unexpected end of GZIP header"
	if len(b) < 10 {
		return fail(pos, short, fmt.Sprintf("want 10 bytes, found %d", len(b)), io.ErrUnexpectedEOF)
	}
	flags, n := b[3], 10
	if flags&4 != 0 { // FEXTRA
		if len(b) < n+2 || len(b) < n+2+int(binary.LittleEndian.Uint16(b[n:])) {
			return fail(pos+n, short, "in the extra field", io.ErrUnexpectedEOF)
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
	}
	for _, f := range [...]byte{8, 16} { // FNAME, FCOMMENT
		if flags&f == 0 {
			continue
		}
		at := n
		for n < len(b) && b[n] != 0 {
			n++
		}
		if n == len(b) {
			return fail(pos+at, short, "in the name or comment", io.ErrUnexpectedEOF)
		}
		n++
	}
	if flags&2 != 0 { // FHCRC
		if len(b) < n+2 {
			return fail(pos+n, short, "in the header checksum", io.ErrUnexpectedEOF)
		}
		want, got := binary.LittleEndian.Uint16(b[n:]), uint16(crc32.ChecksumIEEE(b[:n]))
		if want != got {
			return fail(pos+n, "Corrupt GZIP header", fmt.Sprintf("checksum: the header has %04x, it says %04x", got, want), nil)
		}
		n += 2
	}
	return pos + n, nil
}
