package fsck

import (
	"encoding/binary"
	"fmt"
	"math"

	"kraftctl/decode"
	"kraftctl/internal/vfs"
)

// segment is a .log file with the indexes that belong to it.
type segment struct {
	c        *checker
	base     int64
	size     int64  // when it was listed
	topic    string // "" if it is not known
	metadata bool
	active   bool // the last one of the partition: a broker may be writing to it

	// Paths, "" where there is no such file.
	log, offsets, times, txns string
	expect                    []expected

	segmentResult
}

// segmentResult is what the other files of the partition need to know.
type segmentResult struct {
	known        bool // the file was there until the end
	batches      int64
	next         int64 // offset behind the last batch
	lost         bool  // the end is damaged
	compacted    bool
	epochs       epochVisitor
	transactions *txnVisitor
	later        []Finding // what is right in a compacted log
}

// files are the paths of all files, the log first.
func (g *segment) files() []string {
	list := []string{g.log}
	for _, name := range []string{g.offsets, g.times, g.txns} {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}

// check looks at the segment, more than once if it has to.
func (g *segment) check() *sink {
	told := false
	s, ok := g.c.settle(g.files(), g.active, func(s *sink) error {
		err := g.look(s, !told)
		told = true
		return err
	})
	g.known = g.known && ok
	return s
}

// look reads the segment once. The indexes are opened before the log, so that
// whatever they name is in it.
func (g *segment) look(s *sink, first bool) error {
	g.segmentResult = segmentResult{}
	open := &openFiles{c: g.c, s: s}
	defer open.close()

	records := decode.NewRecords(g.c.o.MaxDecompressed)
	w := &walker{c: g.c, s: s, file: g.log, chunk: g.c.chunk()}
	defer g.c.chunks.Put(w.chunk)
	offsets := newOffsetVisitor(w, g.base, g.metadata)
	epochs := &epochVisitor{w: w}
	txns := newTxnVisitor(w, records)
	w.visit = []visitor{offsets, epochs, txns}

	var offsetIndex *offsetIndexVisitor
	var timeIndex *timeIndexVisitor
	var err error
	if f := open.file(g.offsets); f != nil {
		if offsetIndex, err = newOffsetIndexVisitor(indexFile{s, g.offsets, f}, g.base, g.active); err != nil {
			return err
		}
		w.visit = append(w.visit, offsetIndex)
	}
	if f := open.file(g.times); f != nil {
		if timeIndex, err = newTimeIndexVisitor(indexFile{s, g.times, f}, g.base, g.active); err != nil {
			return err
		}
		w.visit = append(w.visit, timeIndex)
	}
	if f := open.file(g.txns); f != nil || g.txns == "" {
		txns.index = newTxnIndexVisitor(indexFile{s, g.txns, f}, g.base)
	}
	producers := &producerVisitor{s: s, list: g.expect, later: g.c.newSink()}
	if len(g.expect) > 0 {
		w.visit = append(w.visit, producers)
	}
	var deep *recordVisitor
	if g.c.o.Deep {
		deep = newRecordVisitor(w, g.topic, records)
		w.visit = append(w.visit, deep)
	}

	if w.f, err = vfs.OpenRegular(g.c.fs, g.log); err != nil {
		return err
	}
	defer w.f.Close()
	if w.size, err = vfs.Size(w.f); err != nil {
		return err
	}
	if first {
		g.c.looked(1+open.n, w.size+open.bytes)
	} else {
		w.told = w.size
	}
	w.tail = func(pos int64, zeros bool, why error) { g.tail(w, pos, offsets.next, zeros, why) }
	if err := w.run(g.c.ctx); err != nil {
		return err
	}
	if deep != nil && deep.err != nil {
		return deep.err
	}
	if offsetIndex != nil {
		open.failed(g.offsets, offsetIndex.err)
	}
	if timeIndex != nil {
		open.failed(g.times, timeIndex.err)
	}
	g.segmentResult = segmentResult{
		known: true, batches: offsets.batches, next: offsets.next, lost: w.lost, compacted: offsets.compacted,
		epochs: *epochs, transactions: txns, later: producers.later.list,
	}
	if txns.index != nil {
		open.failed(g.txns, txns.index.err)
		g.later = append(g.later, txns.index.later.list...)
	}
	return nil
}

// tail reports what is behind the last batch.
func (g *segment) tail(w *walker, pos, offset int64, zeros bool, why error) {
	f := Finding{File: g.log, Position: pos, Offset: offset}
	n := w.size - pos
	switch {
	case zeros && !g.active:
		f.Rule, f.Message = tailZeros, fmt.Sprintf("the last %d bytes are zeros", n)
	case zeros && w.size%allocationUnit == 0:
		f.Rule, f.Message = tailAllocated, fmt.Sprintf("the last %d of %d bytes are zeros", n, w.size)
		w.s.add(f)
		return
	case zeros:
		f.Rule, f.Message = tailZerosActive, fmt.Sprintf("the last %d bytes are zeros", n)
	case why != nil:
		f.Rule, f.Message = tailGarbage, fmt.Sprintf("the last %d bytes are no batch", n)
		f.Want, f.Got = w.claim(pos)
	case !w.startsBatch(pos, offset):
		f.Rule, f.Message = tailGarbage, fmt.Sprintf("the last %d bytes are not the start of the batch at offset %d", n, offset)
	case g.active:
		f.Rule, f.Message = tailTornActive, fmt.Sprintf("the last %d bytes are the start of a batch", n)
	default:
		f.Rule, f.Message = tailTorn, fmt.Sprintf("the last %d bytes are the start of a batch", n)
	}
	w.lost = w.lost || !g.active
	w.s.add(f)
}

// startsBatch reports whether the bytes at the end of the file can be the start
// of the next batch, as far as they go.
func (w *walker) startsBatch(pos, offset int64) bool {
	var head [decode.HeaderUpToMagic]byte
	n, _ := w.f.ReadAt(head[:min(int64(len(head)), w.size-pos)], pos)
	if n < 8 {
		return true
	}
	base := int64(binary.BigEndian.Uint64(head[:]))
	return base >= offset && base-offset <= math.MaxInt32 && (n < len(head) || head[n-1] <= 2)
}

// openFiles are the indexes that are read along with a log.
type openFiles struct {
	c     *checker
	s     *sink
	files []vfs.File
	n     int64
	bytes int64
}

// file opens an index; nil if there is none, any more, or it cannot be opened,
// which is reported.
func (o *openFiles) file(path string) vfs.File {
	if path == "" {
		return nil
	}
	f, err := vfs.OpenRegular(o.c.fs, path)
	if err != nil {
		if !gone(err) {
			o.failed(path, err)
		}
		return nil
	}
	o.files = append(o.files, f)
	if size, err := vfs.Size(f); err == nil {
		o.n++
		o.bytes += size
	}
	return f
}

func (o *openFiles) failed(path string, err error) {
	if err != nil {
		o.s.add(unreadable(path, err))
	}
}

func (o *openFiles) close() {
	for _, f := range o.files {
		_ = f.Close() // it was only read
	}
}

// chunk gives a buffer for reading batches, which is worth keeping.
func (c *checker) chunk() *decode.Chunk {
	if chunk, ok := c.chunks.Get().(*decode.Chunk); ok {
		return chunk
	}
	return new(decode.Chunk)
}
