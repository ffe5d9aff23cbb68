package metalog

import (
	"context"
	"errors"
	"path/filepath"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/vfs"
)

// TopicID is the id of the topic __cluster_metadata: AAAAAAAAAAAAAAAAAAAAAQ.
var TopicID = kbin.UUID{15: 1}

// SnapshotID names a snapshot.
type SnapshotID struct {
	EndOffset int64 // behind the last record that it stands for
	Epoch     int32 // of that record
}

// ID is the snapshot's name.
func (s Snapshot) ID() SnapshotID { return SnapshotID{s.EndOffset, s.Epoch} }

// Recovery tells what OpenLog found and did. A sound log gives the zero value, but
// for indexes (Kafka fills them up with zeros, and each start adds a time to that of
// the active segment) and the producer snapshot of an earlier end.
type Recovery struct {
	// Created says that there was no log.
	Created bool
	// Cut is a torn end that was cut off, nil if there was none. What a power
	// failure tears was never acknowledged; but nothing tells damage to the last
	// batch from it.
	Cut *Cut
	// Replaced is the snapshot with which the log starts anew, because it is newer
	// than all of the log; nil if none is.
	Replaced *SnapshotID
	// Removed are the names of unfinished, deleted and outdated files that are gone.
	Removed []string
	// Rebuilt are the names of indexes, of producer snapshots and of the checkpoint of
	// epochs that did not say what the log says, and were written again.
	Rebuilt []string
}

// Cut is the torn end of a log.
type Cut struct {
	File   string // path of the segment
	Pos    int64  // byte in it from which on it was cut
	Bytes  int64  // how many went
	Offset int64  // in the log: its end since then
	Reason error  // why there was no batch
}

// OpenLog opens the metadata log in a directory, which is that of the partition,
// and makes directory and log if there are none. All of the log is read: every
// batch is checked, as are offsets and epochs from batch to batch, and the indexes
// and the checkpoint of epochs are made to say what the log says. All that was
// found is durable when OpenLog returns.
//
// A torn end is cut off: bytes at the end of the last segment that are no batch,
// with no batch behind them. Other damage is a *corrupt.Error, and then nothing
// was changed on disk:
//
//   - anything wrong with a segment that is not the last one, or with a batch that
//     has another one behind it: these bytes were durable, and are rotten;
//   - leader epochs that fall. The checksum does not cover them, and it may be the
//     batch before whose epoch has changed;
//   - a log that starts above 0 with no snapshot at its start or later, or whose
//     latest snapshot ends behind it although it is older;
//   - a snapshot that would replace the log, and is damaged itself;
//   - the topic id of another topic, and names of files that Kafka cannot read.
//
// The log starts at the base offset of its first segment. When that is not 0, it
// starts at the end of the earliest snapshot instead, which may lie inside the
// first segment, so that there is a snapshot to begin with at the start: Kafka
// holds to that while it runs, though not over a restart. (Old releases made
// snapshots that end inside a batch; for those it stays at the base offset.) A log
// from 0 needs no snapshot, and starts there again even if its start had moved on
// inside the first segment.
//
// An epoch that was changed to another one between those of its neighbours is not
// noticed, since no checksum covers it; but then leader-epoch-checkpoint is in
// Recovery.Rebuilt.
func OpenLog(fsys vfs.FS, dir string, o LogOptions) (*Log, *Recovery, error) {
	o.fill()
	if err := fsys.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	p := &plan{fs: fsys, dir: dir, o: &o}
	if err := p.make(context.Background()); err != nil {
		return nil, nil, err
	}
	l := &Log{fs: fsys, dir: dir, o: o}
	r, err := p.carryOut(l)
	if err != nil {
		for _, s := range p.segments {
			_ = s.Close() // the first error is the one that matters
		}
		return nil, nil, err
	}
	return l, r, nil
}

// carryOut changes the directory as planned and opens its files. Each step leaves
// something that is planned for again after a power failure.
func (p *plan) carryOut(l *Log) (*Recovery, error) {
	r := &Recovery{Created: len(p.segments) == 0 && p.replaced == nil, Cut: p.cut}
	// The snapshots that make others outdated, or the log, must not be the ones that go.
	if err := p.fs.SyncDir(p.dir); err != nil {
		return nil, err
	}
	steps := []func(*Recovery) error{p.dropOld, p.replace, p.openSegments, p.writeMetadata, p.rebuild}
	for _, step := range steps {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	// The names of this directory, some of which a process that died may not have
	// synced, and its own.
	if err := errors.Join(p.fs.SyncDir(p.dir), p.fs.SyncDir(filepath.Dir(p.dir))); err != nil {
		return nil, err
	}
	l.segments, l.epochs, l.snapshots, l.start, l.end = p.segments, p.epochs, p.snapshots, p.start, p.end
	l.flushed = l.end
	return r, nil
}

// dropOld removes what is unfinished, outdated, or left from a removal.
func (p *plan) dropOld(r *Recovery) error {
	for _, name := range p.old {
		if err := removeIfThere(p.fs, filepath.Join(p.dir, name)); err != nil {
			return err
		}
		r.Removed = append(r.Removed, name)
	}
	return nil
}

// replace takes the log away that a newer snapshot stands for.
func (p *plan) replace(r *Recovery) error {
	if p.replaced == nil {
		return nil
	}
	r.Replaced = p.replaced
	if err := dropLog(p.fs, p.dir, p.segments); err != nil {
		return err
	}
	p.segments = nil
	return nil
}

// openSegments opens the segments for writing, cuts the torn end off, and makes
// sure of their bytes. Without a segment it makes one.
func (p *plan) openSegments(*Recovery) (err error) {
	for _, s := range p.segments {
		if s.file, err = p.fs.OpenReadWrite(s.path, filePerm); err != nil {
			return err
		}
		if p.cut != nil && p.cut.File == s.path {
			if err := s.file.Truncate(s.size); err != nil {
				return err
			}
		}
		// What was read may be in memory only: the process that wrote it has died,
		// and the machine has not.
		if err := s.file.Sync(); err != nil {
			return err
		}
	}
	if len(p.segments) > 0 {
		return nil
	}
	s := newSegment(p.dir, p.end, p.o)
	p.segments = []*segment{s}
	return s.create(p.fs)
}

func (p *plan) writeMetadata(*Recovery) error {
	if p.hasMetadata {
		return nil
	}
	return vfs.WriteFileAtomic(p.fs, metadataFile(p.dir), index.AppendPartitionMetadata(nil, index.PartitionMetadata{TopicID: TopicID}), filePerm)
}

// rebuild writes the files that follow from the log.
func (p *plan) rebuild(r *Recovery) error {
	for _, s := range p.segments {
		rebuilt, err := s.writeIndexes(p.fs)
		if err != nil {
			return err
		}
		r.Rebuilt = append(r.Rebuilt, rebuilt...)
	}
	for _, offset := range p.producers {
		path := segmentFile(p.dir, offset, index.KindProducerSnapshot)
		same, err := holds(p.fs, path, noProducers)
		if err == nil && !same {
			r.Rebuilt = append(r.Rebuilt, filepath.Base(path))
			err = writeFile(p.fs, path, noProducers)
		}
		if err != nil {
			return err
		}
	}
	active := p.segments[len(p.segments)-1]
	if active.offsets == nil {
		if err := active.openIndexes(p.fs); err != nil {
			return err
		}
	}
	path := epochFile(p.dir)
	if same, err := holds(p.fs, path, index.AppendEpochCheckpoint(nil, p.epochs)); same || err != nil {
		return err
	}
	if !r.Created {
		r.Rebuilt = append(r.Rebuilt, filepath.Base(path))
	}
	return writeEpochs(p.fs, p.dir, p.epochs)
}
