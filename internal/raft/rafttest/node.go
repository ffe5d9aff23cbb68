package rafttest

import (
	"strconv"
	"time"

	"kraftctl/internal/raft"
)

// node is a replica and what is around it: its process, its clock, its disk.
type node struct {
	w           *world
	index       int
	id          int32
	port        uint16
	disk        *disk
	r           *raft.Raft
	up          bool
	incarnation int
	rate        float64 // of its clock
	offset      time.Duration

	paused bool
	held   []func() // what has come meanwhile

	slow     time.Duration // what a flush takes longer
	fullDisk bool
	crashIn  int // actions until it crashes; 0 is never
	backIn   time.Duration

	wake     int // number of the timer that counts
	asked    uint64
	requests map[uint64]origin

	leads     bool
	epoch     int32
	committed int64 // what it has told of
}

func (n *node) host() string { return "n" + strconv.Itoa(int(n.id)) }

func (n *node) key() raft.ReplicaKey {
	return raft.ReplicaKey{ID: n.id, Directory: n.disk.directory}
}

func (n *node) endpoints() []raft.Endpoint {
	return []raft.Endpoint{{Listener: "CONTROLLER", Host: n.host(), Port: n.port}}
}

func (n *node) asVoter() raft.Voter {
	return raft.Voter{Key: n.key(), Endpoints: n.endpoints(), MaxVersion: 1}
}

// clock is the time that it thinks it is.
func (n *node) clock() raft.Time {
	return raft.Time(n.offset + time.Duration(float64(n.w.now)*n.rate))
}

// until is how long it takes until its clock shows a time.
func (n *node) until(t raft.Time) time.Duration {
	d := float64(t-n.clock()) / n.rate
	return time.Duration(d) + 1
}

// start starts the process.
func (n *node) start() {
	w := n.w
	n.incarnation++
	n.up, n.paused, n.held, n.crashIn, n.leads, n.committed = true, false, nil, 0, false, raft.Unknown
	n.requests = map[uint64]origin{}
	cfg := raft.Config{
		Self: n.key(), ClusterID: clusterID, Listener: "CONTROLLER", Endpoints: n.endpoints(), AutoJoin: w.s.Level > 0, MaxVersion: 1,
		Linger: w.s.Linger, SnapshotMaxBytes: 100, FetchMaxBytes: 1000, MaxBatchBytes: 4096, Break: w.o.Break,
		Rand: w.rng.Int64N,
	}
	for _, o := range w.nodes {
		if w.s.Level > 0 {
			cfg.Bootstrap = append(cfg.Bootstrap, o.endpoints()[0])
		}
	}
	r, err := raft.New(cfg, n.disk.boot(w.static), n.clock())
	if err != nil {
		w.fail("start", "n%d does not start: %v", n.id, err)
		return
	}
	n.r = r
	n.epoch = r.Status().Epoch
	w.tracef("n%d starts: %s", n.id, brief{r.Status()})
	n.ready()
}

// crash ends the process.
func (n *node) crash(back time.Duration) {
	if !n.up {
		return
	}
	w := n.w
	n.up, n.leads, n.r = false, false, nil
	n.disk.crash(w.rng)
	w.tracef("n%d crashes; its log ends at %d", n.id, n.disk.end())
	w.after(back, func() {
		if !n.up && w.failure == nil {
			n.start()
		}
	})
}

// hold does something with the process, later if it is paused.
func (n *node) hold(do func()) {
	if n.paused {
		n.held = append(n.held, do)
		return
	}
	do()
}

func (n *node) resume() {
	n.paused = false
	held := n.held
	n.held = nil
	for _, do := range held {
		if n.up && n.w.failure == nil {
			do()
		}
	}
	if n.up {
		n.ready()
	}
}

func (n *node) receive(o origin) {
	if !n.up {
		return
	}
	if _, ok := o.request.(*raft.VersionsRequest); ok { // answered below the replica
		n.w.answer(n, o, &raft.VersionsResponse{MaxVersion: 1})
		return
	}
	n.asked++
	n.requests[n.asked] = o
	n.step(raft.Received{ID: n.asked, Listener: "CONTROLLER", Request: o.request})
}

// step gives the replica an event, and does what it wants done.
func (n *node) step(ev raft.Event) {
	if !n.up {
		return
	}
	if err := n.r.Step(n.clock(), ev); err != nil {
		n.w.fail("fatal", "n%d: %v", n.id, err)
		return
	}
	n.ready()
}

func (n *node) ready() {
	w := n.w
	for n.up && !n.paused && w.failure == nil {
		acts, err := n.r.Ready(n.clock())
		if err != nil {
			w.fail("fatal", "n%d: %v", n.id, err)
			return
		}
		var next raft.Event
		for _, a := range acts {
			if n.crashIn > 0 {
				if n.crashIn--; n.crashIn == 0 {
					n.crash(n.backIn)
					return
				}
			}
			if ev := n.do(a); ev != nil {
				next = ev
			}
			if !n.up || w.failure != nil {
				return
			}
		}
		if next == nil {
			w.check(n)
			break
		}
		if err := n.r.Step(n.clock(), next); err != nil {
			w.fail("fatal", "n%d: %v", n.id, err)
			return
		}
	}
	if !n.up || n.paused || w.failure != nil {
		return
	}
	n.wake++
	if at := n.r.Deadline(); at < 1<<62 {
		wake, incarnation := n.wake, n.incarnation
		w.after(n.until(at), func() {
			if n.up && n.wake == wake && n.incarnation == incarnation {
				n.ready()
			}
		})
	}
}

// do carries out an action. Some have a result that comes at once.
func (n *node) do(a raft.Action) raft.Event {
	w := n.w
	switch a := a.(type) {
	case raft.SaveElection:
		w.tracef("n%d saves epoch %d, leader %d, vote %v", n.id, a.State.Epoch, a.State.Leader, a.State.Voted)
		w.saved(n, a.State)
	case raft.Append:
		if n.fullDisk {
			n.fullDisk = false
			n.crash(time.Second)
			return nil
		}
		for _, b := range a.Batches {
			w.tracef("n%d appends %d-%d@%d%s", n.id, b.Base, b.End()-1, b.Epoch, control(b.Control))
			w.appended(n, b)
		}
	case raft.Flush:
		n.flush(a.Seq)
	case raft.Truncate:
		w.tracef("n%d truncates to %d", n.id, a.End)
		w.truncated(n, a.End)
	case raft.WriteChunk:
		w.chunk(n, a)
	case raft.DropChunks:
		n.disk.part = raft.SnapshotID{}
	case raft.InstallSnapshot:
		return w.install(n, a.ID)
	case raft.Send:
		w.tracef("n%d -> %s: %s", n.id, a.To.Host, brief{a.Request})
		w.send(n, a)
	case raft.Reply:
		n.replies(a)
	case raft.Commit:
		w.tracef("n%d: committed up to %d", n.id, a.HighWatermark)
		w.commits(n, a.HighWatermark)
	case raft.LeaderChanged:
		w.tracef("n%d: leader of epoch %d is %d", n.id, a.Epoch, a.Leader)
		n.epoch, n.leads = a.Epoch, a.Leader == n.id
		if n.leads {
			w.elected(n, a.Epoch)
		}
	case raft.Stopped:
		n.crash(n.backIn)
	}
	return nil
}

// flush makes the log durable after a while.
func (n *node) flush(seq uint64) {
	end, incarnation, disk := n.disk.end(), n.incarnation, n.disk
	took := time.Duration(n.w.rng.Int64N(int64(3*time.Millisecond))) + n.slow
	cut := disk.cuts()
	n.w.after(took, func() {
		if !n.up || n.incarnation != incarnation || n.disk != disk {
			return
		}
		// What was cut off meanwhile is not durable, and what stands there now may not be.
		disk.synced = max(disk.synced, min(end, disk.uncutSince(cut)))
		n.hold(func() {
			if n.up && n.incarnation == incarnation {
				n.step(raft.Flushed{Seq: seq})
			}
		})
	})
}

func (n *node) replies(a raft.Reply) {
	o, ok := n.requests[a.ID]
	if !ok {
		n.w.fail("one-answer", "n%d answers request %d, which is not open", n.id, a.ID)
		return
	}
	delete(n.requests, a.ID)
	resp := a.Response
	if a.Read != nil {
		switch r := resp.(type) {
		case *raft.FetchResponse:
			r.Batches = n.disk.read(a.Read.From, a.Read.MaxBytes)
		case *raft.FetchSnapshotResponse:
			r.Data = make([]byte, min(r.Size-a.Read.From, int64(a.Read.MaxBytes)))
		}
	}
	n.w.replied(n, o.request, resp)
	n.w.tracef("n%d answers: %s", n.id, brief{resp})
	n.w.answer(n, o, resp)
}
