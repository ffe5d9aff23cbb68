package rafttest

import (
	"context"
	"runtime"
	"sync"
	"time"

	"kraftctl/internal/raft"
)

// Result is how a schedule went.
type Result struct {
	Violation *Violation // nil if all invariants held
	Events    int
	Elections int
	Committed int64 // records
	Changes   int   // of the voters
	Snapshots int
	// Excused says that disks were lost, and nobody is left who could be elected.
	Excused bool
}

// recovery is how long a quorum may take to get going when the faults are over. An
// election that splits takes two timeouts, and disks and clocks are as they are.
const recovery = 60 * time.Second

// Run runs a schedule.
func Run(s *Schedule, o Options) Result {
	w := newWorld(s, o)
	for _, n := range w.nodes {
		w.after(time.Duration(w.rng.Int64N(int64(300*time.Millisecond))), n.start)
	}
	for _, op := range s.Ops {
		w.after(op.At, func() { w.apply(op) })
	}
	w.after(s.Propose, w.propose)
	if s.Upgrades {
		w.after(s.Faults/4, w.upgrade)
	}
	w.run(s.Faults, nil)
	excused := false
	if w.failure == nil {
		w.tracef("-- the faults are over")
		w.calmDown()
		excused = len(w.gone) > 0 && (!w.survives(nil) || !w.electable(nil))
	}
	if w.failure == nil && !excused {
		goal := w.last().end + 1
		w.run(s.Faults+recovery, func() bool { return w.recovered(goal) })
		if w.failure == nil && !w.recovered(goal) {
			w.fail("liveness", "%v after the faults, %d is committed and not %d everywhere", recovery, w.last().end, goal)
		}
	}
	return Result{Violation: w.failure, Events: w.count, Elections: w.elections, Committed: w.last().end, Changes: w.changes, Snapshots: len(w.snapshots), Excused: excused}
}

// recovered reports whether something was committed and all voters know it.
func (w *world) recovered(goal int64) bool {
	if w.last().end < goal {
		return false
	}
	for _, n := range w.nodes {
		if n.up && n.leads {
			for _, v := range n.r.Status().Voters.All() {
				for _, o := range w.nodes {
					if v.Key.Matches(o.key()) && o.committed < goal {
						return false
					}
				}
			}
			return true
		}
	}
	return false
}

// Stats sum up many schedules.
type Stats struct {
	Schedules int   `json:"schedules"`
	Events    int   `json:"events"`
	Elections int   `json:"elections"`
	Committed int64 `json:"committed"` // records
	Changes   int   `json:"voterChanges"`
	Snapshots int   `json:"snapshots"`
	Excused   int   `json:"excused"` // nobody left to elect after disks were lost
}

// Failure is the first schedule that failed, by seed.
type Failure struct {
	Seed      uint64
	Violation *Violation
}

// Seeds runs the schedules of seeds from first to last on several processors, and stops
// at the first failure, or when ctx ends. progress, if it is not nil, is called after
// each schedule, one at a time.
func Seeds(ctx context.Context, first, last uint64, rules raft.Rules, progress func(done int)) (Stats, *Failure) {
	var mu sync.Mutex
	var stats Stats
	var failure *Failure
	next := first
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				seed := next
				if seed > last || failure != nil || ctx.Err() != nil {
					mu.Unlock()
					return
				}
				next++
				mu.Unlock()
				r := Run(NewSchedule(seed), Options{Break: rules})
				mu.Lock()
				stats.add(r)
				if r.Violation != nil && (failure == nil || seed < failure.Seed) {
					failure = &Failure{seed, r.Violation}
				}
				if progress != nil {
					progress(stats.Schedules)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return stats, failure
}

func (s *Stats) add(r Result) {
	s.Schedules++
	s.Events += r.Events
	s.Elections += r.Elections
	s.Changes += r.Changes
	s.Snapshots += r.Snapshots
	s.Committed += r.Committed
	if r.Excused {
		s.Excused++
	}
}
