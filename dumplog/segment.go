package dumplog

import (
	"context"
	"errors"
	"io"

	"kraftctl/decode"
)

// flushSize is how much output a worker gathers before it waits for its turn
// to write.
const flushSize = 1 << 20

// keptOutput is how large an output buffer is kept for the next chunk.
const keptOutput = 16 << 20

// formatter turns batches and records into one kind of output. Every worker
// has its own.
type formatter interface {
	batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error)
	record(dst []byte, b *decode.Batch, r *decode.Record) ([]byte, error)
	// broken shows a batch whose fixed part cannot be read.
	broken(dst []byte, b *decode.Batch) []byte
}

// flusher is a formatter that can write what it has while it is still at one
// batch or record: flush writes the bytes and gives back an empty slice. It may
// be called only where what was written cannot turn out to be unwanted.
type flusher interface {
	setFlush(flush func(dst []byte) []byte)
}

// gap is a step between the offsets of two records that is not 1. It is sparse
// when the batches cover the offsets in between, as after compaction.
type gap struct {
	last, next int64
	sparse     bool
}

// segmentRun is the dump of one segment or snapshot.
type segmentRun struct {
	ctx       context.Context // ends the run between two chunks; nil never does
	out       io.Writer
	formatter func() (formatter, error)
	deep      bool

	// filter makes the filter of a worker; without one all batches are taken,
	// and only then are gaps looked for.
	filter func() *filter
	// damaged is told of everything that is wrong, and says whether to go on
	// with the next batch. Without it the first damage ends the dump.
	damaged func(Finding) bool
	// gathered is told, in file order, of the formatter of every chunk that is done.
	gathered func(formatter)
	// progress is told how many bytes a chunk had.
	progress        func(bytes int64)
	maxDecompressed int64
	workers         int

	// last is the offset of the last record so far, -1 before the first. Kafka's
	// tool takes the -1 for an offset; lenient does not, unless started says
	// that there was a segment before this one.
	last             int64
	lenient, started bool
	// end is the last offset of the last batch so far; jump is whether batches
	// left out offsets since the last record.
	end  int64
	jump bool
	// gaps are the non-consecutive offsets so far, unless gapFound takes them.
	gaps     []gap
	gapFound func(gap)
	// batches and records count what was looked at.
	batches, records int64
}

// run dumps what the scanner finds, in file order.
func (s *segmentRun) run(scan *decode.Scanner) error {
	if _, err := s.formatter(); err != nil {
		return err
	}
	if s.ctx == nil {
		s.ctx = context.Background()
	}
	return decode.Process(s.ctx, scan, s.workers, func() decode.Worker {
		w := &segmentWorker{run: s, recs: decode.NewRecords(s.maxDecompressed)}
		w.format, _ = s.formatter() // it was made once before
		if s.filter != nil {
			w.filter = s.filter()
		}
		if f, ok := w.format.(flusher); ok && (w.filter == nil || !w.filter.chooses()) {
			f.setFlush(w.write) // else a batch may turn out to be unwanted
		}
		return w
	})
}

// segmentWorker formats chunks.
type segmentWorker struct {
	run    *segmentRun
	format formatter
	filter *filter
	recs   *decode.Records
	out    []byte
	turn   *decode.Turn

	// Of the current chunk.
	first, last      int64 // offsets of the first and the last record
	any              bool
	firstBase, end   int64 // base offset of the first batch, last offset of the last one
	seen             bool  // there is a batch
	firstJump, jump  bool  // batches left out offsets before the first record, since the last one
	gaps             []gap
	writeErr         error
	findings         []Finding
	batches, records int64
}

// Work formats one chunk.
func (w *segmentWorker) Work(c *decode.Chunk, turn *decode.Turn) error {
	w.turn = turn
	if c.Skipped[1] > 0 {
		w.find(Finding{Rule: RuleSkipped, Pos: c.Skipped[0], End: c.Skipped[1], Offset: -1, Err: c.Reason})
	}
	var b decode.Batch
	for i := range c.Len() {
		err := c.Batch(i, &b)
		if err == nil {
			err = w.batch(&b)
		} else if w.filter == nil {
			w.out = w.format.broken(w.out, &b)
		}
		if w.writeErr != nil {
			return w.writeErr
		}
		if err != nil {
			if !w.find(damageFinding(&b, err)) {
				return err
			}
			w.endLine()
		}
		if len(w.out) >= flushSize && !w.flush() {
			break
		}
	}
	return w.writeErr
}

// endLine ends a line that damage has cut short. Kafka's tool dies there.
func (w *segmentWorker) endLine() {
	if n := len(w.out); n > 0 && w.out[n-1] != '\n' {
		w.out = append(w.out, '\n')
	}
}

// find notes damage and says whether to go on.
func (w *segmentWorker) find(f Finding) bool {
	if w.run.damaged == nil {
		return false
	}
	w.findings = append(w.findings, f)
	return true
}

func (w *segmentWorker) batch(b *decode.Batch) error {
	run := w.run
	w.batches++
	valid := b.Valid()
	if !valid {
		w.find(Finding{Rule: RuleChecksum, Pos: b.Position, Offset: b.BaseOffset,
			Want: int64(b.Checksum()), Got: int64(b.CRC)})
	}
	if w.filter != nil && !w.filter.batch(b, valid) {
		return nil
	}
	mark := len(w.out)
	var err error
	if w.out, err = w.format.batch(w.out, b, valid); err != nil || !run.deep {
		return err
	}
	if w.filter == nil {
		w.reach(b)
	}
	recs := w.recs
	recs.Reset(b)
	if recs.Compressed() && b.Magic >= 2 && run.damaged == nil {
		// Kafka reads a compressed batch whole before it shows the first
		// record, so of a damaged one it shows none.
		for recs.Next() {
		}
		if err := recs.Err(); err != nil {
			return err
		}
		recs.Rewind()
	}
	matched := w.filter == nil || !w.filter.chooses()
	for recs.Next() {
		r := &recs.Record
		w.records++
		if w.filter == nil {
			w.follows(r.Offset)
		}
		if w.filter != nil && !w.filter.record(b, r) {
			continue
		}
		matched = true
		if r.Damage != nil {
			w.find(damageFinding(b, r.Damage))
		}
		if w.out, err = w.format.record(w.out, b, r); err != nil {
			return err
		}
		if len(w.out) >= 4*flushSize && !w.flush() {
			return nil
		}
	}
	if !matched && len(w.out) >= mark {
		w.out = w.out[:mark]
	}
	return recs.Err()
}

// reach notes the offsets that a batch covers, which may have no records.
func (w *segmentWorker) reach(b *decode.Batch) {
	if !w.seen {
		w.seen, w.firstBase = true, b.BaseOffset
	} else if b.BaseOffset > w.end+1 {
		w.jump = true
	}
	w.end = b.LastOffset()
}

// follows notes a record's offset and whether it is not the next one.
func (w *segmentWorker) follows(offset int64) {
	if !w.any {
		w.any, w.first, w.firstJump = true, offset, w.jump
	} else if offset != w.last+1 {
		w.gaps = append(w.gaps, gap{w.last, offset, offset > w.last && !w.jump})
	}
	w.last, w.jump = offset, false
}

// join continues the offsets of the chunks before this one.
func (s *segmentRun) join(w *segmentWorker) {
	if !w.seen {
		return
	}
	if s.started && w.firstBase > s.end+1 {
		s.jump = true
	}
	s.end = w.end
	if !w.any {
		s.jump = s.jump || w.jump
		return
	}
	if w.first != s.last+1 && (!s.lenient || s.started) {
		s.gap(gap{s.last, w.first, w.first > s.last && !s.jump && !w.firstJump})
	}
	for _, g := range w.gaps {
		s.gap(g)
	}
	s.last, s.jump, s.started = w.last, w.jump, true
}

// flush writes what there is as soon as it is this chunk's turn. It returns
// false when nothing more is wanted.
func (w *segmentWorker) flush() bool {
	w.out = w.write(w.out)
	return w.writeErr == nil && w.turn.Wait()
}

// write waits for this chunk's turn, writes bytes, and gives back their memory.
func (w *segmentWorker) write(out []byte) []byte {
	if w.writeErr == nil && w.turn.Wait() {
		if _, err := w.run.out.Write(out); err != nil {
			w.writeErr = errors.Join(errWrite, err)
		}
	}
	return out[:0]
}

// Done writes the rest of a chunk's output and joins what was found to what
// was found before it.
func (w *segmentWorker) Done(c *decode.Chunk, err error) error {
	run := w.run
	defer w.reset()
	if errors.Is(err, errWrite) {
		return err
	}
	if run.progress != nil {
		run.progress(int64(c.Bytes()))
	}
	if run.gathered != nil {
		run.gathered(w.format)
	}
	if len(w.out) > 0 {
		if _, werr := run.out.Write(w.out); werr != nil {
			return errors.Join(errWrite, werr)
		}
	}
	run.join(w)
	run.batches += w.batches
	run.records += w.records
	for _, f := range w.findings {
		run.damaged(f)
	}
	return err
}

// reset forgets a chunk that is done: the next one may not even be loaded.
func (w *segmentWorker) reset() {
	w.out, w.gaps, w.findings = w.out[:0], w.gaps[:0], w.findings[:0]
	w.any, w.seen, w.jump, w.batches, w.records = false, false, false, 0, 0
	if cap(w.out) > keptOutput {
		w.out = nil
	}
}

func (s *segmentRun) gap(g gap) {
	if s.gapFound != nil {
		s.gapFound(g)
		return
	}
	s.gaps = append(s.gaps, g)
}

// errWrite marks that the output could not be written.
var errWrite = errors.New("writing the output")

// textFormatter prints what Kafka's tool prints.
type textFormatter struct {
	skipMetadata bool
	printer      printer // nil: no keys and values
	palette      Palette
	flush        func([]byte) []byte
	stamp        stamp
}

// largeField is the size of a key or value before which what there is is written.
const largeField = 4 << 20

func (f *textFormatter) setFlush(flush func([]byte) []byte) { f.flush = flush }

func (f *textFormatter) batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	p := &f.palette
	if p.Reset == "" {
		return appendBatchLine(dst, b, valid)
	}
	paint := p.Batch
	if !valid {
		paint = p.Bad
	}
	dst, err := appendBatchLine(append(dst, paint...), b, valid)
	if err == nil {
		dst = append(dst[:len(dst)-1], p.Reset...) // the colour ends before the line does
		return append(dst, '\n'), nil
	}
	return append(dst, p.Reset...), err
}

// broken prints what Kafka's tool has printed of a message when it finds that
// it does not know the magic.
func (f *textFormatter) broken(dst []byte, b *decode.Batch) []byte {
	if b.Magic >= 2 {
		return dst
	}
	return appendLabeled(dst, "offset: ", b.BaseOffset)
}

func (f *textFormatter) record(dst []byte, b *decode.Batch, r *decode.Record) ([]byte, error) {
	var err error
	sep := "| "
	if !f.skipMetadata {
		dst = appendRecordLine(append(dst, f.palette.Label...), b, r, &f.stamp)
		dst = append(dst, f.palette.Reset...)
		if b.IsControl() {
			if dst, err = appendControl(dst, r); err != nil {
				return dst, err
			}
		}
		sep = " "
	}
	if f.printer != nil && !b.IsControl() {
		if len(r.Key)+len(r.Value) > largeField && f.flush != nil {
			dst = f.flush(dst)
		}
		if dst, err = f.printer.appendContents(dst, r, sep); err != nil {
			return dst, err
		}
	}
	return append(dst, '\n'), nil
}
