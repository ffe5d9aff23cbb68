package dumplog

// Entry is one entry of a file that is not a segment: of an index, a producer
// snapshot, a checkpoint, a properties file. It carries its fields with their
// bytes, so that every output can be made from it.
type Entry struct {
	// Kind is what the entry is, for example "offset-index-entry".
	Kind string
	// Position is where the entry's bytes start in the file; Raw are those bytes.
	Position int64
	Raw      []byte
	Fields   []Field
}

// Field is one field of an entry.
type Field struct {
	Name string // camelCase, stable
	// Start and Len say which bytes of the entry's Raw the field is.
	Start, Len int
	// Value is an int64, a bool, a string or nil (null).
	Value any
}
