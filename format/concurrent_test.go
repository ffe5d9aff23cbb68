package format

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/internal/feature"
	"kraftctl/internal/vfs"
)

// whole fails if a directory is formatted, but not by one of the plans alone.
func whole(t *testing.T, plans []*Plan, dir string) (by int, formatted bool) {
	t.Helper()
	if _, err := os.Stat(metaPath(dir)); err != nil {
		return 0, false
	}
	for i, p := range plans {
		for k := range p.Dirs {
			d := &p.Dirs[k]
			if d.Path != dir {
				continue
			}
			same := 0
			for _, f := range d.Files {
				if b, err := os.ReadFile(d.path(f.Name)); err == nil && string(b) == string(f.Data) {
					same++
				}
			}
			switch same {
			case len(d.Files):
				return i, true
			case 0:
			default:
				t.Errorf("%s has %d of the %d files of plan %d", dir, same, len(d.Files), i)
			}
		}
	}
	t.Errorf("%s is formatted by nobody", dir)
	return 0, true
}

// Several that format the same directories at the same time: whoever says that it
// has done it has, and each directory is of one of them.
func TestFormatAtTheSameTime(t *testing.T) {
	for round := range 60 {
		root := t.TempDir()
		r := modes(t, feature.ByReleaseName("4.3"))[2].request
		r.Dirs = []string{filepath.Join(root, "new", "d1"), filepath.Join(root, "d2")}
		r.MetadataDir = r.Dirs[0]
		if round%2 == 0 {
			for _, dir := range r.Dirs {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		plans, errs := make([]*Plan, 3), make([]error, 3)
		for i := range plans {
			plans[i] = newPlan(t, vfs.OS, r, uint64(10*round+i))
		}
		var wg sync.WaitGroup
		for i, p := range plans {
			wg.Go(func() { errs[i] = p.Apply(vfs.OS) })
		}
		wg.Wait()
		winner := slices.IndexFunc(errs, func(err error) bool { return err == nil })
		if winner >= 0 && slices.ContainsFunc(errs[winner+1:], func(err error) bool { return err == nil }) {
			t.Fatalf("two say that they have formatted: %v", errs)
		}
		for _, dir := range r.Dirs {
			if by, formatted := whole(t, plans, dir); formatted && by != winner || winner >= 0 && !formatted {
				t.Fatalf("%s: formatted %v by %d, the winner is %d: %v", dir, formatted, by, winner, errs)
			}
		}
		for _, err := range errs {
			var already *FormattedError
			if err != nil && !errors.Is(err, ErrBusy) && !errors.As(err, &already) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%v", err)
			}
		}
	}
}

// What was in the way is there again after a failure, and gone after success.
func TestInTheWay(t *testing.T) {
	r := modes(t, feature.ByReleaseName("4.3"))[2].request
	for n := 0; ; n++ {
		disk := newDisk(t)
		old := map[string]string{"/data/d1/bootstrap.checkpoint": "one", "/data/d2/bootstrap.checkpoint": "two",
			"/data/d1/__cluster_metadata-0/" + FirstSnapshotName: "three"}
		for name, text := range old {
			if err := errors.Join(disk.MkdirAll(parent(name), 0o755), vfs.WriteFileAtomic(disk, name, []byte(text), 0o400)); err != nil {
				t.Fatal(err)
			}
		}
		before := tree(t, disk, "/")
		plan := newPlan(t, disk, r, 1)
		if err := plan.Apply(vfs.Inject(disk, failOnce(n))); err == nil {
			// The last steps remove what was in the way; that one may stay.
			stays := slices.ContainsFunc(tree(t, disk, "/"), func(name string) bool { return strings.HasSuffix(name, asideSuffix) })
			if e := ReadEnsemble(disk, r.Dirs); len(e.Formatted) != 2 {
				t.Errorf("step %d: no error, but %+v", n, e)
			}
			if !stays {
				return
			}
			continue
		}
		if after := tree(t, disk, "/"); !slices.Equal(before, after) {
			t.Errorf("step %d: %v, was %v", n, after, before)
		}
		for name, text := range old {
			if got, err := vfs.ReadFile(disk, name, 100); err != nil || string(got) != text {
				t.Errorf("step %d: %s has %q, %v", n, name, got, err)
			}
		}
	}
}

// With Keep a metadata log that is there goes on: meta.properties is all that is
// written, with the id that the log's voters know.
func TestKeep(t *testing.T) {
	for _, name := range []string{"3.9", "4.4"} {
		r := modes(t, feature.ByReleaseName(name))[2].request
		disk := newDisk(t)
		first := newPlan(t, disk, r, 1)
		if err := first.Apply(disk); err != nil {
			t.Fatal(err)
		}
		before := map[string]string{}
		for _, file := range tree(t, disk, "/") {
			if b, err := vfs.ReadFile(disk, file, 1<<20); err == nil && file != "/data/d1/meta.properties" {
				before[file] = string(b)
			}
		}
		if err := disk.Remove("/data/d1/meta.properties"); err != nil {
			t.Fatal(err)
		}
		r.Keep, r.IgnoreFormatted = true, true
		r.KeptDirectoryID = r.InitialControllers[0].DirectoryID
		if err := newPlan(t, disk, r, 2).Apply(disk); err != nil {
			t.Fatal(err)
		}
		for file, text := range before {
			got, err := vfs.ReadFile(disk, file, 1<<20)
			if err != nil || string(got) != text {
				t.Errorf("%s: %s is not what it was: %q, %v", name, file, got, err)
			}
		}
		if e := ReadEnsemble(disk, r.Dirs); len(e.Formatted) != 2 || e.Formatted[0].Meta.DirectoryID != r.KeptDirectoryID {
			t.Errorf("%s: %+v", name, e)
		}
		// Without an id that is known, a new one.
		if err := disk.Remove("/data/d1/meta.properties"); err != nil {
			t.Fatal(err)
		}
		r.KeptDirectoryID = kbin.ZeroUUID
		if err := newPlan(t, disk, r, 3).Apply(disk); err != nil {
			t.Fatal(err)
		}
		data, err := vfs.ReadFile(disk, "/data/d1/meta.properties", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if meta, err := index.ParseMetaProperties(data, "meta.properties"); err != nil || meta.DirectoryID == r.InitialControllers[0].DirectoryID || meta.DirectoryID.IsZero() {
			t.Errorf("%s: %+v, %v", name, meta, err)
		}
	}
}

// A path that goes back behind a link leads to where the system says.
func TestBackBehindALink(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"x/y", "other/sub", "other/data"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	symlink(t, "../other/sub", filepath.Join(root, "x", "link"))
	dir := root + "/x/link/../data"
	r := modes(t, feature.LatestRelease())[0].request
	r.Dirs, r.MetadataDir = []string{dir}, dir
	plan := newPlan(t, vfs.OS, r, 1)
	if err := errors.Join(plan.Preflight(vfs.OS), plan.Apply(vfs.OS)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"other/data/meta.properties": true, "other/data/__cluster_metadata-0": true, "x/data": false} {
		if _, err := os.Stat(filepath.Join(root, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One directory by two spellings, which Kafka's tool formats twice.
func TestOneDirectoryTwice(t *testing.T) {
	r := modes(t, feature.LatestRelease())[0].request
	r.Dirs = []string{"/data/d1", "/data/d1/", "/data//d1"}
	disk := newDisk(t)
	plan := newPlan(t, disk, r, 1)
	if len(plan.Dirs) != 3 {
		t.Fatalf("%d directories", len(plan.Dirs))
	}
	if err := plan.Suspicious(disk, Allow{}); err == nil {
		t.Error("not suspicious")
	}
	if err := plan.Apply(disk); err != nil {
		t.Fatal(err)
	}
	if e := ReadEnsemble(disk, []string{"/data/d1"}); len(e.Formatted) != 1 {
		t.Errorf("%+v", e)
	}
}

func TestPaths(t *testing.T) {
	for name, want := range map[string]string{"a": ".", "a/b": "a", "/a": "/", "/": "/", "a//b/": "a", ".": ".", "..": "..", "a/..": "a/..", "/a/b/c": "/a/b"} {
		if got := parent(name); got != want {
			t.Errorf("parent of %q: %q, want %q", name, got, want)
		}
	}
	for dir, want := range map[string]string{"": "/m", "/": "/m", "a": "a/m", "a/": "a/m", "a//b": "a/b/m", "a/../b": "a/../b/m"} {
		if got := join(dir, "m"); got != want {
			t.Errorf("m in %q: %q, want %q", dir, got, want)
		}
	}
}
