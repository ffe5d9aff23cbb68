package rafttest

import "slices"

// Keep gives a schedule with some of its ops only, by their index, and without the
// network's own faults if quiet is set.
func (s *Schedule) Keep(ops []int, quiet bool) *Schedule {
	out := *s
	out.Ops = nil
	for i, o := range s.Ops {
		if slices.Contains(ops, i) {
			out.Ops = append(out.Ops, o)
		}
	}
	if quiet {
		out.Loss, out.Duplicate, out.Late, out.OldPeers = 0, 0, 0, 0
	}
	return &out
}

// Shrunk is what is left of a schedule that violates an invariant still, perhaps
// another one.
type Shrunk struct {
	Ops       []int // indexes into the schedule's
	Quiet     bool
	Violation *Violation
	Runs      int
}

// Shrink takes away what a violation does not need: the faults of the network, then ops,
// many at once at first. It is nil if the schedule violates nothing.
func Shrink(s *Schedule, o Options) *Shrunk {
	best := &Shrunk{}
	for i := range s.Ops {
		best.Ops = append(best.Ops, i)
	}
	try := func(ops []int, quiet bool) bool {
		best.Runs++
		r := Run(s.Keep(ops, quiet), Options{Break: o.Break})
		if r.Violation == nil {
			return false
		}
		best.Ops, best.Quiet, best.Violation = ops, quiet, r.Violation
		return true
	}
	if !try(best.Ops, false) {
		return nil
	}
	try(best.Ops, true)
	for size := max(1, len(best.Ops)/2); ; size /= 2 {
		for at := 0; at < len(best.Ops); {
			without := slices.Delete(slices.Clone(best.Ops), at, min(at+size, len(best.Ops)))
			if !try(without, best.Quiet) {
				at += size
			}
		}
		if size <= 1 {
			return best
		}
	}
}
