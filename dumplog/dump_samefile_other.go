//go:build !unix

package dumplog

import "io/fs"

// identity compares two files; here nothing tells what they are.
func identity(_, _ fs.FileInfo) (same, ok bool) { return false, false }
