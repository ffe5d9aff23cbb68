package metalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// validator reads one segment after the other, and checks that each goes on where
// the one before has ended.
type validator struct {
	fs  vfs.FS
	dir string
	o   *LogOptions

	next   int64 // offset
	epoch  int32 // the last one, or that of the snapshot before it
	epochs []index.EpochEntry
	cut    *Cut

	watch   int64 // an offset
	watched bool  // a batch starts there
}

// segment reads a segment.
func (v *validator) segment(ctx context.Context, file Segment, last bool) (*segment, error) {
	if file.BaseOffset != v.next {
		return nil, &corrupt.Error{File: file.Path, Pos: -1, What: "base offset of the segment", Want: fmt.Sprint(v.next), Got: fmt.Sprint(file.BaseOffset)}
	}
	f, err := OpenBatches(v.fs, file.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := newSegment(v.dir, file.BaseOffset, v.o)
	for {
		b, err := f.Next()
		if err == nil {
			err = v.follows(s, &b, file.Path)
		}
		switch {
		case err == io.EOF:
			return s, nil
		case err != nil:
			return s, v.torn(ctx, f, s, last, err)
		}
		s.add(&b)
		v.watched = v.watched || b.BaseOffset == v.watch
		v.epochs, v.epoch, v.next = withBatch(v.epochs, &b), b.LeaderEpoch, s.next
	}
}

// What is wrong with a batch that is whole, so that no power failure has torn it.
var (
	errFalls  = errors.New("this batch or the one before it is not as it was written")
	errBeyond = errors.New("no segment can have it")
)

// follows checks a batch against those before it.
func (v *validator) follows(s *segment, b *decode.Batch, path string) error {
	err := follows(b, v.next, v.epoch)
	var damage *corrupt.Error
	switch {
	case errors.As(err, &damage):
		damage.File = path
		if b.BaseOffset == v.next {
			damage.Err = errFalls
		}
	case s.size > math.MaxInt32 || b.LastOffset()-s.base > math.MaxInt32:
		return &corrupt.Error{File: path, Pos: s.size, What: "size of the segment",
			Want: "positions and offsets in it of 31 bits", Got: fmt.Sprintf("offset %d", b.LastOffset()), Err: errBeyond}
	}
	return err
}

// torn judges what stands where the next batch of a segment should be. It is
// the torn end of the log, unless something else says that it was written out:
// a later segment, or a batch behind it.
func (v *validator) torn(ctx context.Context, f *BatchFile, s *segment, last bool, why error) error {
	var damage *corrupt.Error
	switch {
	case errors.Is(why, io.ErrUnexpectedEOF):
		damage = &corrupt.Error{File: f.name, Pos: s.size, What: "batch", Want: "a whole one", Got: fmt.Sprintf("%d bytes", f.size-s.size)}
	case !errors.As(why, &damage):
		return why
	}
	if !last {
		damage.Err = errors.Join(damage.Err, errors.New("a later segment follows"))
		return damage
	}
	if errors.Is(why, errFalls) || errors.Is(why, errBeyond) {
		return damage
	}
	// A value in a torn batch may look like a batch, too: that is refused as well.
	behind, found, err := decode.FindBatch(ctx, f.f, s.size+1, f.size)
	if err != nil {
		return err
	}
	if found {
		damage.Err = errors.Join(damage.Err, fmt.Errorf("a whole batch follows at byte %d", behind))
		return damage
	}
	v.cut = &Cut{File: s.path, Pos: s.size, Bytes: f.size - s.size, Offset: v.next, Reason: damage}
	return nil
}
