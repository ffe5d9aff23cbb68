package metalog

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/index"
)

// TestOpenFixtures opens logs that Kafka wrote, of all releases: nothing is lost,
// and what Kafka 4 has in its indexes and checkpoints is what is built from the log.
func TestOpenFixtures(t *testing.T) {
	for _, c := range []struct {
		release, node string
		start, end    int64
	}{
		{"meta-4.4.0-rich", "c1", 0, 720},
		{"meta-4.4.0-rich", "c2", 504, 633},
		{"meta-4.4.0-rich", "b11a", 0, 682},
		{"meta-4.3.1-rich", "c1", 0, 654},
		{"meta-4.3.1-rich", "c2", 519, 652},
		{"meta-4.0.0", "c1", 0, 175},
		{"meta-3.9.1", "b11", 0, 125},
	} {
		t.Run(c.release+"/"+c.node, func(t *testing.T) {
			m := fixture(t, c.release, c.node)
			before := contents(t, m, testDir)
			l, r := open(t, m, LogOptions{})
			if l.Start() != c.start || l.End() != c.end || l.Flushed() != c.end {
				t.Errorf("from %d to %d, flushed %d; want %d to %d", l.Start(), l.End(), l.Flushed(), c.start, c.end)
			}
			if r.Created || r.Cut != nil || r.Replaced != nil {
				t.Errorf("recovery %+v", r)
			}
			want, err := index.ParseEpochCheckpoint([]byte(before["leader-epoch-checkpoint"]), "")
			must(t, err)
			if got := l.Epochs(); !slices.Equal(got, want) {
				t.Errorf("epochs %v, want %v", got, want)
			}
			log := ""
			for _, s := range l.Segments() {
				log += before[s.Name]
			}
			for _, piece := range []int{0, 500, 1 << 20} {
				if got, err := readAll(l, l.Start(), piece); err != nil || string(got) != log {
					t.Errorf("reading by %d bytes gives %d bytes of %d, %v", piece, len(got), len(log), err)
				}
			}
			for _, s := range l.Snapshots() {
				buf := make([]byte, 1<<16)
				if n, err := l.ReadSnapshotAt(s.ID(), 0, buf); string(buf[:n]) != before[s.Name] || err != io.EOF {
					t.Errorf("snapshot %s: %d bytes, %v", s.Name, n, err)
				}
			}
			sameIndexes(t, l.Segments(), before, contents(t, m, testDir), c.release+"/"+c.node)
		})
	}
}

// sameIndexes compares indexes with those that Kafka wrote. Since 4.0 they are
// equal where the node was not started again while it wrote the segment: it
// counts the bytes between entries anew then, and adds a time.
func sameIndexes(t *testing.T, segments []Segment, before, after map[string]string, node string) {
	compared := 0
	for i, s := range segments {
		active := i == len(segments)-1
		base := strings.TrimSuffix(s.Name, ".log")
		if strings.HasPrefix(node, "meta-3") || node == "meta-4.4.0-rich/c1" && i == 2 || active && !strings.HasSuffix(node, "b11a") {
			continue
		}
		for _, ext := range []string{".index", ".timeindex"} {
			got, want := after[base+ext], before[base+ext]
			if active { // of which the zeros go, and the latest time is added
				want = strings.TrimRight(want, "\x00")
				want += got[min(len(got), len(want)):]
				if ext == ".index" && len(got)%8 != 0 || ext == ".timeindex" && len(got)%12 != 0 {
					t.Errorf("%s has %d bytes", base+ext, len(got))
				}
			}
			if got != want {
				t.Errorf("%s: %x, Kafka has %x", base+ext, got, want)
			}
			compared++
		}
	}
	if compared == 0 && len(segments) > 1 && !strings.HasPrefix(node, "meta-3") {
		t.Error("nothing was compared")
	}
}

// TestOpenFormatted: what kafka-storage leaves is the start of a log.
func TestOpenFormatted(t *testing.T) {
	m := newDisk(t)
	must(t, m.MkdirAll(testDir, 0o755))
	put(t, m, filepath.Join(testDir, "00000000000000000000-0000000000.checkpoint"), snapshotBytes(0, 0))
	l, r := open(t, m, LogOptions{})
	if !r.Created || l.Start() != 0 || l.End() != 0 || l.LastEpoch() != 0 || len(l.Snapshots()) != 1 {
		t.Errorf("%+v, %d to %d, %v", r, l.Start(), l.End(), l.Snapshots())
	}
	must(t, l.Append(batchOf(0, 1, 3, 10)))
	must(t, l.Close())
	want := []string{"00000000000000000000-0000000000.checkpoint", "00000000000000000000.index", "00000000000000000000.log",
		"00000000000000000000.timeindex", "00000000000000000003.snapshot", "leader-epoch-checkpoint", "partition.metadata"}
	files := contents(t, m.CrashClone(), testDir)
	for _, name := range want[:5] {
		if name == "00000000000000000003.snapshot" {
			continue // nobody misses it
		}
		if _, ok := files[name]; !ok {
			t.Errorf("%s is gone after a crash", name)
		}
	}
	if got := files["partition.metadata"]; got != "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ" {
		t.Errorf("partition.metadata is %q", got)
	}
	if got := files["leader-epoch-checkpoint"]; got != "0\n1\n1 0\n" {
		t.Errorf("epochs are %q", got)
	}
	if got := contents(t, m, testDir); len(got) != len(want) || got["00000000000000000003.snapshot"] != "\x00\x01\x48\x67\x4b\xc7\x00\x00\x00\x00" {
		t.Errorf("files %v", got)
	}
	if err := l.Append(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("append after the close: %v", err)
	}
	must(t, l.Close())
}
