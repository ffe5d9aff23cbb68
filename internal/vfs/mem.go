package vfs

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"
	"time"
)

// Mem is a file system in memory that remembers, next to what is there now,
// what would be left after a power failure. Names are slash-separated; a
// relative one is taken from the root. The zero value is not usable: NewMem.
// It is safe for use by several goroutines.
type Mem struct {
	mu   sync.Mutex
	root *memNode
	// Now gives modification times; it may be set before first use. The default
	// is a constant, so that tests do not depend on the time of day.
	Now func() time.Time
}

// NewMem returns an empty file system: a root directory that is durable.
func NewMem() *Mem {
	return &Mem{
		root: newMemDir(0o755),
		Now:  func() time.Time { return time.Unix(0, 0).UTC() },
	}
}

// split cleans a name and gives its elements; the root has none.
func split(name string) []string {
	clean := path.Clean("/" + name)
	if clean == "/" {
		return nil
	}
	return strings.Split(clean[1:], "/")
}

// find walks to a node.
func (m *Mem) find(name string) (*memNode, error) {
	n := m.root
	for _, elem := range split(name) {
		if !n.isDir() {
			return nil, errNotDir
		}
		n = n.now[elem]
		if n == nil {
			return nil, fs.ErrNotExist
		}
	}
	return n, nil
}

// parent walks to the directory that holds, or would hold, a name.
func (m *Mem) parent(name string) (dir *memNode, base string, err error) {
	elems := split(name)
	if len(elems) == 0 {
		return nil, "", fs.ErrInvalid // the root has no parent
	}
	dir, err = m.find(strings.Join(elems[:len(elems)-1], "/"))
	if err == nil && !dir.isDir() {
		err = errNotDir
	}
	return dir, elems[len(elems)-1], err
}

var (
	errNotDir   = errors.New("not a directory")
	errIsDir    = errors.New("is a directory")
	errNotEmpty = errors.New("directory not empty")
)

func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func (m *Mem) open(name string, perm fs.FileMode, create, exclusive bool) (*memNode, error) {
	if !create {
		return m.find(name)
	}
	dir, base, err := m.parent(name)
	if err != nil {
		return nil, err
	}
	n := dir.now[base]
	switch {
	case n == nil:
		n = &memNode{mode: perm.Perm(), modTime: m.Now()}
		dir.set(base, n)
	case exclusive:
		return nil, fs.ErrExist
	case n.isDir():
		return nil, errIsDir
	}
	return n, nil
}

// Open implements FS.
func (m *Mem) Open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, 0, false, false)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &memFile{fs: m, node: n, name: name}, nil
}

// Create implements FS.
func (m *Mem) Create(name string, perm fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, perm, true, false)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	n.truncate(0)
	return &memFile{fs: m, node: n, name: name, writable: true}, nil
}

// CreateNew implements FS.
func (m *Mem) CreateNew(name string, perm fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, perm, true, true)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &memFile{fs: m, node: n, name: name, writable: true}, nil
}

// OpenReadWrite implements FS.
func (m *Mem) OpenReadWrite(name string, perm fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, perm, true, false)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &memFile{fs: m, node: n, name: name, writable: true}, nil
}

// OpenAppend implements FS.
func (m *Mem) OpenAppend(name string, perm fs.FileMode) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, perm, true, false)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &memFile{fs: m, node: n, name: name, writable: true, appending: true}, nil
}

// Rename implements FS.
func (m *Mem) Rename(oldName, newName string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return pathError("rename", oldName, m.rename(oldName, newName))
}

func (m *Mem) rename(oldName, newName string) error {
	oldDir, oldBase, err := m.parent(oldName)
	if err != nil {
		return err
	}
	n := oldDir.now[oldBase]
	if n == nil {
		return fs.ErrNotExist
	}
	newDir, newBase, err := m.parent(newName)
	if err != nil {
		return err
	}
	if n.isDir() && strings.HasPrefix(path.Clean("/"+newName)+"/", path.Clean("/"+oldName)+"/") {
		if oldDir == newDir && oldBase == newBase {
			return nil
		}
		return fs.ErrInvalid // a directory cannot move below itself
	}
	if old := newDir.now[newBase]; old != nil {
		switch {
		case old == n:
			return nil
		case old.isDir() && !n.isDir():
			return errIsDir
		case n.isDir() && !old.isDir():
			return errNotDir
		case old.isDir() && len(old.now) > 0:
			return errNotEmpty
		}
	}
	// The new name first: whatever prefix of these changes a crash keeps, the
	// file is under at least one of its names, as on a journaling file system.
	newDir.set(newBase, n)
	oldDir.set(oldBase, nil)
	return nil
}

// Remove implements FS.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, err := m.parent(name)
	if err == nil {
		switch n := dir.now[base]; {
		case n == nil:
			err = fs.ErrNotExist
		case n.isDir() && len(n.now) > 0:
			err = errNotEmpty
		default:
			dir.set(base, nil)
		}
	}
	return pathError("remove", name, err)
}

// MkdirAll implements FS. As on a real disk, a new directory is durable only
// after a SyncDir of its parent.
func (m *Mem) MkdirAll(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.root
	for _, elem := range split(name) {
		child := n.now[elem]
		if child == nil {
			child = newMemDir(perm)
			child.modTime = m.Now()
			n.set(elem, child)
		}
		if !child.isDir() {
			return pathError("mkdir", name, errNotDir)
		}
		n = child
	}
	return nil
}

// ReadDir implements FS.
func (m *Mem) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err == nil && !n.isDir() {
		err = errNotDir
	}
	if err != nil {
		return nil, pathError("readdir", name, err)
	}
	list := make([]fs.DirEntry, 0, len(n.now))
	for base, child := range n.now {
		list = append(list, fs.FileInfoToDirEntry(child.info(base)))
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list, nil
}

// Stat implements FS.
func (m *Mem) Stat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	return n.info(path.Base(path.Clean("/" + name))), nil
}

// Chmod implements FS. The bits are kept and shown but not enforced.
func (m *Mem) Chmod(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err == nil {
		n.mode = n.mode.Type() | perm.Perm()
	}
	return pathError("chmod", name, err)
}

// SyncDir implements FS.
func (m *Mem) SyncDir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err == nil && !n.isDir() {
		err = errNotDir
	}
	if err != nil {
		return pathError("sync", name, err)
	}
	for _, c := range n.pending {
		c.apply(n.durable)
	}
	n.pending = nil
	return nil
}

// Lock implements FS. A crash clone starts without locks.
func (m *Mem) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, 0o644, true, false)
	if err == nil && n.locked {
		err = ErrLocked
	}
	if err != nil {
		return nil, pathError("lock", name, err)
	}
	n.locked = true
	return &memLock{fs: m, node: n}, nil
}

type memLock struct {
	fs   *Mem
	node *memNode
}

func (l *memLock) Close() error {
	l.fs.mu.Lock()
	defer l.fs.mu.Unlock()
	if l.node == nil {
		return fs.ErrClosed
	}
	l.node.locked, l.node = false, nil
	return nil
}
