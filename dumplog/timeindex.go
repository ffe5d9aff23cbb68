package dumplog

import (
	"io"

	"kraftctl/decode"
	"kraftctl/decode/index"
)

// timeIndex dumps a .timeindex file and checks it against its segment and offset index.
func (k *kafkaRun) timeIndex(path, name string) error {
	base, err := baseOffset(name)
	if err != nil {
		return err
	}
	log, err := openLog(k.fs, path, name)
	if err != nil {
		return err
	}
	defer log.Close()
	sibling := indexSibling(path, name)
	offsetFile, err := openIndex(k.fs, sibling, base)
	if err != nil {
		return missingIndex(k.fs, sibling, err)
	}
	defer offsetFile.Close()
	x, err := openIndex(k.fs, path, base)
	if err != nil {
		return missingIndex(k.fs, path, err)
	}
	defer x.Close()
	if k.o.IndexSanityOnly {
		if err := x.timeSanity(); err != nil {
			return err
		}
		_, err := io.WriteString(k.out, path+" passed sanity check.\n")
		return err
	}
	offsets, err := index.OpenOffsetIndex(offsetFile, offsetFile.length, base, sibling)
	if err != nil {
		return err
	}
	out := newLineWriter(k.out)
	find := batchFinder{log: log}
	entries := index.NewTimeReader(x.reader(), base, path)
	previous := int64(-1)
	for first := true; ; first = false {
		e, err := entries.Next()
		if endOfEntries(err) || e.Offset == base && !first {
			break // what follows is padding
		}
		if err != nil {
			return out.end(err)
		}
		position, err := lookup(offsets, e.Offset)
		if err != nil {
			return out.end(err)
		}
		if err := log.slice(position); err != nil {
			return out.end(err)
		}
		if err := k.timeEntry(&find, path, e, position, previous); err != nil {
			return out.end(err)
		}
		if !k.o.VerifyIndexOnly {
			out.line("timestamp: ", e.Timestamp, " offset: ", e.Offset)
		}
		previous = e.Timestamp
	}
	return out.end(nil)
}

// timeEntry checks an entry against the batch that ends with its offset.
func (k *kafkaRun) timeEntry(find *batchFinder, path string, e index.TimeEntry, position int32, previous int64) error {
	b, found, err := find.lastOffsetFrom(int64(position), e.Offset)
	switch {
	case err != nil:
		return err
	case !found:
		k.notFound.add(absolute(path), indexMismatch{e.Offset, -1})
		return nil
	case b.LastOffset() != e.Offset:
		k.notFound.add(absolute(path), indexMismatch{e.Offset, b.LastOffset()})
		return nil
	}
	newest, err := find.newestRecord(&b)
	if err != nil {
		return err
	}
	if newest != e.Timestamp {
		k.timestamps.add(absolute(path), timeMismatch{e.Timestamp, newest})
	}
	if previous >= e.Timestamp {
		k.outOfOrder.add(absolute(path), timeMismatch{e.Timestamp, previous})
	}
	return nil
}

// batchFinder looks for batches by offset. Entries of an index ask for
// ascending offsets, so it goes on where the last search ended: all entries
// together cost one walk over the segment.
type batchFinder struct {
	log  *logFile
	recs *decode.Records
	raw  []byte

	scan    *decode.Scanner
	started bool
	start   int64 // where the walk began
	asked   int64 // offset of the last search
	current decode.Batch
	done    bool
	err     error
}

// lastOffsetFrom gives the first batch at or after a position whose last
// offset is not below the given one.
func (f *batchFinder) lastOffsetFrom(position, offset int64) (decode.Batch, bool, error) {
	reuse := f.started && f.start <= position && offset >= f.asked && f.err == nil &&
		(f.done || f.current.Position >= position)
	if !reuse {
		f.started, f.start, f.done, f.err = true, position, false, nil
		f.scan = decode.NewScanner(f.log.f, f.log.size, decode.ScanOptions{File: f.log.path, Start: position})
		f.advance(position)
	}
	f.asked = offset
	for !f.done && f.err == nil && f.current.LastOffset() < offset {
		f.advance(f.current.Position + int64(f.current.Size))
	}
	return f.current, !f.done && f.err == nil, f.err
}

func (f *batchFinder) advance(position int64) {
	var ok bool
	f.current, ok, f.err = f.scan.Header(position)
	f.done = !ok
}

// newestRecord gives the largest timestamp of the batch's records.
func (f *batchFinder) newestRecord(b *decode.Batch) (int64, error) {
	if cap(f.raw) < b.Size {
		f.raw = make([]byte, b.Size)
	}
	b.Raw = f.raw[:b.Size]
	if n, err := f.log.f.ReadAt(b.Raw, b.Position); n < b.Size {
		return 0, err
	}
	if f.recs == nil {
		f.recs = decode.NewRecords(0)
	}
	newest := int64(-1)
	for f.recs.Reset(b); f.recs.Next(); {
		newest = max(newest, f.recs.Record.Timestamp)
	}
	return newest, f.recs.Err()
}
