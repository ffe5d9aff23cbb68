package kbin

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Reader reads values from Src, starting at Pos. The first failure sticks:
// from then on every method returns a zero value and [Reader.Err] tells why,
// so a message is read without a check per field. A failure moves Pos to the
// end of Src, which makes the following reads fail at once; [Error].Pos keeps
// where it happened.
//
// The zero Reader with Src set is ready. One Reader can be used for many
// inputs, see [Reader.Reset].
type Reader struct {
	Src []byte
	Pos int

	// Alias makes strings and byte fields share Src's memory instead of
	// copying it. They are then valid only as long as Src does not change.
	Alias bool

	// AnyVersion accepts versions outside a message's range, as Kafka's own
	// classes do for top-level messages: a higher version is read as the
	// highest, a negative one as the lowest. Structs inside arrays still
	// refuse versions that are too high.
	AnyVersion bool

	err *Error
}

// Reset starts reading src from its beginning and forgets any error.
func (r *Reader) Reset(src []byte) {
	r.Src, r.Pos, r.err = src, 0, nil
}

// Err returns the first failure, a [*Error], or nil.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// OK reports whether nothing has failed so far.
func (r *Reader) OK() bool { return r.err == nil }

// Remaining returns the number of bytes not yet read.
func (r *Reader) Remaining() int { return len(r.Src) - r.Pos }

func (r *Reader) fail(e Error) {
	if r.err == nil {
		e.Pos = r.Pos
		r.err = &e
	}
	r.Pos = len(r.Src)
}

//go:noinline
func (r *Reader) underflow() { r.fail(Error{Kind: KindUnderflow}) }

// Bool reads one byte; anything but 0 is true.
func (r *Reader) Bool() bool { return r.Int8() != 0 }

// Int8 reads one byte.
func (r *Reader) Int8() int8 {
	if r.Pos >= len(r.Src) {
		r.underflow()
		return 0
	}
	v := r.Src[r.Pos]
	r.Pos++
	return int8(v)
}

// Int16 reads two bytes.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Uint16 reads two bytes.
func (r *Reader) Uint16() uint16 {
	if len(r.Src)-r.Pos < 2 {
		r.underflow()
		return 0
	}
	v := binary.BigEndian.Uint16(r.Src[r.Pos:])
	r.Pos += 2
	return v
}

// Int32 reads four bytes.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Uint32 reads four bytes.
func (r *Reader) Uint32() uint32 {
	if len(r.Src)-r.Pos < 4 {
		r.underflow()
		return 0
	}
	v := binary.BigEndian.Uint32(r.Src[r.Pos:])
	r.Pos += 4
	return v
}

// Int64 reads eight bytes.
func (r *Reader) Int64() int64 {
	if len(r.Src)-r.Pos < 8 {
		r.underflow()
		return 0
	}
	v := binary.BigEndian.Uint64(r.Src[r.Pos:])
	r.Pos += 8
	return int64(v)
}

// Float64 reads an IEEE 754 double.
func (r *Reader) Float64() float64 { return math.Float64frombits(uint64(r.Int64())) }

// UUID reads sixteen bytes.
func (r *Reader) UUID() (u UUID) {
	if len(r.Src)-r.Pos < 16 {
		r.underflow()
		return
	}
	u = UUID(r.Src[r.Pos:])
	r.Pos += 16
	return
}

// Uvarint reads an unsigned varint of at most five bytes. Like Kafka it
// accepts needlessly long forms and drops bits beyond the 32nd.
func (r *Reader) Uvarint() uint32 {
	if r.Pos < len(r.Src) {
		if b := r.Src[r.Pos]; b < 0x80 {
			r.Pos++
			return uint32(b)
		}
	}
	return r.uvarintSlow()
}

func (r *Reader) uvarintSlow() uint32 {
	var v uint32
	for i := 0; i < 5; i++ {
		if r.Pos+i >= len(r.Src) {
			r.underflow()
			return 0
		}
		b := r.Src[r.Pos+i]
		v |= uint32(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.Pos += i + 1
			return v
		}
	}
	r.fail(Error{Kind: KindVarint, Bits: uint64(v)})
	return 0
}

// Varint reads a zig-zag varint of at most five bytes.
func (r *Reader) Varint() int32 {
	v := r.Uvarint()
	return int32(v>>1) ^ -int32(v&1)
}

// Varlong reads a zig-zag varint of at most ten bytes.
func (r *Reader) Varlong() int64 {
	var v uint64
	for i := 0; i < 10; i++ {
		if r.Pos+i >= len(r.Src) {
			r.underflow()
			return 0
		}
		b := r.Src[r.Pos+i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.Pos += i + 1
			return int64(v>>1) ^ -int64(v&1)
		}
	}
	r.fail(Error{Kind: KindVarlong, Bits: v})
	return 0
}

// Bytes returns the next n bytes of Src itself, whatever Alias says. It is nil
// after a failure.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 {
		r.fail(Error{Kind: KindNegativeSize, Size: int64(n)})
		return nil
	}
	if n > len(r.Src)-r.Pos {
		r.fail(Error{Kind: KindShort, Size: int64(n), Have: int64(len(r.Src) - r.Pos)})
		return nil
	}
	b := r.Src[r.Pos : r.Pos+n : r.Pos+n]
	r.Pos += n
	return b
}

// text makes a string of the next n bytes.
func (r *Reader) text(n int) string {
	b := r.Bytes(n)
	if len(b) == 0 {
		return ""
	}
	if r.Alias {
		return unsafe.String(&b[0], len(b))
	}
	return string(b)
}

// blob makes a byte field of the next n bytes; never nil unless failed.
func (r *Reader) blob(n int) []byte {
	b := r.Bytes(n)
	if r.Alias || b == nil {
		return b
	}
	// Not the memory of an earlier value: that may belong to an aliased Src.
	return append(make([]byte, 0, len(b)), b...)
}

// CheckVersion fails unless lowest <= version <= highest or AnyVersion is set.
func (r *Reader) CheckVersion(name string, version, lowest, highest int16) bool {
	if (version < lowest || version > highest) && !r.AnyVersion {
		r.BadVersion(name, version)
	}
	return r.err == nil
}

// BadVersion fails with "Can't read version".
func (r *Reader) BadVersion(name string, version int16) {
	r.fail(Error{Kind: KindReadVersion, Field: name, Version: version})
}
