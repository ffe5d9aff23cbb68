package raft

// leader appends to its log, serves it to all who fetch, and takes their offsets for
// acknowledgements (section 5).
type leader struct {
	epochStart int64 // offset of its LeaderChange record, the first of its epoch
	// highWatermark is Unknown until a record of this epoch is committed; told is the
	// one that waiting fetches were answered with.
	highWatermark, told int64

	voters    map[int32]*progress // by id
	observers map[ReplicaKey]*progress
	parked    []parked

	recent  map[int32]bool // voters heard of since checkBy was set
	checkBy Time           // check-quorum timeout
	beginAt Time           // when voters that do not fetch are told again

	pending pendingBatches
	change  *voterChange
	// volatile is, at kraft.version 0, the voter set with what voters said of
	// themselves (section 8).
	volatile  VoterSet
	resigning bool
}

func (l *leader) state() State           { return Leader }
func (l *leader) leaderID(r *Raft) int32 { return r.cfg.Self.ID }
func (l *leader) voted() ReplicaKey      { return nobody }

// lead begins to lead: that it does is durable, and the first record of the epoch, a
// LeaderChange, is in the log before anything else. With it go the voters, if the log
// does not have them yet or what it says of this voter is out of date.
func (r *Raft) lead(granting []int32) {
	l := &leader{
		epochStart: r.log.end, highWatermark: Unknown, told: Unknown,
		voters: map[int32]*progress{}, observers: map[ReplicaKey]*progress{}, recent: map[int32]bool{},
		beginAt: r.now,
	}
	set := r.voters.current()
	l.volatile = set
	if r.voters.level() == 0 {
		l.volatile = l.volatile.with(r.selfAsVoter())
	}
	r.enter(l)
	l.follow(r)
	l.restartCheck(r)

	change := Control{Type: ControlLeaderChange, Leader: r.cfg.Self.ID, Granting: granting}
	for _, v := range set.All() {
		change.VoterIDs = append(change.VoterIDs, v.Key.ID)
	}
	records := []Control{change}
	if level := r.voters.level(); level > 0 {
		at, known := r.voters.currentAt()
		if !known {
			r.fatalf("kraft.version is %d and there is no voter set", level)
			return
		}
		me, _ := set.byID(r.cfg.Self.ID)
		stale := r.isVoter() && !me.equal(r.selfAsVoter())
		if stale {
			set = set.with(r.selfAsVoter())
		}
		if at < 0 || stale {
			records = append(records, Control{Type: ControlVersion, Level: level}, Control{Type: ControlVoters, Voters: set})
		}
	}
	l.appendControl(r, records)
}

// selfAsVoter is what a voter set should say of this replica.
func (r *Raft) selfAsVoter() Voter {
	return Voter{Key: r.cfg.Self, Endpoints: r.cfg.Endpoints, MinVersion: r.cfg.MinVersion, MaxVersion: r.cfg.MaxVersion}
}

func (l *leader) poll(r *Raft) bool {
	if l.resigning || r.now >= l.checkBy {
		l.resign(r)
		return true
	}
	l.pollChange(r)
	// A leader that is no voter resigns when that is committed, and not before: until
	// the others have the record they would not know who votes.
	if at, known := r.voters.currentAt(); known && !r.isVoter() && l.highWatermark > at {
		l.resigning = true
		return true
	}
	l.pending.drain(r, false)
	if r.now >= l.beginAt {
		l.begin(r)
	}
	return false
}

// begin tells voters that have not fetched for a while who leads.
func (l *leader) begin(r *Raft) {
	period := r.cfg.FetchTimeout / 2
	l.beginAt = r.now.after(period)
	for _, v := range r.voters.current().All() {
		p := l.voters[v.Key.ID]
		e, ok := endpointFor(v.Endpoints, r.cfg.Listener)
		if v.Key.ID == r.cfg.Self.ID || !ok || !r.ready(v.Key.ID) || p.fetches > 0 && r.now < p.lastFetch.after(period) {
			continue
		}
		r.send(Node{v.Key.ID, e.Host, e.Port}, &BeginQuorumEpochRequest{
			Target: r.target(), Voter: v.Key, HasVoter: true, Leader: r.cfg.Self.ID, Epoch: r.epoch, Endpoints: r.cfg.Endpoints,
		})
	}
}

// heard counts a voter that is in touch. A leader that has not heard of a majority for
// the check-quorum timeout may be cut off, and resigns.
func (l *leader) heard(r *Raft, k ReplicaKey) {
	if k.ID == r.cfg.Self.ID || !r.voters.current().Contains(k) {
		return
	}
	l.recent[k.ID] = true
	if len(l.recent) >= l.others(r) {
		l.restartCheck(r)
	}
}

// others is how many other voters make a majority with this one.
func (l *leader) others(r *Raft) int {
	n := r.voters.current().majority()
	if r.isVoter() {
		n--
	}
	return n
}

func (l *leader) restartCheck(r *Raft) {
	clear(l.recent)
	l.checkBy = never
	if l.others(r) > 0 {
		l.checkBy = r.now.after(r.cfg.FetchTimeout + r.cfg.FetchTimeout/2)
	}
}

// leave ends what others wait for.
func (l *leader) leave(r *Raft) {
	for _, p := range l.parked {
		r.reply(p.in.ID, &FetchResponse{Error: ErrNotLeaderOrFollower, HighWatermark: Unknown, LeaderHint: r.hint(p.in.Listener)})
	}
	l.parked = nil
	l.endChange(r, ErrNotLeaderOrFollower, "")
}

func (l *leader) deadline(r *Raft) Time {
	at := min(l.checkBy, l.beginAt, l.pending.drainAt(), l.changeAt(r))
	for _, p := range l.parked {
		at = min(at, p.until)
	}
	return at
}
