package compress

import "math/bits"

// Bases and extra bits of the length codes 257 to 285 and the distance codes.
var (
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
	codeOrder   = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

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
