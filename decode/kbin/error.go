package kbin

import "strconv"

// Kind says what is wrong with an encoding, or with a value that cannot be
// encoded.
type Kind uint8

// The kinds of [Error]. The first group comes from reading, the second from
// writing.
const (
	KindUnderflow       Kind = iota + 1 // a fixed-size value or a varint runs past the end
	KindShort                           // Size bytes wanted, Have left
	KindNegativeSize                    // an unknown tag declares a size above 2^31-1
	KindNull                            // Field must not be null
	KindStringLength                    // Field declares a string of Size bytes, more than 32767
	KindArraySize                       // an array of Size elements in Have remaining bytes
	KindArrayLimit                      // an array of Size elements, more than 1000000
	KindVarint                          // a varint longer than 5 bytes; Bits is what it gave so far
	KindVarlong                         // a varlong longer than 10 bytes; Bits as above
	KindNegativeTags                    // a tagged section with a negative count
	KindTagCount                        // a tagged section of Size tags in Have remaining bytes
	KindTagLimit                        // a tagged section of Size tags, more than 10000
	KindTagVersion                      // tag Size exists, but not in Version
	KindReadVersion                     // Version of message Field is unknown
	KindWriteVersion                    // Version of message Field is unknown
	KindNonDefault                      // Field has a value, but does not exist in Version
	KindStringTooLong                   // Field has more than 32767 bytes
	KindTagOrder                        // unknown tag Size follows tag Have, which is not lower
	KindTagKnown                        // unknown tag Size has the number of a known one
	KindTagsUnsupported                 // there are unknown tags, but Version is not flexible
)

// Error is damage found while reading a message, or the reason why one cannot
// be written. Which of its fields are set depends on Kind.
type Error struct {
	Kind    Kind
	Field   string // field name as in Kafka's schema, first letter in lower case; or a message's name
	Pos     int    // offset in Reader.Src where reading stopped; 0 when writing
	Size    int64  // what was asked for: bytes, elements, or a tag number
	Have    int64  // what there was
	Version int16
	Bits    uint64 // the value of an over-long varint
}

// Error gives Kafka's words and, when reading, the position.
func (e *Error) Error() string {
	switch e.Kind {
	case KindUnderflow:
		return "unexpected end of data at byte " + strconv.Itoa(e.Pos)
	case KindReadVersion, KindWriteVersion, KindNonDefault, KindStringTooLong, KindTagOrder, KindTagKnown, KindTagsUnsupported:
		return e.Kafka()
	case KindNegativeSize:
		return "tagged field of negative size " + itoa(e.Size) + " at byte " + strconv.Itoa(e.Pos)
	}
	return e.Kafka() + " (at byte " + strconv.Itoa(e.Pos) + ")"
}

// Kafka returns the message of the exception that Kafka 4.4 throws for the
// same damage. Its tools print this text; a buffer that runs out has none, so
// they print "null".
func (e *Error) Kafka() string {
	switch e.Kind {
	case KindUnderflow:
		return "null"
	case KindShort:
		return "Error reading byte array of " + itoa(e.Size) + " byte(s): only " + itoa(e.Have) + " byte(s) available"
	case KindNegativeSize:
		return itoa(e.Size)
	case KindNull:
		return "non-nullable field " + e.Field + " was serialized as null"
	case KindStringLength:
		return "string field " + e.Field + " had invalid length " + itoa(e.Size)
	case KindArraySize:
		return "Tried to allocate a collection of size " + itoa(e.Size) + ", but there are only " + itoa(e.Have) + " bytes remaining."
	case KindArrayLimit:
		return "Tried to read a collection of size " + itoa(e.Size) + ", which exceeds the maximum allowed size of 1000000."
	case KindVarint:
		return "Varint is too long, the most significant bit in the 5th byte is set, converted value: " + strconv.FormatUint(e.Bits, 16)
	case KindVarlong:
		return "Varlong is too long, most significant bit in the 10th byte is set, converted value: " + strconv.FormatUint(e.Bits, 16)
	case KindNegativeTags:
		return "Invalid negative number of tagged fields " + itoa(e.Size)
	case KindTagCount:
		return "Tried to read " + itoa(e.Size) + " tagged fields, but there are only " + itoa(e.Have) + " bytes remaining."
	case KindTagLimit:
		return "Tried to read " + itoa(e.Size) + " tagged fields, which exceeds the maximum allowed count of 10000."
	case KindTagVersion:
		return "Tag " + itoa(e.Size) + " is not valid for version " + strconv.Itoa(int(e.Version))
	case KindReadVersion:
		return "Can't read version " + strconv.Itoa(int(e.Version)) + " of " + e.Field
	case KindWriteVersion:
		return "Can't write version " + strconv.Itoa(int(e.Version)) + " of " + e.Field
	case KindNonDefault:
		return "Attempted to write a non-default " + e.Field + " at version " + strconv.Itoa(int(e.Version))
	case KindStringTooLong:
		return "'" + e.Field + "' field is too long to be serialized"
	case KindTagOrder:
		return "Invalid raw tag field list: tag " + itoa(e.Size) + " comes after tag " + itoa(e.Have) + ", but is not higher than it."
	case KindTagKnown:
		return "Attempted to use tag " + itoa(e.Size) + " as an undefined tag."
	case KindTagsUnsupported:
		return "Tagged fields were set, but version " + strconv.Itoa(int(e.Version)) + " of this message does not support them."
	}
	return "unknown error"
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// WriteVersion is the error for a version that message name does not have.
func WriteVersion(name string, version int16) error {
	return &Error{Kind: KindWriteVersion, Field: name, Version: version}
}

// NonDefault is the error for a field that is set but does not exist in this
// version and may not be dropped silently.
func NonDefault(field string, version int16) error {
	return &Error{Kind: KindNonDefault, Field: field, Version: version}
}

// TagsUnsupported is the error for unknown tags in a version that is not
// flexible.
func TagsUnsupported(version int16) error {
	return &Error{Kind: KindTagsUnsupported, Version: version}
}

// StringTooLong is the error for a string of more than [MaxString] bytes.
func StringTooLong(field string) error {
	return &Error{Kind: KindStringTooLong, Field: field}
}
