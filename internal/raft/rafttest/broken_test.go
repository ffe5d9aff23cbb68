package rafttest

import (
	"testing"

	"kraftctl/internal/raft"
)

// searchLimit is how many schedules a broken rule may take to be noticed.
const searchLimit = 20000

// TestBrokenRules is the test of the test: with each rule broken the invariants notice.
func TestBrokenRules(t *testing.T) {
	for _, rule := range raft.AllRules() {
		t.Run(rule.String(), func(t *testing.T) {
			stats, failure := Seeds(t.Context(), 1, searchLimit, raft.RulesOf(rule), nil)
			if failure == nil {
				t.Fatalf("%d schedules, and nobody noticed", searchLimit)
			}
			t.Logf("noticed by seed %d, after %d schedules: %v", failure.Seed, stats.Schedules, failure.Violation)
		})
	}
}

// TestShrink: what is left of a schedule violates an invariant still, and needs each of
// its ops.
func TestShrink(t *testing.T) {
	o := Options{Break: raft.RulesOf(raft.BreakUpToDate)}
	var s *Schedule
	var got *Shrunk
	for seed := uint64(1); got == nil; seed++ {
		s = NewSchedule(seed)
		got = Shrink(s, o)
	}
	if len(got.Ops) >= len(s.Ops) {
		t.Errorf("none of %d ops was taken away", len(s.Ops))
	}
	if Run(s.Keep(got.Ops, got.Quiet), o).Violation == nil {
		t.Error("what is left violates nothing")
	}
	for i := range got.Ops {
		without := append(append([]int{}, got.Ops[:i]...), got.Ops[i+1:]...)
		if Run(s.Keep(without, got.Quiet), o).Violation != nil {
			t.Errorf("op %d is not needed", got.Ops[i])
		}
	}
}

// TestSameAgain: a seed is a run, event by event.
func TestSameAgain(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		var traces [2][]string
		for i := range traces {
			Run(NewSchedule(seed), Options{Trace: func(line string) { traces[i] = append(traces[i], line) }})
		}
		for i := range traces[0] {
			if i >= len(traces[1]) || traces[0][i] != traces[1][i] {
				t.Fatalf("seed %d: line %d is %q at first", seed, i, traces[0][i])
			}
		}
	}
}
