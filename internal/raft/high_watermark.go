package raft

import "slices"

// majorityEnd is the offset below which a majority of the voters has everything
// durably. The leader counts as far as its own log is durable, and only if it is a
// voter: one that has removed itself is none.
func (l *leader) majorityEnd(r *Raft) int64 {
	own := r.log.flushed
	if r.broken(BreakSyncLeader) {
		own = r.log.end
	}
	var ends []int64
	for id, p := range l.voters {
		end := p.end
		if id == r.cfg.Self.ID && r.isVoter() {
			end = own
		}
		ends = append(ends, end)
	}
	if !r.isVoter() && r.broken(BreakRemovedLeader) {
		ends = append(ends, own)
	}
	slices.Sort(ends)
	slices.Reverse(ends)
	at := len(ends) / 2
	if at > 0 && r.broken(BreakMajority) {
		at--
	}
	if len(ends) == 0 {
		return Unknown
	}
	return ends[at]
}

// advance moves the high watermark when a majority has more. Entries of older epochs
// are not committed by being counted, because a majority may have them and still elect
// a leader without them (figure 8 of the Raft paper); once an entry of the own epoch
// is committed, all before it are. So the first high watermark of an epoch is beyond
// its LeaderChange record.
func (l *leader) advance(r *Raft) {
	end := l.majorityEnd(r)
	if end <= max(l.highWatermark, 0) || end <= l.epochStart && !r.broken(BreakOwnEpoch) {
		return
	}
	l.highWatermark = end
	r.commit(end)
}
