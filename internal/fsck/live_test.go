package fsck

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// moving is a file system on which something happens while it is read.
func moving(s *scene, happen func(op vfs.Op, name string) error) {
	var mu sync.Mutex
	s.fs = vfs.Inject(s.fs, func(op vfs.Op, name string) error {
		mu.Lock()
		defer mu.Unlock()
		return happen(op, name)
	})
}

func quiet(t *testing.T, s *scene) {
	t.Helper()
	r := check(t, s.fs, Options{Workers: 2}, s.paths...)
	if len(r.Findings) != 0 {
		showAll(t, r.Findings)
		t.Error("there are findings")
	}
}

// Any file may vanish between the listing and the reading.
func TestVanishingFiles(t *testing.T) {
	s := newScene(t)
	for _, dir := range []string{"/n/d1", orders, metadataDir} {
		entries, err := s.fs.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			victim := path.Join(dir, e.Name())
			s := newScene(t)
			moving(s, func(op vfs.Op, name string) error {
				if name == victim || strings.HasPrefix(name, victim+"/") {
					return &fs.PathError{Op: op.String(), Path: name, Err: fs.ErrNotExist}
				}
				return nil
			})
			quiet(t, s)
		}
	}
}

// A batch of the active segment is half written, and then whole.
func TestGrowingLog(t *testing.T) {
	s := newScene(t)
	active := s.seg[2] + ".log"
	whole := get(t, s.fs, active)
	put(t, s.fs, active, whole[:len(whole)-20])
	inner, opens := s.fs, 0
	moving(s, func(op vfs.Op, name string) error {
		if op == vfs.OpOpen && name == active {
			if opens++; opens == 2 {
				put(t, inner, active, whole)
			}
		}
		return nil
	})
	quiet(t, s)
	if opens < 2 {
		t.Error("the log was read once only")
	}
}

// The last entry of an index is half written when it is first read.
func TestGrowingIndex(t *testing.T) {
	s := newScene(t)
	name := s.seg[2] + ".index"
	whole := get(t, s.fs, name)
	torn := append([]byte(nil), whole...)
	clear(torn[len(torn)-4:])
	put(t, s.fs, name, torn)
	inner, opens := s.fs, 0
	moving(s, func(op vfs.Op, n string) error {
		if op == vfs.OpOpen && n == name {
			if opens++; opens == 2 {
				put(t, inner, name, whole)
			}
		}
		return nil
	})
	quiet(t, s)
}

// A closed segment is replaced by its compacted self between the opening of the
// index and that of the log.
func TestReplacedSegment(t *testing.T) {
	s := newScene(t)
	name := s.seg[1] + ".log"
	inner, opens := s.fs, 0
	whole := get(t, inner, name)
	moving(s, func(op vfs.Op, n string) error {
		if op == vfs.OpOpen && n == name {
			switch opens++; opens {
			case 1:
				put(t, inner, name, whole[:len(whole)-30])
			case 2:
				put(t, inner, name, whole)
			}
		}
		return nil
	})
	quiet(t, s)
}

// The checkpoints of a running broker move on between two looks.
func TestMovingCheckpoints(t *testing.T) {
	s := newScene(t)
	s.checkpoint("replication-offset-checkpoint", s.at(s.b.next+10))
	name := "/n/d1/replication-offset-checkpoint"
	inner, opens := s.fs, 0
	moving(s, func(op vfs.Op, n string) error {
		if op == vfs.OpOpen && n == name {
			if opens++; opens == 2 {
				put(t, inner, name, index.AppendOffsetCheckpoint(nil, []index.PartitionOffset{s.at(s.b.next)}))
			}
		}
		return nil
	})
	quiet(t, s)
}

// Epochs and the quorum state are read before and after the log.
func TestMovingEpochs(t *testing.T) {
	s := newScene(t)
	sound := index.AppendEpochCheckpoint(nil, s.b.epochs)
	s.epochs(s.b.epochs[:1]...)
	name := orders + "/leader-epoch-checkpoint"
	inner, opens := s.fs, 0
	moving(s, func(op vfs.Op, n string) error {
		if op == vfs.OpOpen && n == name {
			if opens++; opens == 2 {
				put(t, inner, name, sound)
			}
		}
		return nil
	})
	quiet(t, s)
}

// Nothing is ever changed, locked or created.
func TestReadsOnly(t *testing.T) {
	s := newScene(t)
	moving(s, func(op vfs.Op, name string) error {
		if op.Changes() || op == vfs.OpLock {
			t.Errorf("%v of %s", op, name)
		}
		return nil
	})
	s.deep = true
	quiet(t, s)
}

func TestUnreadablePaths(t *testing.T) {
	s := newScene(t)
	r, err := Check(context.Background(), s.fs, []string{"/nope", "/n/d1", "/nope2", "/n/d1/"}, Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "nope2") {
		t.Errorf("error %v", err)
	}
	if r.Files == 0 || len(r.Findings) != 0 {
		t.Errorf("%d files, %d findings", r.Files, len(r.Findings))
	}
	put(t, s.fs, "/n/notes.txt", nil)
	if _, err := Check(context.Background(), s.fs, []string{"/n/notes.txt"}, Options{}); !errors.Is(err, errNotKafka) {
		t.Errorf("error %v", err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := newScene(t)
	if _, err := Check(ctx, s.fs, s.paths, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The total is the sum of what is told as progress, and the order of findings
// does not depend on the number of workers.
func TestProgressAndOrder(t *testing.T) {
	var first []Finding
	for workers := 1; workers <= 4; workers++ {
		s := newScene(t)
		for _, g := range s.seg {
			s.edit(g+".log", func(d []byte) []byte { d[80] ^= 1; return d })
			s.edit(g+".timeindex", func(d []byte) []byte { d[7] ^= 1; return d })
		}
		var total, told int64
		r := check(t, s.fs, Options{Workers: workers, Total: func(n int64) { total = n }, Progress: func(n int64) { told += n }}, s.paths...)
		if total == 0 || told == 0 || told > total {
			t.Errorf("total %d, told %d", total, told)
		}
		if workers == 1 {
			first = r.Findings
		} else if rulesOf(first) != rulesOf(r.Findings) || len(first) != len(r.Findings) {
			t.Error("other findings")
		}
		for i := range r.Findings {
			if r.Findings[i] != first[i] {
				t.Errorf("finding %d is %v, was %v", i, r.Findings[i], first[i])
			}
		}
	}
}

// A batch beyond what is loaded is checked on the way.
func TestLargeBatch(t *testing.T) {
	m := vfs.NewMem()
	mkdir(t, m, "/d")
	h := decode.NewBatch(0, 0, 1_700_000_000_000)
	raw := must(decode.AppendBatch(nil, &h, []decode.Record{{Timestamp: h.MaxTimestamp, Value: make([]byte, maxLoad+1000)}}))
	h.BaseOffset = 1
	raw = must(decode.AppendBatch(raw, &h, []decode.Record{{Offset: 1, Timestamp: h.MaxTimestamp, Value: []byte("v")}}))
	name := "/d/00000000000000000000.log"
	for _, c := range []struct {
		at   int
		want string
	}{{-1, ""}, {maxLoad, "batch-crc"}, {8, "log-hole"}, {9, "batch-crc"}, {16, "batch-magic"}} {
		damaged := slices.Clone(raw)
		if c.at >= 0 {
			damaged[c.at] ^= 0x40
		}
		put(t, m, name, damaged)
		r := check(t, m, Options{Deep: true}, name)
		if got := rulesOf(r.Findings); got != c.want {
			showAll(t, r.Findings)
			t.Errorf("byte %d: %q, want %q", c.at, got, c.want)
		}
	}
}

// A file that is damaged all over gives a bounded report.
func TestManyFindings(t *testing.T) {
	s := newScene(t)
	var idx []byte
	for i := range 5000 {
		idx = must(index.AppendOffsetEntry(idx, s.b.segs[1].base, index.OffsetEntry{Offset: s.b.segs[1].base + int64(i), Position: int32(3*i + 1)}))
	}
	s.put(s.seg[1]+".index", idx)
	r := check(t, s.fs, Options{PerRule: 3}, orders)
	shown, all := 0, int64(0)
	for _, f := range r.Findings {
		shown++
		all += 1 + f.More
	}
	if shown > 8 || all < 4900 || r.Errors != all {
		t.Errorf("%d shown of %d, %d errors", shown, all, r.Errors)
	}
}
