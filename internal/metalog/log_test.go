package metalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/decode/kbin"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/vfs"
)

// TestAppendRefuses: if one of the batches is not what it must be, none is written.
func TestAppendRefuses(t *testing.T) {
	m := newDisk(t)
	l, _ := open(t, m, tiny())
	must(t, l.Append(batchOf(0, 5, 2, 10)))
	good, after := batchOf(2, 5, 1, 10), batchOf(3, 5, 1, 10)
	change := func(at int, b byte) []byte {
		raw := slices.Clone(after)
		raw[at] ^= b
		return raw
	}
	before := contents(t, m, testDir)
	for name, bad := range map[string][]byte{
		"torn":           after[:len(after)-1],
		"header only":    after[:10],
		"checksum":       change(70, 1),
		"magic 1":        change(16, 3),
		"length":         change(11, 1),
		"huge length":    change(8, 0x7f),
		"small length":   after[:20],
		"next offset":    batchOf(4, 5, 1, 10),
		"same offset":    batchOf(2, 5, 1, 10),
		"earlier epoch":  batchOf(3, 4, 1, 10),
		"negative epoch": batchOf(3, -1, 1, 10),
		"too large":      batchOf(3, 5, 1, decode.MaxBatchSize),
		"offset overflow": func() []byte {
			raw := slices.Clone(after)
			copy(raw, []byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
			return raw
		}(),
	} {
		err := l.Append(append(slices.Clone(good), bad...))
		var damage *corrupt.Error
		if !errors.As(err, &damage) || damage.Pos != int64(len(good)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l.End() != 2 {
		t.Errorf("the log ends at %d", l.End())
	}
	after2 := contents(t, m, testDir)
	for name, data := range before {
		if after2[name] != data {
			t.Errorf("%s has changed", name)
		}
	}
	must(t, l.Append(nil))
	must(t, l.Append(append(good, after...)))
	// The largest batch there is has a segment of its own.
	max := batchOf(4, 5, 1, decode.MaxBatchSize-decode.BatchHeaderSize-14)
	must(t, l.Append(max))
	must(t, l.Append(batchOf(5, 5, 1, 1)))
	if n := len(l.Segments()); n != 3 || len(max) < decode.MaxBatchSize-20 {
		t.Errorf("%d segments, a batch of %d bytes", n, len(max))
	}
	if got, err := l.Read(nil, 4, 1); err != nil || !bytes.Equal(got, max) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestRead reads around the borders.
func TestRead(t *testing.T) {
	l, _ := open(t, newDisk(t), tiny())
	var batches [][]byte
	for i := range int64(30) {
		batches = append(batches, batchOf(3*i, 1, 3, 20))
		must(t, l.Append(batches[i]))
	}
	if len(l.Segments()) < 4 {
		t.Fatalf("%d segments", len(l.Segments()))
	}
	size := len(batches[0])
	for from := range int64(90) {
		for _, c := range []struct{ max, want int }{{0, 1}, {-5, 1}, {size, 1}, {2*size - 1, 1}, {2 * size, 2}} {
			got, err := l.Read([]byte("before"), from, c.max)
			want := []byte("before")
			i := int(from / 3)
			for k := i; k < min(i+c.want, 30); k++ {
				if k > i && slices.ContainsFunc(l.Segments(), func(s Segment) bool { return s.BaseOffset == int64(3*k) }) {
					break
				}
				want = append(want, batches[k]...)
			}
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("from %d, at most %d bytes: %d bytes, want %d, %v", from, c.max, len(got), len(want), err)
			}
		}
	}
	if got, err := l.Read(nil, 90, 100); len(got) != 0 || err != nil {
		t.Errorf("at the end: %d bytes, %v", len(got), err)
	}
	for _, from := range []int64{-1, 91, math.MaxInt64, math.MinInt64} {
		_, err := l.Read(nil, from, 100)
		var out *RangeError
		if !errors.As(err, &out) || *out != (RangeError{from, 0, 90}) {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

// TestReadNoticesRot: bytes that change under an open log are not handed on.
func TestReadNoticesRot(t *testing.T) {
	m := newDisk(t)
	o := tiny()
	o.SegmentBytes = 1 << 20
	l, _ := open(t, m, o)
	var size int
	for i := range int64(20) {
		raw := batchOf(i, 1, 1, 20)
		size = len(raw)
		must(t, l.Append(raw))
	}
	log := []byte(contents(t, m, testDir)[firstSegment])
	for at := range size {
		if at >= epochPosition && at < epochPosition+4 {
			continue // not covered by the checksum
		}
		bad := slices.Clone(log)
		bad[10*size+at] ^= 0x10
		write(t, m, firstSegment, bad)
		if _, err := readAll(l, 10, 4*size); !corrupt.Is(err) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
	write(t, m, firstSegment, log[:15*size])
	if _, err := readAll(l, 0, 4*size); !corrupt.Is(err) {
		t.Errorf("cut: %v", err)
	}
}

// TestRolls: why a segment ends.
func TestRolls(t *testing.T) {
	age := func(base, millis int64) []byte {
		h := decode.NewBatch(base, 1, testTime+millis)
		raw, err := decode.AppendBatch(nil, &h, []decode.Record{{Offset: base, Timestamp: h.BaseTimestamp}})
		must(t, err)
		return raw
	}
	far := func(base int64, delta int32) []byte {
		h := decode.NewBatch(base, 1, testTime)
		h.LastOffsetDelta = delta
		raw, err := decode.AppendBatch(nil, &h, []decode.Record{{Offset: base, Timestamp: h.BaseTimestamp}})
		must(t, err)
		return raw
	}
	for name, c := range map[string]struct {
		o       LogOptions
		batches [][]byte
		want    string // base offsets
	}{
		"size":       {LogOptions{SegmentBytes: 207}, [][]byte{age(0, 0), age(1, 0), age(2, 0), age(3, 0)}, "0 3"},
		"too small":  {LogOptions{SegmentBytes: 10}, [][]byte{age(0, 0), age(1, 0), age(2, 0)}, "0 1 2"},
		"age":        {LogOptions{SegmentMillis: 100}, [][]byte{age(0, 0), age(1, 100), age(2, 101), age(3, 150), age(4, 300)}, "0 2 4"},
		"all at one": {LogOptions{SegmentMillis: 100}, [][]byte{bytes.Join([][]byte{age(0, 0), age(1, 100), age(2, 101)}, nil)}, "0 2"},
		"offsets":    {LogOptions{}, [][]byte{far(0, math.MaxInt32), far(1<<31, 0), far(1<<31+1, math.MaxInt32)}, "0 2147483648 2147483649"},
		// An interval of 1 makes each batch but the first an entry.
		"index full": {LogOptions{IndexIntervalBytes: 1, IndexBytes: 100 * 12}, func() (list [][]byte) {
			for i := range int64(200) {
				list = append(list, age(i, i))
			}
			return list
		}(), ""},
	} {
		m := newDisk(t)
		l, _ := open(t, m, c.o)
		for _, b := range c.batches {
			must(t, l.Append(b))
		}
		must(t, l.Close())
		l, r := open(t, m, c.o)
		var got []string
		for _, s := range l.Segments() {
			got = append(got, fmt.Sprint(s.BaseOffset))
		}
		if c.want != "" && strings.Join(got, " ") != c.want {
			t.Errorf("%s: segments %v, want %s", name, got, c.want)
		}
		if c.want == "" {
			if len(got) < 2 || len(got) > 8 {
				t.Errorf("%s: segments %v", name, got)
			}
			for file, data := range contents(t, m, testDir) {
				if strings.HasSuffix(file, "index") && len(data) > 1200 {
					t.Errorf("%s: %s has %d bytes", name, file, len(data))
				}
			}
		}
		if len(r.Rebuilt) != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		must(t, fsckSilent(m))
	}
}

// TestRollByClock: a segment whose first batch has no time has that of its file.
func TestRollByClock(t *testing.T) {
	now := int64(0)
	l, _ := open(t, newDisk(t), LogOptions{SegmentMillis: 100, Now: func() int64 { return now }})
	for i, at := range []int64{0, 100, 101} {
		now = at
		h := decode.NewBatch(int64(i), 1, -1)
		raw, err := decode.AppendBatch(nil, &h, []decode.Record{{Offset: int64(i), Timestamp: -1}})
		must(t, err)
		must(t, l.Append(raw))
	}
	if s := l.Segments(); len(s) != 2 || s[1].BaseOffset != 2 {
		t.Errorf("segments %v", s)
	}
}

// TestFlushWhileAppending: a sync that takes its time keeps nobody from appending,
// and vouches for nothing that came after it began.
func TestFlushWhileAppending(t *testing.T) {
	began, end := make(chan bool), make(chan bool)
	slow := false
	m := newDisk(t)
	l, _ := open(t, vfs.Inject(m, func(op vfs.Op, path string) error {
		if slow && op == vfs.OpSync && strings.HasSuffix(path, ".log") {
			began <- true
			<-end
		}
		return nil
	}), LogOptions{})
	must(t, l.Append(batchOf(0, 1, 1, 1)))
	slow = true
	type result struct {
		n   int64
		err error
	}
	done := make(chan result)
	flush := func() {
		n, err := l.Flush()
		done <- result{n, err}
	}
	go flush()
	<-began
	must(t, l.Append(batchOf(1, 1, 1, 1)))
	if got, err := readAll(l, 0, 1000); err != nil || len(got) == 0 || l.Flushed() != 0 {
		t.Errorf("%d bytes, %v, flushed %d", len(got), err, l.Flushed())
	}
	end <- true
	if r := <-done; r != (result{1, nil}) {
		t.Fatalf("flushed %+v", r)
	}
	go flush()
	<-began
	end <- true
	if r := <-done; r != (result{2, nil}) {
		t.Errorf("flushed %+v", r)
	}
	if n, err := l.Flush(); n != 2 || err != nil { // without a sync, for which nobody waits
		t.Errorf("flushed %d, %v", n, err)
	}
	slow = false
}

// TestFailedSync: after a sync has failed, none is believed any more.
func TestFailedSync(t *testing.T) {
	fail := false
	m := newDisk(t)
	l, _ := open(t, vfs.Inject(m, func(op vfs.Op, path string) error {
		if fail && op == vfs.OpSync {
			return errDisk
		}
		return nil
	}), tiny())
	must(t, l.Append(batchOf(0, 1, 1, 1)))
	_, err := l.Flush()
	must(t, err)
	must(t, l.Append(batchOf(1, 1, 1, 1)))
	fail = true
	if n, err := l.Flush(); n != 1 || !errors.Is(err, errDisk) || !errors.Is(err, ErrPoisoned) {
		t.Errorf("flush: %d, %v", n, err)
	}
	fail = false
	for name, f := range map[string]func() error{
		"flush":    func() error { _, err := l.Flush(); return err },
		"append":   func() error { return l.Append(batchOf(2, 1, 1, 1)) },
		"truncate": func() error { return l.TruncateTo(1) },
		"snapshot": func() error { _, err := l.CreateSnapshot(SnapshotID{1, 1}); return err },
		"fetched":  func() error { _, err := l.NewSnapshot(SnapshotID{9, 9}); return err },
		"delete":   func() error { _, err := l.DeleteBefore(SnapshotID{1, 1}); return err },
		"replace":  func() error { return l.TruncateFullyTo(SnapshotID{1, 1}) },
	} {
		if err := f(); !errors.Is(err, ErrPoisoned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := l.Read(nil, 0, 1000); err != nil || !bytes.Equal(got, batchOf(0, 1, 1, 1)) {
		t.Errorf("reading what is flushed: %d bytes, %v", len(got), err)
	}
	if _, err := l.Read(nil, 2, 1000); err == nil {
		t.Error("read what may not be there")
	}
	must(t, l.Close())
}

// TestConcurrent appends, flushes, reads, makes snapshots and moves the start, all
// at once; what Flush returned is there after a crash.
func TestConcurrent(t *testing.T) {
	m := newDisk(t)
	l, _ := open(t, m, tiny())
	const batches = 400
	var wg sync.WaitGroup
	stop := make(chan bool)
	wg.Go(func() {
		defer close(stop)
		for i := range int64(batches) {
			if err := l.Append(batchOf(i, 1+int32(i/100), 1, int(i%60))); err != nil {
				t.Error(err)
				return
			}
		}
	})
	running := func() bool {
		select {
		case <-stop:
			return false
		default:
			return true
		}
	}
	for range 2 {
		wg.Go(func() {
			for running() {
				end := l.End()
				n, err := l.Flush()
				if err != nil || n < end {
					t.Errorf("flushed %d of %d: %v", n, end, err)
					return
				}
			}
		})
		wg.Go(func() {
			for running() {
				from := l.Start()
				got, err := l.Read(nil, from, 1000)
				var out *RangeError
				if errors.As(err, &out) && out.Start > from {
					continue // it has moved
				}
				if b, perr := decode.ParseBatch(got, 0); len(got) > 0 && (perr != nil || b.BaseOffset > from) || err != nil {
					t.Errorf("read from %d: %v, %v", from, err, perr)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for running() {
			end, epoch := l.End(), l.LastEpoch()
			w, err := l.CreateSnapshot(SnapshotID{end, epoch})
			if err != nil {
				continue // the epoch is that of a later batch, or there is nothing new
			}
			if err := writeSnapshot(w, nil, snapshotBytes(epoch, 0)); err != nil {
				t.Error(err)
				return
			}
			if _, err := l.Clean(Retention{Bytes: 3000, Millis: -1}, 0); err != nil {
				t.Error(err)
				return
			}
		}
	})
	wg.Go(func() {
		for running() {
			n, err := l.Flush()
			if err != nil {
				t.Error(err)
				return
			}
			after, _, err := OpenLog(m.CrashClone(), testDir, tiny())
			if err != nil || after.End() < n {
				t.Errorf("after a crash: %v", err)
				return
			}
			_ = after.Close()
		}
	})
	wg.Wait()
	must(t, l.Close())
	after, r := open(t, m, tiny())
	if after.End() != batches || r.Cut != nil {
		t.Errorf("end %d, %+v", after.End(), r)
	}
	must(t, fsckSilent(m))
}

// TestSnapshotRefused: what no snapshot can be is no file either.
func TestSnapshotRefused(t *testing.T) {
	m := newDisk(t)
	l, _ := open(t, m, tiny())
	must(t, l.Append(batchOf(0, 1, 3, 1)))
	must(t, l.Append(batchOf(3, 2, 3, 1)))
	must(t, l.Append(batchOf(6, 4, 3, 1)))
	for _, c := range []struct {
		id   SnapshotID
		want error
	}{
		{SnapshotID{4, 2}, ErrSnapshotID}, {SnapshotID{9, 3}, ErrSnapshotID}, {SnapshotID{10, 4}, ErrSnapshotID}, {SnapshotID{6, 1}, ErrSnapshotID},
		{SnapshotID{6, 4}, ErrSnapshotID}, {SnapshotID{3, 2}, ErrSnapshotID}, {SnapshotID{0, 1}, ErrSnapshotID}, {SnapshotID{-1, 0}, ErrSnapshotOld},
		{SnapshotID{3, -1}, ErrSnapshotID},
		{SnapshotID{3, 1}, nil}, {SnapshotID{6, 2}, nil}, {SnapshotID{9, 4}, nil}, {SnapshotID{0, 0}, nil},
	} {
		w, err := l.CreateSnapshot(c.id)
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%v: %v", c.id, err)
		}
		if err == nil {
			must(t, w.Abort())
			must(t, w.Abort())
			if _, err := w.Write(nil); err == nil {
				t.Error("written after the end")
			}
		}
	}
	must(t, func() error {
		w, err := l.CreateSnapshot(SnapshotID{6, 2})
		return writeSnapshot(w, err, snapshotBytes(2, 0))
	}())
	if _, err := l.CreateSnapshot(SnapshotID{6, 2}); !errors.Is(err, ErrSnapshotExists) {
		t.Error(err)
	}
	moved, err := l.DeleteBefore(SnapshotID{6, 2})
	if !moved || err != nil {
		t.Errorf("%v, %v", moved, err)
	}
	if _, err := l.CreateSnapshot(SnapshotID{3, 1}); !errors.Is(err, ErrSnapshotOld) {
		t.Error(err)
	}
	// Damage on the way from the leader.
	for name, data := range map[string][]byte{
		"nothing": nil, "torn": snapshotBytes(7, 0)[:100], "no footer": snapshotBytes(7, 0)[:firstSize(snapshotBytes(7, 0))],
		"another epoch": snapshotBytes(6, 0), "twice": slices.Repeat(snapshotBytes(7, 0), 2), "no header": batchOf(0, 7, 1, 1),
	} {
		w, err := l.NewSnapshot(SnapshotID{30, 7})
		if err := writeSnapshot(w, err, data); !corrupt.Is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name := range contents(t, m, testDir) {
		if strings.Contains(name, "checkpoint") && name != "leader-epoch-checkpoint" && name != "00000000000000000006-0000000002.checkpoint" {
			t.Errorf("%s was left", name)
		}
	}
	info, err := m.Stat(testDir + "/00000000000000000006-0000000002.checkpoint")
	if err != nil || info.Mode().Perm() != 0o400 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := l.ReadSnapshotAt(SnapshotID{3, 1}, 0, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	buf := make([]byte, 10)
	if n, err := l.ReadSnapshotAt(SnapshotID{6, 2}, int64(len(snapshotBytes(2, 0)))-3, buf); n != 3 || err != io.EOF {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, to := range []int64{5, 0, -1} {
		if err := l.TruncateTo(to); !errors.Is(err, ErrTruncation) {
			t.Errorf("to %d: %v", to, err)
		}
	}
	for _, id := range []SnapshotID{{6, 2}, {9, 4}, {20, 9}} {
		if err := l.TruncateFullyTo(id); !errors.Is(err, ErrTruncation) {
			t.Errorf("to %v: %v", id, err)
		}
	}
}

// TestRetention is the rule of the cleaner.
func TestRetention(t *testing.T) {
	for _, c := range []struct {
		r    Retention
		u    Usage
		now  int64
		want bool
	}{
		{Retention{100, 1000}, Usage{Snapshots: 2, LogBytes: 60, SnapshotBytes: 40}, 1000, false},
		{Retention{100, 1000}, Usage{Snapshots: 2, LogBytes: 61, SnapshotBytes: 40}, 1000, true},
		{Retention{-1, 1000}, Usage{Snapshots: 2, LogBytes: 61, SnapshotBytes: 40}, 1000, false},
		{Retention{100, 1000}, Usage{Snapshots: 1, LogBytes: 61, SnapshotBytes: 40}, 5000, false},
		{Retention{100, 1000}, Usage{Snapshots: 2, Oldest: 5}, 1005, false},
		{Retention{100, 1000}, Usage{Snapshots: 2, Oldest: 5}, 1006, true},
		{Retention{100, -1}, Usage{Snapshots: 2, Oldest: 5}, math.MaxInt64, false},
	} {
		if got := c.r.Exceeded(c.u, c.now); got != c.want {
			t.Errorf("%+v, %+v at %d: %v", c.r, c.u, c.now, got)
		}
	}
}

// TestClean drops what is too old, snapshot by snapshot.
func TestClean(t *testing.T) {
	m := newDisk(t)
	l, _ := open(t, m, tiny())
	for i := range int64(40) {
		must(t, l.Append(batchOf(i, 1, 1, 50)))
		if i%10 == 9 {
			w, err := l.CreateSnapshot(SnapshotID{i + 1, 1})
			must(t, writeSnapshot(w, err, snapshotBytes(1, i)))
		}
	}
	for _, c := range []struct{ now, start int64 }{{109, 0}, {110, 20}, {119, 20}, {120, 30}, {1000, 40}} {
		cleaned, err := l.Clean(Retention{Bytes: -1, Millis: 100}, c.now)
		if err != nil || l.Start() != c.start {
			t.Errorf("at %d: %v, %v, start %d, want %d", c.now, cleaned, err, l.Start(), c.start)
		}
	}
	if l.End() != 40 || len(l.Snapshots()) != 1 {
		t.Errorf("end %d, %v", l.End(), l.Snapshots())
	}
	must(t, l.Close())
	must(t, fsckSilent(m))
}

// TestElection: no file, both versions, and a crash in the middle.
func TestElection(t *testing.T) {
	m := newDisk(t)
	must(t, m.MkdirAll(testDir, 0o755))
	must(t, m.SyncDir(testParent))
	s, err := ReadElection(m, testDir)
	if err != nil || s.LeaderEpoch != 0 || s.LeaderID != -1 || s.VotedID != -1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, c := range []struct {
		state quorumstate.State
		want  string
	}{
		{quorumstate.State{LeaderID: 1, LeaderEpoch: 5, VotedID: -1, Voters: []quorumstate.Voter{{ID: 1}, {ID: 2}}},
			`{"clusterId":"","leaderId":1,"leaderEpoch":5,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":1},{"voterId":2}],"data_version":0}`},
		{quorumstate.State{Version: 1, LeaderID: -1, LeaderEpoch: 6, VotedID: 3, VotedDirectoryID: kbin.UUID{15: 9}},
			`{"leaderId":-1,"leaderEpoch":6,"votedId":3,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAACQ","data_version":1}`},
	} {
		must(t, WriteElection(m, testDir, &c.state))
		if got := contents(t, m.CrashClone(), testDir)[quorumstate.FileName]; got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		s, err := ReadElection(m, testDir)
		if err != nil || s.LeaderEpoch != c.state.LeaderEpoch || s.VotedID != c.state.VotedID || s.VotedDirectoryID != c.state.VotedDirectoryID {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if err := WriteElection(m, testDir, &quorumstate.State{Version: 2}); !errors.Is(err, quorumstate.ErrUnknownFormat) {
		t.Error(err)
	}
	write(t, m, quorumstate.FileName, []byte("{"))
	if _, err := ReadElection(m, testDir); !corrupt.Is(err) {
		t.Error(err)
	}
}

// BenchmarkAppendFlush appends a batch of 1 KiB and flushes it, on the real disk.
func BenchmarkAppendFlush(b *testing.B) {
	l, _, err := OpenLog(vfs.OS, b.TempDir()+"/__cluster_metadata-0", LogOptions{})
	must(b, err)
	defer func() { _ = l.Close() }()
	b.SetBytes(int64(len(batchOf(0, 1, 1, 1000))))
	for i := range int64(b.N) {
		b.StopTimer()
		raw := batchOf(i, 1, 1, 1000)
		b.StartTimer()
		must(b, l.Append(raw))
		_, err := l.Flush()
		must(b, err)
	}
}
