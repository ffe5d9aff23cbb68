//go:build !unix

package vfs

// Sys has nothing to give: files have no owners here.
func (i memInfo) Sys() any { return nil }
