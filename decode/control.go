package decode

import (
	"encoding/binary"
	"io"
	"strconv"

	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
)

// Control is a decoded control record.
type Control struct {
	Type ControlType
	// TypeID is the number in the key, also of types that nobody knows.
	TypeID int16
	// CoordinatorEpoch belongs to Abort and Commit.
	CoordinatorEpoch int32
	// Message is the value of the other known types, nil for unknown ones.
	Message kbin.Message
	// Version is the one that the message itself claims.
	Version int16
}

// ParseControlKey reads the type from the key of a control record: two int16,
// version and type. A version above 0 is read like 0. The error is a *Fault.
func ParseControlKey(key []byte) (ControlType, int16, error) {
	if key == nil {
		return NotControl, -1, &Fault{Kind: FaultControlKey, Field: "null"}
	}
	if len(key) < 4 {
		return NotControl, -1, &Fault{Kind: FaultControlKey,
			Field: "Invalid value size found for control record key. Must have at least 4 bytes, but found only " + strconv.Itoa(len(key))}
	}
	if v := int16(binary.BigEndian.Uint16(key)); v < 0 {
		return NotControl, -1, &Fault{Kind: FaultControlKey,
			Field: "Invalid version found for control record: " + strconv.Itoa(int(v)) + ". May indicate data corruption"}
	}
	id := int16(binary.BigEndian.Uint16(key[2:]))
	if id < int16(Abort) || id > int16(KRaftVoters) {
		return NotControl, id, nil
	}
	return ControlType(id), id, nil
}

// controlType is the type in a key; NotControl for one that nobody knows and for a
// key that cannot be read.
func controlType(key []byte) ControlType {
	t, _, err := ParseControlKey(key)
	if err != nil {
		return NotControl
	}
	return t
}

// DecodeControl reads a control record of a control batch. The error is a *Fault.
func DecodeControl(r *Record) (Control, error) {
	t, id, err := ParseControlKey(r.Key)
	c := Control{Type: t, TypeID: id}
	if err != nil || t == NotControl {
		return c, err
	}
	if t == Abort || t == Commit {
		if r.Value == nil {
			return c, &Fault{Kind: FaultControlValue, Field: "null"}
		}
		if len(r.Value) < 2 {
			return c, &Fault{Kind: FaultControlValue, Field: t.String(), Err: io.ErrUnexpectedEOF}
		}
		if v := int16(binary.BigEndian.Uint16(r.Value)); v < 0 {
			return c, &Fault{Kind: FaultControlValue, Field: "Invalid version found for end transaction marker: " + strconv.Itoa(int(v)) + ". May indicate data corruption"}
		}
		if len(r.Value) < 6 {
			return c, &Fault{Kind: FaultControlValue, Field: t.String(), Err: io.ErrUnexpectedEOF}
		}
		c.CoordinatorEpoch = int32(binary.BigEndian.Uint32(r.Value[2:]))
		return c, nil
	}
	if r.Value == nil {
		return c, &Fault{Kind: FaultControlValue, Field: "null"}
	}
	in := kbin.Reader{Src: r.Value, Alias: true}
	c.Message = newControl(t)
	if err := c.Message.Read(&in, 0); err != nil {
		return c, &Fault{Kind: FaultControlValue, Field: t.String(), Err: err}
	}
	switch m := c.Message.(type) {
	case *control.LeaderChangeMessage:
		c.Version = m.Version
	case *control.SnapshotHeaderRecord:
		c.Version = m.Version
	case *control.SnapshotFooterRecord:
		c.Version = m.Version
	case *control.KRaftVersionRecord:
		c.Version = m.Version
	case *control.VotersRecord:
		c.Version = m.Version
	}
	return c, nil
}

// newControl makes the message of a control type other than Abort and Commit.
func newControl(t ControlType) kbin.Message {
	switch t {
	case LeaderChange:
		return new(control.LeaderChangeMessage)
	case SnapshotHeader:
		return new(control.SnapshotHeaderRecord)
	case SnapshotFooter:
		return new(control.SnapshotFooterRecord)
	case KRaftVersion:
		return new(control.KRaftVersionRecord)
	}
	return new(control.VotersRecord)
}
