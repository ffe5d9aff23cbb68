package raft

import "slices"

// EndQuorumEpoch (54), versions 0 and 1 (section 7): a leader resigns, and names those
// who should take over, best first. A follower of that leader does not wait for its
// fetch timeout then: the first one campaigns at once, the others a little later, so
// that they do not get in each other's way.

func (r *Raft) endQuorumEpoch(in *Received, q *EndQuorumEpochRequest) {
	r.reply(in.ID, r.quorumEpoch(in, q.Target, q.Leader, q.Epoch, q.Endpoints, func() ErrorCode {
		if f, ok := r.role.(*follower); ok && f.leader == q.Leader {
			f.fetchBy = r.successionTime(q.Candidates)
		}
		return ErrNone
	}))
}

// successionTime is when this replica campaigns, by its place among the candidates.
func (r *Raft) successionTime(candidates []ReplicaKey) Time {
	limit, n := r.cfg.ElectionBackoffMax, len(candidates)
	switch place := slices.IndexFunc(candidates, func(k ReplicaKey) bool { return k.Matches(r.cfg.Self) }); {
	case place < 0:
		return r.now.after(limit)
	case place == 0:
		return r.now
	case n > 40 || place > 40: // the shifts below would leave nothing, or too much
		return r.now.after(limit)
	default:
		return r.now.after(min(limit, limit>>(n-1)<<(place-1)))
	}
}

func (r *Raft) endQuorumEpochResponse(from int32, resp *QuorumEpochResponse) {
	role := r.role
	if r.heed(from, resp.Error, resp.TopError, &resp.LeaderHint) && r.role == role {
		if s, ok := role.(*resigned); ok {
			s.told[from] = true
		}
	}
}
