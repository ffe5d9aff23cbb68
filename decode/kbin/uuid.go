package kbin

import (
	"errors"
	"strconv"
	"unicode/utf16"
)

// UUID is a Kafka UUID: sixteen bytes, most significant first. Its text is
// base64url without padding, 22 characters.
type UUID [16]byte

// The reserved ids of Kafka. The first three are also the directory ids
// MIGRATING, UNASSIGNED and LOST of KIP-858; OneUUID is the id of the metadata
// topic as well.
var (
	ZeroUUID = UUID{}
	OneUUID  = UUID{15: 1}
	TwoUUID  = UUID{15: 2}
)

const urlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// IsZero reports whether all bytes are 0, Kafka's way to say "none".
func (u UUID) IsZero() bool { return u == UUID{} }

// String returns the 22 characters that Kafka prints.
func (u UUID) String() string {
	var b [22]byte
	return string(u.append(b[:0]))
}

// AppendText appends what String returns; the error is always nil.
func (u UUID) AppendText(dst []byte) ([]byte, error) { return u.append(dst), nil }

// MarshalText returns what String returns.
func (u UUID) MarshalText() ([]byte, error) { return u.append(nil), nil }

// UnmarshalText is [ParseUUID].
func (u *UUID) UnmarshalText(text []byte) (err error) {
	*u, err = ParseUUID(string(text))
	return err
}

func (u UUID) append(dst []byte) []byte {
	for i := 0; i < 15; i += 3 {
		v := uint(u[i])<<16 | uint(u[i+1])<<8 | uint(u[i+2])
		dst = append(dst, urlAlphabet[v>>18&63], urlAlphabet[v>>12&63], urlAlphabet[v>>6&63], urlAlphabet[v&63])
	}
	return append(dst, urlAlphabet[u[15]>>2], urlAlphabet[u[15]&3<<4])
}

// ParseUUID accepts what Kafka's Uuid.fromString does: base64url with or
// without padding, at most 24 characters, giving sixteen bytes. Error texts
// are those of Kafka and of the JDK's decoder.
func ParseUUID(s string) (UUID, error) {
	units := utf16.Encode([]rune(s)) // Java counts UTF-16 units
	if len(units) > 24 {
		return UUID{}, javaError("Input string with prefix `" + string(utf16.Decode(units[:24])) +
			"` is too long to be decoded as a base64 UUID")
	}
	out, err := decodeURL(latin1(s))
	if err != nil {
		return UUID{}, err
	}
	if len(out) != 16 {
		return UUID{}, javaError("Input string `" + s + "` decoded as " + strconv.Itoa(len(out)) +
			" bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID")
	}
	return UUID(out), nil
}

// javaError keeps the words of the Java classes, which start in upper case.
func javaError(text string) error { return errors.New(text) }

// latin1 encodes as Java's ISO_8859_1 does: others become question marks.
func latin1(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c > 0xff {
			c = '?'
		}
		b = append(b, byte(c))
	}
	return b
}

func urlValue(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '-':
		return 62
	case c == '_':
		return 63
	}
	return -1
}

// decodeURL follows java.util.Base64's URL decoder, which differs from
// encoding/base64 in what it tolerates: padding is optional and the unused
// bits of the last character may be anything.
func decodeURL(src []byte) ([]byte, error) {
	if len(src) == 1 {
		return nil, javaError("Input byte[] should at least have 2 bytes for base64 bytes")
	}
	var out []byte
	bits, shift, pos := 0, 18, 0
	for pos < len(src) {
		c := src[pos]
		pos++
		if c == '=' {
			if shift == 18 {
				return nil, javaError("Input byte array has wrong 4-byte ending unit")
			}
			if shift == 6 {
				if pos == len(src) || src[pos] != '=' {
					return nil, javaError("Input byte array has wrong 4-byte ending unit")
				}
				pos++
			}
			break
		}
		v := urlValue(c)
		if v < 0 {
			return nil, javaError("Illegal base64 character " + strconv.FormatInt(int64(int8(c)), 16))
		}
		bits |= v << shift
		shift -= 6
		if shift < 0 {
			out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
			bits, shift = 0, 18
		}
	}
	switch shift {
	case 6:
		out = append(out, byte(bits>>16))
	case 0:
		out = append(out, byte(bits>>16), byte(bits>>8))
	case 12:
		return nil, javaError("Last unit does not have enough valid bits")
	}
	if pos < len(src) {
		return nil, javaError("Input byte array has incorrect ending byte at " + strconv.Itoa(pos))
	}
	return out, nil
}
