package metalog

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// LogOptions say how a Log cuts its segments. The zero value is Kafka's default.
type LogOptions struct {
	// SegmentBytes is how large a segment may grow, in bytes; 0 is 1 GiB. A batch
	// that is larger has a segment of its own. (metadata.log.segment.bytes)
	SegmentBytes int64
	// SegmentMillis is how far the timestamps of a segment may lie apart, in
	// milliseconds; 0 is 7 days. (metadata.log.segment.ms)
	SegmentMillis int64
	// IndexIntervalBytes is how many bytes lie between two entries of an index at
	// least; 0 is 4096. (index.interval.bytes)
	IndexIntervalBytes int64
	// IndexBytes is how large an index may grow, in bytes, before its segment is
	// full; 0 is 10 MiB. (segment.index.bytes)
	IndexBytes int64
	// Now is the wall clock in milliseconds since 1970; nil is that of the system.
	Now func() int64
}

func (o *LogOptions) fill() {
	for field, value := range map[*int64]int64{&o.SegmentBytes: 1 << 30, &o.SegmentMillis: 7 * 24 * 3600 * 1000, &o.IndexIntervalBytes: 4096, &o.IndexBytes: 10 << 20} {
		if *field <= 0 {
			*field = value
		}
	}
	o.SegmentBytes = min(o.SegmentBytes, math.MaxInt32) // positions in indexes are int32
	if o.Now == nil {
		o.Now = func() int64 { return time.Now().UnixMilli() }
	}
}

// ErrClosed is returned for a Log after Close.
var ErrClosed = errors.New("the metadata log is closed")

// ErrPoisoned is around the error of a write or sync that failed: what is on disk
// since then is not known. The log must be opened again, which looks. After a sync
// that failed it should be opened by another boot of the machine: until then the
// system may show bytes that it failed to write, and take them for written.
var ErrPoisoned = errors.New("the metadata log cannot be written any more")

// RangeError is an offset that the log does not have.
type RangeError struct {
	Offset     int64
	Start, End int64 // what it has: from Start on, up to but not with End
}

// Error names the offset and the range.
func (e *RangeError) Error() string {
	return fmt.Sprintf("offset %d is out of the range of the metadata log, which is from %d to %d", e.Offset, e.Start, e.End)
}

// Log is the metadata log of a replica, open for writing: see the package
// comment for what is durable when. Whoever opens it holds the lock of the log
// directory. Its methods may be called from several goroutines; one of them
// changes the log at a time, while others read, and one syncs.
type Log struct {
	fs  vfs.FS
	dir string
	o   LogOptions

	// Locks are taken in this order.
	writing sync.Mutex   // held by whoever changes files
	syncing sync.Mutex   // held while the log's segments are synced, or taken away
	mu      sync.RWMutex // guards what follows

	segments  []*segment // never empty; the last one is written to
	start     int64
	end       int64
	flushed   int64
	epochs    []index.EpochEntry
	snapshots []Snapshot
	failed    error // around ErrPoisoned, or ErrClosed
}

// Start is the first offset that the log has.
func (l *Log) Start() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.start
}

// End is the offset that the next batch gets.
func (l *Log) End() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.end
}

// Flushed is the offset below which everything survives a power failure.
func (l *Log) Flushed() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.flushed
}

// LastEpoch is the leader epoch of the last batch; of the snapshot with which
// the log starts if there is no batch, and 0 without one.
func (l *Log) LastEpoch() int32 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return lastEpoch(l.epochs, l.snapshots, l.start)
}

// Epochs are the leader epochs of the log and where each starts, ascending. The
// first one starts at Start.
func (l *Log) Epochs() []index.EpochEntry {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.epochs)
}

// Snapshots are the finished snapshots, by end offset and epoch.
func (l *Log) Snapshots() []Snapshot {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return slices.Clone(l.snapshots)
}

// Segments are the files of the log, by base offset.
func (l *Log) Segments() []Segment {
	l.mu.RLock()
	defer l.mu.RUnlock()
	list := make([]Segment, len(l.segments))
	for i, s := range l.segments {
		list[i] = s.describe()
	}
	return list
}

// active is the segment that is written to. It is called with mu, or writing, held.
func (l *Log) active() *segment { return l.segments[len(l.segments)-1] }

// usable is the error of a log that cannot be changed.
func (l *Log) usable() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.failed
}

// poison ends all writing after an error of the file system, and returns what
// everybody is told from now on. It is called without mu.
func (l *Log) poison(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.poisonLocked(err)
}

func (l *Log) poisonLocked(err error) error {
	if l.failed == nil {
		l.failed = fmt.Errorf("%s: %w: %w", l.dir, ErrPoisoned, err)
	}
	return l.failed
}

// Close flushes the log, leaves its indexes as Kafka does, and closes its files.
// A log that had failed is closed and nothing more. The log cannot be used then;
// a second Close does nothing.
func (l *Log) Close() error {
	l.writing.Lock()
	defer l.writing.Unlock()
	failed := l.usable()
	if errors.Is(failed, ErrClosed) {
		return nil
	}
	var err error
	if failed == nil {
		if err = l.flush(); err == nil {
			err = errors.Join(l.active().finish(), writeProducers(l.fs, l.dir, l.end))
		}
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = ErrClosed
	return errors.Join(err, closeSegments(l.segments))
}
