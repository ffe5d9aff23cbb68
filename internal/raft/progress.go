package raft

import "cmp"

// progress is what a leader knows of another replica, or of itself.
type progress struct {
	key ReplicaKey
	// end is the offset that it fetched last: all below is durable there, and equal to
	// the leader's log. Unknown before its first fetch.
	end     int64
	fetches int
	// lastFetch is the time of the last fetch, leaderEnd the end of the leader's log
	// then. lastCaughtUp is when it last had all there was.
	lastFetch    Time
	leaderEnd    int64
	lastCaughtUp Time
	caughtUp     bool // lastCaughtUp counts
}

// byEnd orders by descending end, unknown ones last.
func byEnd(a, b *progress) int {
	if c := cmp.Compare(b.end, a.end); c != 0 {
		return c
	}
	if a.key.less(b.key) {
		return -1
	}
	return 1
}

func (p *progress) fetched(now Time, offset, leaderEnd int64) {
	switch {
	case offset >= leaderEnd:
		p.lastCaughtUp, p.caughtUp = now, true
	case p.fetches > 0 && offset >= p.leaderEnd:
		p.lastCaughtUp, p.caughtUp = p.lastFetch, true
	}
	p.end, p.lastFetch, p.leaderEnd = offset, now, leaderEnd
	p.fetches++
}

// maxObservers bounds the replicas that are remembered: anybody can claim to be one.
const maxObservers = 1024

// progressOf finds a replica among voters and observers; nil if it is not known.
func (l *leader) progressOf(r *Raft, k ReplicaKey) *progress {
	if p := l.voters[k.ID]; p != nil && (p.key.Matches(k) || r.broken(BreakDirectory)) {
		return p
	}
	return l.observers[k]
}

// fetchedBy takes a valid fetch as the acknowledgement that it is.
func (l *leader) fetchedBy(r *Raft, q *FetchRequest) {
	if q.From.ID == None {
		return
	}
	p := l.progressOf(r, q.From)
	if p == nil {
		l.forgetObservers(r)
		if len(l.observers) >= maxObservers {
			return
		}
		p = &progress{key: q.From, end: Unknown}
		l.observers[q.From] = p
	}
	p.fetched(r.now, q.Offset, r.log.end)
	l.heard(r, q.From)
	l.advance(r)
}

// observerSession is how long an observer is remembered, in Kafka's words.
const observerSession = 300 * 1e9 // ns

// forgetObservers drops those that have not fetched for long.
func (l *leader) forgetObservers(r *Raft) {
	for k, p := range l.observers {
		if r.now-p.lastFetch >= observerSession {
			delete(l.observers, k)
		}
	}
}

// follow takes the voter set that counts now. What is known of replicas stays with them,
// whatever they are.
func (l *leader) follow(r *Raft) {
	old := l.voters
	l.voters = map[int32]*progress{}
	for _, v := range r.voters.current().All() {
		p := old[v.Key.ID]
		switch {
		case p != nil && (p.key == v.Key || p.key.Directory.IsZero()):
			p.key = v.Key
		case l.observers[v.Key] != nil:
			p = l.observers[v.Key]
			delete(l.observers, v.Key)
		default:
			p = &progress{key: v.Key, end: Unknown}
		}
		l.voters[v.Key.ID] = p
	}
	for id, p := range old {
		if now := l.voters[id]; now != p && p.fetches > 0 && len(l.observers) < maxObservers {
			l.observers[p.key] = p
		}
	}
	for id := range l.recent {
		if l.voters[id] == nil {
			delete(l.recent, id)
		}
	}
}
