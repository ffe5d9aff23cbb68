package rafttest

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"kraftctl/internal/raft"
)

// event is something that happens at a time of the world.
type event struct {
	at  time.Duration
	seq int
	do  func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	old[len(old)-1] = event{}
	*e = old[:len(old)-1]
	return x
}

// world is a run of a schedule.
type world struct {
	s     *Schedule
	o     Options
	rng   *rand.Rand
	now   time.Duration
	queue events
	seq   int
	count int // events so far

	nodes   []*node
	static  raft.VoterSet
	blocked map[[2]int]int // from, to: how many faults block it
	storm   int
	calm    bool // the faults are over
	values  uint64

	truth
	failure *Violation
}

const clusterID = "rafttest-cluster"

func newWorld(s *Schedule, o Options) *world {
	w := &world{s: s, o: o, rng: rand.New(rand.NewPCG(s.Seed, 1)), blocked: map[[2]int]int{}, truth: newTruth()}
	n := s.Voters + s.Observers
	var first []raft.Voter
	for i := range n {
		node := &node{w: w, index: i, id: int32(i + 1), port: uint16(9000 + i), rate: 0.9 + 0.2*w.rng.Float64()}
		node.offset = time.Duration(w.rng.Int64N(int64(time.Hour)))
		node.disk = newDisk(w.directory(node.id))
		if i < s.Voters {
			v := node.asVoter()
			if s.Level == 0 {
				v.Key.Directory, v.MinVersion, v.MaxVersion = raft.UUID{}, 0, 0
			}
			first = append(first, v)
		}
		w.nodes = append(w.nodes, node)
	}
	set := raft.NewVoterSet(first...)
	if s.Level == 0 {
		w.static = set
	}
	for i, n := range w.nodes {
		if s.Level > 0 {
			n.disk.bootLevel = 1
			if i < s.Voters {
				n.disk.bootVoters = &set
			}
		}
	}
	return w
}

// directory makes a directory id.
func (w *world) directory(id int32) raft.UUID {
	w.seq++
	return raft.UUID{0: byte(id), 13: byte(id), 14: byte(w.seq >> 8), 15: byte(w.seq)}
}

func (w *world) after(d time.Duration, do func()) {
	w.seq++
	heap.Push(&w.queue, event{w.now + max(d, 0), w.seq, do})
}

func (w *world) tracef(format string, args ...any) {
	if w.o.Trace != nil {
		w.o.Trace(fmt.Sprintf("%10.3f  ", w.now.Seconds()) + fmt.Sprintf(format, args...))
	}
}

// maxEvents bounds a run: a replica that does something all the time without end has
// lost its way.
const maxEvents = 300_000

// run runs until a time, or a violation, or until done says so.
func (w *world) run(until time.Duration, done func() bool) {
	for len(w.queue) > 0 && w.failure == nil {
		if w.queue[0].at > until {
			break
		}
		e := heap.Pop(&w.queue).(event)
		w.now = e.at
		w.count++
		if w.count > maxEvents {
			w.fail("progress", "%d events, and no end of them", w.count)
			return
		}
		e.do()
		if done != nil && done() {
			return
		}
	}
	if w.failure == nil {
		w.now = until
	}
}

// propose lets all who think that they lead append records.
func (w *world) propose() {
	for _, n := range w.nodes {
		if n.up && !n.paused && n.leads {
			var values [][]byte
			for range 1 + w.rng.IntN(3) {
				w.values++
				values = append(values, fmt.Append(nil, w.values))
			}
			base, err := n.r.Propose(n.clock(), n.epoch, values)
			w.tracef("n%d proposes %d records at %d: %v", n.id, len(values), base, err)
			n.ready()
		}
	}
	w.after(w.s.Propose+time.Duration(w.rng.Int64N(int64(w.s.Propose))), w.propose)
}

// leader is the index of the replica that leads the highest epoch, or any.
func (w *world) leader(otherwise int) int {
	best := otherwise
	epoch := int32(-1)
	for i, n := range w.nodes {
		if n.up && n.leads && n.epoch > epoch {
			best, epoch = i, n.epoch
		}
	}
	return best
}

// calmDown ends all faults.
func (w *world) calmDown() {
	w.calm = true
	w.storm = 0
	clear(w.blocked)
	for _, n := range w.nodes {
		n.slow, n.fullDisk, n.crashIn = 0, false, 0
		switch {
		case !n.up:
			n.start()
		case n.paused:
			n.resume()
		}
	}
}
