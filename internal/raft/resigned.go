package raft

import "slices"

// resigned led its epoch and does not any more: it was asked to stop, lost touch with
// the majority, removed itself, or has restarted. It never leads that epoch again,
// because its log may have lost what it sent to others. It tells the voters, and goes
// to the next epoch when its election timeout comes first.
type resigned struct {
	self       int32
	candidates []ReplicaKey
	told       map[int32]bool // voters that have answered
	election   Time
}

func (s *resigned) state() State         { return Resigned }
func (s *resigned) leaderID(*Raft) int32 { return s.self }
func (s *resigned) voted() ReplicaKey    { return nobody }

func (r *Raft) newResigned(candidates []ReplicaKey) *resigned {
	return &resigned{self: r.cfg.Self.ID, candidates: candidates, told: map[int32]bool{}, election: r.randomTimeout(r.cfg.ElectionTimeout)}
}

// resign gives up the leadership. Those whose logs are longest should take over.
func (l *leader) resign(r *Raft) {
	var list []*progress
	for _, p := range l.voters {
		if p.key.ID != r.cfg.Self.ID {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, byEnd)
	keys := make([]ReplicaKey, len(list))
	for i, p := range list {
		keys[i] = p.key
	}
	r.enter(r.newResigned(keys))
}

func (s *resigned) poll(r *Raft) bool {
	if !r.stopping && r.now >= s.election {
		r.epoch++
		r.enter(&unattached{leader: None, vote: nobody, election: r.electionTimer()})
		return true
	}
	for _, v := range s.untold(r) {
		e, ok := endpointFor(v.Endpoints, r.cfg.Listener)
		if ok && r.ready(v.Key.ID) {
			r.send(Node{v.Key.ID, e.Host, e.Port}, &EndQuorumEpochRequest{
				Target: r.target(), Leader: s.self, Epoch: r.epoch, Candidates: s.candidates, Endpoints: r.cfg.Endpoints,
			})
		}
	}
	return false
}

// untold lists the voters that have not answered yet.
func (s *resigned) untold(r *Raft) []Voter {
	var list []Voter
	for _, v := range r.voters.current().All() {
		if v.Key.ID != s.self && !s.told[v.Key.ID] {
			list = append(list, v)
		}
	}
	return list
}

func (s *resigned) deadline(r *Raft) Time {
	at := never
	if !r.stopping {
		at = s.election
	}
	for _, v := range s.untold(r) {
		at = min(at, r.readyAt(v.Key.ID))
	}
	return at
}
