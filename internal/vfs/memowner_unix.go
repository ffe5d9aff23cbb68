//go:build unix

package vfs

import "syscall"

// Sys gives what Owner reads.
func (i memInfo) Sys() any {
	if i.owner == nil {
		return nil
	}
	return &syscall.Stat_t{Uid: i.owner.uid, Gid: i.owner.gid}
}
