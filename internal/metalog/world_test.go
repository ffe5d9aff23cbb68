package metalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/fsck"
	"kraftctl/internal/vfs"
)

// entry is a batch of the model.
type entry struct {
	base, next int64
	epoch      int32
	raw        []byte
}

// model is what a log should hold.
type model struct {
	start, flushed int64
	fresh          int64 // the end of an empty log
	entries        []entry
	snapshots      map[SnapshotID]string
}

func (m model) clone() model {
	m.entries, m.snapshots = slices.Clone(m.entries), maps.Clone(m.snapshots)
	return m
}

func (m model) end() int64 {
	if n := len(m.entries); n > 0 {
		return m.entries[n-1].next
	}
	return m.fresh
}

func (m model) ids() []SnapshotID {
	return slices.SortedFunc(maps.Keys(m.snapshots), func(a, b SnapshotID) int {
		return compareSnapshots(Snapshot{EndOffset: a.EndOffset, Epoch: a.Epoch}, Snapshot{EndOffset: b.EndOffset, Epoch: b.Epoch})
	})
}

// bytes are those of the batches that have an offset in [from, to).
func (m model) bytes(from, to int64) []byte {
	var all []byte
	for _, e := range m.entries {
		if e.next > from && e.base < to {
			all = append(all, e.raw...)
		}
	}
	return all
}

// epochs are those of the batches that there are from base on.
func (m model) epochs(base, from, to int64) []index.EpochEntry {
	var list []index.EpochEntry
	for _, e := range m.entries {
		if e.base < base || e.base >= to {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Epoch != e.epoch {
			list = append(list, index.EpochEntry{Epoch: e.epoch, StartOffset: e.base})
		}
	}
	return epochsFrom(list, from)
}

func (m model) epoch() int32 {
	if n := len(m.entries); n > 0 {
		return m.entries[n-1].epoch
	}
	for id := range m.snapshots {
		if id.EndOffset == m.fresh {
			return id.Epoch
		}
	}
	return 0
}

// drop forgets snapshots below an offset.
func (m *model) drop(offset int64) {
	maps.DeleteFunc(m.snapshots, func(id SnapshotID, _ string) bool { return id.EndOffset < offset })
}

// world is a log and its model, to which the same things happen.
type world struct {
	fs   vfs.FS
	o    LogOptions
	l    *Log
	pick func(n int) int // a number below n

	harmless bool // the operation that is under way writes a snapshot, and nothing else

	// was is the model before the operation that is under way, now the one after it.
	was, now model
}

func newWorld(fsys vfs.FS, pick func(int) int) *world {
	return &world{fs: fsys, o: tiny(), pick: pick, was: model{snapshots: map[SnapshotID]string{}}, now: model{snapshots: map[SnapshotID]string{}}}
}

// open opens the log, after which it must be all there.
func (w *world) open() error {
	l, r, err := OpenLog(w.fs, testDir, w.o)
	if err != nil {
		return err
	}
	w.l = l
	if r.Cut != nil || r.Replaced != nil {
		return fmt.Errorf("nothing has happened: recovery %+v", r)
	}
	w.now.flushed = l.End()
	w.restarted()
	return w.same()
}

// restarted moves the start to where it is after OpenLog.
func (w *world) restarted() {
	base := w.l.Segments()[0].BaseOffset
	w.now.start = base
	if base > 0 {
		w.now.start = w.now.ids()[0].EndOffset
	}
}

// same compares the log with its model.
func (w *world) same() error {
	l, m := w.l, w.now
	if l.Start() != m.start || l.End() != m.end() || l.Flushed() != m.flushed || l.LastEpoch() != m.epoch() {
		return fmt.Errorf("log from %d to %d, flushed %d, epoch %d; want %d to %d, %d, %d",
			l.Start(), l.End(), l.Flushed(), l.LastEpoch(), m.start, m.end(), m.flushed, m.epoch())
	}
	return sameLog(l, m)
}

// sameLog compares batches, epochs and snapshots.
func sameLog(l *Log, m model) error {
	got, err := readAll(l, l.Start(), 300)
	if want := m.bytes(l.Start(), l.End()); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("%d bytes of batches, want %d: %w", len(got), len(want), err)
	}
	if got, want := l.Epochs(), m.epochs(l.Segments()[0].BaseOffset, l.Start(), l.End()); !slices.Equal(got, want) {
		return fmt.Errorf("epochs %v, want %v", got, want)
	}
	var ids []SnapshotID
	for _, s := range l.Snapshots() {
		ids = append(ids, s.ID())
		buf := make([]byte, 1000)
		if n, _ := l.ReadSnapshotAt(s.ID(), 0, buf); string(buf[:n]) != m.snapshots[s.ID()] || s.Bytes != int64(n) {
			return fmt.Errorf("snapshot %v has %d bytes", s.ID(), n)
		}
	}
	if !slices.Equal(ids, m.ids()) {
		return fmt.Errorf("snapshots %v, want %v", ids, m.ids())
	}
	return nil
}

// step does one thing. The error is one of the file system, or of the log where it
// differs from the model.
func (w *world) step() error {
	w.was, w.now = w.now, w.now.clone()
	w.harmless = false
	switch w.pick(14) {
	case 0, 1, 2, 3, 4:
		return w.append()
	case 5, 6:
		return w.flush()
	case 7:
		return w.truncate()
	case 8, 9:
		return w.snapshot()
	case 10:
		return w.fetch()
	case 11:
		return w.deleteBefore()
	case 12:
		return w.clean()
	}
	return w.reopen()
}

func (w *world) append() error {
	var raw []byte
	epoch := w.now.epoch()
	for range 1 + w.pick(3) {
		if w.pick(4) == 0 {
			epoch += int32(1 + w.pick(2))
		}
		base := w.now.end()
		b := batchOf(base, epoch, 1+w.pick(3), 5+w.pick(90))
		parsed, err := decode.ParseBatch(b, 0)
		if err != nil {
			return err
		}
		w.now.entries = append(w.now.entries, entry{base, parsed.NextOffset(), epoch, b})
		raw = append(raw, b...)
	}
	if err := w.l.Append(raw); err != nil {
		return err
	}
	w.now.flushed = w.l.Flushed() // rolling a segment flushes
	if w.now.flushed < w.was.flushed || w.now.flushed > w.now.end() {
		return fmt.Errorf("appending moved flushed to %d", w.now.flushed)
	}
	return nil
}

func (w *world) flush() error {
	n, err := w.l.Flush()
	if err == nil && n != w.now.end() {
		err = fmt.Errorf("flush gives %d of %d", n, w.now.end())
	}
	w.now.flushed = w.now.end()
	return err
}

func (w *world) truncate() error {
	floor := w.now.start
	if ids := w.now.ids(); len(ids) > 0 {
		floor = max(floor, ids[len(ids)-1].EndOffset)
	}
	if floor > 0 && w.pick(3) == 0 {
		if err := w.l.TruncateTo(floor - 1); !errors.Is(err, ErrTruncation) && floor-1 < w.now.end() {
			return fmt.Errorf("truncating to %d, below a snapshot: %w", floor-1, err)
		}
	}
	if floor >= w.now.end() {
		return nil
	}
	to := floor + int64(w.pick(int(w.now.end()-floor)+2))
	for len(w.now.entries) > 0 && w.now.entries[len(w.now.entries)-1].next > to {
		w.now.fresh = w.now.entries[len(w.now.entries)-1].base
		w.now.entries = w.now.entries[:len(w.now.entries)-1]
		w.now.flushed = w.now.end()
	}
	return w.l.TruncateTo(to)
}

// snapshot makes one of what the log has.
func (w *world) snapshot() error {
	if len(w.now.entries) == 0 {
		return nil
	}
	e := w.now.entries[w.pick(len(w.now.entries))]
	id := SnapshotID{e.next, e.epoch}
	if e.next-e.base > 1 {
		if _, err := w.l.CreateSnapshot(SnapshotID{e.next - 1, e.epoch}); !errors.Is(err, ErrSnapshotID) && !errors.Is(err, ErrSnapshotOld) {
			return fmt.Errorf("a snapshot within a batch: %w", err)
		}
	}
	data := snapshotBytes(id.Epoch, testTime+e.base)
	_, exists := w.now.snapshots[id]
	sw, err := w.l.CreateSnapshot(id)
	if exists || id.EndOffset <= w.now.start {
		if err == nil {
			return errors.Join(sw.Abort(), fmt.Errorf("a snapshot %v, which is there or below the start", id))
		}
		return nil
	}
	w.now.snapshots[id] = string(data)
	w.harmless = true
	return writeSnapshot(sw, err, data)
}

// fetch gets a snapshot from a leader that is ahead, and begins anew with it.
func (w *world) fetch() error {
	if w.pick(2) == 0 {
		return nil
	}
	id := SnapshotID{w.now.end() + 2 + int64(w.pick(20)), w.now.epoch()}
	if w.pick(2) == 0 { // the end of the log is not that of the leader
		id.Epoch++
		floor := w.now.start
		if ids := w.now.ids(); len(ids) > 0 {
			floor = max(floor, ids[len(ids)-1].EndOffset)
		}
		if len(w.now.entries) == 0 {
			floor++ // what is at the start of an empty log is that snapshot's
		}
		id.EndOffset = floor + int64(w.pick(int(id.EndOffset-floor)))
	}
	data := snapshotBytes(id.Epoch, testTime)
	w.now.snapshots[id] = string(data)
	sw, err := w.l.NewSnapshot(id)
	w.harmless = true
	if err := writeSnapshot(sw, err, data); err != nil {
		return err
	}
	w.harmless = false
	w.was, w.now = w.now, w.now.clone()
	w.now.entries, w.now.fresh = nil, id.EndOffset
	w.now.start, w.now.flushed = id.EndOffset, id.EndOffset
	w.now.drop(id.EndOffset)
	maps.DeleteFunc(w.now.snapshots, func(other SnapshotID, _ string) bool { return other != id })
	return w.l.TruncateFullyTo(id)
}

func (w *world) deleteBefore() error {
	ids := w.now.ids()
	if len(ids) == 0 {
		return nil
	}
	id := ids[w.pick(len(ids))]
	moves := id.EndOffset > w.now.start
	if moves {
		w.now.start = id.EndOffset
		w.now.drop(id.EndOffset)
	}
	moved, err := w.l.DeleteBefore(id)
	if err == nil && moved != moves {
		err = fmt.Errorf("DeleteBefore(%v) says %v", id, moved)
	}
	return err
}

// clean leaves the latest snapshot only.
func (w *world) clean() error {
	ids := w.now.ids()
	moves := len(ids) > 1
	if moves {
		w.now.start = ids[len(ids)-1].EndOffset
		w.now.drop(w.now.start)
	}
	cleaned, err := w.l.Clean(Retention{Bytes: 0, Millis: -1}, testTime)
	if err == nil && cleaned != moves {
		err = fmt.Errorf("clean says %v", cleaned)
	}
	return err
}

func (w *world) reopen() error {
	w.now.flushed = w.now.end()
	if err := w.l.Close(); err != nil {
		return err
	}
	w.l = nil
	return w.open()
}

// survived checks what is there after the operation under way was cut off.
func (w *world) survived(fsys vfs.FS) error {
	l, r, err := OpenLog(fsys, testDir, w.o)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer l.Close()
	if err := w.allowed(l, r); err != nil {
		return fmt.Errorf("log from %d to %d, recovery %+v: %w", l.Start(), l.End(), r, err)
	}
	if n := l.Segments()[0].BaseOffset; n > 0 && (len(l.Snapshots()) == 0 || l.Snapshots()[0].EndOffset != l.Start()) {
		return fmt.Errorf("the log starts at %d with snapshots %v", l.Start(), l.Snapshots())
	}
	// What the log says is flushed is so, also when the process has died and the
	// machine did not.
	if m, ok := fsys.(*vfs.Mem); ok {
		after, _, err := OpenLog(m.CrashClone(), testDir, w.o)
		if err != nil {
			return fmt.Errorf("a crash after the open: %w", err)
		}
		defer after.Close()
		if after.Start() != l.Start() || after.End() != l.Flushed() || l.Flushed() != l.End() {
			return fmt.Errorf("a crash after the open: %d to %d, before it %d to %d, flushed %d", after.Start(), after.End(), l.Start(), l.End(), l.Flushed())
		}
	}
	// Life goes on.
	if err := l.Append(batchOf(l.End(), l.LastEpoch()+1, 1, 10)); err != nil {
		return err
	}
	if err := l.Close(); err != nil {
		return err
	}
	if err := fsckSilent(fsys); err != nil {
		return err
	}
	again, r, err := OpenLog(fsys, testDir, w.o)
	if err != nil {
		return err
	}
	defer again.Close()
	// Each opening adds a time to the index of the active segment, as Kafka's does.
	r.Rebuilt = slices.DeleteFunc(r.Rebuilt, func(name string) bool { return strings.HasSuffix(name, ".timeindex") })
	// The producer snapshot of the end is that of no end any more.
	r.Removed = slices.DeleteFunc(r.Removed, func(name string) bool { return strings.HasSuffix(name, ".snapshot") })
	if r.Cut != nil || r.Replaced != nil || len(r.Removed)+len(r.Rebuilt) > 0 || again.End() != l.End() {
		return fmt.Errorf("the second recovery is %+v, from %d to %d", r, again.Start(), again.End())
	}
	return nil
}

// allowed checks a log against the models before and after the operation.
func (w *world) allowed(l *Log, r *Recovery) error {
	if r.Replaced != nil {
		_, before := w.was.snapshots[*r.Replaced]
		_, after := w.now.snapshots[*r.Replaced]
		if !before && !after {
			return errors.New("a snapshot from nowhere")
		}
	}
	var errs []error
	for _, m := range []model{w.was, w.now} {
		errs = append(errs, w.fits(l, m))
	}
	if errs[0] == nil || errs[1] == nil {
		return nil
	}
	return errors.Join(errs...)
}

// fits checks a log against a model, some of whose last batches may be lost. What
// was flushed before the operation and is not taken away by it must be there, in
// the log or in a snapshot.
func (w *world) fits(l *Log, m model) error {
	if need := min(w.was.flushed, w.now.flushed, m.end()); l.End() < need {
		return fmt.Errorf("%d was flushed, the log ends at %d", need, l.End())
	}
	if l.Start() > max(w.was.start, w.now.start) && l.Start() != l.End() {
		return fmt.Errorf("the log starts at %d", l.Start())
	}
	m = m.clone()
	for id := range m.snapshots {
		// The one that the operation makes or takes away may be there or not.
		_, before := w.was.snapshots[id]
		_, after := w.now.snapshots[id]
		here := slices.ContainsFunc(l.Snapshots(), func(s Snapshot) bool { return s.ID() == id })
		if before && after && !here && id.EndOffset >= l.Start() {
			return fmt.Errorf("snapshot %v is gone", id)
		}
		if !here {
			delete(m.snapshots, id)
		}
	}
	if l.Start() == l.End() { // begun anew
		id := l.Snapshots()
		if len(id) > 0 && id[len(id)-1].EndOffset == l.End() && len(l.Epochs()) == 0 {
			m.entries = nil
		}
	}
	return sameLog(l, m)
}

// fsckSilent checks the directory as a whole.
func fsckSilent(fsys vfs.FS) error {
	state := &quorumstate.State{Version: 1, LeaderID: 1, LeaderEpoch: 1 << 20, VotedID: quorumstate.None}
	if err := WriteElection(fsys, testDir, state); err != nil {
		return err
	}
	r, err := fsck.Check(context.Background(), fsys, []string{testDir}, fsck.Options{Workers: 1})
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range r.Findings {
		errs = append(errs, fmt.Errorf("%s %s: %s", f.Rule, f.File, f.Message))
	}
	return errors.Join(errs...)
}
