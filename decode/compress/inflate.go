package compress

import (
	"encoding/binary"
	"fmt"
)

// inflater decodes deflate data (RFC 1951) from one slice to another. It is
// here because both slices are whole: there is no window to keep, no reader to
// ask, and matches are copied inside the output, which makes it faster than a
// streaming decoder; and it stops at exactly the symbol that cannot
// be decoded, as zlib does.
//
// Codes are looked up in tables of one word an entry. The first level has
// 1<<bits entries, indexed by the next bits of the input; longer codes go on in
// a second level. Of an entry:
//
//	bits 0-4    length of the code in bits, of both levels together
//	bit 6       link: the code goes on in a second level
//	bit 7       end of block
//	bits 8-11   extra bits that follow; in a link: bits of the second level
//	bits 16-30  the literal, the base of a length or distance, or where the second level starts
//	bit 31      literal
//
// An entry of 0 means that there is no such code.
type inflater struct {
	// Every prefix that goes on in a second level has two codes at least, and
	// each second level is made for the longest code there can be.
	lit      [1<<litBits + 144<<(15-litBits)]uint32
	dist     [1<<distBits + 16<<(15-distBits)]uint32
	lengths  [288 + 32]uint8
	fixedLit bool // lit and dist hold the fixed codes
}

const (
	litBits  = 11
	distBits = 8

	flagLiteral = 1 << 31
	flagEnd     = 1 << 7
	flagLink    = 1 << 6
	lengthMask  = 31
)

// inflateError tells where deflate data is wrong. eof: they are cut.
type inflateError struct {
	pos int
	eof bool
	msg string
}

func (e *inflateError) Error() string { return e.msg }

// bitReader holds up to 63 bits of the input, the next one lowest. Behind the
// end of the input it gives zeros; n says how many bits are real.
type bitReader struct {
	src  []byte
	pos  int // the next byte to take
	hold uint64
	n    uint
}

// refill makes at least 56 bits ready, or all that are left.
func (b *bitReader) refill() {
	if b.pos+8 <= len(b.src) {
		b.hold |= binary.LittleEndian.Uint64(b.src[b.pos:]) << (b.n & 63)
		b.pos += int(63-b.n) >> 3
		b.n |= 56
		return
	}
	for b.n < 56 && b.pos < len(b.src) {
		b.hold |= uint64(b.src[b.pos]) << (b.n & 63)
		b.pos++
		b.n += 8
	}
}

// at is the position of the byte that has the next bit.
func (b *bitReader) at() int { return b.pos - int(b.n>>3) }

func (b *bitReader) drop(n uint) {
	b.hold >>= n & 63
	b.n -= n
}

// inflate appends what the deflate data at the start of src decodes to, and
// returns how many bytes of src they are. The output is limited to top bytes
// in all; ErrTooLarge says that there is more.
func (z *inflater) inflate(dst, src []byte, top int) (out []byte, n int, err error) {
	b := bitReader{src: src}
	start := len(dst)
	for {
		b.refill()
		if b.n < 3 {
			return dst, len(src), cut(len(src))
		}
		last, kind := b.hold&1, b.hold>>1&3
		b.drop(3)
		switch kind {
		case 0:
			dst, err = z.stored(dst, &b, top)
		case 1:
			if !z.fixedLit {
				z.fixed()
			}
			dst, err = z.block(dst, &b, start, top)
		case 2:
			if err = z.dynamic(&b); err == nil {
				dst, err = z.block(dst, &b, start, top)
			}
		default:
			err = &inflateError{pos: b.at(), msg: "invalid block type"}
		}
		if err != nil || last == 1 {
			return dst, b.at(), err
		}
	}
}

func cut(pos int) error { return &inflateError{pos: pos, eof: true, msg: "unexpected end"} }

func (z *inflater) stored(dst []byte, b *bitReader, top int) ([]byte, error) {
	b.drop(b.n & 7)
	pos := b.at()
	b.hold, b.n, b.pos = 0, 0, pos
	if len(b.src)-pos < 4 {
		return dst, cut(len(b.src))
	}
	size, not := binary.LittleEndian.Uint16(b.src[pos:]), binary.LittleEndian.Uint16(b.src[pos+2:])
	if size != ^not {
		return dst, &inflateError{pos: pos, msg: fmt.Sprintf("invalid stored block lengths: want the complement of %04x, found %04x", size, not)}
	}
	pos += 4
	have := min(int(size), len(b.src)-pos)
	if have > top-len(dst) {
		return append(dst, b.src[pos:pos+top-len(dst)]...), ErrTooLarge
	}
	dst = append(grow(dst, have, len(b.src), top), b.src[pos:pos+have]...)
	b.pos = pos + have
	if have < int(size) {
		return dst, cut(len(b.src))
	}
	return dst, nil
}

// block decodes the symbols of one block.
func (z *inflater) block(dst []byte, b *bitReader, start, top int) ([]byte, error) {
	const longest = 258
	for {
		// The fast loop: room for two literals and the longest match, and bits
		// for all of them.
		if cap(dst)-len(dst) < longest+16 && len(dst) < top {
			dst = grow(dst, min(longest+16, top-len(dst)), len(b.src), top)
		}
		buf, w := dst[:cap(dst)], len(dst)
		safe := min(len(buf), top) - longest - 16
		hold, n, pos, src := b.hold, b.n, b.pos, b.src
		for w <= safe && pos+8 <= len(src) {
			hold |= binary.LittleEndian.Uint64(src[pos:]) << (n & 63)
			pos += int(63-n) >> 3
			n |= 56
			e := z.lit[hold&(1<<litBits-1)]
			if e&flagLiteral != 0 {
				buf[w] = byte(e >> 16)
				w++
				hold >>= e & lengthMask
				n -= uint(e & lengthMask)
				e = z.lit[hold&(1<<litBits-1)]
				if e&flagLiteral != 0 {
					buf[w] = byte(e >> 16)
					w++
					hold >>= e & lengthMask
					n -= uint(e & lengthMask)
					e = z.lit[hold&(1<<litBits-1)]
					if e&flagLiteral != 0 {
						buf[w] = byte(e >> 16)
						w++
						hold >>= e & lengthMask
						n -= uint(e & lengthMask)
						continue
					}
				}
			}
			// At least 34 bits are left here, a match needs 15+5 and, after
			// another refill, 15+13.
			if e&flagLink != 0 {
				e = z.lit[e>>16+uint32(hold>>litBits)&(1<<(e>>8&15)-1)]
				if e&flagLiteral != 0 {
					buf[w] = byte(e >> 16)
					w++
					hold >>= e & lengthMask
					n -= uint(e & lengthMask)
					continue
				}
			}
			if e == 0 || e&flagEnd != 0 {
				break // the careful loop ends the block, or names the error
			}
			hold0, n0, pos0 := hold, n, pos
			hold >>= e & lengthMask
			n -= uint(e & lengthMask)
			x := e >> 8 & 15
			length := int(e>>16) + int(hold&(1<<x-1))
			hold >>= x
			n -= uint(x)
			if n < 28 && pos+8 <= len(src) {
				hold |= binary.LittleEndian.Uint64(src[pos:]) << (n & 63)
				pos += int(63-n) >> 3
				n |= 56
			}
			d := z.dist[hold&(1<<distBits-1)]
			if d&flagLink != 0 {
				d = z.dist[d>>16+uint32(hold>>distBits)&(1<<(d>>8&15)-1)]
			}
			hold >>= d & lengthMask
			x = d >> 8 & 15
			distance := int(d>>16) + int(hold&(1<<x-1))
			hold >>= x
			used := uint(d&lengthMask) + uint(x)
			if d == 0 || distance > w-start || used > n {
				hold, n, pos = hold0, n0, pos0
				break
			}
			n -= used
			end := w + length
			if distance >= 8 {
				// Eight bytes at a time; safe leaves room for the overhang.
				for ; w < end; w += 8 {
					binary.LittleEndian.PutUint64(buf[w:w+8], binary.LittleEndian.Uint64(buf[w-distance:w-distance+8]))
				}
			} else {
				for ; w < end; w++ {
					buf[w] = buf[w-distance]
				}
			}
			w = end
		}
		b.hold, b.n, b.pos = hold, n, pos
		dst = buf[:w]
		more, err := z.careful(&dst, b, start, top)
		if !more || err != nil {
			return dst, err
		}
	}
}

// careful decodes symbols one by one, checking everything, until the block ends
// (more is false), something is wrong, or the fast loop can take over again.
func (z *inflater) careful(out *[]byte, b *bitReader, start, top int) (more bool, err error) {
	dst := *out
	defer func() { *out = dst }()
	for {
		b.refill()
		e := z.lit[b.hold&(1<<litBits-1)]
		if e&flagLiteral == 0 && e&flagLink != 0 {
			e = z.lit[e>>16+uint32(b.hold>>litBits)&(1<<(e>>8&15)-1)]
		}
		if short, err := b.missing(e, "literal/length"); short {
			return false, err
		}
		if e&flagLiteral == 0 && e&flagEnd != 0 {
			b.drop(uint(e & lengthMask))
			return false, nil
		}
		if e&flagLiteral != 0 {
			if len(dst) == top {
				return false, ErrTooLarge
			}
			dst = append(grow(dst, 1, len(b.src), top), byte(e>>16))
			b.drop(uint(e & lengthMask))
		} else {
			mark := *b
			x := uint(e >> 8 & 15)
			if b.n < uint(e&lengthMask)+x {
				return false, cut(len(b.src))
			}
			b.drop(uint(e & lengthMask))
			length := int(e>>16) + int(b.hold&(1<<x-1))
			b.drop(x)
			b.refill()
			d := z.dist[b.hold&(1<<distBits-1)]
			if d&flagLink != 0 {
				d = z.dist[d>>16+uint32(b.hold>>distBits)&(1<<(d>>8&15)-1)]
			}
			if short, err := b.missing(d, "distance"); short {
				return false, err
			}
			x = uint(d >> 8 & 15)
			if b.n < uint(d&lengthMask)+x {
				return false, cut(len(b.src))
			}
			b.drop(uint(d & lengthMask))
			distance := int(d>>16) + int(b.hold&(1<<x-1))
			b.drop(x)
			if distance > len(dst)-start {
				return false, &inflateError{pos: mark.at(), msg: fmt.Sprintf("invalid distance too far back: %d, where %d bytes are decoded", distance, len(dst)-start)}
			}
			fits := min(length, top-len(dst))
			dst = grow(dst, fits, len(b.src), top)
			for range fits {
				dst = append(dst, dst[len(dst)-distance])
			}
			if fits < length {
				return false, ErrTooLarge
			}
		}
		if b.pos+8 <= len(b.src) && len(dst) < top-600 {
			return true, nil
		}
	}
}

// missing reports whether the code of entry e cannot be had, and why: the input
// ends inside it, or there is no such code.
func (b *bitReader) missing(e uint32, what string) (bool, error) {
	if e == 0 {
		if b.n < 15 && b.pos == len(b.src) {
			return true, cut(len(b.src))
		}
		return true, &inflateError{pos: b.at(), msg: "invalid " + what + " code"}
	}
	if b.n < uint(e&lengthMask) {
		return true, cut(len(b.src))
	}
	return false, nil
}
