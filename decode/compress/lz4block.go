package compress

import "encoding/binary"

// lz4Lenient decodes a block that pierrec/lz4 refuses, the way LZ4_decompress_safe
// does, which Kafka uses. That one accepts an offset of 0 (forbidden by the
// format) and gives zeros for it. dst has room for what so many bytes can decode
// to, space is how much the frame allows for a block; the result is how many
// bytes of dst are filled.
//
// It has the library's two restrictions on how a block ends as well: the last
// sequence is literals only and 5 bytes long at least, and no match begins in
// the last 12 bytes of the space.
func lz4Lenient(dst []byte, space int, src []byte) (n int, ok bool) {
	const (
		lastLiterals = 5
		matchLimit   = 12
		minMatch     = 4
	)
	i := 0
	more := func(length, last int) (int, bool) { // bytes of 255 and one that is less
		for {
			if i >= last {
				return 0, false
			}
			b := src[i]
			i++
			length += int(b)
			if b != 255 {
				return length, true
			}
		}
	}
	for i < len(src) {
		token := src[i]
		i++
		length := int(token >> 4)
		if length == 15 {
			if length, ok = more(length, len(src)-15); !ok {
				return n, false
			}
		}
		if n+length > space-matchLimit || i+length > len(src)-(2+1+lastLiterals) {
			// The last sequence: it must end with the source, and fit.
			if i+length != len(src) || n+length > min(space, len(dst)) {
				return n, false
			}
			return n + copy(dst[n:], src[i:]), true
		}
		n += copy(dst[n:], src[i:i+length])
		i += length
		offset := int(binary.LittleEndian.Uint16(src[i:]))
		i += 2
		length = int(token & 15)
		if length == 15 {
			if length, ok = more(length, len(src)-lastLiterals+1); !ok {
				return n, false
			}
		}
		length += minMatch
		if offset > n || n+length > space-lastLiterals || n+length > len(dst) {
			return n, false
		}
		for end := n + length; n < end; n++ {
			dst[n] = 0
			if offset > 0 {
				dst[n] = dst[n-offset]
			}
		}
	}
	return n, false
}
