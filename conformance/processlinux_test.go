//go:build conformance && linux

package conformance

import "syscall"

// groupAttributes put a process into a group of its own, which can be killed as
// a whole, and let it end with the test program, even when that is killed.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
