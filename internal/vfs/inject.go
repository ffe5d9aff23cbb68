package vfs

import (
	"io"
	"io/fs"
	"sync/atomic"
)

// Op names an operation for the function given to Inject.
type Op uint8

// The operations of FS and File. OpSync is File.Sync, OpSyncDir is FS.SyncDir;
// OpStat is Stat of either.
const (
	OpOpen Op = iota
	OpCreate
	OpRename
	OpRemove
	OpMkdirAll
	OpReadDir
	OpStat
	OpChmod
	OpSyncDir
	OpLock
	OpRead
	OpWrite
	OpSeek
	OpTruncate
	OpSync
	OpClose
)

var opNames = [...]string{"open", "create", "rename", "remove", "mkdirall", "readdir", "stat", "chmod",
	"syncdir", "lock", "read", "write", "seek", "truncate", "sync", "close"}

// String is the name of the operation in lower case.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "unknown"
}

// Changes reports whether the operation may change what is on disk or what of
// it is durable.
func (o Op) Changes() bool {
	switch o {
	case OpCreate, OpRename, OpRemove, OpMkdirAll, OpChmod, OpSyncDir, OpWrite, OpTruncate, OpSync:
		return true
	}
	return false
}

// Inject wraps a file system so that fault is asked before every operation. An
// error from it is returned in place of the operation, which then does not
// happen; a Close so failed still closes the file. The path is the name a file
// was opened with; for a rename it is the old name. fault may be called from
// several goroutines.
func Inject(fsys FS, fault func(op Op, path string) error) FS {
	return injectFS{fsys, fault}
}

// FailNth gives a function for Inject that lets n operations pass (counting
// those for which Op.Changes holds, from 0) and returns err for the next one
// and for every one after it, as a disk does that has died. Running a test with
// n = 0, 1, 2, ... until it succeeds meets every point where it can be cut off.
func FailNth(n int64, err error) func(Op, string) error {
	var seen atomic.Int64
	return func(op Op, _ string) error {
		if op.Changes() && seen.Add(1) > n {
			return err
		}
		return nil
	}
}

type injectFS struct {
	fs    FS
	fault func(Op, string) error
}

// open asks fault, opens and wraps the result.
func (i injectFS) open(op Op, name string, open func() (File, error)) (File, error) {
	if err := i.fault(op, name); err != nil {
		return nil, err
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	return injectFile{f, i.fault}, nil
}

func (i injectFS) Open(name string) (File, error) {
	return i.open(OpOpen, name, func() (File, error) { return i.fs.Open(name) })
}

func (i injectFS) Create(name string, perm fs.FileMode) (File, error) {
	return i.open(OpCreate, name, func() (File, error) { return i.fs.Create(name, perm) })
}

func (i injectFS) CreateNew(name string, perm fs.FileMode) (File, error) {
	return i.open(OpCreate, name, func() (File, error) { return i.fs.CreateNew(name, perm) })
}

func (i injectFS) OpenReadWrite(name string, perm fs.FileMode) (File, error) {
	return i.open(OpCreate, name, func() (File, error) { return i.fs.OpenReadWrite(name, perm) })
}

func (i injectFS) OpenAppend(name string, perm fs.FileMode) (File, error) {
	return i.open(OpCreate, name, func() (File, error) { return i.fs.OpenAppend(name, perm) })
}

func (i injectFS) Rename(oldName, newName string) error {
	if err := i.fault(OpRename, oldName); err != nil {
		return err
	}
	return i.fs.Rename(oldName, newName)
}

func (i injectFS) Remove(name string) error {
	if err := i.fault(OpRemove, name); err != nil {
		return err
	}
	return i.fs.Remove(name)
}

func (i injectFS) MkdirAll(name string, perm fs.FileMode) error {
	if err := i.fault(OpMkdirAll, name); err != nil {
		return err
	}
	return i.fs.MkdirAll(name, perm)
}

func (i injectFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := i.fault(OpReadDir, name); err != nil {
		return nil, err
	}
	return i.fs.ReadDir(name)
}

func (i injectFS) Stat(name string) (fs.FileInfo, error) {
	if err := i.fault(OpStat, name); err != nil {
		return nil, err
	}
	return i.fs.Stat(name)
}

func (i injectFS) Chmod(name string, perm fs.FileMode) error {
	if err := i.fault(OpChmod, name); err != nil {
		return err
	}
	return i.fs.Chmod(name, perm)
}

func (i injectFS) SyncDir(name string) error {
	if err := i.fault(OpSyncDir, name); err != nil {
		return err
	}
	return i.fs.SyncDir(name)
}

func (i injectFS) Lock(name string) (io.Closer, error) {
	if err := i.fault(OpLock, name); err != nil {
		return nil, err
	}
	return i.fs.Lock(name)
}

type injectFile struct {
	File
	fault func(Op, string) error
}

func (f injectFile) Read(p []byte) (int, error) {
	if err := f.fault(OpRead, f.Name()); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

func (f injectFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fault(OpRead, f.Name()); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f injectFile) Write(p []byte) (int, error) {
	if err := f.fault(OpWrite, f.Name()); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f injectFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.fault(OpWrite, f.Name()); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f injectFile) Seek(offset int64, whence int) (int64, error) {
	if err := f.fault(OpSeek, f.Name()); err != nil {
		return 0, err
	}
	return f.File.Seek(offset, whence)
}

func (f injectFile) Stat() (fs.FileInfo, error) {
	if err := f.fault(OpStat, f.Name()); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f injectFile) Truncate(size int64) error {
	if err := f.fault(OpTruncate, f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f injectFile) Sync() error {
	if err := f.fault(OpSync, f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f injectFile) Close() error {
	ferr := f.fault(OpClose, f.Name())
	if err := f.File.Close(); ferr == nil {
		return err
	}
	return ferr
}
