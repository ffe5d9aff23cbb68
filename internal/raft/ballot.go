package raft

// ballot counts the answers of an election, or of its rehearsal.
type ballot struct {
	voters  VoterSet
	answers map[int32]bool // by voter: granted or refused
}

func (r *Raft) newBallot() ballot {
	b := ballot{voters: r.voters.current(), answers: map[int32]bool{}}
	if r.isVoter() {
		b.answers[r.cfg.Self.ID] = true
	}
	return b
}

// record takes the answer of a voter.
func (b *ballot) record(id int32, granted bool) {
	if _, ok := b.voters.byID(id); ok {
		b.answers[id] = granted
	}
}

func (b *ballot) count(granted bool) int {
	n := 0
	for _, g := range b.answers {
		if g == granted {
			n++
		}
	}
	return n
}

// won reports whether a majority has granted.
func (b *ballot) won() bool { return b.count(true) >= b.voters.majority() }

// lost reports whether a majority cannot be reached any more.
func (b *ballot) lost() bool { return b.voters.Len()-b.count(false) < b.voters.majority() }

// granting lists those who have granted, by id.
func (b *ballot) granting() []int32 {
	var list []int32
	for _, v := range b.voters.All() {
		if b.answers[v.Key.ID] {
			list = append(list, v.Key.ID)
		}
	}
	return list
}

// askForVotes sends a Vote request to every voter that has not answered yet.
func (r *Raft) askForVotes(b *ballot, preVote bool) {
	for _, v := range b.voters.All() {
		if _, done := b.answers[v.Key.ID]; done {
			continue
		}
		e, ok := endpointFor(v.Endpoints, r.cfg.Listener)
		if !ok || !r.ready(v.Key.ID) {
			continue
		}
		r.send(Node{v.Key.ID, e.Host, e.Port}, &VoteRequest{
			Target: r.target(), Voter: v.Key, HasVoter: true, Epoch: r.epoch, From: r.cfg.Self, Last: r.log.position(), PreVote: preVote,
		})
	}
}

// votesReadyAt is when there is somebody to ask again.
func (r *Raft) votesReadyAt(b *ballot) Time {
	at := never
	for _, v := range b.voters.All() {
		if _, done := b.answers[v.Key.ID]; !done {
			at = min(at, r.readyAt(v.Key.ID))
		}
	}
	return at
}
