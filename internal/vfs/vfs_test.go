package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// eachFS runs a test on the real file system and on its twin: what the twin
// promises it promises because the real one does it.
func eachFS(t *testing.T, test func(t *testing.T, fsys FS, dir string)) {
	t.Run("os", func(t *testing.T) { test(t, OS, t.TempDir()) })
	t.Run("mem", func(t *testing.T) {
		m := NewMem()
		must(t, m.MkdirAll("/d", 0o755))
		test(t, m, "/d")
	})
	t.Run("inject", func(t *testing.T) {
		m := NewMem()
		must(t, m.MkdirAll("/d", 0o755))
		test(t, Inject(m, func(Op, string) error { return nil }), "/d")
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func write(t *testing.T, fsys FS, name, text string) {
	t.Helper()
	f, err := fsys.Create(name, 0o644)
	must(t, err)
	_, err = io.WriteString(f, text)
	must(t, err)
	must(t, f.Close())
}

// read gives a file's text, or "!" and the kind of error.
func read(fsys FS, name string) string {
	b, err := ReadFile(fsys, name, 1<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "!missing"
	case err != nil:
		return "!" + err.Error()
	}
	return string(b)
}

func TestFileOperations(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		_, err := fsys.Open(name)
		wantErr(t, err, fs.ErrNotExist)
		f, err := fsys.CreateNew(name, 0o600)
		must(t, err)
		_, err = fsys.CreateNew(name, 0o600)
		wantErr(t, err, fs.ErrExist)
		if f.Name() != name {
			t.Errorf("name %q", f.Name())
		}
		_, err = f.Write([]byte("hello"))
		must(t, err)
		_, err = f.WriteAt([]byte("J"), 0)
		must(t, err)
		_, err = f.WriteAt([]byte("!"), 7)
		must(t, err)
		must(t, f.Sync())
		if size, err := Size(f); err != nil || size != 8 {
			t.Errorf("size %d, %v", size, err)
		}
		buf := make([]byte, 4)
		n, err := f.ReadAt(buf, 6)
		if n != 2 || err != io.EOF {
			t.Errorf("short ReadAt: %d, %v", n, err)
		}
		if n, err := f.ReadAt(buf, 8); n != 0 || err != io.EOF {
			t.Errorf("ReadAt at the end: %d, %v", n, err)
		}
		if pos, err := f.Seek(-3, io.SeekEnd); pos != 5 || err != nil {
			t.Errorf("Seek: %d, %v", pos, err)
		}
		if n, err := f.Read(buf); n != 3 || err != nil || string(buf[:n]) != "\x00\x00!" {
			t.Errorf("Read: %q, %v", buf[:n], err)
		}
		if n, err := f.Read(buf); n != 0 || err != io.EOF {
			t.Errorf("Read at the end: %d, %v", n, err)
		}
		must(t, f.Truncate(5))
		must(t, f.Truncate(6))
		must(t, f.Close())
		_, err = f.Write([]byte("x"))
		wantErr(t, err, fs.ErrClosed)
		wantErr(t, f.Close(), fs.ErrClosed)
		if got := read(fsys, name); got != "Jello\x00" {
			t.Errorf("content %q", got)
		}

		a, err := fsys.OpenAppend(name, 0o600)
		must(t, err)
		_, err = a.Seek(0, io.SeekStart)
		must(t, err)
		_, err = a.Write([]byte("+"))
		must(t, err)
		if _, err := a.WriteAt([]byte("x"), 0); err == nil {
			t.Error("WriteAt on an appending file must fail")
		}
		must(t, a.Close())
		w, err := fsys.OpenReadWrite(name, 0o600)
		must(t, err)
		_, err = w.Write([]byte("H"))
		must(t, err)
		must(t, w.Close())
		if got := read(fsys, name); got != "Hello\x00+" {
			t.Errorf("content %q", got)
		}
		r, err := fsys.Open(name)
		must(t, err)
		if _, err := r.Write([]byte("x")); err == nil {
			t.Error("a file opened for reading took a write")
		}
		must(t, r.Close())
		must(t, fsys.Chmod(name, 0o400))
		info, err := fsys.Stat(name)
		must(t, err)
		if info.Mode() != 0o400 || info.Name() != "f" || info.Size() != 7 || info.IsDir() {
			t.Errorf("info %v %v %d", info.Mode(), info.Name(), info.Size())
		}
	})
}

func TestDirectoryOperations(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		sub := filepath.Join(dir, "a", "b")
		must(t, fsys.MkdirAll(sub, 0o755))
		must(t, fsys.MkdirAll(sub, 0o755))
		write(t, fsys, filepath.Join(sub, "2"), "two")
		write(t, fsys, filepath.Join(sub, "1"), "one")
		list, err := fsys.ReadDir(sub)
		must(t, err)
		if len(list) != 2 || list[0].Name() != "1" || list[1].Name() != "2" || list[0].IsDir() {
			t.Errorf("list %v", list)
		}
		must(t, fsys.SyncDir(sub))
		if err := fsys.Remove(sub); err == nil {
			t.Error("removed a directory that is not empty")
		}
		must(t, fsys.Rename(filepath.Join(sub, "1"), filepath.Join(sub, "2")))
		if got := read(fsys, filepath.Join(sub, "2")); got != "one" {
			t.Errorf("after the rename: %q", got)
		}
		wantErr(t, fsys.Rename(filepath.Join(sub, "1"), filepath.Join(sub, "3")), fs.ErrNotExist)
		// A directory moves with all that is in it, but not below itself.
		must(t, fsys.Rename(sub, filepath.Join(dir, "c")))
		if got := read(fsys, filepath.Join(dir, "c", "2")); got != "one" {
			t.Errorf("after the move: %q", got)
		}
		if err := fsys.Rename(filepath.Join(dir, "c"), filepath.Join(dir, "c", "d")); err == nil {
			t.Error("moved a directory below itself")
		}
		must(t, fsys.Remove(filepath.Join(dir, "c", "2")))
		must(t, fsys.Remove(filepath.Join(dir, "c")))
		wantErr(t, fsys.Remove(filepath.Join(dir, "c")), fs.ErrNotExist)
		write(t, fsys, filepath.Join(dir, "file"), "x")
		if err := fsys.MkdirAll(filepath.Join(dir, "file", "sub"), 0o755); err == nil {
			t.Error("made a directory below a file")
		}
		if _, err := fsys.ReadDir(filepath.Join(dir, "file")); err == nil {
			t.Error("listed a file")
		}
		if _, err := fsys.Create(dir, 0o644); err == nil {
			t.Error("created a file over a directory")
		}
	})
}

func TestLock(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, ".lock")
		l, err := fsys.Lock(name)
		must(t, err)
		_, err = fsys.Lock(name)
		wantErr(t, err, ErrLocked)
		// Looking at the file must not lose the lock, as it would with POSIX locks.
		if got := read(fsys, name); got != "" {
			t.Errorf("lock file holds %q", got)
		}
		_, err = fsys.Lock(name)
		wantErr(t, err, ErrLocked)
		must(t, l.Close())
		l, err = fsys.Lock(name)
		must(t, err)
		must(t, l.Close())
	})
}

func TestRemovedFileStaysOpen(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		write(t, fsys, name, "text")
		f, err := fsys.Open(name)
		must(t, err)
		must(t, fsys.Remove(name))
		b, err := io.ReadAll(f)
		if string(b) != "text" || err != nil {
			t.Errorf("%q, %v", b, err)
		}
		must(t, f.Close())
	})
}

func TestReadFileLimit(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		write(t, fsys, name, strings.Repeat("x", 100))
		if b, err := ReadFile(fsys, name, 100); len(b) != 100 || err != nil {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		_, err := ReadFile(fsys, name, 99)
		wantErr(t, err, ErrTooLarge)
	})
}

func TestWriteFileAtomic(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "quorum-state")
		for _, text := range []string{"first", "second, longer", "3"} {
			must(t, WriteFileAtomic(fsys, name, []byte(text), 0o644))
			if got := read(fsys, name); got != text {
				t.Errorf("got %q, want %q", got, text)
			}
		}
		if got := read(fsys, name+TempSuffix); got != "!missing" {
			t.Errorf("temporary file left: %q", got)
		}
	})
}

func ExampleWriteFileAtomic() {
	m := NewMem()
	_ = WriteFileAtomic(m, "/f", []byte("durable"), 0o644)
	f, _ := m.Create("/g", 0o644)
	_, _ = io.WriteString(f, "never synced")

	after := m.CrashClone()
	b, _ := ReadFile(after, "/f", 100)
	_, err := after.Stat("/g")
	fmt.Printf("%s, %v\n", b, errors.Is(err, fs.ErrNotExist))
	// Output: durable, true
}
