package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestProbe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what the system tells differs")
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	never := func(Op, string) error { return nil }
	for _, fsys := range []FS{OS, Inject(OS, never)} {
		if info, err := Lstat(fsys, link); err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("Lstat: %v, %v", info, err)
		}
		if to, err := Readlink(fsys, link); err != nil || to != "nowhere" {
			t.Errorf("Readlink: %q, %v", to, err)
		}
		if err := Writable(fsys, dir); err != nil {
			t.Errorf("Writable: %v", err)
		}
		if err := Writable(fsys, link); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Writable of nothing: %v", err)
		}
		if free, err := Free(fsys, dir); err != nil || free == 0 {
			t.Errorf("Free: %d, %v", free, err)
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if uid, _, ok := Owner(info); !ok || int(uid) != os.Getuid() {
		t.Errorf("owner %d, %v; want %d", uid, ok, os.Getuid())
	}
}

func TestProbeMem(t *testing.T) {
	m := NewMem()
	if err := m.MkdirAll("/d", 0o500); err != nil {
		t.Fatal(err)
	}
	if err := Writable(m, "/d"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a directory without a write bit: %v", err)
	}
	if err := Writable(m, "/nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if _, err := Readlink(m, "/d"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Readlink of a directory: %v", err)
	}
}
