package fsck

import (
	"errors"
	"fmt"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// usualInterval is the default of index.interval.bytes.
const usualInterval = 4096

// indexFile is an open index and what of it is to be compared.
type indexFile struct {
	s    *sink
	file string
	f    vfs.File
}

// at is a finding about the entry at a position.
func (x *indexFile) at(rule ID, pos, offset int64, format string, args ...any) Finding {
	return Finding{Rule: rule, File: x.file, Position: pos, Offset: offset, Message: fmt.Sprintf(format, args...)}
}

// shape checks the length of an index and its padding. Only an index that is
// written to may be padded; a metadata log does not cut its last one, ever.
func (x *indexFile) shape(size, used, length, entry int64, active bool) {
	if rest := size % entry; rest != 0 {
		f := x.at(indexLength, size-rest, -1, "%d bytes are left behind the last entry", rest)
		f.Want, f.Got = "a multiple of "+itoa(entry), itoa(size)
		x.s.add(f)
	}
	if used < length && !active {
		x.s.add(x.at(indexPadded, used*entry, -1, "%d entries are followed by %d of zeros", used, length-used))
	}
}

// ioError keeps errors of the operating system; damage was reported otherwise.
func ioError(err error) error {
	if err == nil || errors.Is(err, io.EOF) || corrupt.Is(err) {
		return nil
	}
	return err
}

// offsetIndexVisitor merges an .index file with the batches of its segment.
type offsetIndexVisitor struct {
	indexFile
	r    *index.OffsetReader
	used int64
	err  error

	read    int64 // entries read so far
	entry   index.OffsetEntry
	pos     int64 // of entry in the file
	have    bool
	highest index.OffsetEntry // of the entries in order

	// open is an entry whose batch is not the one at its position but a later
	// one: brokers before 4.0 write one for all batches that they append at once.
	open    index.OffsetEntry
	openPos int64
	waiting bool

	lastBatch int64 // position of the last batch
	logBytes  int64
}

func newOffsetIndexVisitor(x indexFile, base int64, active bool) (*offsetIndexVisitor, error) {
	size, err := vfs.Size(x.f)
	if err != nil {
		return nil, err
	}
	view, err := index.OpenOffsetIndex(x.f, size, base, x.file)
	if err != nil {
		return nil, err
	}
	x.shape(size, view.Used(), view.Len(), index.OffsetEntrySize, active)
	v := &offsetIndexVisitor{indexFile: x, r: view.Entries(), used: view.Used(), highest: index.OffsetEntry{Offset: base - 1, Position: -1}}
	v.pull()
	return v, nil
}

// pull reads the next entry that is in order.
func (v *offsetIndexVisitor) pull() {
	for v.have = false; !v.have; {
		e, err := v.r.Next()
		if err != nil {
			v.err = ioError(err)
			return
		}
		pos := v.read * index.OffsetEntrySize
		v.read++
		if e.Offset <= v.highest.Offset || e.Position <= v.highest.Position {
			f := v.at(indexOrder, pos, e.Offset, "entry for offset %d at byte %d of the log is not beyond the one before it", e.Offset, e.Position)
			f.Want = fmt.Sprintf("beyond offset %d, byte %d", v.highest.Offset, v.highest.Position)
			f.Got = fmt.Sprintf("offset %d, byte %d", e.Offset, e.Position)
			v.s.add(f)
			continue
		}
		v.entry, v.pos, v.have, v.highest = e, pos, true, e
	}
}

func (v *offsetIndexVisitor) misplaced() {
	v.s.add(v.at(indexPosition, v.pos, v.entry.Offset, "no batch starts at byte %d of the log", v.entry.Position))
	v.pull()
}

func (v *offsetIndexVisitor) batch(b *decode.Batch) {
	v.lastBatch, v.logBytes = b.Position, b.Position+int64(b.Size)
	for v.have && int64(v.entry.Position) < b.Position {
		v.misplaced()
	}
	if v.have && int64(v.entry.Position) == b.Position {
		v.settleOpen(b.BaseOffset - 1) // no append ends behind the start of another one
		switch last := b.LastOffset(); {
		case v.entry.Offset > last:
			v.open, v.openPos, v.waiting = v.entry, v.pos, true
		case v.entry.Offset < last && !inPartial(b, v.entry.Offset):
			v.wrong(v.entry, v.pos, last)
		}
		v.pull()
	}
	if v.waiting && v.open.Offset <= b.LastOffset() {
		if v.open.Offset == b.LastOffset() || inPartial(b, v.open.Offset) {
			v.s.once(v.at(indexAppend, v.openPos, v.open.Offset,
				"the entry for offset %d, at byte %d of the log, spans several batches", v.open.Offset, v.open.Position))
			v.waiting = false
		} else {
			v.settleOpen(b.LastOffset())
		}
	}
}

// inPartial reports whether an offset is in a batch from which compaction has
// removed records. Cleaners before 4.0 note the offset of the last record that
// is left, others that of the end of the batch.
func inPartial(b *decode.Batch, offset int64) bool {
	return b.Magic >= 2 && int64(b.Count) <= int64(b.LastOffsetDelta) && b.BaseOffset <= offset && offset <= b.LastOffset()
}

// settleOpen gives up waiting for the batch that an entry names.
func (v *offsetIndexVisitor) settleOpen(reached int64) {
	if v.waiting {
		v.waiting = false
		v.wrong(v.open, v.openPos, reached)
	}
}

func (v *offsetIndexVisitor) wrong(e index.OffsetEntry, pos, last int64) {
	f := v.at(indexOffset, pos, e.Offset, "no batch from byte %d of the log on ends with offset %d", e.Position, e.Offset)
	f.Want, f.Got = itoa(last), itoa(e.Offset)
	v.s.add(f)
}

func (v *offsetIndexVisitor) damaged(from, to int64) {
	for v.have && int64(v.entry.Position) < to {
		if int64(v.entry.Position) < from {
			v.misplaced()
			continue
		}
		v.pull() // what the log lost is not the index's fault
	}
	v.waiting = false
	v.logBytes = to
}

func (v *offsetIndexVisitor) end(pos int64) {
	if v.waiting {
		v.waiting = false
		v.s.add(v.at(indexPastEnd, v.openPos, v.open.Offset, "the log ends before offset %d", v.open.Offset))
	}
	for v.have {
		if int64(v.entry.Position) < pos && int64(v.entry.Position) >= v.logBytes {
			v.pull()
			continue
		}
		if int64(v.entry.Position) < pos {
			v.misplaced()
			continue
		}
		f := v.at(indexPastEnd, v.pos, v.entry.Offset, "there is no batch at byte %d of the log", v.entry.Position)
		f.Want, f.Got = "below "+itoa(pos), itoa(v.entry.Position)
		v.s.add(f)
		v.pull()
	}
	// The bytes before a batch are counted before it is appended: a segment
	// whose last batch starts further behind has an entry for it or before.
	if v.used == 0 && v.lastBatch > 4*usualInterval {
		v.s.add(v.at(indexEmpty, -1, -1, "the index has no entries for a log of %d bytes", v.logBytes))
	}
}
