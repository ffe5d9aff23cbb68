package fsck

import (
	"fmt"

	"kraftctl/decode"
)

// maxProducers bounds the producers that are followed through a segment. If
// there are more, what needs them is not checked.
const maxProducers = 1 << 16

// txnVisitor follows the transactions of a segment: the only state that grows
// with its content, and bounded.
type txnVisitor struct {
	w       *walker
	records *decode.Records
	index   *txnIndexVisitor // may be nil

	open map[int64]int64 // producer -> first offset of its transaction here
	// firsts are the first markers of each producer in the segment: they may end
	// a transaction that began in an earlier one.
	firsts map[int64]firstMarker
	full   bool // too many producers
	blind  bool // damage: a start or an end may have been lost
}

// firstMarker is the first end of a transaction of a producer in a segment.
type firstMarker struct {
	offset, pos int64
	start       int64 // of the transaction, as far as it is in this segment; -1 if it is not
	// unlisted: it aborts and the transaction index does not have it. That is
	// right if there was nothing to abort.
	unlisted bool
	listed   int64 // first offset that the transaction index has, -1 without an entry
	entryPos int64 // of the entry
	blind    bool  // behind damage
}

func newTxnVisitor(w *walker, records *decode.Records) *txnVisitor {
	return &txnVisitor{w: w, records: records, open: make(map[int64]int64), firsts: make(map[int64]firstMarker)}
}

func (v *txnVisitor) batch(b *decode.Batch) {
	if v.index != nil {
		v.index.upTo(b.BaseOffset, v.blind)
	}
	switch {
	case b.IsControl():
		if b.Raw != nil {
			v.control(b)
		}
	case b.IsTransactional() && !v.full:
		if _, ok := v.open[b.ProducerID]; !ok {
			v.open[b.ProducerID] = b.BaseOffset
		}
		v.full = len(v.open)+len(v.firsts) > maxProducers
	}
	if v.index != nil && b.IsTransactional() && !b.IsControl() {
		v.index.started(b.BaseOffset)
	}
}

func (v *txnVisitor) control(b *decode.Batch) {
	for v.records.Reset(b); v.records.Next(); {
		r := &v.records.Record
		c, fault := decode.DecodeControl(r)
		switch {
		case fault != nil:
			v.w.s.add(v.w.bad(controlBad, b, "control record at offset %d: %v", r.Offset, fault))
		case c.Type == decode.NotControl:
			v.w.s.once(v.w.bad(controlUnknown, b, "control record of type %d", c.TypeID))
		case c.Type == decode.Abort || c.Type == decode.Commit:
			v.marker(b, r.Offset, c.Type == decode.Abort)
		}
	}
	if err := v.records.Err(); err != nil {
		v.w.s.add(v.w.bad(controlBad, b, "control batch: %v", cause(err)))
	}
}

// marker is the end of a transaction.
func (v *txnVisitor) marker(b *decode.Batch, offset int64, abort bool) {
	first, begun := v.open[b.ProducerID]
	delete(v.open, b.ProducerID)
	m := firstMarker{offset: offset, pos: b.Position, start: -1, listed: -1, blind: v.blind}
	if begun {
		m.start = first
	}
	unlisted := false
	if abort && v.index != nil {
		m.entryPos = v.index.pos
		e, ok := v.index.aborted(b, offset, first, begun, v)
		if ok {
			m.listed = e.FirstOffset
		}
		unlisted = !ok && !v.blind
	}
	if v.full {
		return
	}
	if begun && unlisted {
		v.w.s.add(v.unlisted(b.ProducerID, first, offset, b.Position))
	}
	if _, ok := v.firsts[b.ProducerID]; !ok {
		m.unlisted = unlisted && !begun
		v.firsts[b.ProducerID] = m
		v.full = len(v.open)+len(v.firsts) > maxProducers
	}
}

func (v *txnVisitor) unlisted(producer, first, last, pos int64) Finding {
	return Finding{Rule: txnUnlisted, File: v.w.file, Position: pos, Offset: last,
		Message: fmt.Sprintf("producer %d aborted its transaction of offsets %d to %d; the transaction index does not have it", producer, first, last)}
}

func (v *txnVisitor) damaged(int64, int64) {
	v.blind = true
	clear(v.open) // their ends may be in what was lost
}

func (v *txnVisitor) end(int64) {
	if v.index != nil {
		v.index.finish(v.blind)
	}
}
