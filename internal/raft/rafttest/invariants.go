package rafttest

import (
	"cmp"
	"fmt"
	"slices"

	"kraftctl/internal/raft"
)

// Violation is an invariant that did not hold.
type Violation struct {
	Invariant string
	Detail    string
}

// Error describes it.
func (v *Violation) Error() string { return v.Invariant + ": " + v.Detail }

func (w *world) fail(invariant, format string, args ...any) {
	if w.failure == nil {
		w.failure = &Violation{invariant, fmt.Sprintf(format, args...)}
		w.tracef("VIOLATION %v", w.failure)
	}
}

// point is the end of a committed batch.
type point struct {
	end   int64
	epoch int32 // of its last record
	chain uint64
	by    int32 // epoch of the leader that committed it
}

// place is a record in some log.
type place struct {
	end   int64
	epoch int32
}

// truth is what nobody in the world knows: all that was ever written and committed.
type truth struct {
	committed []point
	epochs    map[int32]bool // those with a committed record
	chains    map[place]uint64
	leaders   map[int32]raft.ReplicaKey
	// votes are those that were durable, by epoch and candidate.
	votes     map[int32]map[raft.ReplicaKey]map[raft.ReplicaKey]bool
	snapshots map[raft.SnapshotID]snapshotFile
	// gone are the disks that were lost.
	gone map[raft.ReplicaKey]*disk
	// elections counts leaders, changes the voter sets, for statistics.
	elections, changes int
}

func newTruth() truth {
	return truth{
		chains: map[place]uint64{}, leaders: map[int32]raft.ReplicaKey{},
		votes: map[int32]map[raft.ReplicaKey]map[raft.ReplicaKey]bool{}, snapshots: map[raft.SnapshotID]snapshotFile{},
		epochs: map[int32]bool{}, gone: map[raft.ReplicaKey]*disk{},
	}
}

func (t *truth) last() point {
	if n := len(t.committed); n > 0 {
		return t.committed[n-1]
	}
	return point{}
}

// before is the last one that a leader of an epoch up to this one has committed. The
// votes for a leader may arrive when others have gone on to a later epoch: it need not
// have what is committed there.
func (t *truth) before(epoch int32) point {
	for i := len(t.committed) - 1; i >= 0; i-- {
		if t.committed[i].by <= epoch {
			return t.committed[i]
		}
	}
	return point{}
}

// saved: "epoch and vote never regress on disk", "one vote per epoch", "one leader per
// epoch".
func (w *world) saved(n *node, e raft.ElectionState) {
	old := n.disk.election
	switch {
	case e.Epoch < old.Epoch:
		w.fail("epoch", "n%d: the epoch on disk goes back from %d to %d", n.id, old.Epoch, e.Epoch)
	case e.Epoch == old.Epoch && old.Voted.ID != raft.None && e.Voted.ID != raft.None && old.Voted != e.Voted:
		w.fail("one-vote", "n%d voted for %v in epoch %d, and now for %v", n.id, old.Voted, e.Epoch, e.Voted)
	case e.Epoch == old.Epoch && old.Leader != raft.None && e.Leader != raft.None && old.Leader != e.Leader:
		w.fail("one-leader", "n%d knew %d as leader of epoch %d, and now %d", n.id, old.Leader, e.Epoch, e.Leader)
	}
	n.disk.election = e
	if e.Voted.ID != raft.None {
		if w.votes[e.Epoch] == nil {
			w.votes[e.Epoch] = map[raft.ReplicaKey]map[raft.ReplicaKey]bool{}
		}
		if w.votes[e.Epoch][e.Voted] == nil {
			w.votes[e.Epoch][e.Voted] = map[raft.ReplicaKey]bool{}
		}
		w.votes[e.Epoch][e.Voted][n.key()] = true
	}
}

// replied: a vote that is granted is durable.
func (w *world) replied(n *node, q raft.Request, resp raft.Response) {
	v, ok := resp.(*raft.VoteResponse)
	if !ok || !v.Granted {
		return
	}
	q2 := q.(*raft.VoteRequest)
	if e := n.disk.election; !q2.PreVote && (e.Epoch != v.Epoch || e.Voted != q2.From) {
		w.fail("durable-vote", "n%d grants %v its vote of epoch %d, and has on disk epoch %d, vote %v", n.id, q2.From, v.Epoch, e.Epoch, e.Voted)
	}
}

// elected: "one leader per epoch", a majority of durable votes, "leader completeness".
func (w *world) elected(n *node, epoch int32) {
	w.elections++
	key := n.key()
	if other, ok := w.leaders[epoch]; ok {
		w.fail("one-leader", "%v leads epoch %d, which %v has led", key, epoch, other)
		return
	}
	w.leaders[epoch] = key
	set := n.r.Status().Voters
	votes := 0
	for _, v := range set.All() {
		if v.Key.Matches(key) {
			votes++ // its own: that it leads is as durable as a vote
			continue
		}
		for voter := range w.votes[epoch][key] {
			if v.Key.Matches(voter) {
				votes++
				break
			}
		}
	}
	if votes < set.Len()/2+1 {
		w.fail("elected", "%v leads epoch %d with %d votes of %v", key, epoch, votes, set)
	}
	if p := w.before(epoch); !n.disk.has(p, false) {
		w.fail("leader-completeness", "%v leads epoch %d and lacks what is committed at %d in epoch %d", key, epoch, p.end, p.epoch)
	}
}

// appended: "log matching", and the rules for changes of voters.
func (w *world) appended(n *node, b raft.Batch) {
	if b.Base != n.disk.end() {
		w.fail("contiguous", "n%d appends at %d, and its log ends at %d", n.id, b.Base, n.disk.end())
		return
	}
	e := n.disk.append(b)
	at := place{b.End(), b.Epoch}
	if chain, known := w.chains[at]; known && chain != e.chain {
		w.fail("log-matching", "n%d: the log up to %d, epoch %d, is not what another replica has", n.id, at.end, at.epoch)
	} else if !known {
		w.chains[at] = e.chain
		w.checkChange(n, &b)
	}
}

// checkChange looks at a voter set when a leader writes it: it differs by one voter from
// the set that is committed, and from those that its log had before; and the leader has
// committed a record of its epoch.
func (w *world) checkChange(n *node, b *raft.Batch) {
	for i, c := range b.Control {
		if c.Type != raft.ControlVoters {
			continue
		}
		w.changes++
		before := *n.disk
		before.entries = before.entries[:len(before.entries)-1]
		set, at := before.currentSet(w.static)
		if !set.OneStep(c.Voters) {
			w.fail("one-change", "n%d changes the voters from %v to %v", n.id, set, c.Voters)
		}
		own := i > 0 // written with a LeaderChange, or with the upgrade: the same voters
		if committed := w.last(); !own && at >= committed.end && at >= 0 {
			w.fail("one-change", "n%d changes the voters from %v, at %d, which is not committed", n.id, set, at)
		} else if !own && !w.epochs[b.Epoch] {
			w.fail("first-commit", "n%d changes the voters in epoch %d before it has committed a record of it", n.id, b.Epoch)
		}
	}
}

// currentSet is the voter set that log and snapshot give, with the offset it stands at.
func (d *disk) currentSet(static raft.VoterSet) (raft.VoterSet, int64) {
	sets, _ := d.voters()
	if n := len(sets); n > 0 {
		return sets[n-1].Voters, sets[n-1].Offset
	}
	return static, raft.Unknown
}

// truncated: nothing is cut that is committed.
func (w *world) truncated(n *node, end int64) {
	for i := len(w.committed) - 1; i >= 0 && w.committed[i].end > end; i-- {
		if p := w.committed[i]; p.end > n.disk.start && n.disk.has(p, false) {
			w.fail("truncation", "n%d cuts its log to %d, and what it has up to %d is committed", n.id, end, p.end)
			return
		}
	}
	if end < n.disk.start {
		w.fail("truncation", "n%d cuts its log to %d, below its start %d", n.id, end, n.disk.start)
		return
	}
	n.disk.truncate(end)
}

// commits: "state machine safety", and, at a leader, that a majority has everything
// durably, that the last record is of its epoch, and that no later leader lacks it.
func (w *world) commits(n *node, to int64) {
	if to <= n.committed {
		w.fail("high-watermark", "n%d: it goes from %d to %d", n.id, n.committed, to)
		return
	}
	leads := n.leads // as told, in order: the replica may be further by now
	from := max(n.committed, 0)
	n.committed = to
	if to > n.disk.end() {
		w.fail("high-watermark", "n%d: %d is beyond the end of its log at %d", n.id, to, n.disk.end())
		return
	}
	i, _ := slices.BinarySearchFunc(n.disk.entries, from, func(e entry, from int64) int { return cmp.Compare(e.batch.End(), from+1) })
	for ; i < len(n.disk.entries) && n.disk.entries[i].batch.End() <= to; i++ {
		e := &n.disk.entries[i]
		w.commit(n, point{e.batch.End(), e.batch.Epoch, e.chain, n.epoch}, leads)
	}
	if chain, ok := n.disk.chainAt(to); !ok || w.failure != nil {
		w.fail("high-watermark", "n%d: %d is within a batch", n.id, to)
	} else if leads {
		w.leaderCommits(n, point{to, n.disk.epochAt(to), chain, n.epoch})
	}
}

// commit compares a committed batch with what others have committed.
func (w *world) commit(n *node, p point, leads bool) {
	if last := w.last(); p.end > last.end {
		if !leads {
			w.fail("high-watermark", "n%d takes %d for committed, and no leader does", n.id, p.end)
		}
		w.committed = append(w.committed, p)
		w.epochs[p.epoch] = true
		return
	}
	i, ok := slices.BinarySearchFunc(w.committed, p.end, func(q point, end int64) int { return cmp.Compare(q.end, end) })
	if !ok || w.committed[i].chain != p.chain {
		w.fail("state-machine-safety", "n%d has committed another log up to %d, epoch %d, than others", n.id, p.end, p.epoch)
	}
}

func (w *world) leaderCommits(n *node, p point) {
	if p.epoch != n.epoch {
		w.fail("own-epoch", "n%d commits up to %d in epoch %d, and the last record is of epoch %d", n.id, p.end, n.epoch, p.epoch)
	}
	set, _ := n.disk.currentSet(w.static)
	have := 0
	for _, v := range set.All() {
		for _, o := range w.nodes {
			if v.Key.Matches(o.key()) && o.disk.has(p, true) {
				have++
			}
		}
		if d := w.gone[v.Key]; d != nil && d.has(p, true) {
			have++ // it had, when it said so
		}
	}
	if have < set.Len()/2+1 {
		w.fail("durable-majority", "n%d commits up to %d, which %d of %v have durably", n.id, p.end, have, set)
	}
	for _, o := range w.nodes {
		if o.up && o.leads && o.epoch > n.epoch && !o.disk.has(p, false) {
			w.fail("leader-completeness", "n%d commits up to %d in epoch %d, and n%d, the leader of epoch %d, lacks it", n.id, p.end, n.epoch, o.id, o.epoch)
		}
	}
}

// epochAt is the epoch of the record before an offset.
func (d *disk) epochAt(end int64) int32 {
	i, ok := slices.BinarySearchFunc(d.entries, end, func(e entry, end int64) int { return cmp.Compare(e.batch.End(), end) })
	if ok {
		return d.entries[i].batch.Epoch
	}
	for _, s := range d.snapshots {
		if s.id.EndOffset == end {
			return s.id.Epoch
		}
	}
	return raft.None
}

// chunk takes a piece of a snapshot: they come in order.
func (w *world) chunk(n *node, a raft.WriteChunk) {
	d := n.disk
	if a.Position == 0 {
		d.part, d.partSize = a.ID, 0
	}
	if d.part != a.ID || d.partSize != a.Position {
		w.fail("snapshot", "n%d writes a piece of %v at %d, and has %d bytes of %v", n.id, a.ID, a.Position, d.partSize, d.part)
	}
	d.partSize += int64(len(a.Data))
}

// install: a snapshot is of a committed place, and never goes behind what is committed
// here; a leader has no use for one.
func (w *world) install(n *node, id raft.SnapshotID) raft.Event {
	s, ok := w.snapshots[id]
	if !ok || n.disk.partSize != s.size || n.disk.part != id || n.leads {
		w.fail("snapshot", "n%d installs %v with %d bytes of %v", n.id, id, n.disk.partSize, n.disk.part)
		return nil
	}
	w.tracef("n%d installs snapshot %v", n.id, id)
	if p := w.last(); n.committed > id.EndOffset || p.end < id.EndOffset {
		w.fail("snapshot", "n%d installs %v; it has %d committed, all have %d", n.id, id, n.committed, p.end)
	}
	n.disk.restartAt(s)
	n.disk.part = raft.SnapshotID{}
	return raft.SnapshotInstalled{ID: id, Size: s.size, Level: s.level, Voters: s.voters, OK: true}
}

// check looks at a replica after it has done something.
func (w *world) check(n *node) {
	s := n.r.Status()
	switch {
	case s.Epoch != n.disk.election.Epoch && !(s.Epoch == 0 || s.Stopped):
		w.fail("epoch", "n%d is in epoch %d, and its disk in %d", n.id, s.Epoch, n.disk.election.Epoch)
	case s.LogEnd != n.disk.end() || s.LogStart != n.disk.start:
		w.fail("log", "n%d takes its log for %d to %d, and it is %d to %d", n.id, s.LogStart, s.LogEnd, n.disk.start, n.disk.end())
	case s.Flushed > n.disk.synced:
		w.fail("log", "n%d takes %d for durable, and %d is", n.id, s.Flushed, n.disk.synced)
	}
	if set, at := n.disk.currentSet(w.static); !set.Equal(s.Voters) {
		w.fail("voters", "n%d goes by the voters %v of offset %d, and its log has %v of offset %d", n.id, s.Voters, s.VotersAt, set, at)
	}
}
