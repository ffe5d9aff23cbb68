package decode

import "strconv"

// TimestampType says what a record's timestamp means.
type TimestampType int8

// The three kinds of timestamps. Magic 0 has none.
const (
	NoTimestamp   TimestampType = -1
	CreateTime    TimestampType = 0
	LogAppendTime TimestampType = 1
)

// String gives Kafka's name of the type.
func (t TimestampType) String() string {
	switch t {
	case CreateTime:
		return "CreateTime"
	case LogAppendTime:
		return "LogAppendTime"
	}
	return "NoTimestampType"
}

// ControlType is the type of a control record (KIP-98, KIP-595, KIP-630,
// KIP-853): the second int16 of its key. Data records have NotControl.
type ControlType int16

// The control records that Kafka knows.
const (
	NotControl     ControlType = -1
	Abort          ControlType = 0
	Commit         ControlType = 1
	LeaderChange   ControlType = 2
	SnapshotHeader ControlType = 3
	SnapshotFooter ControlType = 4
	KRaftVersion   ControlType = 5
	KRaftVoters    ControlType = 6
)

// String gives Kafka's name of the type, or UNKNOWN(n).
func (c ControlType) String() string {
	switch c {
	case Abort:
		return "ABORT"
	case Commit:
		return "COMMIT"
	case LeaderChange:
		return "LEADER_CHANGE"
	case SnapshotHeader:
		return "SNAPSHOT_HEADER"
	case SnapshotFooter:
		return "SNAPSHOT_FOOTER"
	case KRaftVersion:
		return "KRAFT_VERSION"
	case KRaftVoters:
		return "KRAFT_VOTERS"
	}
	return "UNKNOWN(" + strconv.Itoa(int(c)) + ")"
}

// Header is a record header (KIP-82). The key is never null, the value may be.
type Header struct {
	Key   []byte
	Value []byte // nil is null, empty is empty
}

// Record is one record of a batch of any magic. Its slices point into the
// batch's bytes, or into the reader's buffer when the batch was compressed, and
// are valid until the reader moves on.
type Record struct {
	Offset      int64 // absolute, in the partition
	LeaderEpoch int32 // of the batch; -1 unknown
	// ControlType is that of a control record. It is NotControl for data records,
	// and for control records of a type that is not known: see Batch.IsControl.
	ControlType ControlType
	Key         []byte // nil is null
	Value       []byte // nil is null
	Timestamp   int64  // milliseconds since the epoch; -1 none

	TimestampType TimestampType
	// TimestampDelta is what is stored in magic 2: with LogAppendTime the
	// producer's time survives here alone.
	TimestampDelta int64
	Attributes     int8 // of the record: always written 0 in magic 2
	Headers        []Header
	Sequence       int32 // -1 when the batch has no producer
	ProducerID     int64
	ProducerEpoch  int16

	// Magic 0 and 1 only: a message carries its own checksum, and its lengths are
	// told apart from its bytes: every negative one is null.
	CRC                uint32
	Valid              bool
	KeySize, ValueSize int32
	// Damage is set when the value runs past the end of its message, of which
	// all else is known; the value is nil then.
	Damage error
}
