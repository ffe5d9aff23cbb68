package raft

// Vote (52), versions 0 to 2 (section 4). A candidate asks for a vote in its epoch, or,
// with a pre-vote, whether it would get one in the next.

func (r *Raft) vote(in *Received, q *VoteRequest) {
	if e := r.checkTarget(q.Target); e != ErrNone {
		r.reply(in.ID, &VoteResponse{TopError: e})
		return
	}
	refuse := func(e ErrorCode) { r.reply(in.ID, &VoteResponse{Error: e, LeaderHint: r.hint(in.Listener)}) }
	switch {
	case q.Last.EndOffset < 0 || q.Last.Epoch < 0 || q.PreVote && q.Last.Epoch > q.Epoch || !q.PreVote && q.Last.Epoch >= q.Epoch:
		refuse(ErrInvalidRequest)
		return
	case q.Epoch < r.epoch:
		refuse(ErrFencedLeaderEpoch)
		return
	case q.From.ID < 0:
		refuse(ErrInvalidRequest)
		return
	case q.HasVoter && !r.isKey(q.Voter):
		refuse(ErrInvalidVoterKey)
		return
	}
	// A higher epoch is followed whatever becomes of the vote, for pre-votes as well.
	if q.Epoch > r.epoch {
		r.unattach(q.Epoch, None)
	}
	granted := r.mayVote(q)
	if granted && !q.PreVote {
		r.castVote(q.From)
	}
	r.reply(in.ID, &VoteResponse{LeaderHint: r.hint(in.Listener), Granted: granted})
}

// isKey reports whether a key that a request is for is this replica's.
func (r *Raft) isKey(k ReplicaKey) bool { return k.Matches(r.cfg.Self) }

// mayVote is the table of section 4.
func (r *Raft) mayVote(q *VoteRequest) bool {
	switch role := r.role.(type) {
	case *unattached, *prospective:
		if q.PreVote {
			return r.upToDate(q.Last)
		}
		// One vote per epoch. It is given again to the one who has it: the answer may
		// have been lost.
		if v := r.role.voted(); v.ID != None && !r.broken(BreakOneVote) {
			return v.Matches(q.From)
		}
		return r.role.leaderID(r) == None && r.upToDate(q.Last)
	case *candidate, *resigned:
		if r.broken(BreakOneVote) && !q.PreVote {
			return r.upToDate(q.Last)
		}
		return q.PreVote && r.upToDate(q.Last)
	case *follower:
		// A replica that hears from its leader does not help to replace it. An observer
		// whose fetch timeout is over stays a follower, and helps: those who ask may
		// know that it has become a voter, and need it. (Kafka's refuses for ever.)
		hears := role.fetched && r.now < role.fetchBy
		return q.PreVote && !hears && r.upToDate(q.Last)
	}
	return false
}

// upToDate reports whether a candidate's log has all that this one has: the epoch of
// its last record is higher, or equal and it is not shorter.
func (r *Raft) upToDate(last SnapshotID) bool {
	own := r.log.position()
	return last.Epoch > own.Epoch || last.Epoch == own.Epoch && last.EndOffset >= own.EndOffset || r.broken(BreakUpToDate)
}

// castVote makes the vote durable, before the answer that is sent behind it.
func (r *Raft) castVote(to ReplicaKey) {
	switch role := r.role.(type) {
	case *unattached:
		if role.vote == to {
			return
		}
		r.enter(&unattached{leader: None, vote: to, election: r.electionTimer()})
	case *prospective:
		if role.vote != to {
			p := *role
			p.vote = to
			r.enter(&p)
		}
	}
}

func (r *Raft) voteResponse(from int32, q *VoteRequest, resp *VoteResponse) {
	if q.PreVote && resp.TopError == ErrUnsupportedVersion {
		r.noPreVote()
		return
	}
	role := r.role
	if !r.heed(from, resp.Error, resp.TopError, &resp.LeaderHint) && !(r.broken(BreakStaleVotes) && resp.Granted) || r.role != role {
		return
	}
	switch role := role.(type) {
	case *prospective:
		if q.PreVote {
			role.votes.record(from, resp.Granted)
			role.maybeCandidate(r)
		}
	case *candidate:
		if !q.PreVote && (q.Epoch == r.epoch || r.broken(BreakStaleVotes)) {
			role.votes.record(from, resp.Granted)
			r.maybeLead()
		}
	}
}

// noPreVote goes on when a voter turns out to be too old for pre-votes (before 4.0).
func (r *Raft) noPreVote() {
	if _, ok := r.role.(*prospective); ok {
		r.stand()
	}
}
