package kbin

import "encoding/binary"

// The methods below read length-prefixed values. field is the schema's name
// for error messages; the Compact forms belong to flexible versions.

// CompactString reads a non-null string.
func (r *Reader) CompactString(field string) string {
	n := int32(r.Uvarint()) - 1
	if uint32(n) > MaxString {
		r.badString(field, n)
		return ""
	}
	return r.text(int(n))
}

// String reads a non-null string.
func (r *Reader) String(field string) string {
	n := int32(r.Int16())
	if n < 0 {
		r.badString(field, n)
		return ""
	}
	return r.text(int(n))
}

func (r *Reader) badString(field string, n int32) {
	if n < 0 {
		r.fail(Error{Kind: KindNull, Field: field})
		return
	}
	r.fail(Error{Kind: KindStringLength, Field: field, Size: int64(n)})
}

// CompactNullableString reads a string that may be null. It stores into old
// when that is not nil, so that no allocation is needed.
func (r *Reader) CompactNullableString(field string, old *string) *string {
	n := int32(r.Uvarint()) - 1
	if n < 0 {
		return nil
	}
	if n > MaxString {
		r.badString(field, n)
		return nil
	}
	return r.textPtr(int(n), old)
}

// NullableString is CompactNullableString for non-flexible versions.
func (r *Reader) NullableString(old *string) *string {
	n := r.Int16()
	if n < 0 {
		return nil
	}
	return r.textPtr(int(n), old)
}

func (r *Reader) textPtr(n int, old *string) *string {
	if old == nil {
		old = new(string)
	}
	*old = r.text(n)
	return old
}

// CompactBytes reads a non-null byte field.
func (r *Reader) CompactBytes(field string) []byte {
	return r.bytesField(field, int32(r.Uvarint())-1)
}

// LongBytes reads a non-null byte field with a four-byte length.
func (r *Reader) LongBytes(field string) []byte {
	return r.bytesField(field, r.Int32())
}

func (r *Reader) bytesField(field string, n int32) []byte {
	if n < 0 {
		r.fail(Error{Kind: KindNull, Field: field})
		return nil
	}
	return r.blob(int(n))
}

// CompactNullableBytes reads a byte field; nil means null.
func (r *Reader) CompactNullableBytes() []byte {
	if n := int32(r.Uvarint()) - 1; n >= 0 {
		return r.blob(int(n))
	}
	return nil
}

// LongNullableBytes is CompactNullableBytes with a four-byte length.
func (r *Reader) LongNullableBytes() []byte {
	if n := r.Int32(); n >= 0 {
		return r.blob(int(n))
	}
	return nil
}

// CompactArray reads the element count of a non-null array; 0 on failure.
func (r *Reader) CompactArray(field string) int {
	return r.arrayLen(field, int32(r.Uvarint())-1)
}

// Array reads the element count of a non-null array; 0 on failure.
func (r *Reader) Array(field string) int {
	return r.arrayLen(field, r.Int32())
}

func (r *Reader) arrayLen(field string, n int32) int {
	if n < 0 {
		r.fail(Error{Kind: KindNull, Field: field})
		return 0
	}
	return r.checkArray(n)
}

// CompactNullableArray reads the element count of an array, -1 for null.
func (r *Reader) CompactNullableArray() int {
	n := int32(r.Uvarint()) - 1
	if n < 0 {
		return -1
	}
	return r.checkArray(n)
}

// NullableArray reads the element count of an array, -1 for null.
func (r *Reader) NullableArray() int {
	n := r.Int32()
	if n < 0 {
		return -1
	}
	return r.checkArray(n)
}

func (r *Reader) checkArray(n int32) int {
	// Every element takes at least one byte, so this bounds what is allocated.
	if have := len(r.Src) - r.Pos; int(n) > have {
		r.fail(Error{Kind: KindArraySize, Size: int64(n), Have: int64(have)})
		return 0
	}
	if n > MaxArray {
		r.fail(Error{Kind: KindArrayLimit, Size: int64(n)})
		return 0
	}
	return int(n)
}

// elems returns s with length n, reusing its memory, and the source bytes of n
// elements of the given size; nil bytes when there are too few.
func elems[T any](r *Reader, s []T, n, size int) ([]T, []byte) {
	if n*size > len(r.Src)-r.Pos {
		r.underflow()
		return Reset(s), nil
	}
	src := r.Src[r.Pos : r.Pos+n*size]
	r.Pos += n * size
	if s == nil || n > cap(s) {
		return make([]T, n), src
	}
	return s[:n], src
}

// Int32s reads n elements into dst's memory; the result is not nil.
func (r *Reader) Int32s(dst []int32, n int) []int32 {
	dst, src := elems(r, dst, n, 4)
	for i := range dst {
		dst[i] = int32(binary.BigEndian.Uint32(src[4*i:]))
	}
	return dst
}

// Int16s reads n elements into dst's memory; the result is not nil.
func (r *Reader) Int16s(dst []int16, n int) []int16 {
	dst, src := elems(r, dst, n, 2)
	for i := range dst {
		dst[i] = int16(binary.BigEndian.Uint16(src[2*i:]))
	}
	return dst
}

// UUIDs reads n elements into dst's memory; the result is not nil.
func (r *Reader) UUIDs(dst []UUID, n int) []UUID {
	dst, src := elems(r, dst, n, 16)
	for i := range dst {
		dst[i] = UUID(src[16*i:])
	}
	return dst
}

// CompactStrings reads n strings into dst's memory; the result is not nil.
func (r *Reader) CompactStrings(field string, dst []string, n int) []string {
	dst = Reset(dst)
	for ; n > 0 && r.err == nil; n-- {
		dst = append(dst, r.CompactString(field))
	}
	return dst
}

// Strings is CompactStrings for non-flexible versions.
func (r *Reader) Strings(field string, dst []string, n int) []string {
	dst = Reset(dst)
	for ; n > 0 && r.err == nil; n-- {
		dst = append(dst, r.String(field))
	}
	return dst
}

// TagCount reads the number of tags of a tagged section; 0 on failure.
func (r *Reader) TagCount() int {
	n := int32(r.Uvarint())
	if n == 0 {
		return 0
	}
	have := len(r.Src) - r.Pos
	switch {
	case n < 0:
		r.fail(Error{Kind: KindNegativeTags, Size: int64(n)})
	case int(n) > have:
		r.fail(Error{Kind: KindTagCount, Size: int64(n), Have: int64(have)})
	case n > MaxTags:
		r.fail(Error{Kind: KindTagLimit, Size: int64(n)})
	default:
		return int(n)
	}
	return 0
}

// UnknownTag reads the payload of a tag that the message does not know and
// appends it to t.
func (r *Reader) UnknownTag(t Tags, tag, size uint32) Tags {
	data := r.blob(int(int32(size)))
	if r.err != nil {
		return t
	}
	return append(t, RawTag{tag, data})
}

// BadTag fails because the tag does not exist in this version.
func (r *Reader) BadTag(tag uint32, version int16) {
	r.fail(Error{Kind: KindTagVersion, Size: int64(tag), Version: version})
}
