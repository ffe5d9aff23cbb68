package zookeeper

import (
	"bufio"
	"io"

	"kraftctl/decode/jsonw"
)

// WriteJSON writes a node and all below it as one JSON object, a line for each node,
// in the order of Walk:
//
//	{
//	"/": {"data":"","ephemeral":false,"version":0,...},
//	"/admin": {"data":null,...}
//	}
//
// The error is a *NoNodeError, before which nothing was written, or of the writer.
func (t *Tree) WriteJSON(w io.Writer, path string) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var line, data []byte
	var failed error
	first := true
	exists := t.walk(path, func(path string, z *znode) bool {
		s := z.stat()
		line = append(line[:0], "{\n"...)
		if !first {
			line = append(line[:0], ",\n"...)
		}
		first = false
		line = jsonw.AppendString(line, path)
		line = append(line, `: {"data":`...)
		if z.data == nil {
			line = append(line, "null"...)
		} else {
			data = z.data(data[:0])
			s.DataLength = len(data)
			line = jsonw.AppendStringBytes(line, data)
		}
		line = appendStatJSON(line, &s)
		_, failed = out.Write(append(line, '}'))
		return failed == nil
	})
	switch {
	case !exists:
		return &NoNodeError{path}
	case failed != nil:
		return failed
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// appendStatJSON appends the fields of a stat behind that of the data.
func appendStatJSON(dst []byte, s *Stat) []byte {
	dst = append(dst, `,"ephemeral":`...)
	dst = jsonw.AppendBool(dst, s.EphemeralOwner != 0)
	for _, f := range [...]struct {
		name  string
		value int64
	}{
		{"version", int64(s.Version)}, {"cversion", int64(s.CVersion)}, {"aversion", int64(s.AVersion)},
		{"czxid", s.CZxid}, {"mzxid", s.MZxid}, {"pzxid", s.PZxid}, {"ctime", s.CTime}, {"mtime", s.MTime},
		{"ephemeralOwner", s.EphemeralOwner}, {"dataLength", int64(s.DataLength)}, {"numChildren", int64(s.NumChildren)},
	} {
		dst = append(dst, ',', '"')
		dst = append(dst, f.name...)
		dst = append(dst, '"', ':')
		dst = jsonw.AppendInt(dst, f.value)
	}
	return dst
}
