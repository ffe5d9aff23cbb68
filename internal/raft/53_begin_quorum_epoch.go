package raft

// BeginQuorumEpoch (53), versions 0 and 1 (section 7): a leader tells a voter that has
// not fetched for a while that it leads. Kafka ends its process when two leaders of
// one epoch show up; here the second one is refused.

func (r *Raft) beginQuorumEpoch(in *Received, q *BeginQuorumEpochRequest) {
	r.reply(in.ID, r.quorumEpoch(in, q.Target, q.Leader, q.Epoch, q.Endpoints, func() ErrorCode {
		if q.HasVoter && !r.isKey(q.Voter) {
			return ErrInvalidVoterKey
		}
		return ErrNone
	}))
}

// quorumEpoch is what BeginQuorumEpoch and EndQuorumEpoch have in common: it adopts the
// leader, then does the rest.
func (r *Raft) quorumEpoch(in *Received, t Target, leader, epoch int32, endpoints []Endpoint, rest func() ErrorCode) *QuorumEpochResponse {
	if e := r.checkTarget(t); e != ErrNone {
		return &QuorumEpochResponse{TopError: e}
	}
	resp := &QuorumEpochResponse{}
	switch {
	case epoch < r.epoch:
		resp.Error = ErrFencedLeaderEpoch
	case leader < 0:
		resp.Error = ErrInvalidRequest
	case !r.newEpoch(epoch, leader, endpoints):
		resp.Error = ErrInvalidRequest
	default:
		resp.Error = rest()
	}
	resp.LeaderHint = r.hint(in.Listener)
	return resp
}

func (r *Raft) beginQuorumEpochResponse(from int32, resp *QuorumEpochResponse) {
	r.heed(from, resp.Error, resp.TopError, &resp.LeaderHint)
}
