package raft

// ControlType is the type of a control record; the numbers are those of the log.
type ControlType int16

// The control records that concern a replica.
const (
	ControlLeaderChange ControlType = 2
	ControlVersion      ControlType = 5
	ControlVoters       ControlType = 6
)

// Control is a control record.
type Control struct {
	Type ControlType

	// Of LeaderChange: the leader, all voters and those who voted for it.
	Leader   int32
	VoterIDs []int32
	Granting []int32

	Level  int16    // of KRaftVersion
	Voters VoterSet // of KRaftVoters
}

// Batch is a record batch: what is appended and what followers fetch. The replica
// looks at offsets, epochs and control records alone.
type Batch struct {
	Base  int64 // offset of the first record
	Count int32 // number of offsets that it covers, at least 1
	Epoch int32
	// Values are the data records of a batch that this leader makes.
	Values [][]byte
	// Control are the control records, from the first offset on; of a type that does
	// not matter there is an empty one.
	Control []Control
	// Raw is a batch as it was fetched: it is appended as it is.
	Raw []byte
}

// End is the offset behind the batch.
func (b *Batch) End() int64 { return b.Base + int64(b.Count) }
