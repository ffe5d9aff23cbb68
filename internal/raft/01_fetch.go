package raft

import "slices"

// Fetch (1), versions 4 to 18, of which those from 13 on are served. The leader's side
// of section 6: check who asks and where its log ends, take that as its
// acknowledgement, and answer with records, or keep the request until there is
// something to tell.

// parked is a fetch that waits for records or for the high watermark.
type parked struct {
	in    Received
	q     *FetchRequest
	until Time
}

// maxParked bounds the fetches that wait. A replica has one; only those who are none
// could have more.
const maxParked = 1024

func (r *Raft) fetch(in *Received, q *FetchRequest) {
	resp := &FetchResponse{HighWatermark: Unknown, LeaderHint: r.hint(in.Listener)}
	if resp.TopError = r.checkTarget(q.Target); resp.TopError != ErrNone {
		r.reply(in.ID, &FetchResponse{TopError: resp.TopError})
		return
	}
	switch {
	case q.MaxWait < 0 || q.Offset < 0 || q.LastEpoch < 0 || q.LastEpoch > q.Epoch:
		resp.Error = ErrInvalidRequest
	default:
		resp.Error = r.checkLeads(q.Epoch)
		if _, leads := r.role.(*leader); leads && r.broken(BreakFetchEpoch) {
			resp.Error = ErrNone
		}
	}
	if resp.Error == ErrNone && q.From.ID != None && q.From.ID == r.cfg.Self.ID {
		resp.Error = ErrUnknownServer
	}
	if resp.Error != ErrNone {
		r.reply(in.ID, resp)
		return
	}
	l := r.role.(*leader)
	resp.HighWatermark, resp.LogStart = l.highWatermark, r.log.start
	if resp.Diverging, resp.Snapshot = r.checkPosition(q.Offset, q.LastEpoch); resp.Diverging != nil || resp.Snapshot != nil {
		r.reply(in.ID, resp)
		return
	}
	l.fetchedBy(r, q)
	if r.fetchWaits(l, q) {
		l.park(r, parked{*in, q, r.now.after(q.MaxWait)})
		return
	}
	r.serve(in, q, l)
}

// fetchWaits reports whether there is nothing to tell the sender: no records, and no
// high watermark that it does not know (KIP-1166).
func (r *Raft) fetchWaits(l *leader, q *FetchRequest) bool {
	return r.log.end <= q.Offset && l.highWatermark <= q.HighWatermark && q.MaxWait > 0
}

// serve answers a fetch whose position was checked.
func (r *Raft) serve(in *Received, q *FetchRequest, l *leader) {
	reply := Reply{ID: in.ID, Response: &FetchResponse{LeaderHint: r.hint(in.Listener), HighWatermark: l.highWatermark, LogStart: r.log.start}}
	if r.log.end > q.Offset {
		reply.Read = &Read{From: q.Offset, MaxBytes: q.MaxBytes}
	}
	r.do(reply)
}

// checkPosition compares the end of the sender's log with the own one: log matching.
// It gives where to truncate to, or the snapshot to begin with, or nothing if the
// sender's log is the beginning of the own one.
func (r *Raft) checkPosition(offset int64, lastEpoch int32) (diverging, snapshot *SnapshotID) {
	l := &r.log
	latest, have := l.latestSnapshot()
	first, _ := l.earliestSnapshot()
	switch {
	case have && offset == 0:
		return nil, &latest.ID
	case l.start == 0 && offset == 0:
		return nil, nil
	case have && (offset < l.start || offset == l.start && lastEpoch != first.ID.Epoch || lastEpoch < first.ID.Epoch):
		return nil, &latest.ID
	}
	end := l.endOffsetForEpoch(lastEpoch)
	if end.Epoch == lastEpoch && end.EndOffset >= offset || r.broken(BreakLogMatching) && offset <= l.end {
		return nil, nil
	}
	return &end, nil
}

// checkTarget refuses what is meant for another cluster or log.
func (r *Raft) checkTarget(t Target) ErrorCode {
	switch {
	case t.ClusterID != nil && *t.ClusterID != r.cfg.ClusterID:
		return ErrInconsistentClusterID
	case t.OtherTopic:
		return ErrInvalidRequest
	}
	return ErrNone
}

// checkLeads refuses what is meant for the leader of another epoch.
func (r *Raft) checkLeads(epoch int32) ErrorCode {
	_, leads := r.role.(*leader)
	switch {
	case r.stopped:
		return ErrBrokerNotAvailable
	case epoch < r.epoch:
		return ErrFencedLeaderEpoch
	case epoch > r.epoch:
		return ErrUnknownLeaderEpoch
	case !leads:
		return ErrNotLeaderOrFollower
	}
	return ErrNone
}

// park keeps a fetch. One that the same replica sent before is answered, as nobody
// waits for it any more.
func (l *leader) park(r *Raft, p parked) {
	i := slices.IndexFunc(l.parked, func(o parked) bool { return p.q.From.ID != None && o.q.From == p.q.From })
	if i < 0 && len(l.parked) >= maxParked {
		i = 0
	}
	if i >= 0 {
		r.serve(&l.parked[i].in, l.parked[i].q, l)
		l.parked = slices.Delete(l.parked, i, i+1)
	}
	l.parked = append(l.parked, p)
}

// completeFetches answers those that wait, if there is something to tell or their time
// is over.
func (r *Raft) completeFetches() {
	l, ok := r.role.(*leader)
	if !ok {
		return
	}
	moved := l.told != l.highWatermark
	l.told = l.highWatermark
	l.parked = slices.DeleteFunc(l.parked, func(p parked) bool {
		if !moved && r.log.end <= p.q.Offset && r.now < p.until {
			return false
		}
		r.serve(&p.in, p.q, l)
		return true
	})
}
