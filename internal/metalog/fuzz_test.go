package metalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// signed gives the batches in data the checksums that they should have, so that what
// else is wrong with them is looked at.
func signed(data []byte) []byte {
	data = bytes.Clone(data)
	for rest := data; ; {
		size, _, _, ok := header(rest)
		if !ok || size < decode.BatchHeaderSize || size > int64(len(rest)) {
			return data
		}
		b, err := decode.ParseBatch(rest, 0)
		if err == nil {
			binary.BigEndian.PutUint32(rest[17:], b.Checksum())
		}
		rest = rest[size:]
	}
}

// FuzzOpenLog opens directories with anything in them: the log is refused, and
// nothing is changed then, or it is one of valid batches that can be written on.
func FuzzOpenLog(f *testing.F) {
	log := bytes.Join([][]byte{batchOf(0, 1, 2, 5), batchOf(2, 1, 1, 5), batchOf(3, 2, 1, 5)}, nil)
	epochs := []byte("0\n2\n1 0\n2 3\n")
	f.Add(log, []byte(nil), int64(0), int64(-1), []byte{0, 0, 0, 2, 0, 0, 0, 75}, epochs, []byte(nil), int64(0), int32(0), true)
	f.Add(log, batchOf(4, 2, 1, 5), int64(0), int64(4), []byte(nil), epochs, snapshotBytes(2, 7), int64(4), int32(2), true)
	f.Add(log[:100], []byte(nil), int64(0), int64(-1), []byte(nil), []byte("0\n"), snapshotBytes(3, 7), int64(100), int32(3), true)
	f.Add(batchOf(50, 5, 3, 1), []byte{0, 0, 0}, int64(50), int64(53), make([]byte, 80), epochs, snapshotBytes(5, 7), int64(53), int32(5), true)
	f.Add([]byte(nil), []byte(nil), int64(1<<62), int64(-1), []byte(nil), []byte(nil), snapshotBytes(5, 7), int64(1<<62), int32(5), true)
	f.Fuzz(func(t *testing.T, first, second []byte, base, secondBase int64, offsets, epochs, snapshot []byte, end int64, epoch int32, sign bool) {
		if sign {
			first, second, snapshot = signed(first), signed(second), signed(snapshot)
		}
		m := newDisk(t)
		must(t, m.MkdirAll(testDir, 0o755))
		name := func(offset int64, ext string) string { return fmt.Sprintf("%020d%s", offset, ext) }
		put(t, m, filepath.Join(testDir, name(base, ".log")), first)
		put(t, m, filepath.Join(testDir, name(base, ".index")), offsets)
		put(t, m, filepath.Join(testDir, name(base, ".timeindex")), offsets)
		if secondBase >= 0 && secondBase != base {
			put(t, m, filepath.Join(testDir, name(secondBase, ".log")), second)
		}
		put(t, m, filepath.Join(testDir, "leader-epoch-checkpoint"), epochs)
		if len(snapshot) > 0 {
			put(t, m, filepath.Join(testDir, fmt.Sprintf("%020d-%010d.checkpoint", end, epoch)), snapshot)
		}
		before := contents(t, m, testDir)
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		allocated := memory.TotalAlloc
		l, r, err := OpenLog(m, testDir, tiny())
		runtime.ReadMemStats(&memory)
		given := len(first) + len(second) + len(offsets) + len(epochs) + len(snapshot)
		if used := memory.TotalAlloc - allocated; used > 16<<20+100*uint64(given) {
			t.Errorf("%d bytes allocated for %d", used, given)
		}
		if err != nil {
			if !corrupt.Is(err) {
				t.Fatalf("not damage: %v", err)
			}
			if !maps.Equal(before, contents(t, m, testDir)) {
				t.Fatal("refused, and changed")
			}
			return
		}
		all, err := readAll(l, l.Start(), 1000)
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		next, last := int64(-1), int32(0)
		for len(all) > 0 {
			b, err := decode.ParseBatch(all, 0)
			if err != nil || !b.Valid() || b.LeaderEpoch < last || next >= 0 && b.BaseOffset != next {
				t.Fatalf("a batch at %d behind %d: %v", b.BaseOffset, next, err)
			}
			next, last, all = b.NextOffset(), b.LeaderEpoch, all[b.Size:]
		}
		if next >= 0 && (next != l.End() || last != l.LastEpoch()) {
			t.Fatalf("%d and %d at the end, the log says %d and %d", next, last, l.End(), l.LastEpoch())
		}
		more := l.End() < 1<<62 // no batch can be of the last offset there is
		if more {
			must(t, l.Append(batchOf(l.End(), l.LastEpoch(), 2, 10)))
		}
		must(t, l.Close())
		for _, fsys := range []vfs.FS{m, m.CrashClone()} {
			again, r, err := OpenLog(fsys, testDir, tiny())
			if err != nil || r.Cut != nil || r.Replaced != nil || again.End() != l.end || again.Start() != l.start {
				t.Fatalf("opened again: %v, %+v", err, r)
			}
			must(t, again.Close())
		}
	})
}
