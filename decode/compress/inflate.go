package compress

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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

// Bases and extra bits of the length codes 257 to 285 and the distance codes.
var (
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
	codeOrder   = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
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

// dynamic reads the code lengths at the head of a block and builds its tables.
func (z *inflater) dynamic(b *bitReader) error {
	z.fixedLit = false
	b.refill()
	if b.n < 14 {
		return cut(len(b.src))
	}
	at := b.at()
	nlit, ndist, ncode := int(b.hold&31)+257, int(b.hold>>5&31)+1, int(b.hold>>10&15)+4
	b.drop(14)
	if nlit > 286 || ndist > 30 {
		return &inflateError{pos: at, msg: "too many length or distance symbols"}
	}
	var code [19]uint8
	for i := range ncode {
		b.refill()
		if b.n < 3 {
			return cut(len(b.src))
		}
		code[codeOrder[i]] = uint8(b.hold & 7)
		b.drop(3)
	}
	const codeBits = 7
	var table [1 << codeBits]uint32
	if !build(table[:], codeBits, code[:], func(sym int) uint32 { return flagLiteral | uint32(sym)<<16 }, false) {
		return &inflateError{pos: at, msg: "invalid code lengths set"}
	}
	total := nlit + ndist
	for i := 0; i < total; {
		b.refill()
		e := table[b.hold&(1<<codeBits-1)]
		if short, err := b.missing(e, "code length"); short {
			return err
		}
		sym := uint8(e >> 16)
		if sym < 16 {
			b.drop(uint(e & lengthMask))
			z.lengths[i] = sym
			i++
			continue
		}
		x := [3]uint{2, 3, 7}[sym-16]
		if b.n < uint(e&lengthMask)+x {
			return cut(len(b.src))
		}
		pos := b.at()
		b.drop(uint(e & lengthMask))
		repeat := int(b.hold&(1<<x-1)) + [3]int{3, 3, 11}[sym-16]
		b.drop(x)
		var v uint8
		if sym == 16 {
			if i == 0 {
				return &inflateError{pos: pos, msg: "invalid bit length repeat"}
			}
			v = z.lengths[i-1]
		}
		if i+repeat > total {
			return &inflateError{pos: pos, msg: "invalid bit length repeat"}
		}
		for range repeat {
			z.lengths[i] = v
			i++
		}
	}
	if z.lengths[256] == 0 {
		return &inflateError{pos: at, msg: "invalid code -- missing end-of-block"}
	}
	if !build(z.lit[:], litBits, z.lengths[:nlit], litEntry, true) {
		return &inflateError{pos: at, msg: "invalid literal/lengths set"}
	}
	if !build(z.dist[:], distBits, z.lengths[nlit:total], distEntry, true) {
		return &inflateError{pos: at, msg: "invalid distances set"}
	}
	return nil
}

// fixed builds the tables of the fixed codes.
func (z *inflater) fixed() {
	for i := range 288 {
		switch {
		case i < 144:
			z.lengths[i] = 8
		case i < 256:
			z.lengths[i] = 9
		case i < 280:
			z.lengths[i] = 7
		default:
			z.lengths[i] = 8
		}
	}
	build(z.lit[:], litBits, z.lengths[:288], litEntry, true)
	for i := range 32 {
		z.lengths[i] = 5
	}
	build(z.dist[:], distBits, z.lengths[:32], distEntry, true)
	z.fixedLit = true
}

func litEntry(sym int) uint32 {
	switch {
	case sym < 256:
		return flagLiteral | uint32(sym)<<16
	case sym == 256:
		return flagEnd
	case sym < 286:
		return uint32(lengthBase[sym-257])<<16 | uint32(lengthExtra[sym-257])<<8
	}
	return 0 // 286 and 287 take part in the fixed code and mean nothing
}

func distEntry(sym int) uint32 {
	if sym < 30 {
		return uint32(distBase[sym])<<16 | uint32(distExtra[sym])<<8
	}
	return 0
}

// build fills a table for the canonical Huffman code with these code lengths.
// Like zlib it refuses sets with too many codes, and those with too few unless
// (where single allows it) there is no code at all or one of a single bit.
func build(table []uint32, root uint, lengths []uint8, entry func(sym int) uint32, single bool) bool {
	var count [16]int
	for _, n := range lengths {
		count[n]++
	}
	clear(table[:1<<root])
	left, longest := 1, uint(0)
	for n := uint(1); n < 16; n++ {
		if left = left<<1 - count[n]; left < 0 {
			return false
		}
		if count[n] > 0 {
			longest = n
		}
	}
	if longest == 0 {
		return single
	}
	if left > 0 && (!single || longest != 1) {
		return false
	}
	var next [16]uint32
	count[0] = 0
	for n := 1; n < 16; n++ {
		next[n] = (next[n-1] + uint32(count[n-1])) << 1
	}
	free := uint32(1) << root // where the next second level goes
	for sym, n8 := range lengths {
		n := uint(n8)
		if n == 0 {
			continue
		}
		rev := bits.Reverse32(next[n]) >> (32 - n)
		next[n]++
		e := entry(sym)
		if e != 0 {
			e |= uint32(n)
		}
		if n <= root {
			for i := rev; i < 1<<root; i += 1 << n {
				table[i] = e
			}
			continue
		}
		low := rev & (1<<root - 1)
		link := table[low]
		if link == 0 {
			size := longest - root
			link = flagLink | uint32(size)<<8 | free<<16
			table[low] = link
			clear(table[free : free+1<<size])
			free += 1 << size
		}
		size, at := link>>8&15, link>>16
		for i := rev >> root; i < 1<<size; i += 1 << (n - root) {
			table[at+i] = e
		}
	}
	return true
}
