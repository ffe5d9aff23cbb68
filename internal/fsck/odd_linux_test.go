package fsck

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kraftctl/internal/vfs"
)

// TestOddFiles: a FIFO or device with the name of a file is a finding, and never
// waited for, whether it is met in a directory or named.
func TestOddFiles(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	indexes := []string{"orders-0/00000000000000000000.index", "orders-0/00000000000000000000.timeindex", "orders-0/00000000000000000000.txnindex"}
	odd := append(indexes,
		"meta.properties", "recovery-point-offset-checkpoint", "replication-offset-checkpoint", "log-start-offset-checkpoint",
		"cleaner-offset-checkpoint", ".kafka_cleanshutdown", "bootstrap.checkpoint",
		"orders-0/partition.metadata", "orders-0/leader-epoch-checkpoint", "orders-0/00000000000000000000.snapshot",
		"orders-1/00000000000000000000.log", "__cluster_metadata-0/quorum-state",
		"__cluster_metadata-0/00000000000000000000-0000000000.checkpoint")
	makers := map[string]func(name string) error{
		"fifo":   func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"device": func(name string) error { return os.Symlink("/dev/zero", name) },
	}
	for kind, make := range makers {
		t.Run(kind, func(t *testing.T) {
			for _, name := range odd {
				if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
					t.Fatal(err)
				}
				_ = os.Remove(at(name))
				if err := make(at(name)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(at("orders-0/00000000000000000000.log"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			found := unreadableFiles(t, root)
			for _, name := range odd {
				if !found[at(name)] {
					t.Errorf("%s is not told of in the directory", name)
				}
				if !unreadableFiles(t, at(name))[at(name)] {
					t.Errorf("%s is not told of alone", name)
				}
			}
			soon(t, func() {
				for _, name := range indexes {
					if list := CheckIndex(vfs.OS, at(name)); len(list) != 1 || list[0].Rule != fileUnreadable {
						t.Errorf("%s: %v", name, list)
					}
				}
			})
		})
	}
}

// unreadableFiles are the files that a check of a path says cannot be read.
func unreadableFiles(t *testing.T, path string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	soon(t, func() {
		r, err := Check(context.Background(), vfs.OS, []string{path}, Options{})
		if err != nil {
			t.Error(err)
		}
		for _, f := range r.Findings {
			if f.Rule == fileUnreadable && f.Message == "cannot be read: not a regular file" {
				found[f.File] = true
			}
		}
	})
	return found
}

// soon fails the test when f waits for somebody.
func soon(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it waits")
	}
}
