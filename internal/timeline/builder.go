package timeline

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
)

// builder makes a State.
type builder struct {
	t      *Timeline
	walk   *walker
	loader *image.Loader
	state  *State
	problems
	inFile *inFile // see InFile
	marks  *Marks  // nil: they are not wanted
}

func newBuilder(t *Timeline) *builder {
	return &builder{t: t, walk: newWalker(t.fs), loader: image.NewLoader(image.Empty()), state: &State{Time: -1}}
}

// visit applies one record.
func (b *builder) visit(e *Entry) error {
	switch {
	case e.IsControl:
		b.control(e)
		if b.inFile == nil {
			b.loader.Pass(e.At)
		}
	case e.Err != nil:
		rule := "metadata-record"
		var f *decode.FrameError
		if errors.As(e.Err, &f) && f.Unknown() {
			rule = "metadata-record-unknown"
		}
		b.add(Problem{rule, e.File, e.Pos, e.Offset, e.Err.Error()})
		b.loader.Pass(e.At)
	default:
		if b.inFile.record(e) {
			b.loader.Pass(e.At)
			break
		}
		b.state.Records++
		if b.marks != nil {
			if b.loader.Supersedes(e.Frame.Message) {
				b.marks.reset()
			}
			b.marks.before(e, b.loader.Current())
		}
		err := b.loader.Record(e.Frame.Message, e.At)
		if b.marks != nil {
			b.marks.after(e, b.loader, err)
		}
		if err != nil {
			b.inFile.refused(err)
			b.add(Problem{RuleReplay, e.File, e.Pos, e.Offset, err.Error()})
		}
	}
	return nil
}

// control applies a control record of the quorum.
func (b *builder) control(e *Entry) {
	if e.Err != nil {
		b.add(Problem{"control-malformed", e.File, e.Pos, e.Offset, e.Err.Error()})
		return
	}
	switch m := e.Control.Message.(type) {
	case *control.LeaderChangeMessage:
		b.state.Leader = leaderOf(e, m)
	case *control.KRaftVersionRecord:
		b.state.KRaftVersion = m.KRaftVersion
	case *control.VotersRecord:
		b.state.Voters = cloneVoters(m)
	}
}

// snapshotHeader gives the time in the header of a snapshot.
func snapshotHeader(e *Entry) (int64, bool) {
	h, ok := e.Control.Message.(*control.SnapshotHeaderRecord)
	if !ok {
		return 0, false
	}
	return h.LastContainedLogTimestamp, true
}

// cloneVoters copies a voter set: the strings of records point into the batch.
func cloneVoters(m *control.VotersRecord) *control.VotersRecord {
	out := &control.VotersRecord{Version: m.Version}
	for _, v := range m.Voters {
		v.Endpoints = slices.Clone(v.Endpoints)
		for i := range v.Endpoints {
			v.Endpoints[i].Name, v.Endpoints[i].Host = strings.Clone(v.Endpoints[i].Name), strings.Clone(v.Endpoints[i].Host)
		}
		out.Voters = append(out.Voters, v)
	}
	return out
}

// all reads what there is up to an offset: a snapshot, the log behind it, and what
// format wrote if neither has metadata.
func (b *builder) all(ctx context.Context, offset int64) error {
	if err := b.begin(ctx, offset); err != nil {
		return err
	}
	if err := b.log(ctx, offset); err != nil {
		return err
	}
	return b.bootstrapFile(ctx)
}

// bootstrapFile reads bootstrap.checkpoint, with which the metadata of a cluster
// begins in releases before 4.4. It counts as long as the log has no metadata version.
func (b *builder) bootstrapFile(ctx context.Context) error {
	path := b.t.files.Bootstrap
	if _, begun := b.loader.Image().MetadataVersion(); begun || path == "" || b.loader.Open() {
		return nil
	}
	boot := newBuilder(b.t)
	complete, pos, err := boot.walk.snapshot(ctx, path, &image.Provenance{Offset: -1, Time: -1}, boot.visit)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case gone(err):
		return nil
	case err != nil:
		b.add(readError(path, pos, -1, err))
	case !complete:
		b.addf(RuleSnapshot, path, pos, -1, "the snapshot does not end with a footer")
	}
	b.list = append(b.list, boot.list...)
	b.loader, b.state.Records = boot.loader, b.state.Records+boot.state.Records
	if b.state.Snapshot == "" {
		b.state.Snapshot = path
	}
	return nil
}

// begin loads the latest sound snapshot that stands for no more than an offset.
func (b *builder) begin(ctx context.Context, offset int64) error {
	list := slices.Clone(b.t.files.Snapshots)
	slices.Reverse(list)
	return b.load(ctx, list, offset)
}

// load loads the first sound snapshot of a list that stands for no more than an
// offset.
func (b *builder) load(ctx context.Context, list []metalog.Snapshot, offset int64) error {
	var partial *builder // what could be read of a damaged one
	for _, s := range list {
		if s.EndOffset-1 > offset {
			continue
		}
		try := newBuilder(b.t)
		try.walk.wanted = b.walk.wanted
		if b.marks != nil {
			try.marks = newMarks()
		}
		try.state.Snapshot = s.Path
		at := image.Provenance{Offset: s.EndOffset - 1, Epoch: s.Epoch, Time: -1}
		complete, pos, err := try.walk.snapshot(ctx, s.Path, &at, try.visit)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if gone(err) {
			continue // a running node has removed it
		}
		try.state.End, try.state.Time = s.EndOffset, try.walk.entry.At.Time
		if s.EndOffset == 0 {
			try.loader.Bootstrap()
		}
		try.state.place = place{next: s.EndOffset, epoch: s.Epoch}
		if err == nil && complete {
			try.problems.list = append(b.problems.list, try.problems.list...)
			*b = *try
			return nil
		}
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		p := readError(s.Path, pos, -1, err)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			p.Rule, p.Text = RuleSnapshot, "the snapshot does not end with a footer"
		}
		b.add(p)
		if partial == nil {
			partial = try
		}
	}
	if segments := b.t.files.Segments; len(segments) > 0 && segments[0].BaseOffset == 0 {
		return nil // all of the log is there
	}
	if partial != nil {
		partial.problems.list = append(b.problems.list, partial.problems.list...)
		*b = *partial
	}
	return nil
}

// log replays the log behind the snapshot.
func (b *builder) log(ctx context.Context, offset int64) error {
	return b.logWith(ctx, offset, b.visit)
}

func (b *builder) logWith(ctx context.Context, offset int64, visit func(*Entry) error) error {
	segments := b.t.files.Segments
	if len(segments) == 0 {
		return nil
	}
	at := b.state.place
	first := segments[0]
	if first.BaseOffset > at.next {
		if b.state.Snapshot == "" && len(b.t.files.Snapshots) > 0 && offset != Latest {
			return &OutOfReachError{offset, b.t.first()}
		}
		b.addf("snapshot-missing", first.Path, -1, first.BaseOffset, "the log begins at offset %d, and what was before it is in no snapshot that could be read", first.BaseOffset)
		at.next = first.BaseOffset
	}
	segment := 0
	for i, s := range segments {
		if s.BaseOffset <= at.next {
			segment = i
		}
	}
	if segment != at.segment {
		at.segment, at.pos = segment, 0
	}
	end, problem, err := b.walk.segments(ctx, segments, at, offset, visit)
	if err != nil {
		return err
	}
	if problem != nil {
		problem.Text += "; nothing behind it is shown"
		b.add(*problem)
	}
	b.state.place, b.state.log = end, true
	if b.walk.entry.Offset >= 0 {
		b.state.End, b.state.Time = max(b.state.End, min(b.walk.entry.At.Offset, offset)+1), b.walk.entry.At.Time // the last one may be behind offset
	}
	return nil
}

// first is the first offset that can be reached.
func (t *Timeline) first() int64 {
	r := t.Reach()
	if len(r) == 0 {
		return -1
	}
	return r[0].First
}

// finish completes the state.
func (b *builder) finish(offset int64) *State {
	s := b.state
	s.Image = b.loader.Image()
	if b.loader.Open() {
		b.addf(RuleOpen, b.walk.entry.File, -1, s.Image.Provenance().Offset+1, "a metadata transaction has begun and not ended; what is in it does not count yet")
	}
	if f := b.t.files; f != nil && offset == Latest {
		for _, name := range f.Unfinished {
			b.addf(RuleUnfinish, filepath.Join(f.Dir, name), -1, -1, "a snapshot that was not written to its end; it is not used")
		}
	}
	s.Problems, s.More = b.list, b.more
	return s
}
