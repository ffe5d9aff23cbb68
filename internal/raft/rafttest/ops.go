package rafttest

import (
	"time"

	"kraftctl/internal/raft"
)

// apply does what an op says.
func (w *world) apply(o Op) {
	if w.calm {
		return
	}
	w.tracef("-- %v", o)
	n := w.nodes[o.Node]
	switch o.Kind {
	case CrashLeader:
		n = w.nodes[w.leader(o.Node)]
		fallthrough
	case Crash, FullDisk:
		// Between two of the next actions, or at once if there are none soon.
		n.crashIn, n.backIn = 1+int(o.Mask%7), o.For
		n.fullDisk = o.Kind == FullDisk
		if o.Mask&8 == 0 {
			n.crash(o.For)
		}
	case Pause:
		if n.up && !n.paused {
			n.paused = true
			incarnation := n.incarnation
			w.after(o.For, func() {
				if n.up && n.incarnation == incarnation && n.paused {
					n.resume()
				}
			})
		}
	case Stop, Move:
		if o.Kind == Move {
			n.port += 100
		}
		n.backIn = o.For
		if o.Kind == Move || !n.up || n.paused {
			n.crash(o.For)
		} else {
			n.step(raft.Shutdown{Timeout: 5 * time.Second})
		}
	case Isolate:
		w.cut([]int{o.Node}, o.For)
	case IsolateLeader:
		w.cut([]int{w.leader(o.Node), o.Node}, o.For)
	case Deaf, Mute:
		for i := range w.nodes {
			if o.Kind == Deaf {
				w.block(i, o.Node, o.For)
			} else {
				w.block(o.Node, i, o.For)
			}
		}
	case Split:
		var group []int
		for i := range w.nodes {
			if o.Mask>>i&1 != 0 {
				group = append(group, i)
			}
		}
		w.cut(group, o.For)
	case SlowDisk:
		n.slow = o.For
		w.after(2*o.For, func() { n.slow = 0 })
	case Wipe, Rot:
		w.wipe(n, o.For)
	case Jump:
		n.offset += o.For
		if n.up {
			n.ready()
		}
	case TakeSnapshot:
		w.takeSnapshot(n)
	case CleanLog:
		w.cleanLog(n)
	case AddVoter:
		w.ask(&raft.AddVoterRequest{Timeout: 2 * time.Second, Voter: n.key(), Endpoints: n.endpoints(), AckWhenAppended: o.Mask&1 == 0})
	case RemoveVoter:
		if w.survives(func(k raft.ReplicaKey) bool { return k == n.key() }) {
			w.ask(&raft.RemoveVoterRequest{Voter: n.key()})
		}
	case ResignLeader:
		if l := w.nodes[w.leader(o.Node)]; l.up {
			l.hold(func() { l.step(raft.Resign{Epoch: l.epoch}) })
		}
	case Storm:
		w.storm++
		w.after(o.For, func() { w.storm = max(0, w.storm-1) })
	}
}

// cut separates a group from all others.
func (w *world) cut(group []int, d time.Duration) {
	in := map[int]bool{}
	for _, i := range group {
		in[i] = true
	}
	for i := range w.nodes {
		for j := range w.nodes {
			if in[i] != in[j] {
				w.block(i, j, d)
			}
		}
	}
}

// ask has an operator ask all who think that they lead.
func (w *world) ask(q raft.Request) {
	for _, n := range w.nodes {
		if n.up && n.leads {
			n.hold(func() { n.receive(origin{request: q}) })
		}
	}
}

// upgrade asks for kraft.version 1 again and again, as the voters have to tell of
// themselves first.
func (w *world) upgrade() {
	w.ask(&raft.UpgradeRequest{Level: 1})
	if !w.calm {
		w.after(time.Second, w.upgrade)
	}
}

// sets are all voter sets that may still count: the current one of every log, and every
// one that is not known to be committed.
func (w *world) sets() []raft.VoterSet {
	list := []raft.VoterSet{}
	for _, n := range w.nodes {
		sets, _ := n.disk.voters()
		for i, s := range sets {
			if i == len(sets)-1 || s.Offset >= w.last().end {
				list = append(list, s.Voters)
			}
		}
	}
	return list
}

// survives reports whether a majority of all voter sets has its disks without some
// replicas.
func (w *world) survives(without func(raft.ReplicaKey) bool) bool {
	for _, set := range w.sets() {
		if w.alive(set, without) < set.Len()/2+1 {
			return false
		}
	}
	return true
}

// alive counts the voters of a set whose disk is still there.
func (w *world) alive(set raft.VoterSet, without func(raft.ReplicaKey) bool) int {
	alive := 0
	for _, v := range set.All() {
		for _, n := range w.nodes {
			if v.Key.Matches(n.key()) && (without == nil || !without(n.key())) {
				alive++
			}
		}
	}
	return alive
}

// electable reports whether one of the replicas that are left could be elected by the
// others, going by its own log: where a disk is lost while a change of the voters is
// under way there may be none, although every set has its majority. The one that has
// the longer log may be no voter by it, and the voters' sets differ.
func (w *world) electable(without func(raft.ReplicaKey) bool) bool {
	for _, c := range w.nodes {
		if without != nil && without(c.key()) {
			continue
		}
		sets, _ := c.disk.voters()
		set, _ := c.disk.currentSet(w.static)
		removed := len(sets) > 1 && sets[len(sets)-2].Voters.Contains(c.key())
		if !set.Contains(c.key()) && !removed {
			continue
		}
		votes := 0
		for _, v := range set.All() {
			for _, n := range w.nodes {
				if v.Key.Matches(n.key()) && (without == nil || !without(n.key())) && upToDate(c.disk.last(), n.disk.last()) {
					votes++
				}
			}
		}
		if votes >= set.Len()/2+1 && set.Len() > 0 {
			return true
		}
	}
	return false
}

// upToDate reports whether a log that ends at a has all that one that ends at b has.
func upToDate(a, b raft.SnapshotID) bool {
	return a.Epoch > b.Epoch || a.Epoch == b.Epoch && a.EndOffset >= b.EndOffset
}

// last is the end of a log.
func (d *disk) last() raft.SnapshotID {
	return raft.SnapshotID{EndOffset: d.end(), Epoch: d.epochAt(d.end())}
}

// wipe takes a disk away, if the quorum can survive that. The replica comes back with
// an empty one, as another replica.
func (w *world) wipe(n *node, back time.Duration) {
	key := n.key()
	gone := func(k raft.ReplicaKey) bool { return k == key }
	if w.s.Level == 0 || !w.survives(gone) || !w.electable(gone) {
		return
	}
	n.crash(back)
	w.gone[key] = n.disk
	n.disk = newDisk(w.directory(n.id))
	n.disk.bootLevel = 1
	w.tracef("n%d has a new disk: %v", n.id, n.key())
}

// takeSnapshot writes a snapshot of all that is committed at a replica.
func (w *world) takeSnapshot(n *node) {
	if !n.up || n.paused || n.committed <= 0 {
		return
	}
	id := raft.SnapshotID{EndOffset: n.committed, Epoch: n.disk.epochAt(n.committed)}
	if !n.r.MayCreateSnapshot(id) {
		return
	}
	chain, ok := n.disk.chainAt(id.EndOffset)
	if !ok {
		w.fail("snapshot", "n%d may write a snapshot at %v, within a batch", n.id, id)
		return
	}
	s := snapshotFile{id: id, chain: chain, size: 50 + id.EndOffset%300}
	set, level, known := n.r.VotersAt(id.EndOffset)
	if s.level = level; known {
		s.voters = &set
	}
	if old, exists := w.snapshots[id]; exists {
		if old.chain != s.chain || old.level != s.level || (old.voters == nil) != (s.voters == nil) || s.voters != nil && !old.voters.Equal(*s.voters) {
			w.fail("snapshot", "n%d writes another snapshot %v than others", n.id, id)
		}
	}
	w.snapshots[id] = s
	n.disk.snapshots = append(n.disk.snapshots, s)
	w.tracef("n%d writes snapshot %v", n.id, id)
	n.step(raft.SnapshotCreated{ID: id, Size: s.size})
}

// cleanLog moves the start of a log to its latest snapshot.
func (w *world) cleanLog(n *node) {
	if !n.up || n.paused || len(n.disk.snapshots) == 0 {
		return
	}
	s := n.disk.snapshots[len(n.disk.snapshots)-1]
	if s.id.EndOffset <= n.disk.start {
		return
	}
	n.disk.clean(s)
	w.tracef("n%d cleans its log up to %d", n.id, s.id.EndOffset)
	n.step(raft.LogStartMoved{Start: s.id.EndOffset})
}
