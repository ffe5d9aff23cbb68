package vfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLocked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no locks here")
	}
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, ".lock")
		_, err := Locked(fsys, name)
		wantErr(t, err, fs.ErrNotExist)
		lock, err := fsys.Lock(name)
		must(t, err)
		if h, err := Locked(fsys, name); err != nil || !h.Held {
			t.Errorf("held: %+v, %v", h, err)
		}
		if _, err := fsys.Lock(name); !errors.Is(err, ErrLocked) {
			t.Errorf("asking gave the lock up: %v", err)
		}
		must(t, lock.Close())
		if h, err := Locked(fsys, name); err != nil || h.Held {
			t.Errorf("given back: %+v, %v", h, err)
		}
	})
}

func TestLockedFault(t *testing.T) {
	fault := errors.New("fault")
	_, err := Locked(Inject(NewMem(), func(Op, string) error { return fault }), "/f")
	wantErr(t, err, fault)
}

func TestMemOwner(t *testing.T) {
	m := NewMem()
	write(t, m, "/f", "x")
	must(t, m.SyncDir("/"))
	info, err := m.Stat("/f")
	must(t, err)
	if _, _, ok := Owner(info); ok {
		t.Error("an owner from nowhere")
	}
	must(t, m.Chown("/f", 7, 8))
	wantErr(t, m.Chown("/g", 7, 8), fs.ErrNotExist)
	for _, fsys := range []FS{m, m.CrashClone()} {
		info, err := fsys.Stat("/f")
		must(t, err)
		if uid, gid, ok := Owner(info); ok != (runtime.GOOS != "windows") || ok && (uid != 7 || gid != 8) {
			t.Errorf("owner %d:%d %v", uid, gid, ok)
		}
	}
}
