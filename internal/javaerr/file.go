package javaerr

import (
	"errors"
	"io/fs"
	"strings"

	"kraftctl/internal/vfs"
)

// File is what Java throws for a file that cannot be read: for the usual causes an
// exception of their own with the name of the file, else what the system said,
// which Java begins in upper case.
func File(name string, err error) *Exception {
	e := &Exception{Class: IO, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Class, e.Message = NoSuchFile, name
	case errors.Is(err, fs.ErrPermission):
		e.Class, e.Message = AccessDenied, name
	default:
		text := vfs.Cause(err).Error()
		e.Message = strings.ToUpper(text[:1]) + text[1:]
	}
	return e
}
