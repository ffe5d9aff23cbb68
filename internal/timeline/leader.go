package timeline

import (
	"context"
	"slices"

	"kraftctl/decode/control"
)

// Leader tells who led the quorum at an offset, by the last LeaderChange record up
// to it that the log has; nil if it has none. A State knows that only if the record
// is behind the snapshot that it begins with, which it seldom is. The records of
// the segments are not looked at, but for those of control batches, and segments
// from the last one on until one has it.
func (t *Timeline) Leader(ctx context.Context, offset int64) (*Leader, error) {
	if !t.IsDir() {
		s, err := t.At(ctx, offset)
		if err != nil {
			return nil, err
		}
		return s.Leader, nil
	}
	w := newWalker(t.fs)
	w.controls = true
	for i, s := range slices.Backward(t.files.Segments) {
		if s.BaseOffset > offset {
			continue
		}
		var found *Leader
		_, _, err := w.segments(ctx, t.files.Segments[:i+1], place{segment: i, next: s.BaseOffset}, offset, func(e *Entry) error {
			if e.Err == nil {
				if m, ok := e.Control.Message.(*control.LeaderChangeMessage); ok {
					found = leaderOf(e, m)
				}
			}
			return nil
		})
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// leaderOf is what a LeaderChange record says.
func leaderOf(e *Entry, m *control.LeaderChangeMessage) *Leader {
	return &Leader{m.LeaderID, e.At.Epoch, e.At.Time, e.At.Offset}
}
