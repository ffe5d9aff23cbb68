package javaerr

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestFile(t *testing.T) {
	for want, err := range map[string]error{
		"java.nio.file.NoSuchFileException: f":    &fs.PathError{Op: "open", Path: "f", Err: fs.ErrNotExist},
		"java.nio.file.AccessDeniedException: f":  fmt.Errorf("x: %w", fs.ErrPermission),
		"java.io.IOException: Is a directory":     fmt.Errorf("x: %w", &fs.PathError{Op: "read", Path: "f", Err: errors.New("is a directory")}),
		"java.io.IOException: Something happened": errors.New("something happened"),
	} {
		if got := File("f", err); got.Error() != want || !errors.Is(got, err) {
			t.Errorf("%v, want %s", got, want)
		}
	}
}
