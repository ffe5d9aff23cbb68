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
	offsetPath := sibling(path, name, ".index")
	offsetFile, err := openIndex(k.fs, offsetPath, base)
	if err != nil {
		return missingIndex(k.fs, offsetPath, err)
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
	offsets, err := index.OpenOffsetIndex(offsetFile, offsetFile.length, base, offsetPath)
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

// batchFinder looks for batches by offset. Kafka lists all batches from a
// position to the end for each entry, and so meets damage anywhere behind it.
// This walks the sizes to the end once, and the headers once for all entries:
// they ask for ascending offsets, so a search goes on where the last one ended.
type batchFinder struct {
	log  *logFile
	recs *decode.Records
	raw  []byte

	scan    *decode.Scanner
	current decode.Batch
	started bool
	start   int64 // where the walk began
	asked   int64 // offset of the last search
	done    bool  // there is no current batch
}

// lastOffsetFrom gives the first batch at or after a position whose last
// offset is not below the given one.
func (f *batchFinder) lastOffsetFrom(position, offset int64) (decode.Batch, bool, error) {
	if err := f.moveTo(position, offset); err != nil {
		return f.current, false, err
	}
	f.asked = offset
	for !f.done && f.current.LastOffset() < offset {
		if err := f.advance(f.current.Position + int64(f.current.Size)); err != nil {
			return f.current, false, err
		}
	}
	return f.current, !f.done, nil
}

// moveTo makes a batch at or behind position the current one, so that those
// between the two end below offset. A position that is no seam between batches
// of the walk so far starts another walk.
func (f *batchFinder) moveTo(position, offset int64) error {
	if f.started && f.start <= position && offset >= f.asked {
		for !f.done && f.current.Position < position {
			f.start = position // what is skipped by position may end above later offsets
			if err := f.advance(f.current.Position + int64(f.current.Size)); err != nil {
				return err
			}
		}
		if !f.done && (f.current.Position == position || f.seam(position)) {
			return nil
		}
	}
	f.started, f.start = true, position
	if err := f.sizesToEnd(position); err != nil {
		f.started = false
		return err
	}
	f.scan = decode.NewScanner(f.log.f, f.log.size, decode.ScanOptions{File: f.log.path, Start: position})
	return f.advance(position)
}

// seam reports whether a batch of this walk, before the current one, starts at
// the position. Positions of a sound index are where batches start.
func (f *batchFinder) seam(position int64) bool {
	b, ok, err := f.scan.Header(position)
	for ok && err == nil && b.Position+int64(b.Size) < f.current.Position {
		b, ok, err = f.scan.Header(b.Position + int64(b.Size))
	}
	return ok && err == nil && b.Position+int64(b.Size) == f.current.Position
}

// sizesToEnd looks for a size that cannot be, from a position to the end.
func (f *batchFinder) sizesToEnd(position int64) error {
	scan := decode.NewScanner(f.log.f, f.log.size, decode.ScanOptions{File: f.log.path, Start: position})
	for c := new(decode.Chunk); scan.Next(c); {
	}
	return scan.Err()
}

func (f *batchFinder) advance(position int64) error {
	b, ok, err := f.scan.Header(position)
	f.current, f.done = b, !ok
	return err
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
		f.recs.TimesOnly = true
	}
	newest := int64(-1)
	for f.recs.Reset(b); f.recs.Next(); {
		newest = max(newest, f.recs.Record.Timestamp)
	}
	return newest, f.recs.Err()
}
