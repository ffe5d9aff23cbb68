package timeline

import (
	"context"

	"kraftctl/decode"
	"kraftctl/internal/metalog"
)

// Range is a run of offsets, both ends with it.
type Range struct {
	First, Last int64
	// Exact: the log holds every offset of the range. Else it is one offset, that
	// of a snapshot.
	Exact bool
}

// Reach lists which offsets can be reached, by the names of the files: the last
// offset of the log is not known without reading it, and is Latest here.
func (t *Timeline) Reach() []Range {
	if !t.IsDir() {
		return nil
	}
	var out []Range
	segments := t.files.Segments
	logFrom := int64(Latest)
	if len(segments) > 0 {
		logFrom = segments[0].BaseOffset
		if logFrom == 0 {
			return []Range{{0, Latest, true}}
		}
	}
	for _, s := range t.files.Snapshots {
		if s.EndOffset >= logFrom {
			return append(out, Range{max(s.EndOffset-1, 0), Latest, true})
		}
		out = append(out, Range{max(s.EndOffset-1, 0), max(s.EndOffset-1, 0), false})
	}
	return out
}

// Snapshots are the snapshots that there are, by end offset.
func (t *Timeline) Snapshots() []metalog.Snapshot {
	if t.files == nil {
		return nil
	}
	return t.files.Snapshots
}

// eachBatch visits the batches of the log from an offset on, as far as they can be
// read.
func (t *Timeline) eachBatch(ctx context.Context, visit func(*decode.Batch) bool) error {
	list := []metalog.Segment{{Path: t.path}}
	if t.files != nil {
		list = t.files.Segments
	}
	for _, s := range list {
		f, err := metalog.OpenBatches(t.fs, s.Path)
		if gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		for {
			if err := ctx.Err(); err != nil {
				f.Close()
				return err
			}
			b, err := f.Next()
			if err != nil {
				break // what is damaged is told elsewhere
			}
			if !visit(&b) {
				f.Close()
				return nil
			}
		}
		f.Close()
	}
	return nil
}

// LastTime is the append time of the last batch, in milliseconds; -1 if there is
// none.
func (t *Timeline) LastTime(ctx context.Context) (int64, error) {
	last := int64(-1)
	err := t.eachBatch(ctx, func(b *decode.Batch) bool {
		last = max(last, b.MaxTimestamp)
		return true
	})
	return last, err
}

// OffsetAt is the last offset that was appended no later than a time in
// milliseconds.
func (t *Timeline) OffsetAt(ctx context.Context, ms int64) (int64, error) {
	offset, first := int64(-1), int64(-1)
	err := t.eachBatch(ctx, func(b *decode.Batch) bool {
		if first < 0 {
			first = b.BaseOffset
		}
		if b.MaxTimestamp > ms {
			return false
		}
		offset = b.LastOffset()
		return true
	})
	if err == nil && offset < 0 {
		err = &OutOfReachError{-1, max(first, t.first())}
	}
	return offset, err
}
