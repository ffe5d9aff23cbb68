package fsck

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

const (
	// maxLoad is the size in bytes from which a batch is not read into memory but
	// only its checksum computed on the way: damage can claim any size.
	maxLoad = 4 << 20
	// readStep is how much is read at once where a file is only passed through.
	readStep = 64 << 10
	// allocationUnit: a file that ends in zeros and has a multiple of this length
	// was preallocated.
	allocationUnit = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// visitor sees the batches of a file in their order.
type visitor interface {
	// batch is called for a batch whose checksum and header are right. Raw is
	// missing if the batch is larger than maxLoad.
	batch(b *decode.Batch)
	// damaged is called for the bytes from..to in place of the batches that
	// were there.
	damaged(from, to int64)
	// end is called last, with the position behind the last batch, or where the
	// rest of the file is no batch.
	end(pos int64)
}

// walker reads a file of batches from its start to its end, goes on behind
// damage, and hands out the sound batches.
type walker struct {
	c     *checker
	s     *sink
	file  string
	f     vfs.File
	size  int64
	chunk *decode.Chunk
	visit []visitor
	// tail reports the bytes behind the last batch, after everybody else had
	// their chance to see a batch in them.
	tail func(pos int64, zeros bool, why error)

	// lost: the file ends in damage, so nobody knows the offset where it ends.
	lost bool
	told int64 // bytes told to the progress
}

// bad is a finding about the batch at a position.
func (w *walker) bad(rule ID, b *decode.Batch, format string, args ...any) Finding {
	return Finding{Rule: rule, File: w.file, Position: b.Position, Offset: b.BaseOffset, Message: fmt.Sprintf(format, args...)}
}

// run walks over the file. The error is one of the operating system's, or of
// the context.
func (w *walker) run(ctx context.Context) error {
	pos := int64(0)
	for pos >= 0 {
		var err error
		scan := decode.NewScanner(w.f, w.size, decode.ScanOptions{File: w.file, Start: pos})
		if pos, err = w.scan(ctx, scan); err != nil {
			return err
		}
	}
	w.progress(w.size)
	return nil
}

func (w *walker) progress(pos int64) {
	if pos > w.told {
		w.c.advance(pos - w.told)
		w.told = pos
	}
}

// scan walks to the end, or to damage behind which there is a sound batch: it
// returns its position, or -1 at the end.
func (w *walker) scan(ctx context.Context, scan *decode.Scanner) (resume int64, err error) {
	for {
		at := scan.Position()
		if !scan.Next(w.chunk) {
			break
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if w.chunk.Bytes() > maxLoad {
			resume, err := w.large(scan, at)
			if err != nil || resume >= 0 {
				return resume, err
			}
			if w.lost {
				return -1, nil
			}
			continue
		}
		if err := w.chunk.Load(); err != nil {
			return 0, err
		}
		for i := range w.chunk.Len() {
			var b decode.Batch
			why := w.chunk.Batch(i, &b)
			if why == nil && b.Valid() {
				w.sound(&b)
				continue
			}
			resume, err := w.broken(&b, why)
			if err != nil || resume != b.Position+int64(b.Size) {
				return resume, err
			}
		}
		w.progress(scan.Position())
	}
	return w.rest(scan)
}

// large handles a batch that is not to be loaded. resume is -1 if the scan can go on.
func (w *walker) large(scan *decode.Scanner, pos int64) (resume int64, err error) {
	b, sound, err := w.soundAt(scan, pos)
	if err != nil && !corrupt.Is(err) {
		return 0, err
	}
	if sound {
		w.sound(&b)
		return -1, nil
	}
	b.Position, b.Size = pos, w.chunk.Bytes()
	resume, err = w.broken(&b, err)
	if resume == scan.Position() {
		resume = -1
	}
	return resume, err
}

// soundAt reports whether a batch with a right checksum starts at a position,
// in constant memory.
func (w *walker) soundAt(scan *decode.Scanner, pos int64) (b decode.Batch, sound bool, err error) {
	b, ok, err := scan.Header(pos)
	if err != nil || !ok {
		return b, false, err
	}
	covered, table := pos+21, castagnoli
	if b.Magic < 2 {
		covered, table = pos+16, crc32.IEEETable
		if b.Magic < 0 {
			return b, false, nil
		}
	} else if b.Size < decode.BatchHeaderSize {
		return b, false, nil
	}
	sum := crc32.New(table)
	n, err := io.CopyBuffer(sum, io.NewSectionReader(w.f, covered, pos+int64(b.Size)-covered), make([]byte, readStep))
	if err != nil {
		return b, false, err
	}
	return b, n == pos+int64(b.Size)-covered && sum.Sum32() == b.CRC, nil
}

// sound hands out a batch whose checksum is right, if its header is.
func (w *walker) sound(b *decode.Batch) {
	if f, ok := w.header(b); !ok {
		w.s.add(f)
		w.skip(b.Position, b.Position+int64(b.Size))
		return
	}
	for _, v := range w.visit {
		v.batch(b)
	}
	w.lost = false
}

func (w *walker) skip(from, to int64) {
	for _, v := range w.visit {
		v.damaged(from, to)
	}
	w.lost = true
}

// broken reports a batch whose checksum is wrong, or of which why says what is.
// If no batch follows where its size says, its size is not to be trusted:
// resume is where the next sound batch starts, -1 if there is none.
func (w *walker) broken(b *decode.Batch, why error) (resume int64, err error) {
	next := b.Position + int64(b.Size)
	if next != w.size {
		_, sound, err := w.soundAt(decode.NewScanner(w.f, w.size, decode.ScanOptions{}), next)
		if err != nil && !corrupt.Is(err) {
			return 0, err
		}
		if !sound {
			found, ok, err := decode.FindBatch(w.c.ctx, w.f, b.Position+1, w.size)
			switch {
			case err != nil:
				return 0, err
			case ok:
				next = found
			default:
				next = -1
			}
		}
	}
	f := w.brokenFinding(b, why)
	end := next
	if next < 0 {
		end = w.size
		f.Message += fmt.Sprintf("; no sound batch in the remaining %d bytes", w.size-b.Position)
	} else if next != b.Position+int64(b.Size) {
		f.Message += fmt.Sprintf("; the next sound batch is at byte %d", next)
	}
	w.s.add(f)
	w.skip(b.Position, end)
	if next < 0 {
		for _, v := range w.visit {
			v.end(b.Position)
		}
	}
	return next, nil
}

func (w *walker) brokenFinding(b *decode.Batch, why error) Finding {
	var f *decode.Fault
	switch {
	case errors.As(why, &f) && f.Kind == decode.FaultMagic, why == nil && b.Magic > 2:
		x := w.bad(batchMagic, b, "batch with magic %d", b.Magic)
		x.Want, x.Got = "0 to 2", itoa(b.Magic)
		return x
	case why != nil:
		return w.bad(batchHeader, b, "batch header: %v", errors.Unwrap(why))
	case b.Magic >= 2 && b.Size < decode.BatchHeaderSize:
		x := w.bad(batchHeader, b, "batch of %d bytes is smaller than its header", b.Size)
		x.Want, x.Got = "at least "+itoa(decode.BatchHeaderSize), itoa(b.Size)
		return x
	}
	x := w.bad(batchCRC, b, "checksum of the batch of %d bytes is wrong", b.Size)
	x.Got = fmt.Sprintf("0x%08x", b.CRC)
	if b.Raw != nil {
		x.Want = fmt.Sprintf("0x%08x", b.Checksum())
	}
	return x
}

// header checks the fields of a batch against each other. ok is false if its
// offsets are not to be trusted.
func (w *walker) header(b *decode.Batch) (f Finding, ok bool) {
	if b.Magic > 2 {
		f = w.bad(batchMagic, b, "batch with magic %d", b.Magic)
		f.Want, f.Got = "0 to 2", itoa(b.Magic)
		return f, false
	}
	if codec := b.Attributes & 7; codec > 4 || b.Magic < 2 && codec > 3 {
		f = w.bad(batchCodec, b, "codec %d", codec)
		f.Want, f.Got = "0 to 4", itoa(codec)
		w.s.add(f)
	}
	if b.BaseOffset < 0 {
		return w.bad(batchHeader, b, "negative offset"), false
	}
	if b.Magic < 2 {
		w.s.once(w.bad(batchOldFormat, b, "message of format %d", b.Magic))
		return f, true
	}
	switch last := int64(b.LastOffsetDelta); {
	case last < 0 || b.BaseOffset+last < 0:
		f = w.bad(batchHeader, b, "the last offset is %d above the first", last)
		return f, false
	case b.Count < 0 || int64(b.Count) > last+1:
		f = w.bad(batchHeader, b, "%d records in a batch of %d offsets", b.Count, last+1)
		return f, false
	}
	if b.Attributes&^0x7f != 0 {
		f = w.bad(batchAttributes, b, "attributes 0x%04x", uint16(b.Attributes))
		w.s.once(f)
	}
	return f, true
}

// rest looks at what is behind the last whole batch that the scan found.
func (w *walker) rest(scan *decode.Scanner) (resume int64, err error) {
	pos, why := scan.Position(), scan.Err()
	if why != nil && !corrupt.Is(why) {
		return 0, why
	}
	if pos >= w.size {
		for _, v := range w.visit {
			v.end(pos)
		}
		return -1, nil
	}
	zeros, err := decode.OnlyZeros(w.c.ctx, w.f, pos, w.size)
	if err != nil {
		return 0, err
	}
	if !zeros {
		next, ok, err := decode.FindBatch(w.c.ctx, w.f, pos+1, w.size)
		if err != nil {
			return 0, err
		}
		if ok {
			f := Finding{Rule: logHole, File: w.file, Position: pos, Offset: -1,
				Message: fmt.Sprintf("%d bytes are no batch; the next sound batch is at byte %d", next-pos, next)}
			f.Want, f.Got = w.claim(pos)
			w.s.add(f)
			w.skip(pos, next)
			return next, nil
		}
	}
	for _, v := range w.visit {
		v.end(pos)
	}
	w.tail(pos, zeros, why)
	return -1, nil
}

// claim tells which length the bytes at a position claim for their batch.
func (w *walker) claim(pos int64) (want, got string) {
	var head [4]byte
	if n, _ := w.f.ReadAt(head[:], pos+8); n < len(head) {
		return "", ""
	}
	return fmt.Sprintf("batch length of %d to %d", decode.MinEntrySize, w.size-pos-decode.LogOverhead),
		itoa(int32(binary.BigEndian.Uint32(head[:])))
}
