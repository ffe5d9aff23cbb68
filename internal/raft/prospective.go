package raft

// prospective asks whether it would be elected (pre-vote, KIP-996) before it disturbs
// anybody with a new epoch. It keeps what it knows of the leader and its own vote, and
// may still grant its vote to others.
type prospective struct {
	leader    int32
	endpoints []Endpoint // of the leader
	vote      ReplicaKey
	election  Time
	votes     ballot
}

func (p *prospective) state() State         { return Prospective }
func (p *prospective) leaderID(*Raft) int32 { return p.leader }
func (p *prospective) voted() ReplicaKey    { return p.vote }

// campaign begins a rehearsal of an election. A replica that alone is a majority is
// candidate and leader at once.
func (r *Raft) campaign() {
	p := &prospective{leader: r.role.leaderID(r), vote: r.role.voted(), election: r.electionTimer(), votes: r.newBallot()}
	switch role := r.role.(type) {
	case *follower:
		p.endpoints = role.endpoints
	case *resigned:
		p.leader = None
	default:
		p.endpoints, _ = r.endpointsOf(p.leader)
	}
	r.enter(p)
	p.maybeCandidate(r)
}

// maybeCandidate moves on when the rehearsal is won.
func (p *prospective) maybeCandidate(r *Raft) bool {
	switch {
	case !p.votes.won():
		return false
	case r.broken(BreakPreVote):
		r.epoch++
		r.lead(p.votes.granting())
	default:
		r.stand()
	}
	return true
}

func (p *prospective) poll(r *Raft) bool {
	if p.votes.lost() || r.now >= p.election {
		p.lose(r)
		return true
	}
	r.askForVotes(&p.votes, true)
	return false
}

// lose goes back to the leader that was known, or waits for the next timeout. After a
// refusal that is a fresh one.
func (p *prospective) lose(r *Raft) {
	if p.leader != None && len(p.endpoints) > 0 {
		r.enter(r.newFollower(p.leader, p.endpoints, p.vote))
		return
	}
	r.enter(&unattached{leader: p.leader, vote: p.vote, election: r.electionTimer()})
}

func (p *prospective) deadline(r *Raft) Time { return min(p.election, r.votesReadyAt(&p.votes)) }
