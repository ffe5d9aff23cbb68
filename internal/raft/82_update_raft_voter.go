package raft

// UpdateRaftVoter (82), version 0 (section 9): a voter tells where it listens and what
// it supports. At kraft.version 0 the leader only remembers it, for the upgrade.

func (r *Raft) updateVoter(in *Received, q *UpdateVoterRequest) {
	l, leads := r.role.(*leader)
	_, reachable := endpointFor(q.Voter.Endpoints, r.cfg.Listener)
	level := r.voters.level()
	old, known := r.voters.current().byID(q.Voter.Key.ID)
	var e ErrorCode
	var message string
	switch lead := r.checkLeads(q.Epoch); {
	case q.ClusterID != nil && *q.ClusterID != r.cfg.ClusterID:
		e = ErrInconsistentClusterID
	case lead != ErrNone:
		e = lead
	case q.Voter.Key.ID < 0 || q.Voter.Key.Directory.IsZero():
		e = ErrInvalidRequest
	case !reachable:
		e = ErrInvalidRequest
	case q.Voter.MinVersion < 0 || q.Voter.MinVersion > q.Voter.MaxVersion || !q.Voter.supports(level):
		e = ErrInvalidRequest
	case !leads:
		e = ErrNotLeaderOrFollower
	default:
		if e, message = l.mayChange(r); e != ErrNone {
			break
		}
		if !known || level > 0 && old.Key != q.Voter.Key {
			e = ErrVoterNotFound
		}
	}
	if e != ErrNone {
		r.refuseVoter(in, e, message)
		return
	}
	l.heard(r, q.Voter.Key)
	switch {
	case level == 0:
		l.volatile = l.volatile.with(q.Voter)
	case !old.equal(q.Voter): // else there is nothing to write
		l.changeVoters(r, r.voters.current().with(q.Voter))
	}
	r.reply(in.ID, &VoterResponse{LeaderHint: r.hint(in.Listener)})
}
