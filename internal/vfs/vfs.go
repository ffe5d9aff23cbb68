// Package vfs is the file system as this module sees it: an interface, the
// operating system behind it, a memory twin that can crash, and a wrapper that
// injects errors. Code that touches files takes an FS, so that its behaviour
// after a power failure or a full disk is a test and not a hope.
//
//	OS ──────────────┐
//	Mem ─ CrashClone ─┼─> FS ──> WriteFileAtomic, ReadFile, OpenRegular
//	Inject(FS, func) ┘
//
// What is durable follows POSIX at its strictest, because that is the contract
// the KRaft log has to live with:
//
//   - bytes of a file survive once File.Sync has returned;
//   - a name (a new file, a rename, a removal) survives once FS.SyncDir of its
//     directory has returned; a name that survives says nothing about its bytes.
//
// Names use the separators of the operating system; Mem understands forward
// slashes only.
package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// FS is a file system. Errors are *fs.PathError (or *os.LinkError) values around
// fs.ErrNotExist, fs.ErrExist and so on, as those of package os.
type FS interface {
	// Open opens a file for reading only. It takes no lock, so that it is safe
	// on the directory of a running node.
	Open(name string) (File, error)
	// Create opens a file for reading and writing and cuts it to length 0,
	// creating it with perm if it does not exist.
	Create(name string, perm fs.FileMode) (File, error)
	// CreateNew is Create for a name that must not exist yet.
	CreateNew(name string, perm fs.FileMode) (File, error)
	// OpenReadWrite opens a file for reading and writing at any place, keeping
	// its bytes and creating it with perm if it does not exist.
	OpenReadWrite(name string, perm fs.FileMode) (File, error)
	// OpenAppend opens a file whose writes all go to its end, creating it with
	// perm if it does not exist. WriteAt is an error on such a file.
	OpenAppend(name string, perm fs.FileMode) (File, error)
	// Rename moves a file or directory; an existing file at newName is replaced
	// in one step.
	Rename(oldName, newName string) error
	// Remove removes a file or an empty directory.
	Remove(name string) error
	// MkdirAll creates a directory and its missing parents.
	MkdirAll(name string, perm fs.FileMode) error
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes a file or directory, following symbolic links.
	Stat(name string) (fs.FileInfo, error)
	// Chmod sets the permission bits; a finished snapshot is 0400.
	Chmod(name string, perm fs.FileMode) error
	// SyncDir makes the names in a directory durable.
	SyncDir(name string) error
	// Lock takes the exclusive lock that a Kafka node holds on its .lock file,
	// creating the file if needed. It never waits: ErrLocked if another process
	// or another caller in this one has it. Closing the result gives it back.
	Lock(name string) (io.Closer, error)
}

// File is an open file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Seeker
	io.Closer
	// Name is the name the file was opened with.
	Name() string
	// Stat describes the file.
	Stat() (fs.FileInfo, error)
	// Truncate changes the length in bytes; a longer file is filled with zeros.
	Truncate(size int64) error
	// Sync makes the bytes and the length durable.
	Sync() error
}

// ErrLocked is returned by FS.Lock for a lock that somebody else holds.
var ErrLocked = errors.New("locked by another process")

// ErrTooLarge is returned by ReadFile and ReadInput for a file beyond the given limit.
var ErrTooLarge = errors.New("file too large")

// TempSuffix is what Kafka appends to the name of a file while writing it.
const TempSuffix = ".tmp"

// Cause is what the system said about a file, without the call and the name, for
// messages that name the file themselves. Another error stays as it is.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Size gives the length of an open file in bytes.
func Size(f File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadFile reads a whole small file. A file longer than limit bytes is an error
// around ErrTooLarge and is not read, so that a wrong path (a 10 GiB segment
// given as meta.properties) cannot take the memory of the process. It is opened
// by OpenRegular; for what a person names there is ReadInput.
func ReadFile(fsys FS, name string, limit int64) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	return readAll(f, limit)
}

// ReadInput is ReadFile for what a person names, a configuration for example: it
// may be /dev/stdin, the /dev/fd/63 of a shell's <(command), or a FIFO, and then
// it waits for whoever writes to it.
func ReadInput(fsys FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(f, limit)
}

// readAll reads a file and closes it.
func readAll(f File, limit int64) (data []byte, err error) {
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			data, err = nil, cerr
		}
	}()
	// One byte more than allowed tells a file that grew (or lied about its
	// length, as those of /proc do) from one that fits.
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)}
	}
	return data, nil
}

// WriteFileAtomic replaces a small file as Kafka does: the bytes go to
// name+".tmp", are synced, take the name by a rename, and the directory is
// synced. After a crash at any point name has its old bytes or all of the new
// ones. If a step before the rename fails the temporary file is removed again.
//
// An error from the last step, the sync of the directory, means that the new
// bytes are in place but may be gone after a crash.
func WriteFileAtomic(fsys FS, name string, data []byte, perm fs.FileMode) error {
	temp := name + TempSuffix
	if err := writeAndSync(fsys, temp, data, perm); err != nil {
		// The first error is the one that matters; a leftover .tmp file is
		// ignored by everybody and overwritten by the next attempt.
		_ = fsys.Remove(temp)
		return err
	}
	if err := fsys.Rename(temp, name); err != nil {
		_ = fsys.Remove(temp)
		return err
	}
	return fsys.SyncDir(filepath.Dir(name))
}

// writeAndSync creates a file with the given bytes and makes them durable.
func writeAndSync(fsys FS, name string, data []byte, perm fs.FileMode) (err error) {
	f, err := fsys.Create(name, perm)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}
