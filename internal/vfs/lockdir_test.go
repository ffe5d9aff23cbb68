package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A directory is locked against everybody who asks, until the lock is given back.
func TestLockDir(t *testing.T) {
	mem := NewMem()
	if err := mem.MkdirAll("/d", 0o755); err != nil {
		t.Fatal(err)
	}
	type place struct {
		fs  FS
		dir string
	}
	places := []place{{mem, "/d"}, {Inject(mem, func(Op, string) error { return nil }), "/d"}}
	if runtime.GOOS != "windows" {
		places = append(places, place{OS, t.TempDir()})
	}
	for _, p := range places {
		first, err := LockDir(p.fs, p.dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := LockDir(p.fs, p.dir); !errors.Is(err, ErrLocked) {
			t.Errorf("a second lock: %v", err)
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		again, err := LockDir(p.fs, p.dir)
		if err != nil {
			t.Fatalf("after it was given back: %v", err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
		if _, err := LockDir(p.fs, p.dir+"/nothing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no directory: %v", err)
		}
		if list, err := p.fs.ReadDir(p.dir); err != nil || len(list) > 0 {
			t.Errorf("a trace is left: %v, %v", list, err)
		}
	}
}

func TestUnsyncable(t *testing.T) {
	for _, err := range []error{fs.ErrPermission, &fs.PathError{Op: "sync", Path: filepath.Join("a", "b"), Err: os.ErrPermission}} {
		if !Unsyncable(err) {
			t.Errorf("%v", err)
		}
	}
	if runtime.GOOS == "linux" && (!Unsyncable(&fs.PathError{Err: syscall.EROFS}) || !Unsyncable(&fs.PathError{Err: syscall.EINVAL})) {
		t.Error("what the kernel says of directories that cannot be synced")
	}
	if Unsyncable(syscall.EIO) || Unsyncable(nil) || Unsyncable(fs.ErrNotExist) {
		t.Error("a disk that fails is another matter")
	}
}
