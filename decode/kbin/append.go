package kbin

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// AppendBool appends 1 or 0.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendInt8 appends one byte.
func AppendInt8(dst []byte, v int8) []byte { return append(dst, byte(v)) }

// AppendInt16 appends two bytes.
func AppendInt16(dst []byte, v int16) []byte {
	return binary.BigEndian.AppendUint16(dst, uint16(v))
}

// AppendUint16 appends two bytes.
func AppendUint16(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }

// AppendInt32 appends four bytes.
func AppendInt32(dst []byte, v int32) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(v))
}

// AppendUint32 appends four bytes.
func AppendUint32(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

// AppendInt64 appends eight bytes.
func AppendInt64(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v))
}

// AppendFloat64 appends an IEEE 754 double.
func AppendFloat64(dst []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
}

// AppendUUID appends sixteen bytes.
func AppendUUID(dst []byte, u UUID) []byte { return append(dst, u[:]...) }

// AppendUvarint appends an unsigned varint of one to five bytes.
func AppendUvarint(dst []byte, v uint32) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

// AppendVarint appends a zig-zag varint of one to five bytes.
func AppendVarint(dst []byte, v int32) []byte {
	return AppendUvarint(dst, uint32(v)<<1^uint32(v>>31))
}

// AppendVarlong appends a zig-zag varint of one to ten bytes.
func AppendVarlong(dst []byte, v int64) []byte {
	return binary.AppendUvarint(dst, uint64(v)<<1^uint64(v>>63))
}

// UvarintLen returns how many bytes AppendUvarint writes.
func UvarintLen(v uint32) int { return (bits.Len32(v|1) + 6) / 7 }

// VarintLen returns how many bytes AppendVarint writes.
func VarintLen(v int32) int { return UvarintLen(uint32(v)<<1 ^ uint32(v>>31)) }

// VarlongLen returns how many bytes AppendVarlong writes.
func VarlongLen(v int64) int {
	return (bits.Len64((uint64(v)<<1^uint64(v>>63))|1) + 6) / 7
}

// AppendCompactString appends the flexible form of a string.
func AppendCompactString(dst []byte, s string) []byte {
	return append(AppendUvarint(dst, uint32(len(s))+1), s...)
}

// AppendString appends the non-flexible form of a string.
func AppendString(dst []byte, s string) []byte {
	return append(AppendInt16(dst, int16(len(s))), s...)
}

// AppendCompactBytes appends the flexible form of a byte field.
func AppendCompactBytes(dst, b []byte) []byte {
	return append(AppendUvarint(dst, uint32(len(b))+1), b...)
}

// AppendLongBytes appends the non-flexible form of a byte field.
func AppendLongBytes(dst, b []byte) []byte {
	return append(AppendInt32(dst, int32(len(b))), b...)
}

// AppendCompactArray appends the flexible form of an array's element count.
func AppendCompactArray(dst []byte, n int) []byte { return AppendUvarint(dst, uint32(n)+1) }

// AppendArray appends the non-flexible form of an array's element count.
func AppendArray(dst []byte, n int) []byte { return AppendInt32(dst, int32(n)) }

// AppendInt32s appends the elements, without a count.
func AppendInt32s(dst []byte, s []int32) []byte {
	for _, v := range s {
		dst = AppendInt32(dst, v)
	}
	return dst
}

// AppendInt16s appends the elements, without a count.
func AppendInt16s(dst []byte, s []int16) []byte {
	for _, v := range s {
		dst = AppendInt16(dst, v)
	}
	return dst
}

// AppendUUIDs appends the elements, without a count.
func AppendUUIDs(dst []byte, s []UUID) []byte {
	for i := range s {
		dst = append(dst, s[i][:]...)
	}
	return dst
}

// AppendCompactStrings appends the elements, without a count. The error is
// that of [StringTooLong].
func AppendCompactStrings(dst []byte, s []string, field string) ([]byte, error) {
	for _, v := range s {
		if len(v) > MaxString {
			return dst, StringTooLong(field)
		}
		dst = AppendCompactString(dst, v)
	}
	return dst, nil
}

// AppendStrings is AppendCompactStrings for non-flexible versions.
func AppendStrings(dst []byte, s []string, field string) ([]byte, error) {
	for _, v := range s {
		if len(v) > MaxString {
			return dst, StringTooLong(field)
		}
		dst = AppendString(dst, v)
	}
	return dst, nil
}

// InsertSize puts the size of dst[start:] as a uvarint before it. A tagged
// field is written by appending its payload and then calling InsertSize.
// Payloads are small, so moving them is cheaper than sizing them first.
func InsertSize(dst []byte, start int) []byte {
	return insertUvarint(dst, start, uint32(len(dst)-start))
}

// InsertStructSize is for a tagged nullable struct that is not null: Kafka
// writes the size, then a 1 that says so, then the struct; the 1 counts.
func InsertStructSize(dst []byte, start int) []byte {
	n := uint32(len(dst)-start) + 1
	dst = insertUvarint(dst, start, 1)
	return insertUvarint(dst, start, n)
}

func insertUvarint(dst []byte, at int, v uint32) []byte {
	var head [5]byte
	h := AppendUvarint(head[:0], v)
	dst = append(dst, h...)
	copy(dst[at+len(h):], dst[at:len(dst)-len(h)])
	copy(dst[at:], h)
	return dst
}
