package fsck

import (
	"fmt"

	"kraftctl/decode"
)

// offsetVisitor checks that offsets grow from batch to batch, and learns where
// the segment starts and ends and whether it looks compacted.
type offsetVisitor struct {
	w    *walker
	base int64 // of the segment's name
	// metadata logs have no gaps.
	metadata bool

	batches   int64
	next      int64 // the offset behind the last batch
	compacted bool  // records are missing in a batch, or between two
	blind     bool  // behind damage: a gap means nothing
}

func newOffsetVisitor(w *walker, base int64, metadata bool) *offsetVisitor {
	return &offsetVisitor{w: w, base: base, metadata: metadata, next: base}
}

func (v *offsetVisitor) batch(b *decode.Batch) {
	v.batches++
	switch first := b.BaseOffset; {
	case first < v.base:
		f := v.w.bad(segmentBase, b, "the batch starts at offset %d, below the segment's %d", first, v.base)
		f.Want, f.Got = "at least "+itoa(v.base), itoa(first)
		v.w.s.add(f)
	case first < v.next:
		f := v.w.bad(offsetOrder, b, "the batch starts at offset %d, the one before it ends at %d", first, v.next-1)
		f.Want, f.Got = "at least "+itoa(v.next), itoa(first)
		v.w.s.add(f)
	case first > v.next && !v.blind && b.Magic >= 2:
		v.gap(b)
	}
	if _, horizon := b.DeleteHorizon(); b.Magic >= 2 && (horizon || int64(b.Count) <= int64(b.LastOffsetDelta)) {
		v.compacted = true
	}
	// Behind an offset out of order the others are judged by it: one damaged
	// offset is one finding, or two.
	v.next, v.blind = b.NextOffset(), false
}

func (v *offsetVisitor) gap(b *decode.Batch) {
	message := fmt.Sprintf("offsets %d to %d are missing", v.next, b.BaseOffset-1)
	if v.metadata {
		v.w.s.add(v.w.bad(metadataGap, b, "%s", message))
		return
	}
	v.compacted = true
	v.w.s.once(v.w.bad(offsetGap, b, "%s", message))
}

func (v *offsetVisitor) damaged(int64, int64) { v.blind = true }
func (v *offsetVisitor) end(int64)            {}
