package vfs

import (
	"io/fs"
	"slices"
	"time"
)

// memNode is a file or a directory, apart from its name.
type memNode struct {
	mode    fs.FileMode
	modTime time.Time
	owner   *memOwner
	locked  bool

	// Directories: the names now, the names as of the last SyncDir, and the
	// changes between the two in the order in which they were made.
	now     map[string]*memNode
	durable map[string]*memNode
	pending []memChange

	// Files: the bytes now and those as of the last Sync. As long as a file is
	// only appended to, the durable bytes are data[:durableLen] and cost
	// nothing; the first change below durableLen puts them aside.
	data       []byte
	durableLen int
	aside      []byte
	hasAside   bool
}

// memChange is one change of a directory; a nil node is a removal.
type memChange struct {
	name string
	node *memNode
}

func (c memChange) apply(names map[string]*memNode) {
	if c.node == nil {
		delete(names, c.name)
	} else {
		names[c.name] = c.node
	}
}

func newMemDir(perm fs.FileMode) *memNode {
	return &memNode{mode: fs.ModeDir | perm.Perm(), now: map[string]*memNode{}, durable: map[string]*memNode{}}
}

func (n *memNode) isDir() bool { return n.mode.IsDir() }

// set changes a name of a directory.
func (n *memNode) set(name string, child *memNode) {
	if child == nil {
		delete(n.now, name)
	} else {
		n.now[name] = child
	}
	n.pending = append(n.pending, memChange{name, child})
}

// durableBytes gives what the file would hold after a crash. The result shares
// memory with the file.
func (n *memNode) durableBytes() []byte {
	if n.hasAside {
		return n.aside
	}
	return n.data[:n.durableLen]
}

// beforeChange puts the durable bytes aside if a change at pos would hit them.
func (n *memNode) beforeChange(pos int64) {
	if !n.hasAside && pos < int64(n.durableLen) {
		n.aside, n.hasAside = slices.Clone(n.data[:n.durableLen]), true
	}
}

func (n *memNode) sync() {
	n.durableLen, n.aside, n.hasAside = len(n.data), nil, false
}

func (n *memNode) truncate(size int64) {
	n.beforeChange(size)
	if size <= int64(len(n.data)) {
		n.data = n.data[:size]
		return
	}
	n.data = append(n.data, make([]byte, size-int64(len(n.data)))...)
}

func (n *memNode) writeAt(p []byte, off int64) {
	n.beforeChange(off)
	if gap := off - int64(len(n.data)); gap > 0 {
		n.data = append(n.data, make([]byte, gap)...)
	}
	k := copy(n.data[off:], p)
	n.data = append(n.data, p[k:]...)
}
