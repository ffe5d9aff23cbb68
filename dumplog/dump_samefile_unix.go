//go:build unix

package dumplog

import (
	"io/fs"
	"syscall"
)

// identity compares two files by device and inode. ok is false where the file
// system does not tell.
func identity(a, b fs.FileInfo) (same, ok bool) {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 {
		return false, false
	}
	return x.Dev == y.Dev && x.Ino == y.Ino, true
}
