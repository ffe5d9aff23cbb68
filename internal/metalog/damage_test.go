package metalog

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

const (
	firstSegment  = "00000000000000000000.log"
	snapshotPath  = "%020d-%010d.checkpoint"
	epochPosition = 12 // of the leader epoch in a batch, which is not covered by the checksum
)

// damagedLog is a flushed log, whose segments hold batches of the given epochs.
func damagedLog(t *testing.T, o LogOptions, epochs []int32) (m *vfs.Mem, batches [][]byte) {
	m = newDisk(t)
	l, _ := open(t, m, o)
	for _, epoch := range epochs {
		raw := batchOf(l.End(), epoch, 2, 20)
		must(t, l.Append(raw))
		batches = append(batches, raw)
	}
	_, err := l.Flush()
	must(t, err)
	return m.CrashClone(), batches
}

// write puts bytes into a file, as a disk may do on its own.
func write(t *testing.T, m vfs.FS, name string, data []byte) {
	t.Helper()
	f, err := m.Create(filepath.Join(testDir, name), 0o644)
	must(t, err)
	_, err = f.Write(data)
	must(t, errors.Join(err, f.Sync(), f.Close()))
}

// refused checks that a directory is refused as damaged, and left as it is.
func refused(m vfs.FS, t *testing.T) *corrupt.Error {
	t.Helper()
	before := contents(t, m, testDir)
	l, r, err := OpenLog(m, testDir, tiny())
	var damage *corrupt.Error
	if !errors.As(err, &damage) {
		if err == nil {
			_ = l.Close()
		}
		t.Fatalf("opened: %v, %+v", err, r)
	}
	if damage.File == "" || damage.What == "" {
		t.Errorf("damage without a place: %+v", damage)
	}
	if after := contents(t, m, testDir); !maps.Equal(before, after) {
		t.Errorf("refused with %v, and files have changed", err)
	}
	return damage
}

// TestBitFlips flips every bit of a log that was flushed. In a batch with another
// one behind it that is damage; in the last one nothing tells it from a torn end.
func TestBitFlips(t *testing.T) {
	epochs := []int32{3, 3, 4, 7, 7}
	o := tiny()
	o.SegmentBytes = 1 << 20
	m, batches := damagedLog(t, o, epochs)
	log := bytes.Join(batches, nil)
	start := 0
	for i, raw := range batches {
		last := i == len(batches)-1
		for bit := range len(raw) * 8 {
			bad := slices.Clone(log)
			bad[start+bit/8] ^= 0x80 >> (bit % 8)
			c := m.CrashClone()
			write(t, c, firstSegment, bad)
			inEpoch := bit/8 >= epochPosition && bit/8 < epochPosition+4
			b, err := decode.ParseBatch(bad[start:], 0)
			low, high := int32(0), int32(1<<31-1)
			if i > 0 {
				low = epochs[i-1]
			}
			if !last {
				high = epochs[i+1]
			}
			switch {
			case inEpoch && err == nil && b.LeaderEpoch >= low && b.LeaderEpoch <= high:
				// An epoch that could be: no byte of the log says otherwise.
			case inEpoch || !last:
				damage := refused(c, t)
				if next := int64(start + len(raw)); damage.Pos != int64(start) && (!inEpoch || damage.Pos != next) {
					t.Fatalf("batch %d, bit %d: %v", i, bit, damage)
				}
			default:
				l, r, err := OpenLog(c, testDir, o)
				if err != nil || r.Cut == nil || r.Cut.Pos != int64(start) || r.Cut.Bytes != int64(len(raw)) || r.Cut.Offset != l.End() || l.End() != 8 {
					t.Fatalf("batch %d, bit %d: %v, %+v", i, bit, err, r)
				}
				if got, err := readAll(l, 0, 100); err != nil || !bytes.Equal(got, log[:start]) {
					t.Fatalf("batch %d, bit %d: %d bytes left, %v", i, bit, len(got), err)
				}
				must(t, l.Close())
			}
		}
		start += len(raw)
	}
}

// TestTornEnd cuts a log at every byte, and puts all kinds of rubbish behind it.
func TestTornEnd(t *testing.T) {
	o := tiny()
	o.SegmentBytes = 1 << 20
	m, batches := damagedLog(t, o, []int32{1, 1, 2})
	log := bytes.Join(batches, nil)
	whole := func(data []byte) (end int, offset int64) {
		for _, b := range batches {
			if !bytes.HasPrefix(data[end:], b) {
				break
			}
			end, offset = end+len(b), offset+2
		}
		return end, offset
	}
	opens := func(data []byte, sound int, offset int64) {
		t.Helper()
		c := m.CrashClone()
		write(t, c, firstSegment, data)
		l, r := open(t, c, o)
		if l.End() != offset || l.Flushed() != offset || (r.Cut == nil) != (sound == len(data)) {
			t.Fatalf("%d bytes: end %d, want %d; %+v", len(data), l.End(), offset, r)
		}
		if r.Cut != nil && (r.Cut.Pos != int64(sound) || r.Cut.Bytes != int64(len(data)-sound) || !corrupt.Is(r.Cut.Reason)) {
			t.Fatalf("%+v", r.Cut)
		}
		must(t, l.Append(batchOf(offset, 3, 1, 1)))
		must(t, l.Close())
	}
	for n := range len(log) + 1 {
		// What was allocated and not written reads as zeros.
		for _, data := range [][]byte{log[:n], append(slices.Clone(log[:n]), make([]byte, 5000)...)} {
			end, offset := whole(data)
			opens(data, end, offset)
		}
	}
	opens(append(slices.Clone(log), bytes.Repeat([]byte{0xff}, 300)...), len(log), 6)
	opens(append(slices.Clone(log), batchOf(7, 2, 1, 1)...), len(log), 6) // an offset that does not follow
	legacy := slices.Clone(batchOf(6, 2, 1, 1))
	legacy[16] = 1
	opens(append(slices.Clone(log), legacy...), len(log), 6)

	for name, data := range map[string][]byte{
		"a whole batch behind rubbish":       append(append(slices.Clone(log), 1, 2, 3), batchOf(6, 2, 1, 1)...),
		"a whole batch behind a torn one":    append(append(slices.Clone(log), batchOf(6, 2, 1, 50)[:90]...), batchOf(7, 2, 1, 1)...),
		"a whole batch behind many zeros":    append(append(slices.Clone(log), make([]byte, 20000)...), batchOf(7, 2, 1, 1)...),
		"an epoch that falls":                append(slices.Clone(log), batchOf(6, 1, 1, 1)...),
		"offsets that skip, and go on":       append(append(slices.Clone(log), batchOf(7, 2, 1, 1)...), batchOf(8, 2, 1, 1)...),
		"an offset too far for an index":     append(slices.Clone(log), farBatch(6, 2)...),
		"two logs, one behind the other":     append(slices.Clone(log), log...),
		"the first batch is not at offset 0": log[len(batches[0]):],
	} {
		c := m.CrashClone()
		write(t, c, firstSegment, data)
		t.Log(name, refused(c, t))
	}
}

// farBatch is a batch whose last offset no index of the first segment can have.
func farBatch(base int64, epoch int32) []byte {
	h := decode.NewBatch(base, epoch, testTime)
	h.LastOffsetDelta = 1<<31 - 1
	raw, err := decode.AppendBatch(nil, &h, []decode.Record{{Offset: base, Timestamp: testTime}})
	if err != nil {
		panic(err)
	}
	return raw
}

// TestRefuse: what no crash leaves behind is refused, with its place.
func TestRefuse(t *testing.T) {
	m, _ := damagedLog(t, tiny(), slices.Repeat([]int32{1}, 20))
	files := contents(t, m, testDir)
	var segments []string
	for name := range files {
		if strings.HasSuffix(name, ".log") {
			segments = append(segments, name)
		}
	}
	slices.Sort(segments)
	if len(segments) < 3 {
		t.Fatalf("segments %v", segments)
	}
	remove := func(c *vfs.Mem, name string) { must(t, c.Remove(filepath.Join(testDir, name))) }
	for name, damage := range map[string]func(c *vfs.Mem){
		"a segment in the middle is gone": func(c *vfs.Mem) { remove(c, segments[1]) },
		"the first segment is gone":       func(c *vfs.Mem) { remove(c, segments[0]) },
		"the first segment lost its end": func(c *vfs.Mem) {
			write(t, c, segments[0], []byte(files[segments[0]][:len(files[segments[0]])-1]))
		},
		"the first segment is empty": func(c *vfs.Mem) { write(t, c, segments[0], nil) },
		"zeros behind a segment":     func(c *vfs.Mem) { write(t, c, segments[1], []byte(files[segments[1]]+"\x00")) },
		"a later segment is elsewhere": func(c *vfs.Mem) {
			write(t, c, segments[1], []byte(files[segments[2]]))
		},
		"another topic": func(c *vfs.Mem) {
			write(t, c, "partition.metadata", []byte("version: 0\ntopic_id: "+"AAAAAAAAAAAAAAAAAAAAAg"))
		},
		"no topic":       func(c *vfs.Mem) { write(t, c, "partition.metadata", nil) },
		"odd name":       func(c *vfs.Mem) { write(t, c, "7.log", nil) },
		"name of none":   func(c *vfs.Mem) { write(t, c, "x.log", nil) },
		"odd snapshot":   func(c *vfs.Mem) { write(t, c, "x.checkpoint", nil) },
		"bootstrap here": func(c *vfs.Mem) { write(t, c, "bootstrap.checkpoint", nil) },
		"a newer snapshot that is damaged": func(c *vfs.Mem) {
			write(t, c, fmt.Sprintf(snapshotPath, 1000, 1), snapshotBytes(1, 0)[:100])
		},
		"a newer snapshot without a footer": func(c *vfs.Mem) {
			write(t, c, fmt.Sprintf(snapshotPath, 1000, 1), snapshotBytes(1, 0)[:firstSize(snapshotBytes(1, 0))])
		},
		"a newer snapshot of another epoch": func(c *vfs.Mem) { write(t, c, fmt.Sprintf(snapshotPath, 1000, 2), snapshotBytes(1, 0)) },
		"a later snapshot of an older epoch": func(c *vfs.Mem) {
			write(t, c, fmt.Sprintf(snapshotPath, 1000, 0), snapshotBytes(0, 0))
		},
		"no snapshot for the start": func(c *vfs.Mem) {
			remove(c, segments[0])
			write(t, c, fmt.Sprintf(snapshotPath, 1, 1), snapshotBytes(1, 0))
		},
	} {
		c := m.CrashClone()
		damage(c)
		t.Log(name+":", refused(c, t))
	}
}

func firstSize(raw []byte) int {
	size, _, _, _ := header(raw)
	return int(size)
}

// TestRecoveryRepairs: what a crash does leave behind is put right.
func TestRecoveryRepairs(t *testing.T) {
	m, batches := damagedLog(t, tiny(), slices.Repeat([]int32{1, 2}, 1))
	log := bytes.Join(batches, nil)
	want := contents(t, m, testDir)
	for name, c := range map[string]struct {
		change  func(c *vfs.Mem)
		removed []string
		rebuilt []string
	}{
		"nothing":          {change: func(*vfs.Mem) {}},
		"empty index":      {change: func(c *vfs.Mem) { write(t, c, "00000000000000000000.index", []byte{1}) }, rebuilt: []string{"00000000000000000000.index"}},
		"index of zeros":   {change: func(c *vfs.Mem) { write(t, c, "00000000000000000000.timeindex", make([]byte, 12000)) }, rebuilt: []string{"00000000000000000000.timeindex"}},
		"stale epochs":     {change: func(c *vfs.Mem) { write(t, c, "leader-epoch-checkpoint", []byte("0\n1\n9 5\n")) }, rebuilt: []string{"leader-epoch-checkpoint"}},
		"malformed epochs": {change: func(c *vfs.Mem) { write(t, c, "leader-epoch-checkpoint", []byte("what?")) }, rebuilt: []string{"leader-epoch-checkpoint"}},
		"huge epochs":      {change: func(c *vfs.Mem) { write(t, c, "leader-epoch-checkpoint", make([]byte, 1<<20)) }, rebuilt: []string{"leader-epoch-checkpoint"}},
		"unfinished": {change: func(c *vfs.Mem) {
			write(t, c, "00000000000000000004-0000000002-7.checkpoint.part", nil)
			write(t, c, "00000000000000000004-0000000002.checkpoint.deleted", nil)
			write(t, c, "00000000000000000009.log.deleted", nil)
			write(t, c, "quorum-state.tmp", nil)
			write(t, c, "00000000000000000009.index", nil)
			write(t, c, "00000000000000000009.snapshot", nil)
		}, removed: []string{"00000000000000000004-0000000002-7.checkpoint.part", "00000000000000000004-0000000002.checkpoint.deleted",
			"00000000000000000009.index", "00000000000000000009.log.deleted", "00000000000000000009.snapshot", "quorum-state.tmp"}},
	} {
		fsys := m.CrashClone()
		l, _ := open(t, fsys, tiny()) // an index may be lost with a crash
		must(t, l.Close())
		want := maps.Clone(want)
		for _, n := range []string{"00000000000000000000.index", "00000000000000000000.timeindex", "00000000000000000004.snapshot"} {
			want[n] = contents(t, fsys, testDir)[n]
		}
		c.change(fsys)
		l, r := open(t, fsys, tiny())
		if got, err := readAll(l, 0, 1000); err != nil || !bytes.Equal(got, log) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		slices.Sort(r.Removed)
		if !slices.Equal(r.Removed, c.removed) || !slices.Equal(r.Rebuilt, c.rebuilt) || r.Cut != nil {
			t.Errorf("%s: %+v", name, r)
		}
		if got := contents(t, fsys, testDir); !maps.Equal(got, want) {
			t.Errorf("%s: files %v", name, slices.Sorted(maps.Keys(got)))
		}
	}
}

// TestReplacedBySnapshot: a snapshot that is newer than the log is where it goes on.
func TestReplacedBySnapshot(t *testing.T) {
	for _, c := range []struct {
		offset   int64
		epoch    int32
		replaced bool
	}{
		{4, 1, false}, {40, 1, false}, {41, 1, true}, {10, 2, true}, {400, 3, true},
	} {
		m, _ := damagedLog(t, tiny(), slices.Repeat([]int32{1}, 20))
		write(t, m, fmt.Sprintf(snapshotPath, c.offset, c.epoch), snapshotBytes(c.epoch, 0))
		l, r := open(t, m, tiny())
		if !c.replaced {
			if r.Replaced != nil || l.End() != 40 || l.Start() != 0 || len(l.Snapshots()) != 1 {
				t.Errorf("%+v: %+v, %d to %d", c, r, l.Start(), l.End())
			}
			continue
		}
		want := SnapshotID{c.offset, c.epoch}
		if r.Replaced == nil || *r.Replaced != want || l.Start() != c.offset || l.End() != c.offset || l.LastEpoch() != c.epoch || len(l.Epochs()) != 0 {
			t.Errorf("%+v: %+v, %d to %d of epoch %d", c, r, l.Start(), l.End(), l.LastEpoch())
		}
		must(t, l.Append(batchOf(c.offset, c.epoch, 1, 1)))
	}
}
