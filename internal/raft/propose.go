package raft

import (
	"errors"
	"fmt"
)

// The errors of Propose.
var (
	// ErrNotLeader: this replica does not lead the epoch (any more).
	ErrNotLeader = errors.New("this replica does not lead the epoch")
	// ErrTooLarge: the records do not fit into one batch.
	ErrTooLarge = errors.New("the records are too large for a batch")
	// ErrBusy: too much waits to be written; try again.
	ErrBusy = errors.New("too many records wait to be written")
)

// What a record and a batch take beside the values, at most.
const (
	recordOverhead = 32
	batchOverhead  = 61
)

// pendingBatches are proposals that are not in the log yet: they linger, so that
// several become one batch.
type pendingBatches struct {
	batches []Batch // only the last one can take more
	sizes   []int
	bytes   int
	next    int64 // offset of the next record
	due     Time  // when the oldest of them has lingered
}

// Propose appends data records to the log of the leader of an epoch. They stay
// together in one batch. It gives the offset of the first one; they are committed when
// a [Commit] beyond the last one comes before a [LeaderChanged], and lost or not if
// that comes first. The values must not be changed any more.
func (r *Raft) Propose(now Time, epoch int32, values [][]byte) (base int64, err error) {
	if r.err != nil {
		return 0, r.err
	}
	r.now = max(r.now, now)
	l, leads := r.role.(*leader)
	size := 0
	for _, v := range values {
		size += len(v) + recordOverhead
	}
	switch {
	case r.stopped:
		return 0, ErrStopped
	case epoch > r.epoch:
		return 0, fmt.Errorf("the epoch is %d, not %d", r.epoch, epoch)
	case !leads || epoch < r.epoch || l.resigning:
		return 0, ErrNotLeader
	case len(values) == 0:
		return 0, errors.New("there are no records to propose")
	case size+batchOverhead > r.cfg.MaxBatchBytes:
		return 0, ErrTooLarge
	case l.pending.bytes+size > r.cfg.MaxPendingBytes:
		return 0, ErrBusy
	}
	return l.pending.add(r, values, size), nil
}

func (p *pendingBatches) add(r *Raft, values [][]byte, size int) int64 {
	n := len(p.batches)
	if n == 0 {
		p.next, p.due = r.log.end, r.now.after(r.cfg.Linger)
	}
	if n == 0 || p.sizes[n-1]+size > r.cfg.MaxBatchBytes {
		p.batches = append(p.batches, Batch{Base: p.next, Epoch: r.epoch})
		p.sizes = append(p.sizes, batchOverhead)
		n++
	}
	b := &p.batches[n-1]
	b.Values = append(b.Values, values...)
	b.Count += int32(len(values))
	p.sizes[n-1] += size
	p.bytes += size
	base := p.next
	p.next += int64(len(values))
	return base
}

// drain writes what has lingered, or is more than a batch, or all of it.
func (p *pendingBatches) drain(r *Raft, force bool) {
	if len(p.batches) == 0 || !force && len(p.batches) == 1 && r.now < p.due {
		return
	}
	batches := p.batches
	*p = pendingBatches{}
	r.appendBatches(batches)
}

// drainAt is when drain has something to do.
func (p *pendingBatches) drainAt() Time {
	if len(p.batches) == 0 {
		return never
	}
	return p.due
}

// appendControl writes a batch of control records, behind all that was proposed
// before. Voters in it count from now on.
func (l *leader) appendControl(r *Raft, records []Control) (end int64) {
	l.pending.drain(r, true)
	r.appendBatches([]Batch{{Base: r.log.end, Count: int32(len(records)), Epoch: r.epoch, Control: records}})
	l.follow(r)
	return r.log.end
}
