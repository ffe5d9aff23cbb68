package format

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/vfs"
)

// onDisk is a request for two directories below a real one.
func onDisk(t *testing.T) (Request, string) {
	t.Helper()
	dir := t.TempDir()
	return Request{Release: feature.LatestRelease(), ClusterID: clusterID, NodeID: 1, Controller: true, StaticVoters: true,
		Dirs: []string{filepath.Join(dir, "d1"), filepath.Join(dir, "d2")}, MetadataDir: filepath.Join(dir, "d1"), ListenerName: "C"}, dir
}

// write makes a file with its parents.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

// Each of these is refused before anything is written, with what was found.
func TestRefusedBeforeWriting(t *testing.T) {
	for _, c := range []struct {
		name    string
		make    func(t *testing.T, dir string, r *Request)
		allow   Allow
		found   string // "" is not refused
		release string
	}{
		{name: "nothing there", make: func(*testing.T, string, *Request) {}},
		{name: "empty directories", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d1/.x/y", "")
			_ = os.RemoveAll(dir + "/d1/.x")
		}},
		{name: "data", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d2/orders-0/00000000000000000000.log", "x") },
			found: "it is not formatted, but not empty: orders-0"},
		{name: "data that is to be kept", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d2/orders-0/00000000000000000000.log", "x") }, allow: Allow{Data: true}},
		{name: "much data", make: func(t *testing.T, dir string, r *Request) {
			for _, n := range []string{"a", "b", "c", "d", "e"} {
				write(t, dir+"/d2/"+n, "")
			}
		}, found: "a, b, c and 2 more"},
		{name: "a metadata log", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d1/__cluster_metadata-0/00000000000000000000.log", "x")
		},
			found: "__cluster_metadata-0/00000000000000000000.log"},
		{name: "what an interrupted format leaves", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d1/__cluster_metadata-0/"+FirstSnapshotName, "x")
			write(t, dir+"/d1/__cluster_metadata-0/"+FirstSnapshotName+index.StatePart.Suffix(), "x")
			write(t, dir+"/d1/meta.properties.tmp", "x")
		}},
		{name: "bootstrap.checkpoint before 4.4", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d1/bootstrap.checkpoint", "x") }, release: "4.3"},
		{name: "bootstrap.checkpoint and 4.4", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d1/bootstrap.checkpoint", "x") },
			found: "from which Kafka would take the features"},
		{name: "lost+found", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d2/lost+found/x", "") }, found: "lost+found"},
		{name: "a file in place of a directory", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d2", "") }, found: "meta.properties cannot be read"},
		{name: "a file above the directory", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/f", ""); r.Dirs[1] = dir + "/f/g/d2" },
			found: "meta.properties cannot be read"},
		{name: "a file for the metadata log", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d1/__cluster_metadata-0", "") }, found: "not a directory"},
		{name: "a damaged meta.properties", make: func(t *testing.T, dir string, r *Request) { write(t, dir+"/d2/meta.properties", "version=9\n") },
			found: "meta.properties cannot be read"},
		{name: "a link", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/real/x", "")
			_ = os.Remove(dir + "/real/x")
			symlink(t, dir+"/real", dir+"/d2")
		},
			found: "is a symbolic link to"},
		{name: "a link that is allowed", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/real/x", "")
			_ = os.Remove(dir + "/real/x")
			symlink(t, dir+"/real", dir+"/d2")
		},
			allow: Allow{Symlinks: true}},
		{name: "a link to nowhere", make: func(t *testing.T, dir string, r *Request) { symlink(t, "nowhere", dir+"/d2") }, allow: Allow{Symlinks: true}, found: "which does not exist"},
		{name: "a link for the metadata log", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d1/x", "")
			_ = os.Remove(dir + "/d1/x")
			symlink(t, dir, dir+"/d1/__cluster_metadata-0")
		}, allow: Allow{Symlinks: true}, found: "is a symbolic link"},
		{name: "one directory twice", make: func(t *testing.T, dir string, r *Request) { r.Dirs[1] = dir + "/./d1" }, found: "it is the same directory as"},
		{name: "one directory by two ways", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d1/x", "")
			_ = os.Remove(dir + "/d1/x")
			symlink(t, "d1", dir+"/d2")
		},
			allow: Allow{Symlinks: true}, found: "it is the same directory as"},
		{name: "a metadata directory that was lost", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d2/meta.properties", "version=1\nnode.id=1\ncluster.id="+clusterID+"\n")
			write(t, dir+"/d2/orders-0/00000000000000000000.log", "x")
			r.IgnoreFormatted = true
		}, found: "this node has run"},
		{name: "a metadata directory that was not reached", make: func(t *testing.T, dir string, r *Request) {
			write(t, dir+"/d2/meta.properties", "version=1\nnode.id=1\ncluster.id="+clusterID+"\n")
			r.IgnoreFormatted = true
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, dir := onDisk(t)
			if c.release != "" {
				r.Release = feature.ByReleaseName(c.release)
			}
			c.make(t, dir, &r)
			before := tree(t, vfs.OS, dir)
			plan, err := NewPlan(vfs.OS, r, testEnv(1))
			if err != nil {
				t.Fatal(err)
			}
			if err = plan.Suspicious(vfs.OS, c.allow); err == nil {
				err = plan.Preflight(vfs.OS)
			}
			var unusable *UnusableError
			switch {
			case c.found == "" && err != nil:
				t.Errorf("%v", err)
			case c.found != "" && (!errors.As(err, &unusable) || !strings.Contains(err.Error(), c.found) || unusable.Remedy == "" || unusable.Dir == ""):
				t.Errorf("%v, want %q", err, c.found)
			}
			if after := tree(t, vfs.OS, dir); len(after) != len(before) {
				t.Errorf("files were made: %v", after)
			}
			if c.found == "" {
				if err := plan.Apply(vfs.OS); err != nil {
					t.Errorf("after all: %v", err)
				}
			}
		})
	}
}

// roomFS has little room.
type roomFS struct {
	*vfs.Mem
	free uint64
}

func (r roomFS) Free(string) (uint64, error) { return r.free, nil }

func TestNoRoomAndNoPermission(t *testing.T) {
	r := modes(t, feature.LatestRelease())[0].request
	disk := newDisk(t)
	plan := newPlan(t, disk, r, 1)
	if err := plan.Preflight(roomFS{disk, 1000}); err == nil || !strings.Contains(err.Error(), "no room: 1000 bytes are free") {
		t.Errorf("%v", err)
	}
	if err := disk.Chmod("/data", 0o500); err != nil {
		t.Fatal(err)
	}
	if err := plan.Preflight(disk); err == nil || !strings.Contains(err.Error(), "files cannot be created in /data: permission denied") {
		t.Errorf("%v", err)
	}
	if err := errors.Join(disk.Chmod("/data", 0o700), disk.MkdirAll("/data/d1", 0o755), disk.MkdirAll("/data/d1/__cluster_metadata-0", 0o500)); err != nil {
		t.Fatal(err)
	}
	if err := plan.Preflight(disk); err == nil || !strings.Contains(err.Error(), "/data/d1/__cluster_metadata-0: permission denied") {
		t.Errorf("%v", err)
	}
}

// The directory that Kafka 4.4.0 names when it finds some formatted.
func TestNamedLikeKafka(t *testing.T) {
	for want, dirs := range map[string][]string{
		"d1": {"d1", "d2", "d3", "md"}, "n864/md": {"n864/Aa", "n864/md"}, "n1117/z9": {"n1117/C#", "n1117/z9"}, "n485/d2": {"n485/BB", "n485/d2"}, "C#": {"C#", "d4/"}, "Aa": {"Aa", "BB", "z9"},
	} {
		e := &Ensemble{}
		for _, dir := range dirs {
			e.Formatted = append(e.Formatted, FormattedDir{Path: dir})
		}
		if got := e.named(); got != want {
			t.Errorf("%v: %s, want %s", dirs, got, want)
		}
	}
}
