package timeline

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// Entry is a record on its way, valid until the next one.
type Entry struct {
	Offset int64 // as the file says; -1 before the first
	// Frame is the metadata record; its Message is nil if Err is set.
	Frame decode.Frame
	// Control is the control record, if IsControl.
	Control   decode.Control
	IsControl bool
	// Err is why the record could not be decoded.
	Err error
	// At is where the record stands in the history of the cluster. All records of a
	// snapshot stand at its end.
	At image.Provenance
	// File and Pos are where its batch lies.
	File     string
	Pos      int64
	Snapshot bool // it is in a snapshot
	// BatchEnd is the last offset of its batch, by the batch's header.
	BatchEnd int64
}

// walker reads files record by record.
type walker struct {
	fs      vfs.FS
	frames  *decode.FrameDecoder
	records *decode.Records
	entry   Entry
	// wanted tells by the first bytes of a value whether a metadata record is
	// needed; nil: all are.
	wanted func(value []byte) bool
	// controls: only control records are.
	controls bool
	// unchecked: batches need not have the checksums that they say.
	unchecked bool
}

func newWalker(fsys vfs.FS) *walker {
	return &walker{fs: fsys, frames: decode.NewMetadataDecoder(), records: metalog.NewRecords()}
}

// errStop ends a walk before the end of the files.
var errStop = errors.New("stop")

// batch visits the records of a batch that are at least at an offset.
func (w *walker) batch(b *decode.Batch, from int64, visit func(*Entry) error) error {
	e := &w.entry
	e.Pos, e.IsControl, e.BatchEnd = b.Position, b.IsControl(), b.LastOffset()
	if w.controls && !e.IsControl {
		return nil
	}
	for w.records.Reset(b); w.records.Next(); {
		r := &w.records.Record
		if r.Offset < from {
			continue
		}
		e.Err = nil
		w.stand(b, r.Offset)
		if e.IsControl {
			e.Control, e.Err = decode.DecodeControl(r)
		} else {
			if w.wanted != nil && !w.wanted(r.Value) {
				continue
			}
			e.Frame, e.Err = w.frames.Decode(r.Value)
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return w.records.Err()
}

// stand sets where a record of a batch stands, if that is told by the file.
func (w *walker) stand(b *decode.Batch, offset int64) {
	w.entry.Offset = offset
	if !w.entry.Snapshot {
		w.entry.At = image.Provenance{Offset: offset, Epoch: b.LeaderEpoch, Time: b.MaxTimestamp}
	}
}

// snapshot visits the records of a snapshot. complete: its last record is a footer.
// at is where its records stand; the time is that in its header. For a file that is
// no snapshot at says nothing, and the records stand where the file says.
func (w *walker) snapshot(ctx context.Context, path string, at *image.Provenance, visit func(*Entry) error) (complete bool, pos int64, err error) {
	f, err := metalog.OpenBatches(w.fs, path)
	if err != nil {
		return false, 0, err
	}
	f.Unchecked = w.unchecked
	src := w.open(f, 0, aheadFrom)
	defer src.close()
	w.entry = Entry{Offset: -1, File: path, Snapshot: at != nil}
	if at != nil {
		w.entry.At = *at
	}
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return false, src.pos(), err
		}
		b, err := src.next()
		if errors.Is(err, io.EOF) {
			return complete, src.pos(), nil
		}
		if err != nil {
			return false, src.pos(), err
		}
		first := n == 0
		complete = false
		err = src.visit(0, func(e *Entry) error {
			if e.IsControl && e.Err == nil {
				if h, ok := snapshotHeader(e); ok && at != nil {
					e.At.Time = h
				} else if first && at != nil {
					return &corrupt.Error{File: path, Pos: 0, What: "first record", Want: "a snapshot header"}
				}
				complete = e.Control.Type == decode.SnapshotFooter
			} else if first && at != nil {
				return &corrupt.Error{File: path, Pos: 0, What: "first record", Want: "a snapshot header"}
			}
			first = false
			return visit(e)
		})
		if err != nil {
			return false, b.Position, err
		}
	}
}

// place is where reading the log goes on.
type place struct {
	segment int   // index in files.Segments
	pos     int64 // of the next batch
	next    int64 // the offset that comes next
	epoch   int32
}

// segments visits the records of the log from an offset on, up to and with offset
// to. It gives the place behind the last batch that was read, and what ended it
// before the end of the files, if anything did.
func (w *walker) segments(ctx context.Context, list []metalog.Segment, at place, to int64, visit func(*Entry) error) (place, *Problem, error) {
	w.entry = Entry{Offset: -1}
	for ; at.segment < len(list); at.segment, at.pos = at.segment+1, 0 {
		p, done, err := w.segment(ctx, list, &at, to, visit)
		if err != nil || p != nil || done {
			return at, p, err
		}
		if at.segment == len(list)-1 {
			break // goes on there when it grows
		}
	}
	return at, nil, nil
}

// segment visits one segment from a place on.
func (w *walker) segment(ctx context.Context, list []metalog.Segment, at *place, to int64, visit func(*Entry) error) (p *Problem, done bool, err error) {
	s := list[at.segment]
	f, err := metalog.OpenBatchesAt(w.fs, s.Path, at.pos)
	if err != nil {
		problem := readError(s.Path, -1, at.next, err)
		return &problem, false, nil
	}
	src := w.open(f, at.next, aheadFromLog)
	defer src.close()
	w.entry.File = s.Path
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		b, err := src.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, false, nil
		case at.segment == len(list)-1 && f.Unwritten(ctx, err):
			return nil, false, nil // what a running node has not written yet
		case err != nil:
			problem := readError(s.Path, src.pos(), at.next, err)
			return &problem, false, nil
		case b.LastOffset() < at.next:
			at.pos = src.pos()
			continue
		case b.BaseOffset > to:
			return nil, true, nil
		case b.BaseOffset > at.next:
			return &Problem{"metadata-gap", s.Path, b.Position, at.next,
				"offsets are missing: the next batch begins at " + itoa(b.BaseOffset)}, false, nil
		case b.LeaderEpoch < at.epoch:
			return &Problem{"epoch-decreasing", s.Path, b.Position, b.BaseOffset,
				"epoch " + itoa(int64(b.LeaderEpoch)) + " comes after epoch " + itoa(int64(at.epoch))}, false, nil
		}
		err = src.visit(at.next, func(e *Entry) error {
			if e.Offset > to {
				return errStop
			}
			return visit(e)
		})
		switch {
		case errors.Is(err, errStop):
			return nil, true, nil
		case corrupt.Is(err):
			problem := readError(s.Path, b.Position, at.next, err)
			problem.Rule = "records-malformed"
			return &problem, false, nil
		case err != nil:
			return nil, false, err
		}
		at.next, at.pos, at.epoch = b.NextOffset(), src.pos(), b.LeaderEpoch
	}
}

// gone reports whether a file was removed meanwhile, as a running node does.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
