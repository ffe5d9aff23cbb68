//go:build unix

package vfs

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func (osFS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

func (osFS) Readlink(name string) (string, error) { return os.Readlink(name) }

func (osFS) Writable(dir string) error {
	return pathError("access", dir, unix.Access(dir, unix.W_OK|unix.X_OK))
}

func (osFS) Free(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, pathError("statfs", dir, err)
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}

// Owner gives the user and group that a file belongs to; ok is false where the
// system has none.
func Owner(info fs.FileInfo) (uid, gid uint32, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return st.Uid, st.Gid, true
}
