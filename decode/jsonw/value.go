package jsonw

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
)

// Comma appends a comma unless dst ends with the brace that opened the object.
func Comma(dst []byte) []byte {
	if dst[len(dst)-1] == '{' {
		return dst
	}
	return append(dst, ',')
}

// AppendBool appends true or false.
func AppendBool(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

// AppendInt32s appends an array of numbers; a nil s is an empty array.
func AppendInt32s(dst []byte, s []int32) []byte {
	dst = append(dst, '[')
	for i, v := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendInt(dst, int64(v))
	}
	return append(dst, ']')
}

// AppendInt16s appends an array of numbers; a nil s is an empty array.
func AppendInt16s(dst []byte, s []int16) []byte {
	dst = append(dst, '[')
	for i, v := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendInt(dst, int64(v))
	}
	return append(dst, ']')
}

// AppendStrings appends an array of strings; a nil s is an empty array.
func AppendStrings(dst []byte, s []string) []byte {
	dst = append(dst, '[')
	for i, v := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, v)
	}
	return append(dst, ']')
}

// AppendBase64 appends b as a string in standard base64 with padding.
func AppendBase64(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}

const urlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// urlPairs holds the two characters of every 12 bits, as they lie in memory: a
// record has several ids, and this halves what they cost.
var urlPairs = func() (t [1 << 12]uint16) {
	for v := range t {
		t[v] = uint16(urlAlphabet[v>>6]) | uint16(urlAlphabet[v&63])<<8
	}
	return t
}()

// AppendUUID appends u as a string of 22 base64url characters.
func AppendUUID(dst []byte, u [16]byte) []byte {
	n := len(dst)
	dst = append(dst, `"0123456789012345678901"`...)
	b := dst[n+1 : n+23]
	for i, j := 0, 0; i < 15; i, j = i+3, j+4 {
		v := uint(u[i])<<16 | uint(u[i+1])<<8 | uint(u[i+2])
		binary.LittleEndian.PutUint16(b[j:], urlPairs[v>>12])
		binary.LittleEndian.PutUint16(b[j+2:], urlPairs[v&0xfff])
	}
	b[20] = urlAlphabet[u[15]>>2]
	b[21] = urlAlphabet[u[15]&3<<4]
	return dst
}

// AppendUUIDs appends an array of UUIDs; a nil s is an empty array.
func AppendUUIDs[T ~[16]byte](dst []byte, s []T) []byte {
	dst = append(dst, '[')
	for i := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendUUID(dst, s[i])
	}
	return append(dst, ']')
}

// AppendFloat appends v as Jackson does: what AppendJavaDouble gives, in
// quotes when v is not finite.
func AppendFloat(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		dst = append(dst, '"')
		return append(AppendJavaDouble(dst, v), '"')
	}
	return AppendJavaDouble(dst, v)
}

// AppendJavaDouble appends what Java's Double.toString gives: at least one
// digit on both sides of the point, decimal notation for 1e-3 <= |v| < 1e7,
// otherwise as in 1.0E7. It prints the shortest digits that identify v, as JDK
// 19 and later do; older ones print an extra digit for a few values (1.0E23).
func AppendJavaDouble(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	case abs == 0 || abs >= 1e-3 && abs < 1e7:
		n := len(dst)
		dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
		for _, c := range dst[n:] {
			if c == '.' {
				return dst
			}
		}
		return append(dst, ".0"...)
	}
	prec := -1
	if abs < 1e-322 {
		// Java wants the two-digit decimal nearest to v when one digit would
		// do; only here, where doubles are coarse, is that another number.
		prec = 1
	}
	var buf [32]byte
	b := strconv.AppendFloat(buf[:0], v, 'e', prec, 64)
	// b is like -1.5e+07 or 1e-05; Java prints -1.5E7 and 1.0E-5.
	e := len(b) - 1
	for b[e] != 'e' {
		e--
	}
	dst = append(dst, b[:e]...)
	if e < 3 { // no fraction: "1" or "-1"
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'E')
	if b[e+1] == '-' {
		dst = append(dst, '-')
	}
	exp := b[e+2:]
	for len(exp) > 1 && exp[0] == '0' {
		exp = exp[1:]
	}
	return append(dst, exp...)
}
