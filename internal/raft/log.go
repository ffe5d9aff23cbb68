package raft

import (
	"cmp"
	"fmt"
	"slices"
)

// EpochStart says at which offset the records of an epoch begin.
type EpochStart struct {
	Epoch int32
	Start int64
}

// Snapshot is a snapshot in the replica's directory.
type Snapshot struct {
	ID   SnapshotID
	Size int64 // in bytes
}

// logState is what the replica knows of its log: offsets and epochs, no records.
type logState struct {
	start   int64 // offset of the first record that is there
	end     int64 // offset behind the last one
	flushed int64 // all below it is durable
	epochs  []EpochStart
	// snapshots by offset and epoch. The one of format, 0/0, is none of them: it holds
	// no data.
	snapshots []Snapshot
}

// lastEpoch is the epoch of the last record, that of the snapshot which an empty log
// follows, or 0.
func (l *logState) lastEpoch() int32 {
	if n := len(l.epochs); n > 0 {
		return l.epochs[n-1].Epoch
	}
	if s, ok := l.snapshotAt(l.start); ok {
		return s.ID.Epoch
	}
	return 0
}

// position is the end of the log with the epoch of its last record.
func (l *logState) position() SnapshotID { return SnapshotID{l.end, l.lastEpoch()} }

func (l *logState) snapshotAt(offset int64) (Snapshot, bool) {
	for _, s := range l.snapshots {
		if s.ID.EndOffset == offset {
			return s, true
		}
	}
	return Snapshot{}, false
}

func (l *logState) snapshot(id SnapshotID) (Snapshot, bool) {
	for _, s := range l.snapshots {
		if s.ID == id {
			return s, true
		}
	}
	return Snapshot{}, false
}

func (l *logState) latestSnapshot() (Snapshot, bool) {
	if n := len(l.snapshots); n > 0 {
		return l.snapshots[n-1], true
	}
	return Snapshot{}, false
}

func (l *logState) earliestSnapshot() (Snapshot, bool) {
	if len(l.snapshots) > 0 {
		return l.snapshots[0], true
	}
	return Snapshot{}, false
}

// endOffsetForEpoch is the largest epoch up to e that the log has, with the offset at
// which it ends. An epoch older than all of them ends where the log begins; an empty
// log ends where it is (section 6).
func (l *logState) endOffsetForEpoch(e int32) SnapshotID {
	i, ok := slices.BinarySearchFunc(l.epochs, e, func(s EpochStart, e int32) int { return cmp.Compare(s.Epoch, e) })
	if !ok {
		i--
	}
	switch {
	case len(l.epochs) == 0:
		return l.position()
	case i < 0:
		return SnapshotID{l.epochs[0].Start, e}
	case i+1 < len(l.epochs):
		return SnapshotID{l.epochs[i+1].Start, l.epochs[i].Epoch}
	}
	return SnapshotID{l.end, l.epochs[i].Epoch}
}

// appended takes a batch that goes to the end of the log.
func (l *logState) appended(b *Batch) {
	if n := len(l.epochs); n == 0 || l.epochs[n-1].Epoch < b.Epoch {
		l.epochs = append(l.epochs, EpochStart{b.Epoch, b.Base})
	}
	l.end = b.End()
}

// truncate drops all records at and behind an offset.
func (l *logState) truncate(offset int64) {
	l.end = offset
	l.flushed = min(l.flushed, offset)
	for n := len(l.epochs); n > 0 && l.epochs[n-1].Start >= offset; n-- {
		l.epochs = l.epochs[:n-1]
	}
}

// restartAt empties the log, which begins anew behind a snapshot.
func (l *logState) restartAt(s Snapshot) {
	l.start, l.end, l.flushed = s.ID.EndOffset, s.ID.EndOffset, s.ID.EndOffset
	l.epochs = nil
	l.snapshots = []Snapshot{s}
}

// addSnapshot takes a snapshot that is in the directory now.
func (l *logState) addSnapshot(s Snapshot) {
	if s.ID == bootstrapSnapshot {
		return
	}
	i, ok := slices.BinarySearchFunc(l.snapshots, s.ID, func(a Snapshot, id SnapshotID) int {
		switch {
		case a.ID == id:
			return 0
		case a.ID.before(id):
			return -1
		}
		return 1
	})
	if !ok {
		l.snapshots = slices.Insert(l.snapshots, i, s)
	}
}

// moveStart drops the records below an offset, and the snapshots older than it.
func (l *logState) moveStart(offset int64) {
	l.start = max(l.start, offset)
	l.snapshots = slices.DeleteFunc(l.snapshots, func(s Snapshot) bool { return s.ID.EndOffset < l.start })
	for len(l.epochs) > 1 && l.epochs[1].Start <= l.start {
		l.epochs = l.epochs[1:]
	}
	if len(l.epochs) > 0 && l.epochs[0].Start < l.start {
		l.epochs[0].Start = l.start
		if l.start >= l.end {
			l.epochs = nil // nothing is left of it but the snapshot's epoch
		}
	}
}

// valid reports whether an offset with an epoch is a place that the log has passed.
func (l *logState) valid(id SnapshotID) bool {
	if s, ok := l.snapshotAt(id.EndOffset); ok {
		return s.ID.Epoch == id.Epoch
	}
	got := l.endOffsetForEpoch(id.Epoch)
	return got.Epoch == id.Epoch && id.EndOffset <= got.EndOffset && id.EndOffset > l.startOf(id.Epoch) && id.EndOffset > l.start
}

// startOf is the offset at which an epoch begins; the end of the log if it is not there.
func (l *logState) startOf(e int32) int64 {
	for _, s := range l.epochs {
		if s.Epoch == e {
			return s.Start
		}
	}
	return l.end
}

// check looks for contradictions in what was found on disk.
func (l *logState) check() error {
	switch {
	case l.start < 0 || l.end < l.start:
		return fmt.Errorf("the log begins at offset %d and ends at %d", l.start, l.end)
	case l.start > 0 && len(l.snapshots) == 0:
		return fmt.Errorf("the log begins at offset %d and no snapshot stands for what was before", l.start)
	}
	if s, ok := l.latestSnapshot(); ok && s.ID.EndOffset > l.end {
		return fmt.Errorf("the log ends at offset %d, and the latest snapshot at %d", l.end, s.ID.EndOffset)
	}
	for i, e := range l.epochs {
		if e.Start < l.start || e.Start >= l.end || i > 0 && (l.epochs[i-1].Epoch >= e.Epoch || l.epochs[i-1].Start >= e.Start) {
			return fmt.Errorf("epoch %d begins at offset %d, in a log from %d to %d", e.Epoch, e.Start, l.start, l.end)
		}
	}
	if len(l.epochs) == 0 && l.end > l.start || len(l.epochs) > 0 && l.epochs[0].Start > l.start {
		return fmt.Errorf("the log has records from offset %d on, and no epoch for them", l.start)
	}
	return nil
}
