package timeline

import (
	"context"
	"errors"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
)

// inFile follows what Kafka's shell does with a record that changes a partition of
// a topic that is not there, as at the beginning of a segment alone: nothing of the
// batch counts.
type inFile struct {
	b      *builder
	pos    int64        // of the batch that is being read; -1 before the first
	last   int64        // offset of the last batch of metadata records
	good   *image.Image // before the batch that is being read; nil: not needed so far
	refuse bool         // the batch has such a record
	// highWatermark is the last offset of the last batch of the file, which Kafka's shell takes
	// for the high watermark: from there on it shows what it has.
	highWatermark int64
	dead          bool // nothing more counts: see end
}

// record tells of a metadata record. It is passed over if it has a metadata
// version that is none.
func (f *inFile) record(e *Entry) (passed bool) {
	if f == nil {
		return false
	}
	if e.Pos != f.pos {
		f.end()
		f.pos = e.Pos
	}
	f.last = e.BatchEnd
	m, ok := e.Frame.Message.(*metadata.FeatureLevelRecord)
	return ok && m.Name == feature.MetadataName && !feature.MetadataVersion(m.FeatureLevel).Known()
}

// end is the end of a batch.
func (f *inFile) end() {
	switch {
	case f.good == nil:
	case f.refuse || f.dead:
		// If it shows what it has, and that has no metadata version, it does not get
		// rid of such a record any more.
		_, version := f.good.MetadataVersion()
		f.dead = f.dead || !version && f.good.Provenance().Offset >= f.highWatermark-1
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

// malformed tells of a batch that is not read to its end.
func (f *inFile) malformed(batch *decode.Batch) {
	f.end()
	f.refuse, f.last = true, batch.LastOffset()
}

// InFile reads a single file as Kafka's shell does: what counts are the offsets in
// the file, whatever it is, and how far the image goes is told by its last batch of
// metadata records. It is empty if it has no metadata version, if it could not be
// written as that one, or if more than the last of the offsets is missing in the end.
// Checksums do not count; what is no batch, or no records in one that is not the last,
// is an error.
func (t *Timeline) InFile(ctx context.Context) (*State, error) {
	b, err := t.inFile(ctx, nil, 0)
	if err == nil && b.inFile.refuse {
		// An image of each batch costs, so they are only made where they are needed.
		b, err = t.inFile(ctx, image.Empty(), b.walk.entry.BatchEnd)
	}
	if err != nil {
		return nil, err
	}
	f, img := b.inFile, b.loader.Image()
	v, ok := img.MetadataVersion()
	if !ok || img.Unwritable(v) || f.good != nil && f.good.Provenance().Offset < f.last-1 {
		b.loader = image.NewLoader(image.Empty())
	}
	return b.finish(Latest), nil
}

func (t *Timeline) inFile(ctx context.Context, good *image.Image, highWatermark int64) (*builder, error) {
	b := newBuilder(t)
	b.inFile = &inFile{b: b, pos: -1, last: -1, good: good, highWatermark: highWatermark}
	b.walk.unchecked = true
	_, pos, err := b.walk.snapshot(ctx, t.path, nil, b.visit)
	if corrupt.Is(err) {
		if last := t.lastBatch(pos); last != nil {
			b.inFile.malformed(last)
			err = nil
		}
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	b.inFile.end()
	return b, nil
}

// lastBatch is the batch at a position, if there is no other behind it.
func (t *Timeline) lastBatch(pos int64) *decode.Batch {
	f, err := metalog.OpenBatchesAt(t.fs, t.path, pos)
	if err != nil {
		return nil
	}
	defer f.Close()
	f.Unchecked = true
	last, err := f.Next()
	if err != nil {
		return nil
	}
	if _, err = f.Next(); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &last // its bytes are gone
	}
	return nil
}
