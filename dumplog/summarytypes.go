package dumplog

import (
	"math"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
)

// recordClass is where a record's type number comes from.
type recordClass uint8

const (
	classOther recordClass = iota // beyond the limit
	classData
	classTombstone
	classUnreadable
	classControl
	classFrame
	classCoordinator
)

type kindKey struct {
	class recordClass
	id    int16
}

type kindCount struct {
	key                        kindKey
	records, tombstones, bytes int64
}

// kind gives the index of a type's count.
func (s *summaryCollector) kind(key kindKey) int {
	i, ok := s.kindIndex[key]
	if ok {
		return i
	}
	if len(s.kinds) >= collectLimit && key.class != classOther {
		return s.kind(kindKey{class: classOther})
	}
	i = len(s.kinds)
	s.kindIndex[key] = i
	s.kinds = append(s.kinds, kindCount{key: key})
	return i
}

// kindOf tells a record's type from its first bytes, without decoding the rest.
func (s *summaryCollector) kindOf(b *decode.Batch, r *decode.Record) kindKey {
	switch {
	case b.IsControl():
		_, id, err := decode.ParseControlKey(r.Key)
		if err != nil {
			return kindKey{class: classUnreadable}
		}
		return kindKey{classControl, id}
	case r.Damage != nil:
		return kindKey{class: classUnreadable}
	case s.decoder == DecodeMetadata || s.decoder == DecodeRemoteLog:
		in := kbin.Reader{Src: r.Value}
		version, id := in.Uvarint(), in.Uvarint()
		if !in.OK() || version != decode.FrameVersion || id > math.MaxInt16 {
			return kindKey{class: classUnreadable}
		}
		return kindKey{classFrame, int16(id)}
	case s.decoder == DecodeOffsets || s.decoder == DecodeTransactions || s.decoder == DecodeShareGroupState:
		in := kbin.Reader{Src: r.Key}
		id := in.Int16()
		if !in.OK() {
			return kindKey{class: classUnreadable}
		}
		return kindKey{classCoordinator, id}
	case r.Value == nil:
		return kindKey{class: classTombstone}
	}
	return kindKey{class: classData}
}

// kindName is the name of a type.
func (s *summaryCollector) kindName(key kindKey) string {
	name := ""
	switch key.class {
	case classData:
		return "data"
	case classTombstone:
		return "tombstone"
	case classUnreadable:
		return unreadableType
	case classOther:
		return "other"
	case classControl:
		return decode.ControlType(key.id).String()
	case classFrame:
		name = metadata.TypeName(key.id)
		if s.decoder == DecodeRemoteLog {
			name = remotelog.TypeName(key.id)
		}
	case classCoordinator:
		name = s.names(key.id)
	}
	return typeName(name, key.id)
}
