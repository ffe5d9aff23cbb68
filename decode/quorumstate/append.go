package quorumstate

import (
	"slices"
	"strconv"

	"kraftctl/decode/jsonw"
)

// Append adds the text of a whole file, as Kafka writes it. A state that was
// read keeps the order of its fields; otherwise, and for fields that the file
// did not have, it is Kafka's order with the Extra fields before data_version.
// Fields that the version does not have are left out.
func (s *State) Append(dst []byte) []byte {
	version := min(max(s.Version, 0), int16(len(fieldsOf)-1))
	o := objectWriter{order: s.order, known: fieldsOf[version], extra: s.Extra}
	return o.append(dst, s.appendField)
}

func (s *State) appendField(dst []byte, name string) []byte {
	switch name {
	case clusterID:
		return jsonw.AppendString(dst, s.ClusterID)
	case leaderID:
		return strconv.AppendInt(dst, int64(s.LeaderID), 10)
	case leaderEpoch:
		return strconv.AppendInt(dst, int64(s.LeaderEpoch), 10)
	case votedID:
		return strconv.AppendInt(dst, int64(s.VotedID), 10)
	case appliedOffset:
		return strconv.AppendInt(dst, s.AppliedOffset, 10)
	case votedDirectoryID:
		return jsonw.AppendString(dst, s.VotedDirectoryID.String())
	case currentVoters:
		dst = append(dst, '[')
		for i := range s.Voters {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = s.Voters[i].append(dst)
		}
		return append(dst, ']')
	default: // data_version
		return strconv.AppendInt(dst, int64(s.Version), 10)
	}
}

func (v *Voter) append(dst []byte) []byte {
	o := objectWriter{order: v.order, known: []string{voterID}, extra: v.Extra}
	return o.append(dst, func(dst []byte, _ string) []byte {
		return strconv.AppendInt(dst, int64(v.ID), 10)
	})
}

// objectWriter writes an object of known fields, which a function writes, and
// kept ones.
type objectWriter struct {
	order []string // as read; may be empty, and may name fields that are gone
	known []string
	extra []Field
}

func (o objectWriter) append(dst []byte, value func(dst []byte, name string) []byte) []byte {
	dst = append(dst, '{')
	written := map[string]bool{}
	put := func(name string, raw []byte) {
		if written[name] {
			return
		}
		if len(written) > 0 {
			dst = append(dst, ',')
		}
		written[name] = true
		dst = append(jsonw.AppendString(dst, name), ':')
		if raw != nil {
			dst = append(dst, raw...)
		} else {
			dst = value(dst, name)
		}
	}
	for _, name := range o.usableOrder() {
		if o.isKnown(name) {
			put(name, nil)
		} else if f := o.find(name); f != nil {
			put(name, f.Value)
		}
	}
	last := len(o.known) - 1 // data_version; a voter has no other field
	for i, name := range o.known {
		if i < last || last == 0 {
			put(name, nil)
		}
	}
	for _, f := range o.extra {
		put(f.Name, f.Value)
	}
	put(o.known[last], nil)
	return append(dst, '}')
}

// usableOrder is the order that was read, unless the version has changed since
// and the order knows nothing of the fields to write.
func (o objectWriter) usableOrder() []string {
	for _, name := range o.known {
		if !slices.Contains(o.order, name) {
			return nil
		}
	}
	return o.order
}

func (o objectWriter) isKnown(name string) bool { return slices.Contains(o.known, name) }

func (o objectWriter) find(name string) *Field {
	for i := range o.extra {
		if o.extra[i].Name == name {
			return &o.extra[i]
		}
	}
	return nil
}
