package raft

// node is what is known of one that requests are sent to: a voter or leader by its id,
// or a bootstrap server by a negative number. There is one request at a time for each.
type node struct {
	awaiting    bool
	correlation uint64
	request     Request
	sentAt      Time
	notBefore   Time // back-off
}

func (r *Raft) node(id int32) *node {
	n := r.nodes[id]
	if n == nil {
		n = &node{}
		r.nodes[id] = n
	}
	return n
}

// ready reports whether a request may be sent.
func (r *Raft) ready(id int32) bool { return r.readyAt(id) <= r.now }

// readyAt is when a request may be sent: after the back-off, or when the answer to the
// one before is overdue.
func (r *Raft) readyAt(id int32) Time {
	n := r.nodes[id]
	switch {
	case n == nil:
		return r.now
	case n.awaiting:
		return n.sentAt.after(r.cfg.RequestTimeout)
	}
	return max(n.notBefore, r.now)
}

// overdue reports whether an answer should have come.
func (n *node) overdue(r *Raft) bool {
	return n.awaiting && r.now >= n.sentAt.after(r.cfg.RequestTimeout)
}

func (r *Raft) send(to Node, q Request) {
	r.correlation++
	n := r.node(to.ID)
	*n = node{awaiting: true, correlation: r.correlation, request: q, sentAt: r.now}
	r.do(Send{To: to, Correlation: r.correlation, Request: q})
}

// take gives the request that an answer belongs to. Those to requests of another role
// or epoch, and late ones, belong to none.
func (r *Raft) take(id int32, correlation uint64) (Request, bool) {
	n := r.nodes[id]
	if n == nil || !n.awaiting || n.correlation != correlation {
		return nil, false
	}
	q := n.request
	*n = node{}
	return q, true
}

// backOff leaves a node alone for a while; all bootstrap servers, if it is one of them,
// as the others hardly know more.
func (r *Raft) backOff(id int32) {
	until := r.now.after(r.cfg.RetryBackoff)
	r.node(id).notBefore = until
	if id < None {
		r.askAgain = until
	}
}

// resetNodes forgets what was sent: the role that wanted the answers is gone.
func (r *Raft) resetNodes() { clear(r.nodes) }

// target is what requests begin with.
func (r *Raft) target() Target { return Target{ClusterID: &r.cfg.ClusterID} }

// answered hands an answer to the file of its request.
func (r *Raft) answered(ev *Answered) {
	q, ok := r.take(ev.Node, ev.Correlation)
	if !ok {
		return
	}
	switch resp := ev.Response.(type) {
	case *VoteResponse:
		if q, ok := q.(*VoteRequest); ok {
			r.voteResponse(ev.Node, q, resp)
			return
		}
	case *QuorumEpochResponse:
		switch q.(type) {
		case *BeginQuorumEpochRequest:
			r.beginQuorumEpochResponse(ev.Node, resp)
			return
		case *EndQuorumEpochRequest:
			r.endQuorumEpochResponse(ev.Node, resp)
			return
		}
	case *FetchResponse:
		if q, ok := q.(*FetchRequest); ok {
			r.fetchResponse(ev.Node, q, resp)
			return
		}
	case *FetchSnapshotResponse:
		if q, ok := q.(*FetchSnapshotRequest); ok {
			r.fetchSnapshotResponse(ev.Node, q, resp)
			return
		}
	case *VoterResponse:
		switch q.(type) {
		case *UpdateVoterRequest, *AddVoterRequest, *RemoveVoterRequest:
			r.voterResponse(ev.Node, q, resp)
			return
		}
	case *VersionsResponse:
		if _, ok := q.(*VersionsRequest); ok {
			r.versionsResponse(ev.Node, resp)
			return
		}
	}
	r.backOff(ev.Node) // an answer to something else
}

// failed takes a request that got no answer.
func (r *Raft) failed(ev *Failed) {
	q, ok := r.take(ev.Node, ev.Correlation)
	if !ok {
		return
	}
	r.backOff(ev.Node)
	switch q := q.(type) {
	case *VoteRequest:
		if q.PreVote && ev.Error == ErrUnsupportedVersion {
			r.noPreVote()
		}
	case *VersionsRequest:
		r.versionsResponse(ev.Node, &VersionsResponse{Error: ev.Error})
	case *UpdateVoterRequest:
		if f, ok := r.role.(*follower); ok && ev.Error == ErrUnsupportedVersion {
			f.updated = true
		}
	}
}

// heed takes what every answer says of epoch and leader. It is true if the answer is
// one of the own epoch and without an error, for its own meaning to be looked at.
func (r *Raft) heed(id int32, e ErrorCode, top ErrorCode, h *LeaderHint) bool {
	if top != ErrNone {
		r.backOff(id)
		return false
	}
	if h.Epoch < r.epoch && e == ErrNone && r.broken(BreakFetchEpoch) {
		return true
	}
	if h.Epoch < r.epoch || e == ErrUnknownLeaderEpoch {
		r.backOff(id) // it will hear of the epoch
		return false
	}
	before, role := r.epoch, r.role
	var endpoints []Endpoint
	if h.HasEndpoint {
		endpoints = []Endpoint{h.Endpoint}
	}
	consistent := r.newEpoch(h.Epoch, h.LeaderID, endpoints)
	if !consistent || e != ErrNone && r.role == role {
		r.backOff(id) // nothing was learned from it
	}
	return consistent && e == ErrNone && r.epoch == before
}
