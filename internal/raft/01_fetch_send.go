package raft

import "slices"

// Fetching, the sender's side of section 6: from the leader, or, when it does not
// answer or is not known, from any bootstrap server, whose refusal tells who leads.

// mayFetch reports whether the log may be told as acknowledged: the offset in a fetch
// says that all below it is durable here.
func (r *Raft) mayFetch() bool {
	return r.log.flushed == r.log.end || r.broken(BreakSyncAck)
}

// fetching reports whether a fetch is on its way, and until when it is waited for.
func (r *Raft) fetching() (until Time, ok bool) {
	until = never
	for _, n := range r.nodes {
		switch n.request.(type) {
		case *FetchRequest, *FetchSnapshotRequest:
			if n.awaiting && !n.overdue(r) {
				until, ok = min(until, n.sentAt.after(r.cfg.RequestTimeout)), true
			}
		}
	}
	return until, ok
}

// fetch sends the next fetch to the leader, or asks the bootstrap servers while it
// does not answer. One of them that does not answer either keeps nobody from fetching
// from the leader.
func (f *follower) fetch(r *Raft) {
	if !r.mayFetch() {
		return
	}
	n := r.node(f.leader)
	if n.overdue(r) {
		*n = node{}
		r.backOff(f.leader)
	}
	switch to, ok := f.node(r); {
	case n.awaiting:
	case !ok || !r.ready(f.leader):
		r.fetchFromAnybody()
	case f.snapshot != nil:
		r.send(to, &FetchSnapshotRequest{
			Target: r.target(), From: r.cfg.Self, Epoch: r.epoch, ID: f.snapshot.id, Position: f.snapshot.position, MaxBytes: r.cfg.SnapshotMaxBytes,
		})
	default:
		r.send(to, r.fetchRequest())
	}
}

func (r *Raft) fetchRequest() *FetchRequest {
	at := r.log.position()
	return &FetchRequest{
		Target: r.target(), From: r.cfg.Self, Epoch: r.epoch, Offset: at.EndOffset, LastEpoch: at.Epoch,
		MaxWait: r.cfg.FetchMaxWait, MaxBytes: r.cfg.FetchMaxBytes, HighWatermark: r.highWatermark,
	}
}

// fetchAt is when fetch has something to do.
func (f *follower) fetchAt(r *Raft) Time {
	if !r.mayFetch() {
		return never // Flushed comes first
	}
	at := never
	if _, ok := f.node(r); ok {
		at = r.readyAt(f.leader)
	}
	if n := r.node(f.leader); !n.awaiting {
		at = min(at, r.anybodyReadyAt())
	}
	return at
}

// bootstrap lists whom to ask when no leader is known. Kafka's replicas ask themselves
// as well; that teaches nothing, and is left out.
func (r *Raft) bootstrap() []Node {
	var list []Node
	for i, e := range r.cfg.Bootstrap {
		if !r.isOwn(e) {
			list = append(list, Node{int32(-2 - i), e.Host, e.Port})
		}
	}
	if len(r.cfg.Bootstrap) > 0 {
		return list
	}
	for i, v := range r.voters.static.All() {
		if e, ok := endpointFor(v.Endpoints, r.cfg.Listener); ok && v.Key.ID != r.cfg.Self.ID {
			list = append(list, Node{int32(-2 - i), e.Host, e.Port})
		}
	}
	return list
}

func (r *Raft) isOwn(e Endpoint) bool {
	return slices.ContainsFunc(r.cfg.Endpoints, func(o Endpoint) bool { return o.Host == e.Host && o.Port == e.Port })
}

// fetchFromAnybody sends a fetch to one of the bootstrap servers that are ready.
func (r *Raft) fetchFromAnybody() {
	if _, busy := r.fetching(); busy || !r.mayFetch() || r.now < r.askAgain {
		return
	}
	list := slices.DeleteFunc(r.bootstrap(), func(n Node) bool { return !r.ready(n.ID) })
	if len(list) == 0 {
		return
	}
	r.send(list[r.cfg.Rand(int64(len(list)))], r.fetchRequest())
}

// anybodyReadyAt is when fetchFromAnybody has something to do.
func (r *Raft) anybodyReadyAt() Time {
	if !r.mayFetch() {
		return never
	}
	if until, busy := r.fetching(); busy {
		return until
	}
	at := never
	for _, n := range r.bootstrap() {
		at = min(at, r.readyAt(n.ID))
	}
	return max(at, r.askAgain)
}
