package decode

import "io"

// Reader reads a segment or snapshot batch by batch.
//
//	r := decode.NewReader(file, "00000000000000000000.log")
//	for {
//		batch, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...
//		for rec, err := range r.Records() { ... }
//	}
//
// Damage is a *corrupt.Error with the file and the position. A last batch that
// is not all there is not an error, as it is what a crash leaves: see Tail.
type Reader struct {
	scan  *Scanner
	chunk Chunk
	next  int
	batch Batch
	recs  *Records
	err   error
}

// NewReader reads from a stream. name is used in errors.
func NewReader(r io.Reader, name string) *Reader {
	return NewReaderFrom(NewStreamScanner(r, ScanOptions{File: name}))
}

// NewReaderAt reads size bytes of r. name is used in errors.
func NewReaderAt(r io.ReaderAt, size int64, name string) *Reader {
	return NewReaderFrom(NewScanner(r, size, ScanOptions{File: name}))
}

// NewReaderFrom reads the batches that a scanner finds.
func NewReaderFrom(s *Scanner) *Reader {
	return &Reader{scan: s, recs: NewRecords(0)}
}

// SetMaxDecompressed bounds what one batch may decompress to, in bytes; 0 is
// DefaultMaxDecompressed.
func (r *Reader) SetMaxDecompressed(limit int64) { r.recs = NewRecords(limit) }

// Next gives the next batch, or io.EOF. The batch and its bytes are valid
// until the next call.
func (r *Reader) Next() (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.next >= r.chunk.Len() {
		if !r.scan.Next(&r.chunk) {
			if r.err = r.scan.Err(); r.err == nil {
				r.err = io.EOF
			}
			return nil, r.err
		}
		r.next = 0
		if r.err = r.chunk.Load(); r.err != nil {
			return nil, r.err
		}
	}
	if r.err = r.chunk.Batch(r.next, &r.batch); r.err != nil {
		return nil, r.err
	}
	r.next++
	return &r.batch, nil
}

// Tail is the number of bytes after the last whole batch, known once Next gave io.EOF.
func (r *Reader) Tail() int64 { return r.scan.Tail() }

// Records walks over the records of the current batch. The record is reused;
// after an error nothing more comes.
func (r *Reader) Records() func(yield func(*Record, error) bool) {
	return func(yield func(*Record, error) bool) {
		for r.recs.Reset(&r.batch); r.recs.Next(); {
			if !yield(&r.recs.Record, nil) {
				return
			}
		}
		if err := r.recs.Err(); err != nil {
			yield(nil, r.scan.withFile(err))
		}
	}
}
