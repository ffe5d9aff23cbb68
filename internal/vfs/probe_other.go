//go:build !unix

package vfs

import (
	"io/fs"
	"math"
	"os"
)

func (osFS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

func (osFS) Readlink(name string) (string, error) { return os.Readlink(name) }

// Writable finds out by writing only, which is not for a probe.
func (osFS) Writable(string) error { return nil }

func (osFS) Free(string) (uint64, error) { return math.MaxUint64, nil }

// Owner gives the user and group that a file belongs to; ok is false where the
// system has none.
func Owner(fs.FileInfo) (uid, gid uint32, ok bool) { return 0, 0, false }
