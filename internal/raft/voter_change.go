package raft

import "time"

// voterChange is an addition or removal of a voter that is under way. There is one at
// a time: the majorities of two sets that differ by one voter have a voter in common,
// those of sets that differ by two need not.
type voterChange struct {
	id    uint64 // of the request, which waits for the answer
	until Time
	// adding is the voter to add while it is asked what it supports.
	adding *Voter
	ack    bool // answer when the record is in the log
	// end is the offset behind the KRaftVoters record, once it is in the log.
	end      int64
	answered bool
}

// mayChange refuses a change of voters, in the order of section 9. The last two rules
// are one change at a time, and that a leader commits an entry of its epoch first: a
// set of an earlier leader, not committed, may be in other logs.
func (l *leader) mayChange(r *Raft) (ErrorCode, string) {
	switch at, known := r.voters.currentAt(); {
	case l.change != nil && !r.broken(BreakOneChange):
		return ErrRequestTimedOut, "another change of the voters is under way"
	case l.highWatermark == Unknown && !r.broken(BreakFirstCommit):
		return ErrRequestTimedOut, "the leader has not committed anything in its epoch yet"
	case known && at >= max(l.highWatermark, 0) && !r.broken(BreakOneChange) && !r.broken(BreakFirstCommit):
		return ErrRequestTimedOut, "the last change of the voters is not committed yet"
	}
	return ErrNone, ""
}

// changeVoters writes a voter set, which counts at once.
func (l *leader) changeVoters(r *Raft, set VoterSet) (end int64) {
	end = l.appendControl(r, []Control{{Type: ControlVoters, Voters: set}})
	l.restartCheck(r)
	l.advance(r)
	return end
}

// pollChange ends a change whose record is committed or whose time is over.
func (l *leader) pollChange(r *Raft) {
	c := l.change
	if c == nil {
		return
	}
	switch {
	case c.end > 0 && l.highWatermark >= c.end:
		l.endChange(r, ErrNone, "")
	case r.now >= c.until && c.adding != nil:
		l.endChange(r, ErrRequestTimedOut, "")
	case r.now >= c.until && !c.answered:
		// The record stays in the log, and no other change may come before it is
		// committed; only the one who waits is told.
		c.answered = true
		r.reply(c.id, &VoterResponse{Error: ErrRequestTimedOut, LeaderHint: r.hint(r.cfg.Listener)})
	case c.adding != nil:
		l.askVersions(r, c)
	}
}

// endChange answers the one who waits for a change.
func (l *leader) endChange(r *Raft, e ErrorCode, message string) {
	if c := l.change; c != nil && !c.answered {
		r.reply(c.id, &VoterResponse{Error: e, Message: message, LeaderHint: r.hint(r.cfg.Listener)})
	}
	l.change = nil
}

// changeAt is when pollChange has something to do.
func (l *leader) changeAt(r *Raft) Time {
	c := l.change
	switch {
	case c == nil || c.answered:
		return never
	case c.end > 0 && l.highWatermark >= c.end || l.resigning:
		return r.now
	case c.adding != nil:
		return min(c.until, r.readyAt(c.adding.Key.ID))
	}
	return c.until
}

func (r *Raft) changeTimeout(asked time.Duration) Time {
	if asked <= 0 {
		return r.now
	}
	return r.now.after(asked)
}

// refuseVoter answers a request about voters with an error.
func (r *Raft) refuseVoter(in *Received, e ErrorCode, message string) {
	r.reply(in.ID, &VoterResponse{Error: e, Message: message, LeaderHint: r.hint(in.Listener)})
}
