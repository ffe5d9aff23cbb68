package metalog

import (
	"fmt"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

// Append writes one or more whole encoded batches, one behind the other, to the
// end of the log. They are durable after a Flush.
//
// Each must be of magic 2, of at most 8 MiB (decode.MaxBatchSize), with the right
// checksum, start where the log ends, and have a leader epoch that is not below
// the last one. If one is not, nothing is written and the error is a
// *corrupt.Error whose position is that in raw. After any other error the log
// cannot be written any more: how much of raw is on disk is not known.
func (l *Log) Append(raw []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	batches, err := judge(raw, l.end, lastEpoch(l.epochs, l.snapshots, l.start))
	if err != nil {
		return err
	}
	if err := l.announce(batches); err != nil {
		return l.poison(err)
	}
	for len(batches) > 0 {
		n, bytes := l.active().fitting(batches, &l.o)
		if n == 0 {
			if err := l.roll(); err != nil {
				return err
			}
			continue // into an empty segment at least one fits
		}
		if err := l.write(raw[:bytes], batches[:n]); err != nil {
			return l.poison(err)
		}
		raw, batches = raw[bytes:], batches[n:]
	}
	return nil
}

// judge checks batches that are to follow an offset and an epoch.
func judge(raw []byte, next int64, epoch int32) ([]decode.Batch, error) {
	var batches []decode.Batch
	for pos := 0; pos < len(raw); {
		b, err := decode.ParseBatch(raw[pos:], int64(pos))
		if err != nil {
			return nil, err
		}
		if b.Size > decode.MaxBatchSize {
			return nil, wrong(&b, "size of the batch", fmt.Sprintf("at most %d", decode.MaxBatchSize), b.Size)
		}
		if err := whole(&b); err != nil {
			return nil, err
		}
		if err := follows(&b, next, epoch); err != nil {
			return nil, err
		}
		batches = append(batches, b)
		next, epoch, pos = b.NextOffset(), b.LeaderEpoch, pos+b.Size
	}
	return batches, nil
}

// whole checks a batch by itself.
func whole(b *decode.Batch) error {
	switch {
	case b.Magic != 2:
		return wrong(b, "batch", "magic 2", b.Magic)
	case !b.Valid():
		return wrong(b, "checksum of the batch", fmt.Sprintf("%08x", b.Checksum()), fmt.Sprintf("%08x", b.CRC))
	case b.LastOffsetDelta < 0 || b.NextOffset() <= b.BaseOffset:
		return wrong(b, "offsets of the batch", "", fmt.Sprintf("base %d, delta %d", b.BaseOffset, b.LastOffsetDelta))
	}
	return nil
}

// follows checks that a batch goes on at an offset, in an epoch or a later one.
func follows(b *decode.Batch, next int64, epoch int32) error {
	switch {
	case b.BaseOffset != next:
		return wrong(b, "base offset of the batch", fmt.Sprint(next), b.BaseOffset)
	case b.LeaderEpoch < epoch:
		return wrong(b, "leader epoch of the batch", fmt.Sprintf("at least %d", epoch), b.LeaderEpoch)
	}
	return nil
}

func wrong(b *decode.Batch, what, want string, got any) error {
	return &corrupt.Error{Pos: b.Position, What: what, Want: want, Got: fmt.Sprint(got)}
}

// announce writes the epochs of batches that are to be appended, so that the
// checkpoint never lacks one that the log has.
func (l *Log) announce(batches []decode.Batch) error {
	epochs := slices.Clone(l.epochs)
	for i := range batches {
		epochs = withBatch(epochs, &batches[i])
	}
	if slices.Equal(epochs, l.epochs) {
		return nil
	}
	return writeEpochs(l.fs, l.dir, epochs)
}

// write adds batches to the active segment. They can be read as soon as their
// bytes are there.
func (l *Log) write(raw []byte, batches []decode.Batch) error {
	active := l.active()
	if _, err := active.file.WriteAt(raw, active.size); err != nil {
		return err
	}
	points := len(active.points)
	l.mu.Lock()
	for i := range batches {
		active.add(&batches[i])
		l.epochs = withBatch(l.epochs, &batches[i])
	}
	l.end = active.next
	l.mu.Unlock()
	if points == len(active.points) {
		return nil
	}
	return active.index(points)
}

// roll ends the active segment and begins the next one. The bytes of the one are
// durable before there is the name of the other: so a segment that is there
// proves that all before it are whole, and only the last one can be torn.
func (l *Log) roll() error {
	if err := l.flush(); err != nil {
		return err
	}
	old, next := l.active(), newSegment(l.dir, l.end, &l.o)
	err := old.finish()
	if err == nil {
		err = writeProducers(l.fs, l.dir, next.base)
	}
	if err == nil {
		err = next.create(l.fs)
	}
	if err == nil {
		err = l.fs.SyncDir(l.dir)
	}
	if err != nil {
		return l.poison(fmt.Errorf("%s: %w", next.path, err))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.segments = append(l.segments, next)
	return nil
}

// Flush makes durable what was appended before the call, and returns the offset
// below which everything is. It may run while others append, so that one sync
// serves many of them. After an error the log cannot be written any more: what a
// failed sync has lost, a second one would not bring back.
func (l *Log) Flush() (int64, error) {
	err := l.flush()
	return l.Flushed(), err
}

// flush is Flush; it must be called without syncing and mu.
func (l *Log) flush() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.RLock()
	end, flushed, active, failed := l.end, l.flushed, l.active(), l.failed
	l.mu.RUnlock()
	if failed != nil || flushed == end {
		return failed
	}
	// All segments before the active one were synced before it was made, and its
	// name was before anything was written to it.
	if err := active.file.Sync(); err != nil {
		return l.poison(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flushed = end // truncating waits for syncing, so it has not gone down meanwhile
	return nil
}
