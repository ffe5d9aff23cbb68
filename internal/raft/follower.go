package raft

// follower fetches from the leader of its epoch. One that is a voter campaigns when it
// has not heard from the leader for the fetch timeout.
type follower struct {
	leader    int32
	endpoints []Endpoint
	vote      ReplicaKey // from before it knew the leader
	fetchBy   Time
	// fetched says that it has fetched successfully from this leader, so that the
	// leader is alive: it grants no pre-vote then.
	fetched bool
	// nextUpdate is when the leader is told of this voter, if it has to be; updated
	// that it was, in this epoch.
	nextUpdate Time
	updated    bool
	snapshot   *download
}

// download is a snapshot that is being fetched.
type download struct {
	id       SnapshotID
	position int64
}

func (f *follower) state() State         { return Follower }
func (f *follower) leaderID(*Raft) int32 { return f.leader }
func (f *follower) voted() ReplicaKey    { return f.vote }

func (r *Raft) newFollower(leader int32, endpoints []Endpoint, vote ReplicaKey) *follower {
	return &follower{
		leader: leader, endpoints: endpoints, vote: vote,
		fetchBy: r.now.after(r.cfg.FetchTimeout), nextUpdate: r.now.after(r.cfg.FetchTimeout),
	}
}

func (f *follower) poll(r *Raft) bool {
	if f.campaigns(r) && r.now >= f.fetchBy {
		r.campaign()
		return true
	}
	if !f.update(r) {
		f.fetch(r)
	}
	return false
}

// campaigns reports whether the fetch timeout counts: for voters that stay.
func (f *follower) campaigns(r *Raft) bool { return r.mayCampaign() && !r.stopping }

// node is where the leader is, on the listener that replicas use.
func (f *follower) node(r *Raft) (Node, bool) {
	e, ok := endpointFor(f.endpoints, r.cfg.Listener)
	return Node{f.leader, e.Host, e.Port}, ok
}

// update sends the leader what it should know of this replica, in place of a fetch.
func (f *follower) update(r *Raft) bool {
	if r.now < f.nextUpdate || !r.ready(f.leader) || r.stopping {
		return false
	}
	to, ok := f.node(r)
	if !ok {
		return false
	}
	f.nextUpdate = r.now.after(r.cfg.FetchTimeout)
	q := r.ownVoterRequest(f)
	if q == nil {
		return false
	}
	r.send(to, q)
	return true
}

// heard restarts the fetch timeout: the leader has answered.
func (f *follower) heard(r *Raft) {
	f.fetchBy = r.now.after(r.cfg.FetchTimeout)
}

func (f *follower) dropSnapshot(r *Raft) {
	if f.snapshot != nil && !r.installing {
		r.do(DropChunks{f.snapshot.id})
	}
	f.snapshot = nil
}

func (f *follower) deadline(r *Raft) Time {
	at := f.fetchAt(r)
	if f.campaigns(r) {
		at = min(at, f.fetchBy)
	}
	if f.nextUpdate > r.now {
		return min(at, f.nextUpdate)
	}
	return min(at, r.readyAt(f.leader))
}
