package metalog

import (
	"fmt"
	"path/filepath"
	"slices"

	"kraftctl/decode/index"
)

// DeleteBefore moves the start of the log to the end of a snapshot, which must be
// behind the start. Segments that lie below it as a whole go, and older snapshots.
// It reports false, and does nothing, for a snapshot that is not there or does
// not move the start.
//
// Segments go one after the other from the first one on, each durably before the
// next, and the older snapshots last: after a power failure on the way the log
// starts between the old start and the new one, with a snapshot there or later.
func (l *Log) DeleteBefore(id SnapshotID) (bool, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.usable(); err != nil {
		return false, err
	}
	n := slices.IndexFunc(l.snapshots, func(s Snapshot) bool { return s.ID() == id })
	if n < 0 || id.EndOffset <= l.start || id.EndOffset > l.end {
		return false, nil
	}
	// No file is closed while it is synced.
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	k := 0
	for k+1 < len(l.segments) && l.segments[k+1].base <= id.EndOffset {
		k++
	}
	gone, old := slices.Clone(l.segments[:k]), slices.Clone(l.snapshots[:n])
	l.segments, l.snapshots = slices.Clone(l.segments[k:]), slices.Clone(l.snapshots[n:])
	l.start, l.epochs = id.EndOffset, epochsFrom(l.epochs, id.EndOffset)
	if l.segments[0].base == l.end {
		l.epochs = nil // of no batch that is left
	}
	epochs := slices.Clone(l.epochs)
	l.mu.Unlock()

	if err := l.drop(gone, old, epochs); err != nil {
		return false, l.poison(err)
	}
	return true, nil
}

// drop takes the files away that are below the start.
func (l *Log) drop(gone []*segment, old []Snapshot, epochs []index.EpochEntry) error {
	if err := closeSegments(gone); err != nil {
		return err
	}
	for _, s := range gone {
		if err := dropSegment(l.fs, l.dir, s.base); err != nil {
			return err
		}
	}
	if err := l.dropSnapshots(old); err != nil {
		return err
	}
	return writeEpochs(l.fs, l.dir, epochs)
}

// dropSnapshots takes the files of snapshots away.
func (l *Log) dropSnapshots(old []Snapshot) error {
	for _, s := range old {
		if err := dropFile(l.fs, s.Path); err != nil {
			return err
		}
	}
	return nil
}

// dropProducers removes producer snapshots of a longer log.
func (l *Log) dropProducers(end int64) error {
	entries, err := l.fs.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		n, err := index.ParseFileName(e.Name())
		if err != nil || n.Kind != index.KindProducerSnapshot || n.Offset <= end {
			continue
		}
		if err := removeIfThere(l.fs, filepath.Join(l.dir, e.Name())); err != nil {
			return fmt.Errorf("producer snapshot behind the end: %w", err)
		}
	}
	return nil
}
