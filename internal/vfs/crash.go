package vfs

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// CrashClone returns the file system as it would be found after a power failure
// at this moment: every file has the bytes of its last Sync, every directory
// the names of its last SyncDir. A file whose name was synced but whose bytes
// never were is there and empty. The original goes on unharmed; the two share
// nothing.
func (m *Mem) CrashClone() *Mem { return m.CrashCloneRandom(nil) }

// CrashCloneRandom is CrashClone for a kinder disk, which has written back some
// of what nobody asked it to: of each directory's changes since the last
// SyncDir a prefix survives, in the order in which they were made, and of each
// file's unsynced tail a prefix. The lengths are drawn from rng, in an order
// that depends on the names only, so that a seed gives one outcome. A nil rng
// gives the strict CrashClone.
//
// A rename between two directories may survive in one of them only.
func (m *Mem) CrashCloneRandom(rng *rand.Rand) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := crasher{rng: rng, done: map[*memNode]*memNode{}}
	return &Mem{root: c.node(m.root), Now: m.Now}
}

type crasher struct {
	rng *rand.Rand
	// A node may be reachable by two names (a rename of which half survived);
	// it stays one file.
	done map[*memNode]*memNode
}

func (c crasher) node(n *memNode) *memNode {
	if d := c.done[n]; d != nil {
		return d
	}
	d := &memNode{mode: n.mode, modTime: n.modTime, owner: n.owner}
	c.done[n] = d
	if !n.isDir() {
		d.data = c.bytes(n)
		d.sync()
		return d
	}
	names := maps.Clone(n.durable)
	if c.rng != nil {
		for _, change := range n.pending[:c.rng.IntN(len(n.pending)+1)] {
			change.apply(names)
		}
	}
	d.now = make(map[string]*memNode, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d.now[name] = c.node(names[name])
	}
	d.durable = maps.Clone(d.now)
	return d
}

// bytes gives what is left of a file.
func (c crasher) bytes(n *memNode) []byte {
	durable := n.durableBytes()
	if c.rng == nil || c.rng.IntN(2) == 0 {
		return slices.Clone(durable)
	}
	// What a disk writes back of an overwrite is not a prefix of anything, but
	// all of the new bytes is one possible outcome; an appended tail may be torn.
	if n.hasAside {
		return slices.Clone(n.data)
	}
	keep := len(durable) + c.rng.IntN(len(n.data)-len(durable)+1)
	return slices.Clone(n.data[:keep])
}
