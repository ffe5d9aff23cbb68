package metalog

import (
	"errors"
	"fmt"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// ErrTruncation is around the reason why a log must not be truncated as asked.
var ErrTruncation = errors.New("the metadata log must not be truncated so")

// TruncateTo takes all batches away that have an offset or a later one; the batch
// that holds the offset goes as a whole. It is durable when TruncateTo returns;
// after a power failure on the way the log ends there or somewhere behind, as
// segments go one after the other from the last one on.
//
// An offset at the end or behind it changes nothing. One below the start of the
// log, or below the end of a snapshot, is refused: what a snapshot holds was
// committed. Errors of the file system end all writing.
func (l *Log) TruncateTo(offset int64) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	if offset >= l.end {
		return nil
	}
	floor := l.start
	if n := len(l.snapshots); n > 0 {
		floor = max(floor, l.snapshots[n-1].EndOffset)
	}
	if offset < floor {
		return fmt.Errorf("%w: to offset %d, where a snapshot or the start of the log is at %d", ErrTruncation, offset, floor)
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.holder(offset)
	keep := l.segments[i]
	pos, next := keep.size, keep.next
	if offset < keep.next {
		var err error
		if pos, _, next, err = keep.locate(offset); err != nil {
			return err
		}
	}
	if next < floor {
		return fmt.Errorf("%w: the batch with offset %d starts at %d, below %d", ErrTruncation, offset, next, floor)
	}
	if err := l.truncate(i, pos, next); err != nil {
		return l.poisonLocked(err)
	}
	return nil
}

// truncate makes segment i the last one, with pos bytes up to the offset next. It
// is called with all locks held.
func (l *Log) truncate(i int, pos, next int64) error {
	gone, keep := l.segments[i+1:], l.segments[i]
	l.segments = slices.Clip(l.segments[:i+1])
	l.end, l.flushed = next, min(l.flushed, next)
	l.epochs = epochsBelow(l.epochs, next)
	if len(l.epochs) == 0 && l.start > l.segments[0].base {
		// There are batches left, below the start.
		l.epochs = []index.EpochEntry{{Epoch: lastEpoch(nil, l.snapshots, l.start), StartOffset: l.start}}
	}
	if err := dropLog(l.fs, l.dir, gone); err != nil {
		return err
	}
	if err := keep.file.Truncate(pos); err != nil {
		return err
	}
	// Before anything is written there again: a power failure must not leave a mix.
	if err := keep.file.Sync(); err != nil {
		return err
	}
	l.flushed = next
	if err := keep.truncated(l.fs, pos, next); err != nil {
		return err
	}
	if err := writeEpochs(l.fs, l.dir, l.epochs); err != nil {
		return err
	}
	return l.dropProducers(next)
}

// truncated brings the indexes to what they are for the first pos bytes, up to the
// offset next, and opens them.
func (s *segment) truncated(fsys vfs.FS, pos, next int64) error {
	if err := s.closeIndexes(); err != nil {
		return err
	}
	if s.size = s.cut(pos); s.size == 0 {
		s.first = index.NoTimestamp
	}
	scan := decode.NewScanner(s.file, pos, decode.ScanOptions{File: s.path})
	for s.size < pos {
		b, ok, err := scan.Header(s.size)
		if err != nil {
			return err
		}
		if !ok {
			return s.lost(s.size, next)
		}
		s.add(&b)
	}
	s.next = next
	if _, err := s.writeIndexes(fsys); err != nil {
		return err
	}
	return s.openIndexes(fsys)
}

// TruncateFullyTo empties the log and starts it anew at the end of a snapshot,
// which must be the latest one and newer than all of the log: of a later epoch
// than the last batch, or of the same one and a later end. Older snapshots go.
// After a power failure on the way OpenLog does the rest, as the snapshot is
// still newer than what is left of the log.
func (l *Log) TruncateFullyTo(id SnapshotID) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	n := len(l.snapshots)
	epoch := lastEpoch(l.epochs, l.snapshots, l.start)
	switch {
	case n == 0 || l.snapshots[n-1].ID() != id:
		return fmt.Errorf("%w: there is no snapshot %d-%d, or a later one", ErrTruncation, id.EndOffset, id.Epoch)
	case id.Epoch < epoch || id.Epoch == epoch && id.EndOffset <= l.end || id.EndOffset < l.start:
		return fmt.Errorf("%w: the log from %d to %d, of epoch %d, is not older than the snapshot %d-%d", ErrTruncation, l.start, l.end, epoch, id.EndOffset, id.Epoch)
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.restart(id); err != nil {
		return l.poisonLocked(err)
	}
	return nil
}

// restart is called with all locks held.
func (l *Log) restart(id SnapshotID) error {
	gone, next := l.segments, newSegment(l.dir, id.EndOffset, &l.o)
	old := l.snapshots[:len(l.snapshots)-1]
	l.segments, l.snapshots = []*segment{next}, slices.Clone(l.snapshots[len(l.snapshots)-1:])
	l.start, l.end, l.flushed, l.epochs = id.EndOffset, id.EndOffset, id.EndOffset, nil
	if err := dropLog(l.fs, l.dir, gone); err != nil {
		return err
	}
	if err := next.create(l.fs); err != nil {
		return err
	}
	if err := l.fs.SyncDir(l.dir); err != nil {
		return err
	}
	if err := l.dropSnapshots(old); err != nil {
		return err
	}
	if err := writeEpochs(l.fs, l.dir, nil); err != nil {
		return err
	}
	return l.dropProducers(l.end)
}

// dropLog takes segments away at the end of a log, the last one first, each durably
// before the one in front of it: what is left on the way is a log without a hole.
func dropLog(fsys vfs.FS, dir string, gone []*segment) error {
	if err := closeSegments(gone); err != nil {
		return err
	}
	for _, s := range slices.Backward(gone) {
		if err := dropSegment(fsys, dir, s.base); err != nil {
			return err
		}
	}
	return nil
}
