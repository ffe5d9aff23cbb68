package raft

// FetchSnapshot (59), versions 0 and 1: a snapshot in pieces (section 6, KIP-630).

func (r *Raft) fetchSnapshot(in *Received, q *FetchSnapshotRequest) {
	resp := &FetchSnapshotResponse{LeaderHint: r.hint(in.Listener), ID: q.ID}
	if e := r.checkTarget(q.Target); e == ErrInconsistentClusterID {
		r.reply(in.ID, &FetchSnapshotResponse{TopError: e})
		return
	}
	s, found := r.log.snapshot(q.ID)
	switch {
	case q.OtherTopic:
		resp.Error = ErrUnknownTopicOrPartition
	default:
		resp.Error = r.checkLeads(q.Epoch)
	}
	switch {
	case resp.Error != ErrNone:
	case !found:
		resp.Error = ErrSnapshotNotFound
	case q.Position < 0 || q.Position >= s.Size:
		resp.Error = ErrPositionOutOfRange
	}
	if resp.Error != ErrNone {
		r.reply(in.ID, resp)
		return
	}
	r.role.(*leader).heard(r, q.From)
	resp.Size, resp.Position = s.Size, q.Position
	reply := Reply{ID: in.ID, Response: resp}
	if q.MaxBytes > 0 {
		reply.Read = &Read{Snapshot: &s.ID, From: q.Position, MaxBytes: q.MaxBytes}
	}
	r.do(reply)
}

// startSnapshot begins to fetch a snapshot that the leader named in place of records.
// One that holds less than what is committed here already is of no use.
func (r *Raft) startSnapshot(from int32, f *follower, id SnapshotID) {
	if id.EndOffset <= 0 || id.Epoch < 0 || id.Epoch > r.epoch || id.EndOffset <= r.highWatermark || id.EndOffset < r.log.start {
		r.backOff(from)
		return
	}
	f.snapshot = &download{id: id}
}

// fetchSnapshotResponse takes a piece.
func (r *Raft) fetchSnapshotResponse(from int32, q *FetchSnapshotRequest, resp *FetchSnapshotResponse) {
	f, ok := r.role.(*follower)
	if resp.TopError == ErrUnknownServer && ok {
		// Kafka fails to encode its errors: any of them may be meant (section 6).
		f.dropSnapshot(r)
	}
	if !r.heed(from, resp.Error, resp.TopError, &resp.LeaderHint) {
		if f, still := r.role.(*follower); still && ok && (resp.Error == ErrSnapshotNotFound || resp.Error == ErrPositionOutOfRange) {
			f.dropSnapshot(r)
		}
		return
	}
	if f, ok = r.role.(*follower); !ok || f.snapshot == nil || r.installing {
		return
	}
	d := f.snapshot
	f.heard(r)
	end := d.position + int64(len(resp.Data))
	if resp.ID != d.id || q.ID != d.id || resp.Position != d.position || resp.Size <= 0 || end > resp.Size || len(resp.Data) == 0 {
		f.dropSnapshot(r)
		r.backOff(from)
		return
	}
	r.do(WriteChunk{d.id, d.position, resp.Data})
	d.position = end
	if end < resp.Size {
		return
	}
	r.installing = true
	r.do(InstallSnapshot{d.id})
	f.snapshot = nil
}

// snapshotInstalled goes on behind a snapshot: everything in it is committed, and its
// voters are those that count.
func (r *Raft) snapshotInstalled(ev *SnapshotInstalled) {
	if !r.installing {
		return
	}
	r.installing = false
	if !ev.OK {
		return
	}
	r.log.restartAt(Snapshot{ev.ID, ev.Size})
	r.flushGoal = ev.ID.EndOffset
	if !r.broken(BreakSnapshotVoters) {
		r.voters.reset(ev.ID.EndOffset, ev.Level, ev.Voters)
	}
	r.commit(ev.ID.EndOffset)
}

// MayCreateSnapshot reports whether the state machine may write a snapshot that ends
// at a place of the log: behind its beginning, committed, and of that epoch (section
// 11). The set and level of voters that belong into its header are those of
// [Raft.VotersAt]. That the place is one between two batches is the caller's to see.
func (r *Raft) MayCreateSnapshot(id SnapshotID) bool {
	_, have := r.log.snapshot(id)
	return !have && id.EndOffset > r.log.start && id.EndOffset <= r.highWatermark && r.log.valid(id)
}

// VotersAt gives voter set and level of kraft.version behind the records below an
// offset; ok is false if neither log nor snapshot has a set.
func (r *Raft) VotersAt(end int64) (set VoterSet, level int16, ok bool) { return r.voters.at(end - 1) }
