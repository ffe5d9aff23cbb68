package timeline

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// Latest is the offset that stands for the end of what there is.
const Latest = math.MaxInt64

// Timeline is the history of a cluster's metadata as far as files have it.
type Timeline struct {
	fs   vfs.FS
	path string
	// file is set if the source is a single file; else files is.
	file  string
	files *metalog.Files
}

// ErrNoMetadata is the error for a directory without a metadata log.
var ErrNoMetadata = errors.New("there is no metadata log in it")

// Open finds out what a path is: a file of batches, the directory of a metadata
// log, or a node's directory that has one in it. It reads no records yet.
func Open(fsys vfs.FS, path string) (*Timeline, error) {
	info, err := fsys.Stat(path)
	if err != nil {
		return nil, err
	}
	t := &Timeline{fs: fsys, path: path}
	if !info.IsDir() {
		t.file = path
		return t, nil
	}
	dir := path
	if inner, err := fsys.Stat(filepath.Join(path, index.MetadataLogDir)); err == nil && inner.IsDir() {
		dir = filepath.Join(path, index.MetadataLogDir)
	}
	if t.files, err = metalog.List(fsys, dir); err != nil {
		return nil, err
	}
	if t.empty() {
		boot := filepath.Join(path, index.BootstrapName)
		if _, err := fsys.Stat(boot); err == nil {
			t.files.Bootstrap = boot
			return t, nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNoMetadata}
	}
	return t, nil
}

func (t *Timeline) empty() bool {
	return len(t.files.Snapshots)+len(t.files.Segments) == 0 && t.files.Bootstrap == ""
}

// Sibling opens another path in the same file system.
func (t *Timeline) Sibling(path string) (*Timeline, error) { return Open(t.fs, path) }

// IsDir reports whether it is a directory, whose log may grow.
func (t *Timeline) IsDir() bool { return t.files != nil }

// Path is what was opened.
func (t *Timeline) Path() string { return t.path }

// NodeDir is the directory above the metadata log, in which meta.properties is;
// for a single file that of the node that it seems to belong to.
func (t *Timeline) NodeDir() string {
	if t.file != "" {
		return filepath.Dir(filepath.Dir(t.file))
	}
	if filepath.Base(t.files.Dir) == index.MetadataLogDir {
		return filepath.Dir(t.files.Dir)
	}
	return t.files.Dir
}

// Leader is who led the quorum as of a state, by its LeaderChange record.
type Leader struct {
	ID     int32
	Epoch  int32
	Time   int64 // of the record, in milliseconds
	Offset int64 // of the record
}

// State is the metadata as of an offset, and what is known about it.
type State struct {
	Image *image.Image
	// KRaftVersion and Voters are those of the quorum's control records; Voters is
	// nil if the quorum is static.
	KRaftVersion int16
	Voters       *control.VotersRecord
	// Leader is nil if no record says who leads.
	Leader *Leader
	// End is the offset after the last one that was read.
	End int64
	// Time is the append time of the last batch that was read.
	Time int64
	// Snapshot is the file that the state begins with; empty if there is none.
	Snapshot string
	// Records is how many metadata records were replayed.
	Records int64
	// Problems are what keeps the state from being complete or certain; More counts
	// those that are not listed.
	Problems []Problem
	More     int

	place place // where reading goes on
	log   bool  // the log was read up to place
}

// Offset is the last offset that the state stands for.
func (s *State) Offset() int64 { return s.End - 1 }

// Aligned reports whether the state ends with a batch. A follower asks for records
// from the end of a snapshot on, and a leader gives whole batches.
func (s *State) Aligned() bool { return !s.log || s.place.next >= s.End }

// At gives the metadata as of an offset: all records up to and with it, or all that
// there are with Latest. It is less if the files end before; see State.End. The
// error is about files that cannot be read at all, or about an offset that the
// files do not hold any more: *OutOfReachError.
func (t *Timeline) At(ctx context.Context, offset int64) (*State, error) {
	if t.file != "" {
		return newBuilder(t).single(ctx, offset)
	}
	b := newBuilder(t)
	if err := b.begin(ctx, offset); err != nil {
		return nil, err
	}
	if err := b.log(ctx, offset); err != nil {
		return nil, err
	}
	return b.finish(offset), nil
}

// OutOfReachError is the error for an offset that the files do not hold.
type OutOfReachError struct {
	Offset int64 // -1: a time was asked for, and all that there is came later
	First  int64 // the first that can be reached; -1: there is none
}

// Error says what can be reached.
func (e *OutOfReachError) Error() string {
	s := "offset " + itoa(e.Offset) + " cannot be reached any more"
	if e.Offset < 0 {
		s = "nothing that old is there"
	}
	if e.First >= 0 {
		s += ": the first offset is " + itoa(e.First)
	}
	return s
}

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
		b.add(Problem{rule, e.File, e.Pos, e.Record.Offset, e.Err.Error()})
		b.loader.Pass(e.At)
	default:
		b.inFile.record(e)
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
			b.add(Problem{RuleReplay, e.File, e.Pos, e.Record.Offset, err.Error()})
		}
	}
	return nil
}

// control applies a control record of the quorum.
func (b *builder) control(e *Entry) {
	if e.Err != nil {
		b.add(Problem{"control-malformed", e.File, e.Pos, e.Record.Offset, e.Err.Error()})
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
	if b.walk.entry.Record != nil {
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

// single reads one file, with the offsets in it.
func (b *builder) single(ctx context.Context, offset int64) (*State, error) {
	file := b.t.file
	name, err := index.ParseFileName(filepath.Base(file))
	if err == nil && name.Kind == index.KindSnapshot && name.State == index.StateLive {
		if offset < name.Offset-1 {
			return nil, &OutOfReachError{offset, name.Offset - 1}
		}
		return b.finishSingle(ctx, &image.Provenance{Offset: name.Offset - 1, Epoch: name.Epoch, Time: -1}, name.Offset)
	}
	if filepath.Base(file) == index.BootstrapName {
		return b.finishSingle(ctx, &image.Provenance{Offset: -1, Epoch: 0, Time: -1}, 0)
	}
	return b.segmentFile(ctx, offset)
}

// finishSingle reads a snapshot.
func (b *builder) finishSingle(ctx context.Context, at *image.Provenance, end int64) (*State, error) {
	file := b.t.file
	complete, pos, err := b.walk.snapshot(ctx, file, at, b.visit)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch {
	case err != nil && b.state.Records == 0 && pos == 0:
		return nil, notMetadata(file, err)
	case err != nil:
		b.add(readError(file, pos, -1, err))
	case !complete:
		b.addf(RuleSnapshot, file, pos, -1, "the snapshot does not end with a footer")
	}
	b.state.Snapshot, b.state.End, b.state.Time = file, end, b.walk.entry.At.Time
	b.none()
	return b.finish(Latest), nil
}

// segmentFile reads a segment, or any other file of batches.
func (b *builder) segmentFile(ctx context.Context, offset int64) (*State, error) {
	file := b.t.file
	list := []metalog.Segment{{Name: filepath.Base(file), Path: file}}
	f, err := metalog.OpenBatches(b.t.fs, file)
	if err != nil {
		return nil, err
	}
	base := int64(0)
	batch, err := f.Next()
	f.Close()
	switch {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, notMetadata(file, err)
	default:
		base = batch.BaseOffset
	}
	if base > 0 {
		b.addf("snapshot-missing", file, -1, base, "the segment begins at offset %d; what was before it is not in this file", base)
	}
	at := place{next: base}
	end, problem, err := b.walk.segments(ctx, list, at, offset, func(e *Entry) error {
		if e.IsControl {
			_, e.Snapshot = snapshotHeader(e)
		}
		return b.visit(e)
	})
	if err != nil {
		return nil, err
	}
	if problem != nil {
		problem.Text += "; nothing behind it is shown"
		b.add(*problem)
	}
	b.state.place, b.state.log, b.state.End, b.state.Time = end, true, end.next, b.walk.entry.At.Time
	if b.walk.entry.Record != nil {
		b.state.End = max(end.next, min(b.walk.entry.At.Offset, offset)+1) // it may end within a batch
	}
	b.none()
	return b.finish(Latest), nil
}

// none tells if there was no metadata.
func (b *builder) none() {
	if b.state.Records == 0 {
		b.addf(RuleNone, b.t.file, -1, -1, "there are no metadata records in it")
	}
}

// NotMetadataError is the error for a file that is no metadata at all.
type NotMetadataError struct {
	File string
	Err  error
}

// Error says so.
func (e *NotMetadataError) Error() string {
	return "not a segment or snapshot of a metadata log: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *NotMetadataError) Unwrap() error { return e.Err }

func notMetadata(file string, err error) error {
	if _, isPath := errors.AsType[*fs.PathError](err); isPath {
		return err
	}
	return &NotMetadataError{file, err}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
