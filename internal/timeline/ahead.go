package timeline

import (
	"math"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/metalog"
)

// aheadFrom is from how many bytes on a snapshot is decoded ahead, and aheadFromLog
// a segment: never, since the batches of a log are small, and to hand over each costs
// more than it gains. Tests change them.
var (
	aheadFrom    int64 = 4 << 20
	aheadFromLog int64 = math.MaxInt64
)

// aheadBatches is how many batches there are for it.
const aheadBatches = 4

// source gives the batches of a file to a walker. Those of a large file are read and
// decoded ahead while the ones before them are replayed, which takes about as long.
type source struct {
	w     *walker
	f     *metalog.BatchFile
	batch decode.Batch
	now   *decoded // nil for small files, and before the first batch
	start int64    // position of the first batch

	ready, free chan *decoded
	resume      chan struct{} // a batch that was not decoded has been visited
	stop, done  chan struct{}
}

// decoded is a batch with its records.
type decoded struct {
	batch decode.Batch // its bytes are copied
	raw   []byte
	pos   int64 // behind it, or of what is no batch
	end   error // there is no batch, and none will come

	// plain: the records were decoded. Those of a compressed batch are not, as they
	// would point into memory that the next one needs; nothing is decoded meanwhile.
	plain   bool
	records []decodedRecord
	err     error // walking the records
	last    int64 // offset of the last record, also if it is not wanted; -1: none

	// Messages of each kind, used again with the next batch.
	messages [128][]kbin.Message
	used     [128]int
}

// decodedRecord is a record with what is in it.
type decodedRecord struct {
	offset  int64
	frame   decode.Frame    // of a data record
	control *decode.Control // of a control record
	err     error
}

// open makes the source of a file whose records count from an offset on. It is
// decoded ahead if it has at least as many bytes.
func (w *walker) open(f *metalog.BatchFile, from, aheadFrom int64) *source {
	s := &source{w: w, f: f, start: f.Pos()}
	if f.Size()-f.Pos() < aheadFrom {
		return s
	}
	s.ready, s.free = make(chan *decoded, aheadBatches), make(chan *decoded, aheadBatches)
	s.resume, s.stop, s.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	for range aheadBatches {
		s.free <- new(decoded)
	}
	go s.decode(from)
	return s
}

// close ends decoding, and closes the file.
func (s *source) close() {
	if s.ready != nil {
		close(s.stop)
		<-s.done
	}
	s.f.Close()
}

// next gives the next batch. There must be no call behind an error.
func (s *source) next() (*decode.Batch, error) {
	if s.ready == nil {
		var err error
		s.batch, err = s.f.Next()
		return &s.batch, err
	}
	if s.now != nil {
		if !s.now.plain {
			s.resume <- struct{}{}
		}
		s.free <- s.now
	}
	s.now = <-s.ready
	return &s.now.batch, s.now.end
}

// pos is the position behind the batch, or of what is none.
func (s *source) pos() int64 {
	switch {
	case s.ready == nil:
		return s.f.Pos()
	case s.now == nil:
		return s.start
	}
	return s.now.pos
}

// visit visits the records of the batch that are at least at an offset.
func (s *source) visit(from int64, visit func(*Entry) error) error {
	switch {
	case s.now == nil:
		return s.w.batch(&s.batch, from, visit)
	case !s.now.plain:
		return s.w.batch(&s.now.batch, from, visit)
	}
	return s.w.decodedBatch(s.now, from, visit)
}

// decode reads and decodes batches until there are no more.
func (s *source) decode(from int64) {
	defer close(s.done)
	frames, records := decode.NewMetadataDecoder(), metalog.NewRecords()
	for {
		var d *decoded
		select {
		case <-s.stop:
			return
		case d = <-s.free:
		}
		b, err := s.f.Next()
		d.pos, d.end, d.plain = s.f.Pos(), err, false
		if err == nil {
			d.raw = append(d.raw[:0], b.Raw...)
			d.batch = b
			d.batch.Raw = d.raw
			if codec, err := b.Codec(); err == nil && codec == compress.None {
				d.decode(s.w, frames, records, from)
			}
		}
		s.ready <- d // has room for all
		if err != nil {
			return
		}
		if !d.plain {
			select {
			case <-s.stop:
				return
			case <-s.resume:
			}
		}
	}
}

// decode decodes the records of a batch.
func (d *decoded) decode(w *walker, frames *decode.FrameDecoder, records *decode.Records, from int64) {
	d.plain, d.last, d.used = true, -1, [128]int{}
	d.records, d.err = d.records[:0], nil
	control := d.batch.IsControl()
	if w.controls && !control || d.batch.LastOffset() < from {
		return
	}
	for records.Reset(&d.batch); records.Next(); {
		r := &records.Record
		if r.Offset < from {
			continue
		}
		d.last = r.Offset
		x := decodedRecord{offset: r.Offset}
		switch {
		case control:
			c, err := decode.DecodeControl(r)
			x.control, x.err = &c, err
		case w.wanted != nil && !w.wanted(r.Value):
			continue
		default:
			x.frame, x.err = frames.DecodeInto(r.Value, d.message)
		}
		d.records = append(d.records, x)
	}
	d.err = records.Err()
}

// message gives a message of a kind that no other record of the batch has.
func (d *decoded) message(key int16) kbin.Message {
	if key < 0 || int(key) >= len(d.messages) {
		return metadata.New(key)
	}
	n := d.used[key]
	if n == len(d.messages[key]) {
		m := metadata.New(key)
		if m == nil {
			return nil
		}
		d.messages[key] = append(d.messages[key], m)
	}
	d.used[key]++
	return d.messages[key][n]
}

// decodedBatch visits the records of a batch that was decoded.
func (w *walker) decodedBatch(d *decoded, from int64, visit func(*Entry) error) error {
	e := &w.entry
	b := &d.batch
	e.Pos, e.IsControl, e.BatchEnd = b.Position, b.IsControl(), b.LastOffset()
	for i := range d.records {
		r := &d.records[i]
		if r.offset < from {
			continue
		}
		e.Frame, e.Err = r.frame, r.err
		if e.IsControl {
			e.Control = *r.control
		}
		w.stand(b, r.offset)
		if err := visit(e); err != nil {
			return err
		}
	}
	if d.last >= from {
		w.stand(b, d.last)
	}
	return d.err
}
