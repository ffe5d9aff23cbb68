//go:build conformance && !linux

package conformance

import "syscall"

// groupAttributes put a process into a group of its own, which can be killed as
// a whole.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// memoryDir is a directory in memory, of which there is none.
func memoryDir() string { return "" }
