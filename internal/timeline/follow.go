package timeline

import (
	"bytes"
	"context"

	"kraftctl/decode"
	"kraftctl/internal/metalog"
)

// Follower keeps up with a log that a node is writing. It is not safe for
// concurrent use.
type Follower struct {
	t       *Timeline
	b       *builder
	tracker *tracker
	// guard is the header of the last batch that was read, at its place: when the
	// node has cut its log and written something else there, all is read anew.
	guard []byte
	path  string
}

// NewFollower reads all there is. visit is told of each change from then on.
func NewFollower(ctx context.Context, t *Timeline, visit func(*Recorded) error) (*Follower, error) {
	f := &Follower{t: t}
	return f, f.load(ctx, visit)
}

// load reads everything.
func (f *Follower) load(ctx context.Context, visit func(*Recorded) error) error {
	b := newBuilder(f.t)
	if err := b.all(ctx, Latest); err != nil {
		return err
	}
	f.b, f.tracker = b, newTracker(b, Query{}, visit)
	f.tracker.before = b.loader.Working()
	if b.loader.Open() {
		f.tracker.began = b.loader.Image()
	}
	f.remember()
	return nil
}

// State is the metadata as far as it was read.
func (f *Follower) State() *State {
	b := *f.b
	b.problems.list = b.problems.list[:len(b.problems.list):len(b.problems.list)]
	s := *f.b.state
	b.state = &s
	return b.finish(Latest)
}

// remember keeps the last batch's header.
func (f *Follower) remember() {
	f.guard, f.path = nil, ""
	segments := f.t.files.Segments
	at := f.b.state.place
	if at.segment >= len(segments) || at.pos == 0 {
		return
	}
	f.path = segments[at.segment].Path
	f.guard = f.bytesBefore(at.pos)
}

// bytesBefore are the bytes before a position, as many as a header has.
func (f *Follower) bytesBefore(pos int64) []byte {
	file, err := f.t.fs.Open(f.path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	from := max(0, pos-decode.BatchHeaderSize)
	buf := make([]byte, pos-from)
	if n, _ := file.ReadAt(buf, from); int64(n) < pos-from {
		return nil
	}
	return buf
}

// Poll reads what was written since. changed: the offset has moved. When the node
// has taken back what was read, all is read anew, and visit is told nothing of it.
func (f *Follower) Poll(ctx context.Context) (changed bool, err error) {
	before := f.b.state.End
	files, err := metalog.List(f.t.fs, f.t.files.Dir)
	if err != nil {
		return false, err
	}
	f.t.files = files
	segment := -1
	for i, s := range files.Segments {
		if s.Path == f.path {
			segment = i
		}
	}
	if f.guard == nil || segment < 0 || !bytes.Equal(f.guard, f.bytesBefore(f.b.state.place.pos)) {
		if len(files.Segments) == 0 {
			return false, nil
		}
		err := f.load(ctx, f.tracker.emit)
		return err == nil && f.b.state.End != before, err
	}
	f.b.state.place.segment = segment
	known := f.b.problems
	if err := f.b.logWith(ctx, Latest, f.tracker.visit); err != nil {
		return false, err
	}
	if f.b.state.End == before {
		f.b.problems = known // the same ones again
		return false, nil
	}
	f.remember()
	return true, nil
}
