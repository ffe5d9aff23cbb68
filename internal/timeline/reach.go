package timeline

// Range is a run of offsets, both ends with it.
type Range struct {
	First, Last int64
	// Exact: the log holds every offset of the range. Else it is one offset, that
	// of a snapshot.
	Exact bool
}

// Reach lists which offsets can be reached, by the names of the files: the last
// offset of the log is not known without reading it, and is Latest here.
func (t *Timeline) Reach() []Range {
	if t.file != "" || t.files == nil {
		return nil
	}
	var out []Range
	segments := t.files.Segments
	logFrom := int64(Latest)
	if len(segments) > 0 {
		logFrom = segments[0].BaseOffset
		if logFrom == 0 {
			return []Range{{0, Latest, true}}
		}
	}
	for _, s := range t.files.Snapshots {
		if s.EndOffset >= logFrom {
			return append(out, Range{max(s.EndOffset-1, 0), Latest, true})
		}
		out = append(out, Range{max(s.EndOffset-1, 0), max(s.EndOffset-1, 0), false})
	}
	return out
}
