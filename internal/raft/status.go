package raft

// Status is what a replica knows of itself, for metrics, tests and the node around it.
type Status struct {
	State    State
	Epoch    int32
	LeaderID int32 // None if not known
	Voted    ReplicaKey
	// HighWatermark is Unknown until one is known.
	HighWatermark int64
	LogStart      int64
	LogEnd        int64
	Flushed       int64
	LastEpoch     int32
	EpochStart    int64 // of a leader: offset of its first record
	Voters        VoterSet
	VotersAt      int64 // offset of the record that they come from, Unknown for none
	KRaftVersion  int16
	Latest        SnapshotID // snapshot, zero for none
	Stopped       bool
}

// Status describes the replica.
func (r *Raft) Status() Status {
	s := Status{
		State: r.role.state(), Epoch: r.epoch, LeaderID: r.role.leaderID(r), Voted: r.role.voted(), HighWatermark: r.highWatermark,
		LogStart: r.log.start, LogEnd: r.log.end, Flushed: r.log.flushed, LastEpoch: r.log.lastEpoch(),
		Voters: r.voters.current(), KRaftVersion: r.voters.level(), Stopped: r.stopped,
	}
	s.VotersAt, _ = r.voters.currentAt()
	if l, ok := r.role.(*leader); ok {
		s.EpochStart = l.epochStart
	}
	if latest, ok := r.log.latestSnapshot(); ok {
		s.Latest = latest.ID
	}
	if !r.isVoter() && (s.State == Follower || s.State == Unattached) {
		s.State = Observer
	}
	return s
}
