package raft

// An observer is a replica that is not in the voter set, as brokers are, or a
// controller that is to become a voter. It is unattached or a follower like others, and
// differs in this:
//
//   - it has no election timeout and no fetch timeout: it fetches for ever, and asks
//     the bootstrap servers when the leader does not answer;
//   - nobody waits for it, but it answers votes, since voters may know of a voter set
//     that it does not know yet;
//   - with AutoJoin it asks the leader to make it a voter.

// ownVoterRequest is what a follower should ask the leader about itself: a voter whose
// entry in the set is out of date has it updated, an observer with AutoJoin joins,
// after an older self was removed. It is nil if there is nothing to ask (section 9).
func (r *Raft) ownVoterRequest(f *follower) Request {
	self := r.cfg.Self
	me := Voter{Key: self, Endpoints: r.cfg.Endpoints, MinVersion: r.cfg.MinVersion, MaxVersion: r.cfg.MaxVersion}
	old, known := r.voters.current().byID(self.ID)
	level := r.voters.level()
	switch {
	case self.ID == None || len(me.Endpoints) == 0:
		return nil
	case r.isVoter() && level == 0 && !f.updated, r.isVoter() && level > 0 && !old.equal(me):
		return &UpdateVoterRequest{ClusterID: &r.cfg.ClusterID, Epoch: r.epoch, Voter: me}
	case r.isVoter() || !r.cfg.AutoJoin || level == 0:
		return nil
	case known:
		return &RemoveVoterRequest{ClusterID: &r.cfg.ClusterID, Voter: old.Key}
	}
	return &AddVoterRequest{ClusterID: &r.cfg.ClusterID, Timeout: r.cfg.RequestTimeout, Voter: self, Endpoints: me.Endpoints, AckWhenAppended: true}
}

// voterResponse takes the leader's answer to it.
func (r *Raft) voterResponse(from int32, q Request, resp *VoterResponse) {
	f, ok := r.role.(*follower)
	if !ok {
		return
	}
	switch q.(type) {
	case *UpdateVoterRequest:
		if !r.heed(from, resp.Error, ErrNone, &resp.LeaderHint) {
			return
		}
		f.updated = true
		f.heard(r)
	default:
		// These answers tell nothing of epoch and leader. What was refused is asked again
		// after the next period.
		switch resp.Error {
		case ErrNone, ErrRequestTimedOut, ErrDuplicateVoter, ErrVoterNotFound:
		default:
			r.backOff(from)
		}
	}
}
