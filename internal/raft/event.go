package raft

import "time"

// Event is something that happened: one of the types below, for [Raft.Step].
type Event interface{ event() }

// Received is a request from another replica or a client. It is answered by a [Reply]
// with its ID, sooner or later, once.
type Received struct {
	ID       uint64
	Listener string // on which it came, for the endpoints in its answer
	Request  Request
}

// Answered is the answer to a request that was sent.
type Answered struct {
	Node        int32 // [Node.ID] of the [Send]
	Correlation uint64
	Response    Response
}

// Failed says that a request could not be sent or answered: ErrBrokerNotAvailable for
// connections that are refused or break, ErrUnsupportedVersion if the other side has no
// version that can carry it, ErrClusterAuthorization if it does not let us in.
type Failed struct {
	Node        int32
	Correlation uint64
	Error       ErrorCode
}

// Flushed says that the flush with this number is done: all that was appended before
// it is durable.
type Flushed struct{ Seq uint64 }

// SnapshotInstalled says that [InstallSnapshot] is done, and what the snapshot's
// control records say. With OK false the snapshot was damaged and is gone; the log is
// as it was.
type SnapshotInstalled struct {
	ID     SnapshotID
	Size   int64
	Level  int16     // of kraft.version
	Voters *VoterSet // nil if the snapshot has none
	OK     bool
}

// SnapshotCreated says that the node's state machine has written a snapshot, durably.
// See [Raft.MayCreateSnapshot].
type SnapshotCreated struct {
	ID   SnapshotID
	Size int64
}

// LogStartMoved says that the log was cleaned: it begins at an offset now, that of a
// snapshot, and older snapshots are gone.
type LogStartMoved struct{ Start int64 }

// Shutdown asks the replica to leave in order: a leader resigns first. [Stopped] is
// the answer, after Timeout at the latest.
type Shutdown struct{ Timeout time.Duration }

// Resign asks a leader of an epoch to resign, for example because its state machine
// failed. In another state or epoch it does nothing.
type Resign struct{ Epoch int32 }

func (Received) event()          {}
func (Answered) event()          {}
func (Failed) event()            {}
func (Flushed) event()           {}
func (SnapshotInstalled) event() {}
func (SnapshotCreated) event()   {}
func (LogStartMoved) event()     {}
func (Shutdown) event()          {}
func (Resign) event()            {}
