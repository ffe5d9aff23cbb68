//go:build !linux

package vfs

import (
	"errors"
	"os"
)

func openReadOnly(name string) (File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// lockFile refuses: a lock that does not exclude the JVM would be worse than none.
func lockFile(*os.File) error { return errors.ErrUnsupported }
