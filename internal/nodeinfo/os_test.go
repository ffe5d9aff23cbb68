package nodeinfo

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/vfs"
)

// TestOnDisk meets what memory does not have: links, owners, and the lock that a
// node holds.
func TestOnDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("locks and owners are those of Linux")
	}
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	put(t, vfs.OS, filepath.Join(real, "meta.properties"), metaText("1", "1", clusterID, dirID1.String()))
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	lock, err := vfs.OS.Lock(filepath.Join(real, ".lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	r, err := Collect(t.Context(), readOnly(t, vfs.OS), Options{Dirs: []string{link}})
	if err != nil {
		t.Fatal(err)
	}
	d := r.Directories[0]
	if d.Link != "real" || !d.Writable || d.UID == nil || int(*d.UID) != os.Getuid() || !strings.HasPrefix(d.Mode, "drwx") || !r.Running.Held {
		t.Errorf("%+v, running %+v", d, r.Running)
	}
	if got := ids(r); !slices.Equal(got, []string{dirLink, nodeRunning, versionUnknown}) {
		t.Errorf("%v", r.Problems)
	}
	if cells := d.Cells(); len(cells) != len(DirectoryHeader()) || !strings.HasSuffix(cells[0], "link -> real") {
		t.Errorf("%q", cells)
	}
	// a link to nowhere
	if err := os.Symlink("nowhere", filepath.Join(dir, "broken")); err != nil {
		t.Fatal(err)
	}
	r, err = Collect(t.Context(), vfs.OS, Options{Dirs: []string{filepath.Join(dir, "broken")}})
	if err != nil || !slices.Equal(ids(r), []string{dirMissing, dirLink}) {
		t.Errorf("%v, %v", r.Problems, err)
	}
}

func TestCells(t *testing.T) {
	s := dynamicScene()
	s.files["/d2/.kafka_cleanshutdown"] = []byte(`{"version":0,"brokerEpoch":17}`)
	s.files["/d1/.kafka_cleanshutdown"] = nil
	s.files["/d2/t-0/x"] = []byte("12345")
	s.files["/d2/t-1."+hex32+"-stray/"] = nil
	s.o.Partitions = true
	r := s.collect(t)
	want := [][]string{
		{"/d1", KindBoth, StateFormatted, dirID1.String(), "", "drwxr-xr-x", "0", "0", "yes"},
		{"/d2", KindData, StateFormatted, dirID2.String(), "", "drwxr-xr-x", "1, 1 stray", "5", "yes, broker epoch 17"},
	}
	for i, d := range r.Directories {
		if !slices.Equal(d.Cells(), want[i]) {
			t.Errorf("%q, want %q", d.Cells(), want[i])
		}
	}
	if got, want := r.Voters.Voters[0].Cells(), []string{"1", dirID1.String(), "CONTROLLER://localhost:9093", "yes"}; !slices.Equal(got, want) || len(got) != len(VoterHeader()) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Problems[0].Line(); !strings.HasPrefix(got, string(Warning)+": ") {
		t.Errorf("%q", got)
	}
	if worst, ok := r.Worst(); worst != Warning || !ok {
		t.Errorf("worst %s", worst)
	}
}
