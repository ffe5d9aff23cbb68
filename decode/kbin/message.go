package kbin

// Limits that Kafka's generated classes enforce.
const (
	MaxString = 0x7fff  // bytes in a string
	MaxArray  = 1000000 // elements in an array, on read
	MaxTags   = 10000   // tags in one tagged section, on read
)

// Message is what every generated record, key and value implements. A zero
// value can be read into; use the New function of its type (or SetDefaults)
// before filling one by hand, since many defaults are not zero.
type Message interface {
	// Read decodes one message of the given version from r and leaves r after
	// it; what follows is the caller's business. Every field is set, absent
	// ones to their defaults. Slices, pointers and elements already held by
	// the receiver are reused, so values of an earlier Read must not be kept
	// across calls. The error is a [*Error].
	Read(r *Reader, version int16) error
	// Append encodes the message in the given version. On error, a [*Error],
	// dst is returned as it came.
	Append(dst []byte, version int16) ([]byte, error)
	// AppendJSON appends the JSON that Kafka's tools print: fields in the
	// order of the schema, only those of this version, tagged ones only when
	// they differ from their default.
	AppendJSON(dst []byte, version int16) []byte
	// Versions returns the lowest and highest known version.
	Versions() (lowest, highest int16)
	// Flexible says whether the version uses the compact, tagged encoding.
	Flexible(version int16) bool
	// MessageName is the name in Kafka's schema, such as PartitionRecord.
	MessageName() string
	// SetDefaults sets every field to its default.
	SetDefaults()
}

// RawTag is a tagged field that this code does not know; Data is its payload.
type RawTag struct {
	Tag  uint32
	Data []byte
}

// Tags are the unknown tagged fields of a struct, in the order they came.
// Append writes them merged with the known ones and needs them in ascending
// order.
type Tags []RawTag

// AppendBelow appends the leading tags that are lower than limit and returns
// the others. A limit of a known tag must not occur among the unknown ones.
func (t Tags) AppendBelow(dst []byte, limit uint32) ([]byte, Tags, error) {
	for len(t) > 0 && t[0].Tag < limit {
		dst = t[0].append(dst)
		if len(t) > 1 && t[1].Tag <= t[0].Tag {
			return dst, t, tagOrder(t[1].Tag, t[0].Tag)
		}
		t = t[1:]
	}
	if len(t) > 0 && t[0].Tag == limit {
		return dst, t, &Error{Kind: KindTagKnown, Size: int64(limit)}
	}
	return dst, t, nil
}

// Append appends all tags, without their count.
func (t Tags) Append(dst []byte) ([]byte, error) {
	for i := range t {
		if i > 0 && t[i].Tag <= t[i-1].Tag {
			return dst, tagOrder(t[i].Tag, t[i-1].Tag)
		}
		dst = t[i].append(dst)
	}
	return dst, nil
}

func tagOrder(tag, prev uint32) error {
	return &Error{Kind: KindTagOrder, Size: int64(tag), Have: int64(prev)}
}

func (t *RawTag) append(dst []byte) []byte {
	dst = AppendUvarint(dst, t.Tag)
	dst = AppendUvarint(dst, uint32(len(t.Data)))
	return append(dst, t.Data...)
}

// Reset returns s emptied but not nil, so that an absent array reads as empty
// rather than null and its memory is used again.
func Reset[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s[:0]
}

// Extend returns s one element longer. The new element keeps what it held, so
// that its own slices can be reused.
func Extend[T any](s []T) []T {
	if n := len(s); n < cap(s) {
		return s[:n+1]
	}
	var zero T
	return append(s, zero)
}

// Reuse returns s, or the memory kept in spare when s is nil.
func Reuse[T any](s []T, spare *[]T) []T {
	if s == nil {
		s, *spare = *spare, nil
	}
	return Reset(s)
}

// Spare returns nil and keeps the memory of s in spare. Together with Reuse it
// lets an array that is null in one record and present in the next be read
// without allocating.
func Spare[T any](s []T, spare *[]T) []T {
	if s != nil {
		*spare = s
	}
	return nil
}
