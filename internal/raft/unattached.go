package raft

// unattached knows its epoch, and perhaps who leads it, but not where to fetch from.
type unattached struct {
	leader   int32
	vote     ReplicaKey
	election Time // never for observers
}

func (u *unattached) state() State         { return Unattached }
func (u *unattached) leaderID(*Raft) int32 { return u.leader }
func (u *unattached) voted() ReplicaKey    { return u.vote }

func (u *unattached) poll(r *Raft) bool {
	if u.campaigns(r) && r.now >= u.election {
		r.campaign()
		return true
	}
	r.fetchFromAnybody()
	return false
}

// campaigns reports whether the election timeout counts: for voters that stay.
func (u *unattached) campaigns(r *Raft) bool { return r.mayCampaign() && !r.stopping }

func (u *unattached) deadline(r *Raft) Time {
	at := r.anybodyReadyAt()
	if u.campaigns(r) {
		at = min(at, u.election)
	}
	return at
}
