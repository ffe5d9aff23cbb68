package raft

import "fmt"

// upgrade raises kraft.version from 0 to 1 (section 8): the voters, with the
// directories and endpoints that they have told, go into the log, and count from there
// on instead of those of the configuration.
func (r *Raft) upgrade(in *Received, q *UpgradeRequest) {
	l, leads := r.role.(*leader)
	level := r.voters.level()
	refuse := func(e ErrorCode, format string, args ...any) { r.refuseVoter(in, e, fmt.Sprintf(format, args...)) }
	switch {
	case !leads || l.resigning:
		refuse(ErrNotLeaderOrFollower, "")
		return
	case q.Level == level:
		r.refuseVoter(in, ErrNone, "")
		return
	case q.Level < level || q.Level > r.cfg.MaxVersion:
		refuse(ErrInvalidUpdateVersion, "kraft.version cannot go from %d to %d", level, q.Level)
		return
	}
	for _, v := range l.volatile.All() {
		switch {
		case v.Key.Directory.IsZero():
			refuse(ErrRequestTimedOut, "voter %v has not told its directory yet", v.Key)
			return
		case !v.supports(q.Level):
			refuse(ErrInvalidUpdateVersion, "voter %v does not support kraft.version %d", v.Key, q.Level)
			return
		}
	}
	if e, message := l.mayChange(r); e != ErrNone {
		r.refuseVoter(in, e, message)
		return
	}
	if !q.ValidateOnly {
		l.appendControl(r, []Control{{Type: ControlVersion, Level: q.Level}, {Type: ControlVoters, Voters: l.volatile}})
		l.advance(r)
	}
	r.refuseVoter(in, ErrNone, "")
}
