package raft

import "math"

// The follower's side of the answer to a fetch (section 6).

func (r *Raft) fetchResponse(from int32, q *FetchRequest, resp *FetchResponse) {
	if !r.heed(from, resp.Error, resp.TopError, &resp.LeaderHint) {
		return
	}
	f, ok := r.role.(*follower)
	asked := SnapshotID{q.Offset, q.LastEpoch}
	if !ok || asked != r.log.position() || q.Epoch != r.epoch || r.installing {
		return // it was asked for another log: the answer may tell what to cut off that one
	}
	f.heard(r)
	f.fetched = true
	switch {
	case resp.Diverging != nil:
		r.truncate(from, *resp.Diverging)
	case resp.Snapshot != nil:
		r.startSnapshot(from, f, *resp.Snapshot)
	default:
		if r.appendFetched(from, resp.Batches) {
			r.followHighWatermark(resp.HighWatermark)
		}
	}
}

// appendFetched takes batches as they are, if they go on where the log ends.
func (r *Raft) appendFetched(from int32, batches []Batch) bool {
	end, epoch := r.log.end, r.log.lastEpoch()
	for i := range batches {
		b := &batches[i]
		if b.Base != end || b.Count < 1 || b.Base > math.MaxInt64-int64(b.Count) || b.Epoch < epoch || b.Epoch > r.epoch {
			r.backOff(from) // no leader sends that
			return false
		}
		end, epoch = b.End(), b.Epoch
	}
	if len(batches) == 0 {
		return true
	}
	r.appendBatches(batches)
	return true
}

// appendBatches writes batches and takes what their control records say: voters count
// from now on.
func (r *Raft) appendBatches(batches []Batch) {
	r.do(Append{batches})
	for i := range batches {
		r.log.appended(&batches[i])
		r.voters.add(&batches[i])
	}
}

// followHighWatermark takes the leader's high watermark as far as the own log goes.
// What a new leader does not know yet is no news.
func (r *Raft) followHighWatermark(leaders int64) {
	if r.broken(BreakCommitted) {
		leaders = r.log.end
	}
	r.commit(min(leaders, r.log.end))
}

// commit moves the high watermark. It never goes back.
func (r *Raft) commit(to int64) {
	if to <= r.highWatermark || to < 0 {
		return
	}
	r.highWatermark = to
	if r.broken(BreakVotersAtAppend) {
		r.voters.visible = to
	}
	r.do(Commit{to})
}

// truncate cuts what the leader's log does not have: where its epoch, or the largest
// one below that this log has, ends in both. Truncation spares what is committed: a
// leader that wants to undo that is none, or has lost its log.
func (r *Raft) truncate(from int32, d SnapshotID) {
	target := min(d.EndOffset, r.log.end)
	if own := r.log.endOffsetForEpoch(d.Epoch); d.Epoch != 0 {
		if own.Epoch == d.Epoch {
			target = min(target, own.EndOffset)
		} else {
			target = own.EndOffset
		}
	}
	if r.broken(BreakTruncation) {
		target = r.log.start
	} else if target < r.log.start || target < r.highWatermark {
		r.fatalf("the leader of epoch %d wants the log to be cut to offset %d, and all below %d is committed", r.epoch, target, max(r.log.start, r.highWatermark))
		return
	}
	if target >= r.log.end {
		r.backOff(from) // there is nothing to cut
		return
	}
	r.do(Truncate{target})
	r.log.truncate(target)
	r.flushGoal = min(r.flushGoal, target) // a follower fetches with nothing left to flush, so none should run
	if !r.broken(BreakTruncatedVoters) {
		r.voters.truncate(target)
	}
}
