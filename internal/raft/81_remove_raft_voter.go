package raft

// RemoveRaftVoter (81), version 0 (section 9). A leader may remove itself: it leads on,
// without counting itself, until the change is committed.

func (r *Raft) removeVoter(in *Received, q *RemoveVoterRequest) {
	l, e, message := r.voterRequest(q.ClusterID)
	v, known := r.voters.current().byID(q.Voter.ID)
	switch {
	case e != ErrNone:
	case q.Voter.ID < 0 || q.Voter.Directory.IsZero():
		e, message = ErrInvalidRequest, "Remove voter request didn't include a valid voter"
	default:
		if e, message = l.mayChange(r); e != ErrNone {
			break
		}
		switch {
		case r.voters.level() == 0:
			e, message = ErrUnsupportedVersion, "Cluster doesn't support removing voter because the kraft.version feature is 0"
		case !known || v.Key != q.Voter || r.voters.current().Len() < 2:
			e, message = ErrVoterNotFound, "Cannot remove voter "+q.Voter.String()+" from the set of voters "+r.voters.current().String()
		}
	}
	if e != ErrNone {
		r.refuseVoter(in, e, message)
		return
	}
	l.change = &voterChange{id: in.ID, until: r.now.after(r.cfg.RequestTimeout)}
	l.change.end = l.changeVoters(r, r.voters.current().without(q.Voter.ID))
}
