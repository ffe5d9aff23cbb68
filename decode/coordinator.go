package decode

import (
	"encoding/binary"
	"strconv"

	"kraftctl/decode/coordinator"
	"kraftctl/decode/kbin"
)

// CoordinatorRecord is a record of __consumer_offsets, __transaction_state or
// __share_group_state: the key is an int16 record type and a message, the value
// an int16 version and a message, or null for a tombstone.
type CoordinatorRecord struct {
	Type         int16
	Key          kbin.Message
	Value        kbin.Message // nil: a tombstone
	ValueVersion int16
}

// CoordinatorProblem says what is wrong with a coordinator record.
type CoordinatorProblem uint8

// The problems, in the order in which they are met.
const (
	CoordinatorNoKey          CoordinatorProblem = iota + 1 // the record has no key
	CoordinatorKeyShort                                     // less than two bytes of key
	CoordinatorUnknownType                                  // nobody knows this record type
	CoordinatorBadKey                                       // the key's message cannot be read
	CoordinatorValueShort                                   // less than two bytes of value
	CoordinatorUnknownVersion                               // the value has a version nobody knows
	CoordinatorBadValue                                     // the value's message cannot be read
)

// CoordinatorError is a coordinator record that cannot be read.
type CoordinatorError struct {
	Problem CoordinatorProblem
	Type    int16
	Version int16
	Err     error
}

// Error describes the problem.
func (e *CoordinatorError) Error() string {
	t := "record of type " + strconv.Itoa(int(e.Type))
	switch e.Problem {
	case CoordinatorNoKey:
		return "coordinator record without key"
	case CoordinatorKeyShort:
		return "coordinator record key without a type"
	case CoordinatorUnknownType:
		return "unknown coordinator " + t
	case CoordinatorBadKey:
		return t + ": key: " + e.Err.Error()
	case CoordinatorValueShort:
		return t + ": value without a version"
	case CoordinatorUnknownVersion:
		return t + ": unknown value version " + strconv.Itoa(int(e.Version))
	}
	return t + ": value version " + strconv.Itoa(int(e.Version)) + ": " + e.Err.Error()
}

// Unwrap gives what kept the message from being read.
func (e *CoordinatorError) Unwrap() error { return e.Err }

// CoordinatorDecoder decodes the records of one coordinator topic. Like
// FrameDecoder it reuses its messages and is not safe for concurrent use.
type CoordinatorDecoder struct {
	registry coordinator.Registry
	keys     map[int16]kbin.Message
	values   map[int16]kbin.Message
	r        kbin.Reader
}

// NewOffsetsDecoder decodes __consumer_offsets.
func NewOffsetsDecoder() *CoordinatorDecoder { return newCoordinatorDecoder(coordinator.Group) }

// NewTransactionDecoder decodes __transaction_state.
func NewTransactionDecoder() *CoordinatorDecoder {
	return newCoordinatorDecoder(coordinator.Transaction)
}

// NewShareDecoder decodes __share_group_state (KIP-932).
func NewShareDecoder() *CoordinatorDecoder { return newCoordinatorDecoder(coordinator.Share) }

func newCoordinatorDecoder(g coordinator.Registry) *CoordinatorDecoder {
	return &CoordinatorDecoder{registry: g, r: kbin.Reader{Alias: true, AnyVersion: true},
		keys: map[int16]kbin.Message{}, values: map[int16]kbin.Message{}}
}

// Decode reads key and value. On error the record holds what was read before;
// the error is a *CoordinatorError.
func (d *CoordinatorDecoder) Decode(rec *Record) (CoordinatorRecord, error) {
	var c CoordinatorRecord
	if rec.Key == nil {
		return c, &CoordinatorError{Problem: CoordinatorNoKey}
	}
	if len(rec.Key) < 2 {
		return c, &CoordinatorError{Problem: CoordinatorKeyShort}
	}
	c.Type = int16(binary.BigEndian.Uint16(rec.Key))
	key := reuse(d.keys, c.Type, d.registry.Key)
	if key == nil {
		return c, &CoordinatorError{Problem: CoordinatorUnknownType, Type: c.Type}
	}
	d.r.Reset(rec.Key[2:])
	if err := key.Read(&d.r, 0); err != nil {
		return c, &CoordinatorError{Problem: CoordinatorBadKey, Type: c.Type, Err: err}
	}
	c.Key = key
	if rec.Value == nil {
		return c, nil
	}
	if len(rec.Value) < 2 {
		return c, &CoordinatorError{Problem: CoordinatorValueShort, Type: c.Type}
	}
	c.ValueVersion = int16(binary.BigEndian.Uint16(rec.Value))
	value := reuse(d.values, c.Type, d.registry.Value)
	if lowest, highest := value.Versions(); c.ValueVersion < lowest || c.ValueVersion > highest {
		return c, &CoordinatorError{Problem: CoordinatorUnknownVersion, Type: c.Type, Version: c.ValueVersion}
	}
	d.r.Reset(rec.Value[2:])
	if err := value.Read(&d.r, c.ValueVersion); err != nil {
		return c, &CoordinatorError{Problem: CoordinatorBadValue, Type: c.Type, Version: c.ValueVersion, Err: err}
	}
	c.Value = value
	return c, nil
}

// reuse gives the message of a type, made at its first use.
func reuse(m map[int16]kbin.Message, t int16, make func(int16) kbin.Message) kbin.Message {
	if message, ok := m[t]; ok {
		return message
	}
	message := make(t)
	if message != nil {
		m[t] = message
	}
	return message
}
