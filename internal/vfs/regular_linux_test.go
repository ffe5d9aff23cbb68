package vfs

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon fails the test when f waits for somebody.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatalf("%s waits", what)
	}
}

// oddFiles makes what may have the name of a file and is none.
func oddFiles(t *testing.T) (names []string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "vfs") // the name of a socket must be short
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	fifo, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "socket")
	must(t, syscall.Mkfifo(fifo, 0o644))
	l, err := net.Listen("unix", socket)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	names = []string{fifo, socket}
	for link, to := range map[string]string{"link": fifo, "zero": "/dev/zero", "null": "/dev/null"} {
		must(t, os.Symlink(to, filepath.Join(dir, link)))
		names = append(names, filepath.Join(dir, link))
	}
	return names
}

func TestOpenRegularRefusesTheRest(t *testing.T) {
	for _, fsys := range []FS{OS, Inject(OS, func(Op, string) error { return nil })} {
		for _, name := range oddFiles(t) {
			soon(t, name, func() {
				if _, err := OpenRegular(fsys, name); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), name) {
					t.Errorf("OpenRegular: %v", err)
				}
				if _, err := ReadFile(fsys, name, 100); !errors.Is(err, ErrNotRegular) {
					t.Errorf("ReadFile: %v", err)
				}
				if _, err := Locked(fsys, name); errors.Is(err, ErrNotRegular) {
					t.Errorf("Locked: %v", err)
				}
			})
		}
	}
}

// TestOpenRegularExchanged: the file becomes a FIFO between the look at it and
// its opening.
func TestOpenRegularExchanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, OS, name, "text")
	fsys := Inject(OS, func(op Op, _ string) error {
		if op == OpOpen {
			return errors.Join(os.Remove(name), syscall.Mkfifo(name, 0o644))
		}
		return nil
	})
	soon(t, "it", func() {
		_, err := OpenRegular(fsys, name)
		wantErr(t, err, ErrNotRegular)
	})
}

func TestOpenRegular(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys FS, dir string) {
		name := filepath.Join(dir, "f")
		_, err := OpenRegular(fsys, name)
		wantErr(t, err, fs.ErrNotExist)
		write(t, fsys, name, "text")
		f, err := OpenRegular(fsys, name)
		must(t, err)
		b := make([]byte, 4)
		if n, err := f.ReadAt(b, 0); n != 4 || err != nil || string(b) != "text" {
			t.Errorf("%q, %v", b, err)
		}
		must(t, f.Close())
		_, err = OpenRegular(fsys, dir)
		wantErr(t, err, syscall.EISDIR)
		_, err = ReadFile(fsys, dir, 100)
		if err == nil || !strings.Contains(err.Error(), "is a directory") {
			t.Errorf("a directory: %v", err)
		}
	})
}

// TestReadFromPipes: what a person hands over may come from a pipe.
func TestReadFromPipes(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	_, err = w.WriteString("text")
	must(t, err)
	must(t, w.Close())
	// A file descriptor of the name, as of <(command).
	name := filepath.Join("/dev/fd", strconv.Itoa(int(r.Fd())))
	if b, err := ReadInput(OS, name, 100); string(b) != "text" || err != nil {
		t.Errorf("%s: %q, %v", name, b, err)
	}
	if b, err := ReadInput(OS, "/dev/null", 100); len(b) != 0 || err != nil {
		t.Errorf("/dev/null: %q, %v", b, err)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o644))
	go func() { _ = os.WriteFile(fifo, []byte("by name"), 0) }()
	soon(t, fifo, func() {
		if b, err := ReadInput(OS, fifo, 100); string(b) != "by name" || err != nil {
			t.Errorf("%s: %q, %v", fifo, b, err)
		}
	})
	if _, err := ReadInput(OS, "/dev/zero", 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("/dev/zero: %v", err)
	}
}
