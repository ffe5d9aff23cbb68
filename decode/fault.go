package decode

import (
	"strconv"

	"kraftctl/decode/corrupt"
)

// FaultKind says which rule of the record format was broken. Callers that need
// more than the text of an error (to translate it, to decide whether reading
// can go on) switch on it.
type FaultKind uint8

// The rules, in the order in which a reader meets them.
const (
	// FaultSizeTooSmall: the size field of an entry is below 14 (Want 14, Got the size).
	FaultSizeTooSmall FaultKind = iota + 1
	// FaultHeaderPastEnd: the fixed part of a batch runs over the end of the file.
	FaultHeaderPastEnd
	// FaultMagic: a magic below zero, whose layout nobody knows.
	FaultMagic
	// FaultWrapperMagic: the same of a compressed message.
	FaultWrapperMagic
	// FaultCodec: compression bits 5 to 7.
	FaultCodec
	// FaultChecksum: the stored checksum is not that of the bytes.
	FaultChecksum
	// FaultCount: a negative record count. Want is the magic.
	FaultCount
	// FaultBatchTooShort: a batch of magic 2 that is smaller than its 61 byte header.
	FaultBatchTooShort
	// FaultPrematureEnd: the records end before the declared count is reached.
	FaultPrematureEnd
	// FaultRecordsRemain: bytes are left after the declared count of records.
	FaultRecordsRemain
	// FaultRecordPastEnd: a record's length is larger than what is left of its batch.
	FaultRecordPastEnd
	// FaultRecordNegative: a negative record length in a compressed batch.
	FaultRecordNegative
	// FaultRecordLength: a record's fields do not add up to its length.
	FaultRecordLength
	// FaultRecordStructure: a field of a record runs over the record's end.
	FaultRecordStructure
	// FaultVarint: a variable-length integer of more than 5 (10) bytes.
	FaultVarint
	// FaultHeaderCount: a negative number of record headers.
	FaultHeaderCount
	// FaultHeaderCountTooLarge: more headers than bytes left.
	FaultHeaderCountTooLarge
	// FaultHeaderMemory: more headers than the limit for a batch's memory allows.
	FaultHeaderMemory
	// FaultHeaderKey: a header without a key.
	FaultHeaderKey
	// FaultDecompress: the compressed stream is damaged, or larger than allowed.
	FaultDecompress
	// FaultLegacyField: a key or value of a magic 0 or 1 message runs over its end.
	FaultLegacyField
	// FaultLegacyCodec: zstd in a magic 0 or 1 wrapper.
	FaultLegacyCodec
	// FaultLegacyNullWrapper: a compressed wrapper without a value.
	FaultLegacyNullWrapper
	// FaultLegacyEmptyWrapper: a compressed wrapper without messages.
	FaultLegacyEmptyWrapper
	// FaultLegacyInnerSize: an inner message smaller than 14 bytes.
	FaultLegacyInnerSize
	// FaultLegacyNested: a compressed message inside a compressed message.
	FaultLegacyNested
	// FaultLegacyWrapperOffset: the wrapper's offset is below that of its last message.
	FaultLegacyWrapperOffset
	// FaultControlKey: a control record without a usable key.
	FaultControlKey
	// FaultControlValue: a control record whose value does not parse.
	FaultControlValue
)

var faultNames = [...]string{
	FaultSizeTooSmall:        "record size below the minimum",
	FaultHeaderPastEnd:       "batch header past the end of the file",
	FaultMagic:               "unknown magic",
	FaultWrapperMagic:        "unknown magic of a compressed message",
	FaultCodec:               "unknown compression codec",
	FaultChecksum:            "checksum",
	FaultCount:               "negative record count",
	FaultBatchTooShort:       "batch shorter than its header",
	FaultPrematureEnd:        "records end before the declared count",
	FaultRecordsRemain:       "bytes left after the declared count of records",
	FaultRecordPastEnd:       "record longer than the rest of its batch",
	FaultRecordNegative:      "negative record length",
	FaultRecordLength:        "record fields do not add up to its length",
	FaultRecordStructure:     "record field past the end of the record",
	FaultVarint:              "variable-length integer too long",
	FaultHeaderCount:         "negative number of record headers",
	FaultHeaderCountTooLarge: "more record headers than bytes",
	FaultHeaderMemory:        "more record headers than are allowed",
	FaultHeaderKey:           "record header without key",
	FaultDecompress:          "compressed records",
	FaultLegacyField:         "message field past the end of the message",
	FaultLegacyCodec:         "codec not allowed in this message format",
	FaultLegacyNullWrapper:   "compressed message without value",
	FaultLegacyEmptyWrapper:  "compressed message without inner messages",
	FaultLegacyInnerSize:     "inner message size below the minimum",
	FaultLegacyNested:        "compressed message inside a compressed message",
	FaultLegacyWrapperOffset: "wrapper offset below that of its last message",
	FaultControlKey:          "control record key",
	FaultControlValue:        "control record value",
}

// String describes the broken rule.
func (k FaultKind) String() string {
	if int(k) < len(faultNames) && faultNames[k] != "" {
		return faultNames[k]
	}
	return "fault " + strconv.Itoa(int(k))
}

// Fault is the cause inside a corrupt.Error of this package: the rule and the
// two numbers that belong to it.
type Fault struct {
	Kind      FaultKind
	Want, Got int64
	// Field names the field where the kind alone does not.
	Field string
	Err   error
}

// Error gives the rule's description and the cause.
func (f *Fault) Error() string {
	s := f.Kind.String()
	if f.Field != "" {
		s += " (" + f.Field + ")"
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error { return f.Err }

// damage wraps a fault with its place. what says which batch or record it is.
func damage(pos int64, what string, f *Fault) *corrupt.Error {
	e := &corrupt.Error{Pos: pos, What: what, Err: f}
	switch f.Kind {
	case FaultSizeTooSmall, FaultLegacyInnerSize:
		e.Want, e.Got = "at least "+strconv.FormatInt(f.Want, 10), strconv.FormatInt(f.Got, 10)
	case FaultMagic, FaultWrapperMagic, FaultCodec, FaultCount, FaultRecordNegative, FaultHeaderCount, FaultHeaderKey:
		e.Got = strconv.FormatInt(f.Got, 10)
	case FaultRecordPastEnd, FaultRecordLength, FaultBatchTooShort, FaultHeaderCountTooLarge, FaultHeaderMemory,
		FaultHeaderPastEnd, FaultLegacyWrapperOffset, FaultPrematureEnd, FaultRecordsRemain, FaultChecksum:
		e.Want, e.Got = strconv.FormatInt(f.Want, 10), strconv.FormatInt(f.Got, 10)
	}
	return e
}
