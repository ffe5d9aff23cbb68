package cow

import "iter"

// Change is a key whose value is not the same in two maps, or that only one of
// them has.
type Change[K, V any] struct {
	Key      K
	Old, New V
	WasThere bool
	IsThere  bool
}

// Diff goes through what differs between two maps of one order, in that order.
// Nodes that they share are passed over, so that the cost for two copies is that
// of what was changed, not of what there is.
func Diff[K, V any](before, after Map[K, V], same func(a, b V) bool) iter.Seq[Change[K, V]] {
	return func(yield func(Change[K, V]) bool) {
		a, b := newCursor(before.root), newCursor(after.root)
		compare := before.compare
		if compare == nil {
			compare = after.compare
		}
		for {
			skipShared(a, b)
			x, y := a.leaf(), b.leaf()
			switch {
			case x == nil && y == nil:
				return
			case y == nil:
				if !yield(Change[K, V]{Key: x.keys[a.at()], Old: x.vals[a.at()], WasThere: true}) {
					return
				}
				a.next()
				continue
			case x == nil:
				if !yield(Change[K, V]{Key: y.keys[b.at()], New: y.vals[b.at()], IsThere: true}) {
					return
				}
				b.next()
				continue
			}
			i, j := a.at(), b.at()
			switch c := compare(x.keys[i], y.keys[j]); {
			case c < 0:
				if !yield(Change[K, V]{Key: x.keys[i], Old: x.vals[i], WasThere: true}) {
					return
				}
				a.next()
			case c > 0:
				if !yield(Change[K, V]{Key: y.keys[j], New: y.vals[j], IsThere: true}) {
					return
				}
				b.next()
			default:
				if !same(x.vals[i], y.vals[j]) &&
					!yield(Change[K, V]{Key: x.keys[i], Old: x.vals[i], New: y.vals[j], WasThere: true, IsThere: true}) {
					return
				}
				a.next()
				b.next()
			}
		}
	}
}

// cursor is a place in a map: the way from the root to an entry.
type cursor[K, V any] struct {
	nodes []*node[K, V]
	index []int
}

func newCursor[K, V any](root *node[K, V]) *cursor[K, V] {
	c := &cursor[K, V]{}
	if root != nil && len(root.keys) > 0 {
		c.push(root)
		c.down()
	}
	return c
}

func (c *cursor[K, V]) push(n *node[K, V]) {
	c.nodes, c.index = append(c.nodes, n), append(c.index, 0)
}

// down goes to the first leaf of where the cursor is.
func (c *cursor[K, V]) down() {
	for n := c.nodes[len(c.nodes)-1]; n.kids != nil; n = c.nodes[len(c.nodes)-1] {
		c.push(n.kids[c.index[len(c.index)-1]])
	}
}

// leaf is the leaf that the cursor is in, nil at the end.
func (c *cursor[K, V]) leaf() *node[K, V] {
	if len(c.nodes) == 0 {
		return nil
	}
	return c.nodes[len(c.nodes)-1]
}

func (c *cursor[K, V]) at() int { return c.index[len(c.index)-1] }

// next goes to the next entry.
func (c *cursor[K, V]) next() { c.nextFrom(len(c.nodes) - 1) }

// nextFrom goes to what follows the entry or child that the cursor is at on a
// level.
func (c *cursor[K, V]) nextFrom(level int) {
	c.nodes, c.index = c.nodes[:level+1], c.index[:level+1]
	for len(c.nodes) > 0 {
		top := len(c.nodes) - 1
		c.index[top]++
		if c.index[top] < len(c.nodes[top].keys) {
			c.down()
			return
		}
		c.nodes, c.index = c.nodes[:top], c.index[:top]
	}
}

// first is the highest level whose subtree the cursor is at the beginning of.
func (c *cursor[K, V]) first() int {
	level := len(c.nodes) - 1
	for level >= 0 && c.index[level] == 0 {
		level--
	}
	return level + 1
}

// skipShared moves two cursors past nodes that both are at the beginning of.
func skipShared[K, V any](a, b *cursor[K, V]) {
	for {
		i, j, ok := sharedLevels(a, b)
		if !ok {
			return
		}
		a.skip(i)
		b.skip(j)
	}
}

// sharedLevels finds the highest node that both cursors are at the beginning of: its
// level in each.
func sharedLevels[K, V any](a, b *cursor[K, V]) (i, j int, ok bool) {
	if len(a.nodes) == 0 || len(b.nodes) == 0 {
		return 0, 0, false
	}
	for i := a.first(); i < len(a.nodes); i++ {
		for j := b.first(); j < len(b.nodes); j++ {
			if a.nodes[i] == b.nodes[j] {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// skip leaves the node of a level behind.
func (c *cursor[K, V]) skip(level int) {
	if level == 0 {
		c.nodes, c.index = nil, nil
		return
	}
	c.nextFrom(level - 1)
}
