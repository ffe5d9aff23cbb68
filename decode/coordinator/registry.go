package coordinator

import "kraftctl/decode/kbin"

// Registry knows the record types of one coordinator's log.
type Registry struct {
	kinds []kind // ascending by number
}

type kind struct {
	number     int16
	name       string
	key, value func() kbin.Message
}

func (g Registry) find(recordType int16) *kind {
	for i := range g.kinds {
		if g.kinds[i].number == recordType {
			return &g.kinds[i]
		}
	}
	return nil
}

// Key returns a new key of the record type, every field at its default, or nil
// if the log has no such type.
func (g Registry) Key(recordType int16) kbin.Message {
	if k := g.find(recordType); k != nil {
		return k.key()
	}
	return nil
}

// Value returns a new value of the record type, every field at its default, or
// nil if the log has no such type.
func (g Registry) Value(recordType int16) kbin.Message {
	if k := g.find(recordType); k != nil {
		return k.value()
	}
	return nil
}

// Name returns Kafka's name of the record type, such as OffsetCommit, or the
// empty string if the log has no such type.
func (g Registry) Name(recordType int16) string {
	if k := g.find(recordType); k != nil {
		return k.name
	}
	return ""
}

// Types returns the record types in ascending order.
func (g Registry) Types() []int16 {
	types := make([]int16, len(g.kinds))
	for i := range g.kinds {
		types[i] = g.kinds[i].number
	}
	return types
}
