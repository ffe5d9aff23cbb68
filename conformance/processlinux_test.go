//go:build conformance && linux

package conformance

import (
	"os"
	"syscall"
)

// groupAttributes put a process into a group of its own, which can be killed as
// a whole, and let it end with the test program, even when that is killed.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// memoryDir is a directory in memory that has space for several servers, or empty.
func memoryDir() string {
	const dir, space = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < space {
		return ""
	}
	probe, err := os.MkdirTemp(dir, "kraftctl-")
	if err != nil {
		return ""
	}
	_ = os.Remove(probe)
	return dir
}
