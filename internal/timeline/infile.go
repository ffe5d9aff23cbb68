package timeline

import (
	"context"
	"errors"
	"io"

	"kraftctl/internal/image"
)

// inFile follows what Kafka's shell does with a record that changes a partition of
// a topic that is not there, as at the beginning of a segment alone: nothing of the
// batch counts.
type inFile struct {
	b      *builder
	pos    int64        // of the batch that is being read; -1 before the first
	last   int64        // offset of the last metadata record
	good   *image.Image // before the batch that is being read; nil: not needed so far
	refuse bool         // the batch has such a record
}

// record tells of a metadata record.
func (f *inFile) record(e *Entry) {
	if f == nil {
		return
	}
	if e.Pos != f.pos {
		f.end()
		f.pos = e.Pos
	}
	f.last = e.Record.Offset
}

// end is the end of a batch.
func (f *inFile) end() {
	switch {
	case f.good == nil:
	case f.refuse:
		f.b.loader = image.NewLoader(f.good)
	default:
		f.good = f.b.loader.Image()
	}
	f.refuse = f.refuse && f.good == nil
}

// refused tells of a record that does not fit.
func (f *inFile) refused(err error) {
	var r *image.ReplayError
	if f != nil && errors.As(err, &r) && r.UnknownTopic {
		f.refuse = true
	}
}

// InFile reads a single file as Kafka's shell does: what counts are the offsets in
// the file, whatever it is, and how far the image goes is told by its last batch of
// metadata records. It is empty if it has no metadata version, or if more than the
// last of the offsets is missing in the end. A damaged file is an error.
func (t *Timeline) InFile(ctx context.Context) (*State, error) {
	b, err := t.inFile(ctx, nil)
	if err == nil && b.inFile.refuse {
		// An image of each batch costs, so they are only made where they are needed.
		b, err = t.inFile(ctx, image.Empty())
	}
	if err != nil {
		return nil, err
	}
	f := b.inFile
	_, version := b.loader.Image().MetadataVersion()
	if !version || f.good != nil && f.good.Provenance().Offset < f.last-1 {
		b.loader = image.NewLoader(image.Empty())
	}
	return b.finish(Latest), nil
}

func (t *Timeline) inFile(ctx context.Context, good *image.Image) (*builder, error) {
	b := newBuilder(t)
	b.inFile = &inFile{b: b, pos: -1, last: -1, good: good}
	_, _, err := b.walk.snapshot(ctx, t.path, nil, b.visit)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	b.inFile.end()
	return b, nil
}
