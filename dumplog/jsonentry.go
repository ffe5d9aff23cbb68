package dumplog

import (
	"strconv"

	"kraftctl/decode/jsonw"
)

// appendEntryJSON prints an entry of a file that is not a segment as one
// object, without an end of line.
// The entry's own fields are in an object of their own, as they may have the
// names of those that every line has.
func appendEntryJSON(dst []byte, file string, e *Entry) []byte {
	dst = append(dst, `{"kind":`...)
	dst = jsonw.AppendString(dst, e.Kind)
	dst = append(dst, `,"file":`...)
	dst = jsonw.AppendString(dst, file)
	dst = append(dst, `,"position":`...)
	dst = strconv.AppendInt(dst, e.Position, 10)
	dst = append(dst, `,"size":`...)
	dst = strconv.AppendInt(dst, int64(len(e.Raw)), 10)
	dst = append(dst, `,"fields":{`...)
	for i := range e.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonw.AppendString(dst, e.Fields[i].Name)
		dst = append(dst, ':')
		dst = appendFieldJSON(dst, e.Fields[i].Value)
	}
	return append(dst, "}}"...)
}

// appendFieldJSON prints the value of an entry's field. Another type than those
// that Field allows is a mistake of the caller and gives null.
func appendFieldJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return jsonw.AppendString(dst, v)
	}
	return append(dst, "null"...)
}

// appendFindingJSON prints a finding as one object, without an end of line. Numbers that have no meaning
// for its rule are null.
func appendFindingJSON(dst []byte, f Finding) []byte {
	dst = append(dst, `{"kind":"finding","rule":`...)
	dst = jsonw.AppendString(dst, string(f.Rule))
	dst = append(dst, `,"file":`...)
	dst = jsonw.AppendString(dst, f.File)
	dst = append(dst, `,"position":`...)
	dst = appendKnown(dst, f.Pos, f.Pos >= 0)
	dst = append(dst, `,"end":`...)
	dst = appendKnown(dst, f.End, f.End > 0)
	dst = append(dst, `,"offset":`...)
	dst = appendKnown(dst, f.Offset, f.Offset != -1)
	dst = append(dst, `,"message":`...)
	f.File = "" // has its own field
	dst = jsonw.AppendString(dst, f.String())
	return append(dst, '}')
}

// appendKnown prints a number, or null when there is none.
func appendKnown(dst []byte, v int64, known bool) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, v, 10)
}
