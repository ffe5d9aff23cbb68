package raft

// Action is something to be done: one of the types below, from [Raft.Ready]. Actions
// are carried out in their order; see the package comment for what must be durable.
type Action interface{ action() }

// ElectionState is what a replica must not forget: the file quorum-state.
type ElectionState struct {
	Epoch  int32
	Leader int32      // None if not known
	Voted  ReplicaKey // ID None if it has not voted in this epoch
	// Level is that of kraft.version, which decides the file's format; Voters are
	// written at level 0.
	Level  int16
	Voters VoterSet
}

// SaveElection replaces the election state. It is durable when it ends.
type SaveElection struct{ State ElectionState }

// Append writes batches to the end of the log. They need not be durable: see [Flush].
type Append struct{ Batches []Batch }

// Flush makes all that was appended before it durable, while the replica goes on, and
// is answered by [Flushed]. There is never more than one at a time.
type Flush struct{ Seq uint64 }

// Truncate cuts the log, so that it ends at an offset. It is durable when it ends.
type Truncate struct{ End int64 }

// WriteChunk writes a piece of a snapshot that is being fetched. The first one has
// position 0.
type WriteChunk struct {
	ID       SnapshotID
	Position int64
	Data     []byte
}

// DropChunks gives up a snapshot that is being fetched.
type DropChunks struct{ ID SnapshotID }

// InstallSnapshot makes the pieces of a snapshot a snapshot, empties the log, which
// begins anew behind it, and removes older snapshots. It is durable when it ends and
// is answered by [SnapshotInstalled].
type InstallSnapshot struct{ ID SnapshotID }

// Node is a replica to send to. Those whose id is not known (bootstrap servers) have
// negative numbers from -2 down.
type Node struct {
	ID   int32
	Host string
	Port uint16
}

// Send sends a request. It is answered by [Answered] or [Failed]; an answer that never
// comes is no problem.
type Send struct {
	To          Node
	Correlation uint64
	Request     Request
}

// Reply answers a [Received].
type Reply struct {
	ID       uint64
	Response Response
	// Read says what the answer carries of the log or of a snapshot; nil for nothing.
	Read *Read
}

// Read is a part of the log, or of a snapshot, that goes into an answer.
type Read struct {
	// Snapshot names a snapshot; without it the log is meant.
	Snapshot *SnapshotID
	// From is an offset of the log, or a byte of the snapshot. Of the log whole
	// batches are read, from the one that holds the offset on and at least one.
	From     int64
	MaxBytes int32
}

// Commit says that the high watermark has moved: all records below it are committed.
type Commit struct{ HighWatermark int64 }

// LeaderChanged says that the epoch, or the leader in it, is another.
type LeaderChanged struct {
	Epoch  int32
	Leader int32 // None while there is none
	// EpochStart is the offset from which on the records are those of the leader's
	// epoch, if this replica is the leader: it has seen all that was committed before
	// once it has seen that one (section 10).
	EpochStart int64
}

// Stopped says that the replica has nothing left to do after [Shutdown].
type Stopped struct{}

func (SaveElection) action()    {}
func (Append) action()          {}
func (Flush) action()           {}
func (Truncate) action()        {}
func (WriteChunk) action()      {}
func (DropChunks) action()      {}
func (InstallSnapshot) action() {}
func (Send) action()            {}
func (Reply) action()           {}
func (Commit) action()          {}
func (LeaderChanged) action()   {}
func (Stopped) action()         {}
