package rafttest

import (
	"strconv"
	"strings"
	"time"

	"kraftctl/internal/raft"
)

// origin is where the answer to a request goes.
type origin struct {
	from        *node // nil: an operator
	incarnation int
	node        int32 // as the sender numbers it
	correlation uint64
	request     raft.Request
}

// at finds the replica at an address. When the faults are over old addresses lead to it
// as well: voters that have moved while nobody could be told are for an operator to find.
func (w *world) at(host string, port uint16) *node {
	i, err := strconv.Atoi(strings.TrimPrefix(host, "n"))
	if err != nil || i < 1 || i > len(w.nodes) || w.nodes[i-1].port != port && !w.calm {
		return nil
	}
	return w.nodes[i-1]
}

// delay is how long a message takes.
func (w *world) delay() time.Duration {
	d := 500*time.Microsecond + time.Duration(w.rng.Int64N(int64(4*time.Millisecond)))
	if w.calm {
		return d
	}
	late := w.s.Late
	if w.storm > 0 {
		late = max(late, 0.3)
	}
	if w.rng.Float64() < late {
		d += time.Duration(w.rng.ExpFloat64() * float64(400*time.Millisecond))
	}
	return d
}

// lost reports whether a message gets lost.
func (w *world) lost(from, to *node) bool {
	if from != nil && w.blocked[[2]int{from.index, to.index}] > 0 {
		return true
	}
	loss := w.s.Loss
	if w.storm > 0 {
		loss = max(loss, 0.3)
	}
	return !w.calm && w.rng.Float64() < loss
}

// copies is how often a message arrives.
func (w *world) copies() int {
	if !w.calm && w.rng.Float64() < w.s.Duplicate {
		return 2
	}
	return 1
}

// send takes a request of a replica to another.
func (w *world) send(from *node, a raft.Send) {
	to := w.at(a.To.Host, a.To.Port)
	o := origin{from, from.incarnation, a.To.ID, a.Correlation, a.Request}
	if v, ok := a.Request.(*raft.VoteRequest); ok && v.PreVote && to != nil && w.s.OldPeers>>to.index&1 != 0 {
		w.fails(o, raft.ErrUnsupportedVersion, w.delay())
		return
	}
	if to == nil || w.lost(from, to) {
		w.breaks(o)
		return
	}
	for range w.copies() {
		w.after(w.delay(), func() {
			if !to.up || w.at(a.To.Host, a.To.Port) != to {
				w.breaks(o)
				return
			}
			to.hold(func() { to.receive(o) })
		})
	}
}

// breaks is what a sender sees of a connection that does not work: an error now or
// later, or nothing at all.
func (w *world) breaks(o origin) {
	if w.rng.IntN(4) > 0 {
		w.fails(o, raft.ErrBrokerNotAvailable, w.delay()+time.Duration(w.rng.Int64N(int64(50*time.Millisecond))))
	}
}

func (w *world) fails(o origin, e raft.ErrorCode, after time.Duration) {
	w.after(after, func() { o.back(raft.Failed{Node: o.node, Correlation: o.correlation, Error: e}) })
}

// back gives an answer to the one who has asked, if it is still there.
func (o origin) back(ev raft.Event) {
	if n := o.from; n != nil && n.up && n.incarnation == o.incarnation {
		n.hold(func() {
			if n.up && n.incarnation == o.incarnation {
				n.step(ev)
			}
		})
	}
}

// answer takes an answer back.
func (w *world) answer(from *node, o origin, resp raft.Response) {
	if o.from == nil {
		if v, ok := resp.(*raft.VoterResponse); ok {
			w.tracef("n%d answers the operator: %v %s", from.id, v.Error, v.Message)
		}
		return
	}
	if w.lost(from, o.from) {
		w.breaks(o)
		return
	}
	for range w.copies() {
		w.after(w.delay(), func() { o.back(raft.Answered{Node: o.node, Correlation: o.correlation, Response: resp}) })
	}
}

// block cuts the way from one to another, and heals it after a time.
func (w *world) block(from, to int, d time.Duration) {
	if from == to || w.calm {
		return
	}
	w.blocked[[2]int{from, to}]++
	w.after(d, func() {
		if !w.calm {
			w.blocked[[2]int{from, to}]--
		}
	})
}
