package metalog

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/golden"
	"kraftctl/internal/vfs"
)

const (
	testParent = "/data"
	testDir    = "/data/__cluster_metadata-0"
	testTime   = 1_700_000_000_000
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDisk is a file system with a formatted log directory.
func newDisk(t testing.TB) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem()
	must(t, m.MkdirAll(testParent, 0o755))
	must(t, m.SyncDir("/"))
	return m
}

// tiny cuts segments often, and has an entry of the index for nearly every batch.
func tiny() LogOptions {
	return LogOptions{SegmentBytes: 700, IndexIntervalBytes: 100, Now: func() int64 { return testTime }}
}

// batchOf encodes a batch of n records with values of the given size, filled with
// the base offset.
func batchOf(base int64, epoch int32, n, size int) []byte {
	h := decode.NewBatch(base, epoch, testTime+base)
	records := make([]decode.Record, n)
	for i := range records {
		value := bytes.Repeat([]byte{byte(base)}, size)
		copy(value, fmt.Sprintf("%d/%d", base, i))
		records[i] = decode.Record{Offset: base + int64(i), Timestamp: h.BaseTimestamp, Value: value}
	}
	raw, err := decode.AppendBatch(nil, &h, records)
	if err != nil {
		panic(err)
	}
	return raw
}

// snapshotBytes is a whole snapshot without records.
func snapshotBytes(epoch int32, time int64) []byte {
	var b bytes.Buffer
	w := snapshot.NewWriter(&b, epoch, snapshot.Header{LastContainedLogTimestamp: time}, func() int64 { return testTime })
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func open(t testing.TB, fsys vfs.FS, o LogOptions) (*Log, *Recovery) {
	t.Helper()
	l, r, err := OpenLog(fsys, testDir, o)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l, r
}

// readAll reads from an offset to the end, in pieces.
func readAll(l *Log, from int64, piece int) ([]byte, error) {
	var all []byte
	for from < l.End() {
		n := len(all)
		var err error
		if all, err = l.Read(all, from, piece); err != nil {
			return all, err
		}
		for n < len(all) {
			b, err := decode.ParseBatch(all[n:], int64(n))
			if err != nil {
				return all, err
			}
			from, n = b.NextOffset(), n+b.Size
		}
	}
	return all, nil
}

// writeSnapshot makes a finished snapshot.
func writeSnapshot(w *SnapshotWriter, err error, data []byte) error {
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		_ = w.Abort()
		return err
	}
	return w.Freeze()
}

// contents are the files of the directory, by name.
func contents(t testing.TB, fsys vfs.FS, dir string) map[string]string {
	t.Helper()
	list, err := fsys.ReadDir(dir)
	must(t, err)
	files := map[string]string{}
	for _, e := range list {
		data, err := vfs.ReadFile(fsys, filepath.Join(dir, e.Name()), 64<<20)
		must(t, err)
		files[e.Name()] = string(data)
	}
	return files
}

// fixture copies a metadata log that Kafka wrote into memory.
func fixture(t testing.TB, release, node string) *vfs.Mem {
	t.Helper()
	from := filepath.Join(golden.Fixture(t, release), node, "__cluster_metadata-0")
	m := newDisk(t)
	must(t, m.MkdirAll(testDir, 0o755))
	for name, data := range contents(t, vfs.OS, from) {
		must(t, vfs.WriteFileAtomic(m, filepath.Join(testDir, name), []byte(data), 0o644))
	}
	must(t, m.SyncDir(testParent))
	return m
}
