package raft

// candidate has voted for itself in a new epoch and asks the others. One that loses
// waits for its timeout.
type candidate struct {
	self     ReplicaKey
	election Time
	votes    ballot
}

func (c *candidate) state() State         { return Candidate }
func (c *candidate) leaderID(*Raft) int32 { return None }
func (c *candidate) voted() ReplicaKey    { return c.self }

// newCandidate stands in the current epoch.
func (r *Raft) newCandidate() *candidate {
	return &candidate{self: r.cfg.Self, election: r.electionTimer(), votes: r.newBallot()}
}

// stand begins an election in the next epoch. The own vote is durable before anybody
// hears of it.
func (r *Raft) stand() {
	if !r.broken(BreakNewEpoch) {
		r.epoch++
	}
	r.enter(r.newCandidate())
	r.maybeLead()
}

// maybeLead moves on when the election is won.
func (r *Raft) maybeLead() {
	if c, ok := r.role.(*candidate); ok && c.votes.won() {
		r.lead(c.votes.granting())
	}
}

func (c *candidate) poll(r *Raft) bool {
	if r.now >= c.election {
		r.campaign()
		return true
	}
	r.askForVotes(&c.votes, false)
	return false
}

func (c *candidate) deadline(r *Raft) Time { return min(c.election, r.votesReadyAt(&c.votes)) }
