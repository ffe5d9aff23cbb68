package index

import (
	"errors"
	"fmt"
	"strconv"

	"kraftctl/decode/corrupt"
)

// CorruptError is the error for damaged bytes, the one of all of decode.
type CorruptError = corrupt.Error

// Causes of a CorruptError that callers may want to tell apart.
var (
	// ErrPartialEntry: the length of the file is not a multiple of the entry size.
	ErrPartialEntry = errors.New("partial entry at the end of the file")
	// ErrOrder: an entry is not beyond the one before it.
	ErrOrder = errors.New("entries out of order")
	// ErrBelowBase: an offset is smaller than the base offset of the segment.
	ErrBelowBase = errors.New("offset below the base offset")
	// ErrTruncated: the file ends before what it announces.
	ErrTruncated = errors.New("unexpected end of file")
	// ErrNullArray: a count of -1, Kafka's null, where an array must be.
	ErrNullArray = errors.New("null array")
	// ErrCount: a text checkpoint has more or fewer entries than it announces.
	ErrCount = errors.New("wrong number of entries")
	// ErrMalformedLine: a line of a text file that is not what it should be.
	ErrMalformedLine = errors.New("malformed line")
)

// ErrOffsetRange is returned when an offset cannot be written relative to a base
// offset: the distance is negative or above 2^31-1. It is no damage; a segment
// must roll before that happens.
var ErrOffsetRange = errors.New("offset out of the range of the segment")

// VersionError is the cause of a CorruptError for a version that is not known.
type VersionError struct{ Got, Min, Max int64 }

// Error names the version.
func (e *VersionError) Error() string { return "unknown version " + strconv.FormatInt(e.Got, 10) }

// ChecksumError is the cause of a CorruptError for a CRC that does not match.
type ChecksumError struct{ Stored, Computed uint32 }

// Error says so.
func (e *ChecksumError) Error() string { return "checksum mismatch" }

// CountError is the cause of a CorruptError for a binary count that is larger
// than the number of bytes left in the file.
type CountError struct {
	Count     int32
	Remaining int64 // bytes left
}

// Error says so.
func (e *CountError) Error() string { return "count larger than the file" }

// rangeError wraps ErrOffsetRange.
func rangeError(base, offset int64) error {
	return fmt.Errorf("%w: offset %d, base offset %d", ErrOffsetRange, offset, base)
}

func itoa[T ~int | ~int16 | ~int32 | ~int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// hex32 shows a checksum.
func hex32(n uint32) string { return fmt.Sprintf("0x%08x", n) }

// quote shows a piece of text of a damaged file, which may be long.
func quote(s string) string {
	const most = 120
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
