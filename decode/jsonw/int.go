package jsonw

import "math/bits"

// pairs holds the two digits of every number below 100.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// powers holds the smallest number of each count of digits above the first.
var powers = [...]uint64{0, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// AppendInt appends a decimal number. A dump is half numbers, most of them
// short, and this takes a third of the time of strconv.AppendInt.
func AppendInt(dst []byte, v int64) []byte {
	if uint64(v) < 10 {
		return append(dst, byte('0'+v))
	}
	return appendLong(dst, v)
}

func appendLong(dst []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u
	}
	if u < 100 {
		if u < 10 {
			return append(dst, byte('0'+u))
		}
		return append(dst, pairs[2*u], pairs[2*u+1])
	}
	// The number of digits, from that of bits: log10(2) is about 1233/4096.
	n := bits.Len64(u) * 1233 >> 12
	if u >= powers[n] {
		n++
	}
	const zeros = "00000000000000000000"
	start := len(dst)
	dst = append(dst, zeros[:n]...)
	digits := dst[start:]
	for i := len(digits); i >= 2; u /= 100 {
		p := 2 * (u % 100)
		i -= 2
		digits[i], digits[i+1] = pairs[p], pairs[p+1]
		if i == 1 {
			digits[0] = byte('0' + u/100)
			break
		}
	}
	return dst
}
