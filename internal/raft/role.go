package raft

// role is what a replica is in its epoch: one of the types that have a file of their
// own. A change of role is a call of enter with a new value.
type role interface {
	state() State
	// leaderID and voted are what is saved of the role.
	leaderID(r *Raft) int32
	voted() ReplicaKey
	// poll does what the time asks for; true if the role was left.
	poll(r *Raft) bool
	// deadline is when poll has something to do again.
	deadline(r *Raft) Time
}

// State is the name of a role.
type State string

// The states of section 3, and Observer for a follower or unattached replica that is
// no voter.
const (
	Unattached  State = "unattached"
	Prospective State = "prospective"
	Candidate   State = "candidate"
	Follower    State = "follower"
	Leader      State = "leader"
	Resigned    State = "resigned"
	Observer    State = "observer"
)

// enter changes the role. What it says of leader and vote is durable before anything
// that is done after it; prospective and resigned say what the role before them said,
// so they write nothing.
func (r *Raft) enter(next role) {
	old := r.role
	r.role = next
	r.save()
	switch old := old.(type) {
	case *leader:
		old.leave(r)
	case *follower:
		old.dropSnapshot(r)
	}
	if !r.broken(BreakStaleVotes) {
		r.resetNodes()
	}
	r.announce()
}

// save makes the election state durable if it has changed.
func (r *Raft) save() {
	e := ElectionState{Epoch: r.epoch, Leader: r.role.leaderID(r), Voted: r.role.voted(), Level: r.voters.level()}
	if e.Level == 0 {
		e.Voters = r.voters.current()
	}
	s := r.saved
	if s.Epoch == e.Epoch && s.Leader == e.Leader && s.Voted == e.Voted {
		return // the format follows with the next change
	}
	if e.Epoch < s.Epoch {
		r.fatalf("the epoch would go back from %d to %d", s.Epoch, e.Epoch)
		return
	}
	r.saved = e
	if r.broken(BreakSyncVote) {
		r.late = append(r.late, SaveElection{e})
		return
	}
	// What has not been done yet need not be done at all: one write for a new epoch and
	// the vote in it.
	i := len(r.acts) - 1
	for ; i >= 0; i-- {
		if _, ok := r.acts[i].(LeaderChanged); !ok {
			break
		}
	}
	if i >= 0 {
		if _, ok := r.acts[i].(SaveElection); ok {
			r.acts[i] = SaveElection{e}
			return
		}
	}
	r.do(SaveElection{e})
}

// announce tells the node of a change of leader or epoch. A resigned leader leads
// nobody.
func (r *Raft) announce() {
	now := LeaderChanged{Epoch: r.epoch, Leader: r.role.leaderID(r)}
	switch role := r.role.(type) {
	case *leader:
		now.EpochStart = role.epochStart
	case *resigned:
		now.Leader = None
	}
	if now != r.announced {
		r.announced = now
		r.do(now)
	}
}

// endpointsOf finds where a replica listens, in the voter set.
func (r *Raft) endpointsOf(id int32) ([]Endpoint, bool) {
	v, ok := r.voters.current().byID(id)
	return v.Endpoints, ok && id != None && len(v.Endpoints) > 0
}

// newEpoch follows an epoch above the own one, or a leader that became known in it.
// It is false if what was told contradicts what is known.
func (r *Raft) newEpoch(epoch, leaderID int32, endpoints []Endpoint) bool {
	self := r.cfg.Self.ID
	known := r.role.leaderID(r)
	switch {
	case epoch < r.epoch:
		return true // old news
	case leaderID != None && leaderID == self && (epoch > r.epoch || known != self):
		return false // only this replica knows where it leads
	case epoch == r.epoch && known != None && leaderID != None && known != leaderID:
		return false
	case epoch == r.epoch && (leaderID == None || leaderID == self || known != None && !r.unattached()):
		return true // nothing new: a rehearsal, for one, goes on though others name the leader that it missed
	}
	if len(endpoints) == 0 {
		endpoints, _ = r.endpointsOf(leaderID)
	}
	if leaderID == None || len(endpoints) == 0 {
		if epoch > r.epoch {
			r.unattach(epoch, None)
		}
		return true
	}
	vote := nobody
	if epoch == r.epoch {
		vote = r.role.voted()
	}
	r.epoch = epoch
	r.enter(r.newFollower(leaderID, endpoints, vote))
	return true
}

// unattached reports whether the replica has nobody to fetch from, even if it knows who
// leads.
func (r *Raft) unattached() bool {
	_, ok := r.role.(*unattached)
	return ok
}

// unattach goes to a higher epoch in which nobody is known to lead. The election
// timeout goes on where it was running, so that those who ask for votes again and
// again do not keep everybody else from campaigning.
func (r *Raft) unattach(epoch, leaderID int32) {
	at := r.electionTimer()
	if left, running := r.runningElection(); running && r.mayCampaign() {
		at = left
	}
	r.epoch = epoch
	r.enter(&unattached{leader: leaderID, vote: nobody, election: at})
}

// runningElection is the election timeout of the role, where it is one to go on with.
func (r *Raft) runningElection() (Time, bool) {
	switch role := r.role.(type) {
	case *unattached:
		return role.election, role.election != never
	case *candidate:
		return role.election, true
	case *resigned:
		return role.election, role.election != never
	case *prospective:
		return role.election, !role.votes.lost()
	}
	return 0, false
}

// hint tells of the leader in an answer.
func (r *Raft) hint(listener string) LeaderHint {
	h := LeaderHint{LeaderID: r.role.leaderID(r), Epoch: r.epoch}
	var list []Endpoint
	switch role := r.role.(type) {
	case *follower:
		list = role.endpoints
	default:
		if h.LeaderID == r.cfg.Self.ID {
			list = r.cfg.Endpoints
		} else {
			list, _ = r.endpointsOf(h.LeaderID)
		}
	}
	if h.LeaderID != None {
		h.Endpoint, h.HasEndpoint = endpointFor(list, listener)
	}
	return h
}
