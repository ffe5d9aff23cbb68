package fsck

import (
	"fmt"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// snapshot is a KRaft snapshot: OFFSET-EPOCH.checkpoint, or bootstrap.checkpoint.
type snapshot struct {
	c      *checker
	path   string
	offset int64 // of the name, exclusive
	epoch  int32 // of the name
	named  bool  // false for bootstrap.checkpoint, whose batches may have any epoch
}

// check looks at the file. A snapshot gets its name when it is complete and is
// never written again, so that nothing in it is excused.
func (x *snapshot) check() *sink {
	told := false
	s, _ := x.c.settle([]string{x.path}, false, func(s *sink) error {
		err := x.look(s, !told)
		told = true
		return err
	})
	return s
}

func (x *snapshot) look(s *sink, first bool) (err error) {
	records := decode.NewRecords(x.c.o.MaxDecompressed)
	w := &walker{c: x.c, s: s, file: x.path, chunk: x.c.chunk()}
	defer x.c.chunks.Put(w.chunk)
	if w.f, err = vfs.OpenRegular(x.c.fs, x.path); err != nil {
		return err
	}
	defer w.f.Close()
	if w.size, err = vfs.Size(w.f); err != nil {
		return err
	}
	if first {
		x.c.looked(1, w.size)
	} else {
		w.told = w.size
	}
	v := &snapshotVisitor{w: w, x: x, records: records}
	w.visit = []visitor{v}
	if x.c.o.Deep {
		v.deep = newRecordVisitor(w, index.MetadataTopic, records)
	}
	w.tail = func(pos int64, zeros bool, why error) {
		f := Finding{Rule: snapshotTruncated, File: x.path, Position: pos, Offset: v.next,
			Message: fmt.Sprintf("the last %d bytes are no whole batch", w.size-pos)}
		if why != nil || zeros {
			f.Want, f.Got = w.claim(pos)
		}
		s.add(f)
	}
	if err := w.run(x.c.ctx); err != nil {
		return err
	}
	if v.deep != nil {
		return v.deep.err
	}
	return nil
}

// snapshotVisitor checks what a snapshot is made of.
type snapshotVisitor struct {
	w       *walker
	x       *snapshot
	records *decode.Records
	deep    *recordVisitor

	foreign  bool // this is no snapshot: what is in it cannot be judged
	batches  int64
	next     int64 // offset of the next batch
	blind    bool  // behind damage
	complete bool  // the last record is a footer
	early    bool  // a footer was followed by more
}

func (v *snapshotVisitor) batch(b *decode.Batch) {
	if v.batches == 0 && !v.blind {
		v.header(b)
	}
	v.batches++
	if v.foreign {
		return
	}
	if v.complete && !v.early {
		v.early = true
		v.w.s.add(v.w.bad(snapshotFooter, b, "there are batches behind the footer"))
	}
	if b.BaseOffset != v.next && !v.blind {
		f := v.w.bad(snapshotOffsets, b, "the batch starts at offset %d", b.BaseOffset)
		f.Want, f.Got = itoa(v.next), itoa(b.BaseOffset)
		v.w.s.add(f)
	}
	if v.x.named && b.LeaderEpoch != v.x.epoch {
		f := v.w.bad(snapshotEpoch, b, "the batch has leader epoch %d", b.LeaderEpoch)
		f.Want, f.Got = itoa(v.x.epoch), itoa(b.LeaderEpoch)
		v.w.s.add(f)
	}
	v.complete = false
	if b.IsControl() && b.Raw != nil {
		v.control(b)
	}
	if v.deep != nil {
		v.deep.batch(b)
	}
	v.next, v.blind = b.NextOffset(), false
}

func (v *snapshotVisitor) header(b *decode.Batch) {
	if b.IsControl() && b.Raw != nil {
		v.records.Reset(b)
		if v.records.Next() {
			if c, fault := decode.DecodeControl(&v.records.Record); fault == nil && c.Type == decode.SnapshotHeader {
				return
			}
		}
	}
	v.foreign = true
	v.w.s.add(v.w.bad(snapshotHeader, b, "the first batch does not start with a snapshot header"))
}

func (v *snapshotVisitor) control(b *decode.Batch) {
	for v.records.Reset(b); v.records.Next(); {
		c, fault := decode.DecodeControl(&v.records.Record)
		switch {
		case fault != nil:
			v.w.s.add(v.w.bad(controlBad, b, "control record at offset %d: %v", v.records.Record.Offset, fault))
		case c.Type == decode.NotControl:
			v.w.s.once(v.w.bad(controlUnknown, b, "control record of type %d", c.TypeID))
		}
		v.complete = fault == nil && c.Type == decode.SnapshotFooter
	}
	if err := v.records.Err(); err != nil {
		v.w.s.add(v.w.bad(controlBad, b, "control batch: %s", cause(err)))
	}
}

func (v *snapshotVisitor) damaged(int64, int64) { v.blind = true }

func (v *snapshotVisitor) end(pos int64) {
	switch {
	case v.batches == 0 && !v.blind:
		v.w.s.add(Finding{Rule: snapshotHeader, File: v.x.path, Position: 0, Offset: -1, Message: "there are no batches"})
	case !v.complete && !v.foreign:
		v.w.s.add(Finding{Rule: snapshotFooter, File: v.x.path, Position: pos, Offset: v.next, Message: "the last batch does not end with a snapshot footer"})
	}
}

// checkSnapshots holds the snapshots of a metadata log against the log.
func (p *partition) checkSnapshots(s *sink, h *epochHistory) {
	if len(p.segments) == 0 {
		return // formatted and never started
	}
	start := p.segments[0].base
	latest := int64(-1)
	for _, x := range p.snapshots {
		latest = max(latest, x.offset)
		at := func(rule ID, format string, args ...any) Finding {
			return Finding{Rule: rule, File: x.path, Position: -1, Offset: x.offset, Message: fmt.Sprintf(format, args...)}
		}
		switch {
		case h.endKnown && x.offset > h.end:
			if p.c.exists(x.path) {
				s.add(at(snapshotBeyond, "the snapshot ends at offset %d, the log at %d", x.offset, h.end))
			}
		case x.offset < start:
			s.add(at(snapshotBelow, "the snapshot ends at offset %d, the log starts at %d", x.offset, start))
		default:
			if epoch, ok := h.at(x.offset - 1); ok && epoch != x.epoch {
				f := at(snapshotLogEpoch, "record %d has epoch %d in the log", x.offset-1, epoch)
				f.Want, f.Got = itoa(epoch), itoa(x.epoch)
				s.add(f)
			}
		}
	}
	if start > 0 && latest < start && p.c.exists(p.segments[0].log) {
		s.add(Finding{Rule: snapshotMissing, File: p.dir, Position: -1, Offset: start,
			Message: fmt.Sprintf("the log starts at offset %d, and no snapshot ends there or later", start)})
	}
}
