package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCrashKeepsOnlyWhatWasSynced(t *testing.T) {
	type step func(t *testing.T, m *Mem, f File) // f is /f, open and empty, nothing synced
	syncFile := func(t *testing.T, _ *Mem, f File) { must(t, f.Sync()) }
	syncDir := func(t *testing.T, m *Mem, _ File) { must(t, m.SyncDir("/")) }
	put := func(text string) step {
		return func(t *testing.T, _ *Mem, f File) {
			_, err := f.Write([]byte(text))
			must(t, err)
		}
	}
	putAt := func(text string, at int64) step {
		return func(t *testing.T, _ *Mem, f File) {
			_, err := f.WriteAt([]byte(text), at)
			must(t, err)
		}
	}
	cut := func(n int64) step { return func(t *testing.T, _ *Mem, f File) { must(t, f.Truncate(n)) } }
	rename := func(a, b string) step { return func(t *testing.T, m *Mem, _ File) { must(t, m.Rename(a, b)) } }
	remove := func(a string) step { return func(t *testing.T, m *Mem, _ File) { must(t, m.Remove(a)) } }
	create := func(a string) step {
		return func(t *testing.T, m *Mem, _ File) {
			f, err := m.Create(a, 0o644)
			must(t, err)
			must(t, f.Close())
		}
	}
	for _, c := range []struct {
		name  string
		steps []step
		want  string // what is at /f after the crash
	}{
		{"nothing synced", []step{put("a")}, "!missing"},
		{"bytes synced, name not", []step{put("a"), syncFile}, "!missing"},
		{"name synced, bytes not", []step{put("a"), syncDir}, ""},
		{"both synced", []step{put("a"), syncFile, syncDir}, "a"},
		{"append after the sync", []step{put("a"), syncFile, syncDir, put("b")}, "a"},
		{"append after the sync, synced", []step{put("a"), syncFile, syncDir, put("b"), syncFile}, "ab"},
		{"overwrite after the sync", []step{put("abc"), syncFile, syncDir, putAt("X", 1)}, "abc"},
		{"overwrite and append", []step{put("abc"), syncFile, syncDir, putAt("XYZ", 2), put("!")}, "abc"},
		{"overwrite, synced", []step{put("abc"), syncFile, syncDir, putAt("X", 1), syncFile}, "aXc"},
		{"truncate after the sync", []step{put("abc"), syncFile, syncDir, cut(1)}, "abc"},
		{"truncate and refill", []step{put("abc"), syncFile, syncDir, cut(0), putAt("xyzxyz", 0)}, "abc"},
		{"truncate, synced", []step{put("abc"), syncFile, syncDir, cut(1), syncFile}, "a"},
		{"truncate to longer", []step{put("a"), syncFile, syncDir, cut(3)}, "a"},
		{"truncate to longer, synced", []step{put("a"), syncFile, syncDir, cut(3), syncFile}, "a\x00\x00"},
		{"create again", []step{put("abc"), syncFile, syncDir, create("/f")}, "abc"},
		{"removed", []step{put("a"), syncFile, syncDir, remove("/f")}, "a"},
		{"removed, synced", []step{put("a"), syncFile, syncDir, remove("/f"), syncDir}, "!missing"},
		{"removed and made again", []step{put("a"), syncFile, syncDir, remove("/f"), create("/f")}, "a"},
		{"removed and made again, synced", []step{put("a"), syncFile, syncDir, remove("/f"), create("/f"), syncDir}, ""},
		{"renamed away", []step{put("a"), syncFile, syncDir, rename("/f", "/g")}, "a"},
		{"renamed away, synced", []step{put("a"), syncFile, syncDir, rename("/f", "/g"), syncDir}, "!missing"},
		{"renamed over", []step{put("a"), syncFile, syncDir, create("/g"), rename("/g", "/f")}, "a"},
		{"renamed over, synced", []step{put("a"), syncFile, syncDir, create("/g"), rename("/g", "/f"), syncDir}, ""},
		{"renamed there and back", []step{put("a"), syncFile, rename("/f", "/g"), rename("/g", "/f"), syncDir}, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewMem()
			f, err := m.Create("/f", 0o644)
			must(t, err)
			for _, s := range c.steps {
				s(t, m, f)
			}
			before := read(m, "/f")
			after := m.CrashClone()
			if got := read(after, "/f"); got != c.want {
				t.Errorf("after the crash %q, want %q", got, c.want)
			}
			// A second crash changes nothing, and the original has not noticed.
			if got := read(after.CrashClone(), "/f"); got != c.want {
				t.Errorf("after the second crash %q, want %q", got, c.want)
			}
			write(t, after, "/f", "new life")
			if got := read(m, "/f"); got != before {
				t.Errorf("the original changed from %q to %q", before, got)
			}
		})
	}
}

func TestCrashOfDirectories(t *testing.T) {
	m := NewMem()
	must(t, m.MkdirAll("/log/__cluster_metadata-0", 0o755))
	must(t, WriteFileAtomic(m, "/log/__cluster_metadata-0/quorum-state", []byte("{}"), 0o644))
	if _, err := m.CrashClone().Stat("/log"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory nobody synced is there: %v", err)
	}
	must(t, m.SyncDir("/"))
	if _, err := m.CrashClone().Stat("/log/__cluster_metadata-0"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the inner directory is there: %v", err)
	}
	must(t, m.SyncDir("/log"))
	if got := read(m.CrashClone(), "/log/__cluster_metadata-0/quorum-state"); got != "{}" {
		t.Errorf("the file is %q", got)
	}
}

// TestAtomicWriteAtEveryFault cuts WriteFileAtomic off at every operation, with
// and without a crash after it: old or new, never anything else.
func TestAtomicWriteAtEveryFault(t *testing.T) {
	boom := errors.New("boom")
	for n := int64(0); ; n++ {
		m := NewMem()
		must(t, WriteFileAtomic(m, "/f", []byte("old"), 0o644))
		err := WriteFileAtomic(Inject(m, FailNth(n, boom)), "/f", []byte("new"), 0o644)
		for seed := range uint64(50) {
			crashed := m.CrashCloneRandom(rand.New(rand.NewPCG(seed, uint64(n))))
			if got := read(crashed, "/f"); got != "old" && (got != "new" || n < 4) {
				t.Fatalf("fault at %d, seed %d: %q after the crash", n, seed, got)
			}
		}
		if err == nil {
			if n != 5 { // create, write, sync, rename, syncdir
				t.Errorf("the write has %d operations", n)
			}
			if got := read(m.CrashClone(), "/f"); got != "new" {
				t.Errorf("success, but %q after the crash", got)
			}
			return
		}
		wantErr(t, err, boom)
		if got := read(m, "/f"); got != "old" && n < 4 {
			t.Errorf("fault at %d: %q", n, got)
		}
	}
}

// TestRandomCrash states what the kinder disk may do: the bytes of a file that
// was only appended to are a prefix at least as long as the synced one, and a
// seed gives the same outcome each time.
func TestRandomCrash(t *testing.T) {
	m := NewMem()
	f, err := m.Create("/f", 0o644)
	must(t, err)
	must(t, m.SyncDir("/"))
	text := strings.Repeat("0123456789", 10)
	_, err = f.Write([]byte(text[:30]))
	must(t, err)
	must(t, f.Sync())
	_, err = f.Write([]byte(text[30:]))
	must(t, err)
	for i := range 5 {
		write(t, m, fmt.Sprintf("/g%d", i), "")
	}
	lengths, counts := map[int]bool{}, map[int]bool{}
	for seed := range uint64(200) {
		c := m.CrashCloneRandom(rand.New(rand.NewPCG(seed, 0)))
		got := read(c, "/f")
		if len(got) < 30 || got != text[:len(got)] {
			t.Fatalf("seed %d: %q", seed, got)
		}
		list, err := c.ReadDir("/")
		must(t, err)
		for i, e := range list[1:] {
			if e.Name() != fmt.Sprintf("g%d", i) {
				t.Fatalf("seed %d: not a prefix of the changes: %v", seed, list)
			}
		}
		lengths[len(got)], counts[len(list)] = true, true
		if again := read(m.CrashCloneRandom(rand.New(rand.NewPCG(seed, 0))), "/f"); again != got {
			t.Fatalf("seed %d gives %q and %q", seed, got, again)
		}
	}
	if len(lengths) < 20 || len(counts) != 6 {
		t.Errorf("%d lengths and %d directory sizes seen", len(lengths), len(counts))
	}
}

func TestInjectEveryOperation(t *testing.T) {
	boom := errors.New("boom")
	m := NewMem()
	write(t, m, "/f", "x")
	must(t, m.MkdirAll("/d", 0o755))
	var fail bool
	var last Op
	fsys := Inject(m, func(op Op, path string) error {
		if path == "" {
			t.Error("no path")
		}
		last = op
		if fail {
			return boom
		}
		return nil
	})
	f, err := fsys.OpenReadWrite("/f", 0)
	must(t, err)
	fail = true
	err2 := func(_ any, err error) error { return err }
	for want, err := range map[Op]func() error{
		OpOpen:     func() error { return err2(fsys.Open("/f")) },
		OpCreate:   func() error { return err2(fsys.CreateNew("/new", 0)) },
		OpRename:   func() error { return fsys.Rename("/f", "/g") },
		OpRemove:   func() error { return fsys.Remove("/f") },
		OpMkdirAll: func() error { return fsys.MkdirAll("/e", 0) },
		OpReadDir:  func() error { return err2(fsys.ReadDir("/d")) },
		OpStat:     func() error { return err2(fsys.Stat("/f")) },
		OpChmod:    func() error { return fsys.Chmod("/f", 0) },
		OpSyncDir:  func() error { return fsys.SyncDir("/") },
		OpLock:     func() error { return err2(fsys.Lock("/.lock")) },
		OpRead:     func() error { return err2(f.ReadAt(make([]byte, 1), 0)) },
		OpWrite:    func() error { return err2(f.WriteAt([]byte("y"), 0)) },
		OpSeek:     func() error { return err2(f.Seek(0, 0)) },
		OpTruncate: func() error { return f.Truncate(0) },
		OpSync:     func() error { return f.Sync() },
	} {
		wantErr(t, err(), boom)
		if last != want {
			t.Errorf("asked for %v, want %v", last, want)
		}
	}
	wantErr(t, f.Close(), boom)
	fail = false
	wantErr(t, f.Close(), fs.ErrClosed) // the failed Close has closed it
	if got := read(m, "/f"); got != "x" {
		t.Errorf("a failed operation happened: %q", got)
	}
	if list, _ := m.ReadDir("/"); len(list) != 2 {
		t.Errorf("a failed operation happened: %v", list)
	}
}
