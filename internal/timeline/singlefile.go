package timeline

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
)

// single reads one file, with the offsets in it.
func (b *builder) single(ctx context.Context, offset int64) (*State, error) {
	file := b.t.path
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
	file := b.t.path
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
	file := b.t.path
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
	if b.walk.entry.Offset >= 0 {
		b.state.End = max(end.next, min(b.walk.entry.At.Offset, offset)+1) // it may end within a batch
	}
	b.none()
	return b.finish(Latest), nil
}

// none tells if there was no metadata.
func (b *builder) none() {
	if b.state.Records == 0 {
		b.addf(RuleNone, b.t.path, -1, -1, "there are no metadata records in it")
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
