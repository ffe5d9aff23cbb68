package fsck

import "fmt"

// history goes over the segments in their order: do they follow each other, and
// which epochs do they have?
func (p *partition) history(s *sink) *epochHistory {
	h := &epochHistory{compacted: p.compacted && !p.metadata()}
	for _, g := range p.segments {
		h.compacted = h.compacted || g.compacted && !p.metadata()
	}
	cut := false
	next, known := int64(0), false // offset behind the segments so far
	for i, g := range p.segments {
		if !g.known {
			known = false // deleted while it was looked at
			continue
		}
		blind := i > 0 && !known
		if known && g.base != next {
			p.discontinuity(s, h, p.segments[i-1], g, next)
			blind = !h.compacted
		}
		h.add(s, g.epochs.runs, blind)
		p.missingIndexes(s, g)
		if !h.compacted {
			s.addAll(g.later)
		}
		next, known = max(next, g.next), !g.lost
		cut = cut || g.epochs.cut
	}
	if cut {
		h.runs = nil // some are not known
	}
	if len(p.segments) > 0 {
		h.end, h.endKnown = next, known
	}
	return h
}

// discontinuity reports a segment that does not start where the one before it ends.
func (p *partition) discontinuity(s *sink, h *epochHistory, before, g *segment, next int64) {
	f := Finding{File: g.log, Position: 0, Offset: g.base, Want: itoa(next), Got: itoa(g.base)}
	switch {
	case g.base < next:
		f.Rule, f.File, f.Position = segmentOverlap, before.log, -1
		f.Message = fmt.Sprintf("the segment ends at offset %d, the next one starts at %d", next-1, g.base)
	case p.metadata():
		f.Rule = metadataGap
		f.Message = fmt.Sprintf("offsets %d to %d are missing before the segment", next, g.base-1)
	case h.compacted:
		return
	default:
		f.Rule = segmentGap
		f.Message = fmt.Sprintf("offsets %d to %d are missing before the segment", next, g.base-1)
	}
	s.add(f)
}

// missingIndexes reports indexes that a segment should have. Those of a new
// segment are made with its first batch.
func (p *partition) missingIndexes(s *sink, g *segment) {
	if g.batches == 0 {
		return
	}
	var missing []string
	if g.offsets == "" {
		missing = append(missing, ".index")
	}
	if g.times == "" {
		missing = append(missing, ".timeindex")
	}
	for _, suffix := range missing {
		if !p.c.exists(g.log[:len(g.log)-len(".log")] + suffix) {
			s.add(Finding{Rule: indexMissing, File: g.log, Position: -1, Offset: g.base, Message: "the segment has no " + suffix})
		}
	}
}
