package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/vfs"
)

var errDisk = errors.New("input/output error")

// everyMode calls f for all kinds of nodes of three releases: the two layouts,
// and the one whose clusters could not be dynamic below 3.9-IV0.
func everyMode(t *testing.T, f func(t *testing.T, r Request)) {
	for _, name := range []string{"3.9", "4.3", "4.4"} {
		for _, m := range modes(t, feature.ByReleaseName(name)) {
			t.Run(name+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				f(t, m.request)
			})
		}
	}
}

// newDisk is a file system with a mount point, which is all there is.
func newDisk(t *testing.T) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem()
	if err := errors.Join(m.MkdirAll("/data", 0o755), m.SyncDir("/")); err != nil {
		t.Fatal(err)
	}
	return m
}

func newPlan(t *testing.T, fsys vfs.FS, r Request, seed uint64) *Plan {
	t.Helper()
	p, err := NewPlan(fsys, r, testEnv(seed))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// contents are the files of directories, by their full names.
func contents(plans ...*Plan) map[string][][]byte {
	all := map[string][][]byte{}
	for _, p := range plans {
		for i := range p.Dirs {
			for _, f := range p.Dirs[i].Files {
				name := p.Dirs[i].path(f.Name)
				all[name] = append(all[name], f.Data)
			}
		}
	}
	return all
}

// check reports whether a directory is formatted, and fails if it is but not with
// the files of one of the plans.
func check(t *testing.T, what string, fsys vfs.FS, d *Directory, want map[string][][]byte) (formatted bool) {
	t.Helper()
	if _, err := fsys.Stat(metaPath(d.Path)); err != nil {
		return false
	}
	for _, f := range d.Files {
		name := d.path(f.Name)
		got, err := vfs.ReadFile(fsys, name, 1<<20)
		if err != nil {
			t.Errorf("%s: %s has a %s, but: %v", what, d.Path, index.MetaPropertiesName, err)
			continue
		}
		if !slices.ContainsFunc(want[name], func(w []byte) bool { return bytes.Equal(w, got) }) {
			t.Errorf("%s: %s has %d bytes that nobody wrote", what, name, len(got))
		}
	}
	data, _ := vfs.ReadFile(fsys, metaPath(d.Path), 1<<20)
	if _, err := index.ParseMetaProperties(data, index.MetaPropertiesName); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	return true
}

// afterCrash looks at what a crash leaves, and formats again what is not formatted.
func afterCrash(t *testing.T, what string, disk *vfs.Mem, r Request, first *Plan, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	for i, left := range []*vfs.Mem{disk.CrashClone(), disk.CrashCloneRandom(rng), disk.CrashCloneRandom(rng)} {
		what := fmt.Sprintf("%s, outcome %d", what, i)
		want := contents(first)
		unformatted := 0
		for k := range first.Dirs {
			if !check(t, what, left, &first.Dirs[k], want) {
				unformatted++
			}
		}
		r.IgnoreFormatted = true
		again := newPlan(t, left, r, seed+100)
		if len(again.Dirs) != unformatted {
			t.Fatalf("%s: %d directories are to be formatted, %d are not", what, len(again.Dirs), unformatted)
		}
		if err := again.Suspicious(left, Allow{}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := again.Apply(left); err != nil {
			t.Fatalf("%s: again: %v", what, err)
		}
		want = contents(first, again)
		for k := range first.Dirs {
			if !check(t, what+", again", left.CrashClone(), &first.Dirs[k], want) {
				t.Errorf("%s: %s is not formatted in the end", what, first.Dirs[k].Path)
			}
		}
	}
}

// A power failure at any step of formatting leaves every directory formatted or
// not formatted, and what is not can be formatted.
func TestCrashAtEveryStep(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		for n := int64(0); ; n++ {
			disk := newDisk(t)
			plan := newPlan(t, disk, r, 1)
			err := plan.Apply(vfs.Inject(disk, vfs.FailNth(n, errDisk)))
			afterCrash(t, fmt.Sprintf("crash at step %d", n), disk, r, plan, uint64(n))
			if err == nil {
				if n < 10 {
					t.Errorf("only %d steps", n)
				}
				return
			}
		}
	})
}

// A run that was killed leaves directories and files that it made but did not
// sync. What the next run formats stays so through a power failure.
func TestKilledThenCrash(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		for n := int64(0); ; n++ {
			disk := newDisk(t)
			killed := newPlan(t, disk, r, 1)
			err := killed.Apply(vfs.Inject(disk, vfs.FailNth(n, errDisk)))
			if err == nil {
				return
			}
			r.IgnoreFormatted = true
			next := newPlan(t, disk, r, 2)
			if err := next.Apply(disk); err != nil {
				t.Fatalf("step %d: %v", n, err)
			}
			left := disk.CrashClone()
			for i := range next.Dirs {
				if !check(t, fmt.Sprintf("killed at step %d", n), left, &next.Dirs[i], contents(next)) {
					t.Errorf("killed at step %d: %s is not formatted", n, next.Dirs[i].Path)
				}
			}
		}
	})
}

// What can fail for a reason, a disk that is full say, fails before any directory
// is formatted.
func TestFullDiskBeforeAnyRename(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		disk := newDisk(t)
		plan := newPlan(t, disk, r, 1)
		last := plan.Dirs[len(plan.Dirs)-1].Path
		err := plan.Apply(vfs.Inject(disk, func(op vfs.Op, name string) error {
			switch {
			case op == vfs.OpRename:
				t.Errorf("%s takes its name", name)
			case op == vfs.OpWrite && strings.HasPrefix(name, last+"/"):
				return errDisk
			}
			return nil
		}))
		if !errors.Is(err, errDisk) {
			t.Errorf("%v", err)
		}
	})
}

// failOnce fails the operations of the given numbers, counted like FailNth does.
func failOnce(numbers ...int) func(vfs.Op, string) error {
	seen := 0
	return func(op vfs.Op, _ string) error {
		if !op.Changes() {
			return nil
		}
		seen++
		if slices.Contains(numbers, seen-1) {
			return errDisk
		}
		return nil
	}
}

// tree lists all files and directories.
func tree(t *testing.T, fsys vfs.FS, dir string) (list []string) {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		list = append(list, name)
		if e.IsDir() {
			list = append(list, tree(t, fsys, name)...)
		}
	}
	return list
}

// A step that fails once takes back all that was done: everything is as before.
func TestFailureAtEveryStep(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		for n := 0; ; n++ {
			disk := newDisk(t)
			before := tree(t, disk, "/")
			plan := newPlan(t, disk, r, 1)
			err := plan.Apply(vfs.Inject(disk, failOnce(n)))
			if err == nil {
				return
			}
			var failure *WriteError
			if !errors.As(err, &failure) || !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "nothing was formatted") || failure.Dir == "" {
				t.Errorf("step %d: %v", n, err)
			}
			if len(failure.Left) > 0 {
				t.Errorf("step %d: left %v", n, failure.Left)
			}
			if after := tree(t, disk, "/"); !slices.Equal(before, after) {
				t.Errorf("step %d: %v is left", n, after)
			}
		}
	})
}

// A power failure while a failed run takes back what it did is no worse.
func TestCrashWhileTakingBack(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		for n := 0; ; n++ {
			for m := n + 1; ; m++ {
				disk := newDisk(t)
				plan := newPlan(t, disk, r, 1)
				died := false
				once, dead := failOnce(n), vfs.FailNth(int64(m), errDisk)
				err := plan.Apply(vfs.Inject(disk, func(op vfs.Op, name string) error {
					if err := dead(op, name); err != nil {
						died = true
						return err
					}
					return once(op, name)
				}))
				if err == nil {
					return // there is no step n
				}
				afterCrash(t, fmt.Sprintf("failure at step %d, crash at %d", n, m), disk, r, plan, uint64(m))
				if t.Failed() {
					return
				}
				if !died {
					break // taking back was over before step m
				}
			}
		}
	})
}

// One directory was formatted by somebody else between plan and action.
func TestSomebodyWasFaster(t *testing.T) {
	r := modes(t, feature.LatestRelease())[1].request
	disk := newDisk(t)
	plan := newPlan(t, disk, r, 1)
	other := newPlan(t, disk, r, 2)
	if err := other.Apply(disk); err != nil {
		t.Fatal(err)
	}
	var formatted *FormattedError
	if err := plan.Apply(disk); !errors.As(err, &formatted) {
		t.Fatalf("%v", err)
	}
	for i := range other.Dirs {
		if !check(t, "afterwards", disk, &other.Dirs[i], contents(other)) {
			t.Errorf("%s is not formatted any more", other.Dirs[i].Path)
		}
	}
}
