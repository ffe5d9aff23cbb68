package snapfile

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/metalog"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// Record is a record of a file, valid until the next one.
type Record struct {
	File  string
	Batch *decode.Batch
	// First: it is the first one of its batch.
	First  bool
	Record *decode.Record
	// Frame is a metadata record; its Message is nil if Err is set.
	Frame decode.Frame
	// Control is a control record, if IsControl.
	Control   decode.Control
	IsControl bool
	// Err is why the record could not be decoded.
	Err error
}

// scanner reads files record by record.
type scanner struct {
	fs      vfs.FS
	frames  *decode.FrameDecoder
	records *decode.Records
	out     Record
}

func newScanner(fsys vfs.FS) *scanner {
	return &scanner{fs: fsys, frames: decode.NewMetadataDecoder(), records: metalog.NewRecords()}
}

// file visits the records of a file from an offset on. The error is a
// *corrupt.Error for damage, io.ErrUnexpectedEOF for a file that ends in the middle
// of a batch, or that of visit.
func (s *scanner) file(ctx context.Context, path string, from int64, visit func(*Record) error) error {
	return s.segment(ctx, path, from, false, visit)
}

// segment is file for one of a log. The last one may end in what has not been written
// yet.
func (s *scanner) segment(ctx context.Context, path string, from int64, last bool, visit func(*Record) error) error {
	f, err := metalog.OpenBatches(s.fs, path)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := f.Next()
		if errors.Is(err, io.EOF) || last && f.Unwritten(ctx, err) {
			return nil
		}
		if err != nil {
			return err
		}
		if b.LastOffset() < from {
			continue
		}
		if err := s.batch(path, &b, from, visit); err != nil {
			return err
		}
	}
}

func (s *scanner) batch(path string, b *decode.Batch, from int64, visit func(*Record) error) error {
	first := true
	for s.records.Reset(b); s.records.Next(); first = false {
		r := &s.records.Record
		if r.Offset < from {
			continue
		}
		s.out = Record{File: path, Batch: b, First: first, Record: r, IsControl: b.IsControl()}
		if s.out.IsControl {
			s.out.Control, s.out.Err = decode.DecodeControl(r)
		} else {
			s.out.Frame, s.out.Err = s.frames.Decode(r.Value)
		}
		if err := visit(&s.out); err != nil {
			return err
		}
	}
	return s.records.Err()
}

// Scan visits the records that a state is made of, in order: those of a file, or
// those of the snapshot that a directory's state begins with and of the log behind
// it. It stops at damage, as reading a directory does; what is wrong is in the
// state's problems.
func Scan(ctx context.Context, fsys vfs.FS, path string, state *timeline.State, visit func(*Record) error) error {
	info, err := fsys.Stat(path)
	if err != nil {
		return err
	}
	s := newScanner(fsys)
	if !info.IsDir() {
		return s.file(ctx, path, 0, visit)
	}
	from := int64(0)
	if state.Snapshot != "" {
		if err := s.file(ctx, state.Snapshot, 0, visit); err != nil {
			return err
		}
		if n, err := index.ParseFileName(filepath.Base(state.Snapshot)); err == nil {
			from = n.Offset
		}
	}
	files, err := metalog.List(fsys, metalog.Dir(fsys, path))
	if err != nil {
		return err
	}
	for i, g := range files.Segments {
		if g.BaseOffset >= state.End || i+1 < len(files.Segments) && files.Segments[i+1].BaseOffset <= from {
			continue
		}
		err := s.segment(ctx, g.Path, from, i == len(files.Segments)-1, func(r *Record) error {
			if r.Record.Offset >= state.End {
				return errEnough
			}
			return visit(r)
		})
		switch {
		case errors.Is(err, errEnough):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// errEnough ends a scan.
var errEnough = errors.New("enough")
