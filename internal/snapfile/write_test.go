package snapfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

const fixtures = "../../testdata/fixtures/"

// rich is the metadata log of a controller of Kafka 4.4.0.
const rich = fixtures + "meta-4.4.0-rich/c1"

func now() int64 { return 1_700_000_000_000 }

// load copies a fixture's metadata log into memory.
func load(t testing.TB, dir string) vfs.FS {
	t.Helper()
	m := vfs.NewMem()
	to := "/n/" + index.MetadataLogDir
	if err := errors.Join(m.MkdirAll(to, 0o777), m.MkdirAll("/out", 0o777), m.SyncDir("/"), m.SyncDir("/n")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, index.MetadataLogDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, index.MetadataLogDir, e.Name()))
		if err == nil {
			err = vfs.WriteFileAtomic(m, to+"/"+e.Name(), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func state(t testing.TB, fsys vfs.FS, path string, offset int64) *timeline.State {
	t.Helper()
	line, err := timeline.Open(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := line.At(context.Background(), offset)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func inspect(t testing.TB, fsys vfs.FS, path string) *Report {
	t.Helper()
	r, err := Inspect(context.Background(), fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWriteFixtures writes snapshots of real metadata at offsets of all kinds, and
// compares all that a snapshot holds with what Kafka wrote at the same offset.
func TestWriteFixtures(t *testing.T) {
	for _, dir := range []string{"meta-4.4.0-rich/c1", "meta-4.4.0-rich/c2", "meta-4.3.1-rich/c1", "meta-4.0.0/c1", "meta-3.9.1/b11"} {
		fsys := load(t, fixtures+dir)
		files, err := metalog.List(fsys, "/n/"+index.MetadataLogDir)
		if err != nil {
			t.Fatal(err)
		}
		for _, real := range files.Snapshots {
			if real.EndOffset == 0 {
				continue
			}
			s := state(t, fsys, "/n", real.EndOffset-1)
			w, err := Write(context.Background(), fsys, "/out", s, WriteOptions{Now: now})
			if err != nil {
				t.Fatalf("%s: %v", real.Path, err)
			}
			if filepath.Base(w.Path) != real.Name {
				t.Errorf("%s is called %s", real.Name, w.Path)
			}
			a, b := inspect(t, fsys, real.Path), inspect(t, fsys, w.Path)
			if len(b.Problems) > 0 || a.State.Image.Hash() != b.State.Image.Hash() || w.Hash != b.State.Image.Hash() ||
				a.HeaderTime != b.HeaderTime || a.State.KRaftVersion != b.State.KRaftVersion {
				t.Errorf("%s: %v, %d and %d, %d and %d", real.Name, b.Problems, a.HeaderTime, b.HeaderTime, a.State.KRaftVersion, b.State.KRaftVersion)
			}
			if counts(a) != counts(b) {
				t.Errorf("%s: records\n%s\n%s", real.Name, counts(a), counts(b))
			}
			if !bytes.Equal(votersJSON(a.State), votersJSON(b.State)) {
				t.Errorf("%s: other voters", real.Name)
			}
			if info, err := fsys.Stat(w.Path); err != nil || info.Mode().Perm() != snapshotMode {
				t.Errorf("%v %v", info.Mode(), err)
			}
		}
	}
}

func votersJSON(s *timeline.State) []byte {
	if s.Voters == nil {
		return nil
	}
	return s.Voters.AppendJSON(nil, 0)
}

// counts lists how many records of each type there are.
func counts(r *Report) string {
	types := slices.Clone(r.Types)
	slices.SortFunc(types, func(a, b TypeCount) int { return strings.Compare(a.Type, b.Type) })
	var b strings.Builder
	for _, c := range types {
		b.WriteString(c.Type + " " + strings.Repeat("i", int(c.Records)) + "\n")
	}
	return b.String()
}

// TestWriteRefuses overwrites nothing, and says what is lost.
func TestWriteRefuses(t *testing.T) {
	ctx := context.Background()
	fsys := load(t, rich)
	s := state(t, fsys, "/n", timeline.Latest)
	o := WriteOptions{Now: now}
	w, err := Write(ctx, fsys, "/out/a", s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/out/a", "/n/" + index.MetadataLogDir + "/leader-epoch-checkpoint"} {
		if _, err := Write(ctx, fsys, path, s, o); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if f, err := fsys.CreateNew("/out/b.part", 0o600); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if _, err := Write(ctx, fsys, "/out/b", s, o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("while somebody else writes: %v", err)
	}
	if _, err := fsys.Stat("/out/b.part"); err != nil {
		t.Error("somebody else's file is gone")
	}
	o.Version = feature.V3_5_IV0
	lost, ok := errors.AsType[*image.LossError](second(Write(ctx, fsys, "/out/c", s, o)))
	if !ok || len(lost.Lost) < 4 {
		t.Errorf("%v", lost)
	}
	o.DropLoss = true
	old, err := Write(ctx, fsys, "/out/c", s, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := inspect(t, fsys, "/out/c"); old.Hash == w.Hash || r.State.Image.Hash() != old.Hash || len(r.Problems) > 0 || len(old.Lost) != len(lost.Lost) {
		t.Errorf("%+v, %v", old, r.Problems)
	}
	o.Version = 99
	if _, ok := errors.AsType[*image.VersionError](second(Write(ctx, fsys, "/out/d", s, o))); !ok {
		t.Error("a version that is not known")
	}
	empty := &timeline.State{Image: image.Empty()}
	if _, err := Write(ctx, fsys, "/out/d", empty, WriteOptions{Now: now}); !errors.Is(err, ErrNoVersion) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestWriteFails fails each step, and cuts the power after each: there is all of
// the snapshot or nothing of it, and never half of one under its name.
func TestWriteFails(t *testing.T) {
	base := load(t, rich).(*vfs.Mem)
	s := state(t, base, "/n", timeline.Latest)
	broken := errors.New("broken")
	for fail := 0; ; fail++ {
		m := vfs.NewMem()
		if err := errors.Join(m.MkdirAll("/out", 0o777), m.SyncDir("/")); err != nil {
			t.Fatal(err)
		}
		n := 0
		fsys := vfs.Inject(m, func(vfs.Op, string) error {
			if n++; n == fail+1 {
				return broken
			}
			return nil
		})
		_, err := Write(context.Background(), fsys, "/out", s, WriteOptions{Now: now})
		if err == nil && n <= fail {
			break
		}
		for _, after := range []*vfs.Mem{m, m.CrashClone()} {
			path := "/out/" + Name(s.Image.Provenance())
			if _, serr := after.Stat(path); errors.Is(serr, fs.ErrNotExist) {
				if err == nil && after != m {
					t.Errorf("step %d: written, but gone after a crash", fail)
				}
				continue
			}
			if r := inspect(t, after, path); len(r.Problems) > 0 || r.State.Image.Hash() != s.Image.Hash() {
				t.Fatalf("step %d: half a snapshot: %v", fail, r.Problems)
			}
		}
		if fail > 500 {
			t.Fatal("too many steps")
		}
	}
}
