package fsck

import (
	"fmt"
	"maps"
	"slices"
)

// openTxn is a transaction that began in an earlier segment.
type openTxn struct {
	first int64
	file  string
}

// checkTransactions follows transactions from segment to segment: those that
// are never ended, and what transaction indexes say of those that began in an
// earlier segment.
func (p *partition) checkTransactions(s *sink, h *epochHistory) {
	open := make(map[int64]openTxn)
	known := int64(-1) // all that began at this offset or behind it is known
	for _, g := range p.segments {
		t := g.transactions
		if !g.known || t == nil || t.full || len(open) > maxProducers {
			clear(open)
			known = -1
			continue
		}
		if known < 0 {
			known = g.base
		}
		if t.index != nil && !h.compacted {
			g.checkOlder(s, open, known)
		}
		for _, producer := range slices.Sorted(maps.Keys(t.firsts)) {
			m := t.firsts[producer]
			begun, ok := open[producer]
			delete(open, producer)
			if m.blind {
				continue
			}
			start := m.start
			if ok {
				start = begun.first
			}
			switch {
			case ok && m.unlisted:
				s.add(t.unlisted(producer, start, m.offset, m.pos))
			case m.listed < known || m.listed >= g.base || m.listed == start:
				// There is no entry, or it is fine, or it was compared already,
				// or the transaction is older than the log.
			case !h.compacted || start >= 0 && start < m.listed:
				s.add(wrongFirst(g.txns, m.entryPos, producer, start, m.listed))
			}
		}
		if t.blind {
			clear(open) // their ends may have been lost
			known = -1
		}
		for producer, first := range t.open {
			if _, ok := open[producer]; !ok {
				open[producer] = openTxn{first, g.log}
			}
		}
	}
	for _, producer := range slices.Sorted(maps.Keys(open)) {
		t := open[producer]
		s.add(Finding{Rule: txnOpen, File: t.file, Position: -1, Offset: t.first,
			Message: fmt.Sprintf("the transaction of producer %d that starts at offset %d has no end", producer, t.first)})
	}
}

// checkOlder looks at the last stable offsets below the segment: they are
// starts of transactions that were open when it began.
func (g *segment) checkOlder(s *sink, open map[int64]openTxn, known int64) {
	x := g.transactions.index
	for _, stable := range slices.Sorted(maps.Keys(x.older)) {
		there := slices.ContainsFunc(slices.Collect(maps.Values(open)), func(t openTxn) bool { return t.first == stable })
		if stable >= known && !there {
			s.add(x.strange(x.older[stable], -1, stable))
		}
	}
}
