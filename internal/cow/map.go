// Package cow is a sorted map whose copies cost nothing: what the metadata image
// is made of. A Map is a value; assigning it copies it. Copies share their nodes,
// and a writer changes in place only what it has made itself:
//
//	m := cow.New[string, int](strings.Compare)
//	w := new(cow.Owner)
//	m.Set(w, "a", 1)      // m is ours alone
//	before := m           // from here on w must not be used any more
//	m.Set(new(cow.Owner), "a", 2)
//	before.Get("a")       // 1
//
// It is a B+ tree: all values are in leaves of up to 64 entries, the nodes above
// know the smallest key of each child. Reading needs no lock, whoever writes to
// copies meanwhile.
package cow

import "iter"

// fanout is the most entries of a node, and least what fewer than are merged with a
// neighbour.
const (
	fanout = 64
	least  = 16
	fresh  = 8 // room of a leaf that begins
)

// Owner stands for one writer. It may be used for many maps, and must be dropped
// once a map that was written with it is handed on or copied.
type Owner struct{ _ byte } // of some size, so that each has an address of its own

// Map is a sorted map. Its zero value is an empty map for reading only.
type Map[K, V any] struct {
	root    *node[K, V]
	compare func(a, b K) int
	n       int
}

type node[K, V any] struct {
	owner *Owner
	keys  []K           // of a leaf all, else the smallest of each child or less
	vals  []V           // of a leaf
	kids  []*node[K, V] // nil in a leaf
}

// New makes an empty map in the order of compare.
func New[K, V any](compare func(a, b K) int) Map[K, V] {
	return Map[K, V]{compare: compare}
}

// Len is the number of entries.
func (m Map[K, V]) Len() int { return m.n }

// Same reports whether two maps are copies of which neither was written to since.
// Maps with the same entries that came about differently are not the same.
func (m Map[K, V]) Same(other Map[K, V]) bool { return m.root == other.root }

// search finds the first key that is not below k. Keys come in ascending order
// most of the time, so the end is looked at first.
func (m *Map[K, V]) search(keys []K, k K) (i int, found bool) {
	n := len(keys)
	if n == 0 {
		return 0, false
	}
	switch c := m.compare(keys[n-1], k); {
	case c < 0:
		return n, false
	case c == 0:
		return n - 1, true
	}
	low, high := 0, n-1
	for low < high {
		mid := int(uint(low+high) >> 1)
		if m.compare(keys[mid], k) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < n-1 && m.compare(keys[low], k) == 0
}

// child is the index of the child that has or would have a key.
func (m *Map[K, V]) child(n *node[K, V], k K) int {
	i, found := m.search(n.keys, k)
	if !found && i > 0 {
		i--
	}
	return i
}

// Get gives the value of a key.
func (m Map[K, V]) Get(k K) (v V, ok bool) {
	n := m.root
	if n == nil {
		return v, false
	}
	for n.kids != nil {
		n = n.kids[m.child(n, k)]
	}
	if i, found := m.search(n.keys, k); found {
		return n.vals[i], true
	}
	return v, false
}

// mine gives a node that the owner may change: the node itself, or a copy.
func mine[K, V any](n *node[K, V], w *Owner) *node[K, V] {
	if n.owner == w {
		return n
	}
	c := &node[K, V]{owner: w, keys: append(make([]K, 0, len(n.keys)+1), n.keys...)}
	if n.kids != nil {
		c.kids = append(make([]*node[K, V], 0, len(n.kids)+1), n.kids...)
	} else {
		c.vals = append(make([]V, 0, len(n.vals)+1), n.vals...)
	}
	return c
}

func insert[T any](s []T, i int, v T) []T {
	s = append(s, v)
	copy(s[i+1:], s[i:])
	s[i] = v
	return s
}

func remove[T any](s []T, i int) []T {
	copy(s[i:], s[i+1:])
	clear(s[len(s)-1:])
	return s[:len(s)-1]
}

// Set sets the value of a key.
func (m *Map[K, V]) Set(w *Owner, k K, v V) {
	if m.root == nil {
		m.root = &node[K, V]{owner: w, keys: []K{k}, vals: []V{v}}
		m.n = 1
		return
	}
	m.root = mine(m.root, w)
	if right := m.set(m.root, w, k, v); right != nil {
		m.root = &node[K, V]{owner: w, keys: []K{m.root.keys[0], right.keys[0]}, kids: []*node[K, V]{m.root, right}}
	}
}

// set sets a value below a node of the owner's. It gives the right half of the
// node if that had to be split.
func (m *Map[K, V]) set(n *node[K, V], w *Owner, k K, v V) *node[K, V] {
	if n.kids == nil {
		i, found := m.search(n.keys, k)
		if found {
			n.vals[i] = v
			return nil
		}
		m.n++
		if i == fanout { // behind the end of a full leaf, which stays as it is
			return &node[K, V]{owner: w, keys: append(make([]K, 0, fresh), k), vals: append(make([]V, 0, fresh), v)}
		}
		n.keys, n.vals = insert(n.keys, i, k), insert(n.vals, i, v)
		return split(n, i)
	}
	i := m.child(n, k)
	kid := mine(n.kids[i], w)
	n.kids[i] = kid
	right := m.set(kid, w, k, v)
	n.keys[i] = kid.keys[0] // a smaller one may have come
	if right == nil {
		return nil
	}
	n.keys, n.kids = insert(n.keys, i+1, right.keys[0]), insert(n.kids, i+1, right)
	return split(n, i+1)
}

// split cuts a node that has become too large: in the middle, or before an entry
// that was added at the end, since what comes in order shall fill its nodes.
func split[K, V any](n *node[K, V], added int) *node[K, V] {
	size := len(n.keys)
	if size <= fanout {
		return nil
	}
	at := size / 2
	if added == size-1 {
		at = added
	}
	right := &node[K, V]{owner: n.owner, keys: append([]K(nil), n.keys[at:]...)}
	clear(n.keys[at:])
	n.keys = n.keys[:at]
	if n.kids != nil {
		right.kids = append([]*node[K, V](nil), n.kids[at:]...)
		clear(n.kids[at:])
		n.kids = n.kids[:at]
		return right
	}
	right.vals = append([]V(nil), n.vals[at:]...)
	clear(n.vals[at:])
	n.vals = n.vals[:at]
	return right
}

// Delete removes a key, and reports whether it was there.
func (m *Map[K, V]) Delete(w *Owner, k K) bool {
	if _, ok := m.Get(k); !ok {
		return false
	}
	m.root = mine(m.root, w)
	m.delete(m.root, w, k)
	m.n--
	for m.root != nil && m.root.kids != nil && len(m.root.kids) == 1 {
		m.root = m.root.kids[0]
	}
	if len(m.root.keys) == 0 {
		m.root = nil
	}
	return true
}

// delete removes a key that is below a node of the owner's.
func (m *Map[K, V]) delete(n *node[K, V], w *Owner, k K) {
	if n.kids == nil {
		i, _ := m.search(n.keys, k)
		n.keys, n.vals = remove(n.keys, i), remove(n.vals, i)
		return
	}
	i := m.child(n, k)
	kid := mine(n.kids[i], w)
	n.kids[i] = kid
	m.delete(kid, w, k)
	if len(kid.keys) == 0 {
		n.keys, n.kids = remove(n.keys, i), remove(n.kids, i)
		return
	}
	n.keys[i] = kid.keys[0]
	if len(kid.keys) >= least {
		return
	}
	left := max(i-1, 0)
	if left+1 < len(n.kids) && len(n.kids[left].keys)+len(n.kids[left+1].keys) <= fanout {
		merged := mine(n.kids[left], w)
		next := n.kids[left+1]
		merged.keys = append(merged.keys, next.keys...)
		merged.vals = append(merged.vals, next.vals...)
		merged.kids = append(merged.kids, next.kids...)
		n.kids[left] = merged
		n.keys, n.kids = remove(n.keys, left+1), remove(n.kids, left+1)
	}
}

// All goes through the entries in order. The map may be written to meanwhile,
// with an owner that made none of its nodes.
func (m Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if m.root != nil {
			m.root.walk(yield)
		}
	}
}

func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	if n.kids == nil {
		for i := range n.keys {
			if !yield(n.keys[i], n.vals[i]) {
				return false
			}
		}
		return true
	}
	for _, kid := range n.kids {
		if !kid.walk(yield) {
			return false
		}
	}
	return true
}

// From goes through the entries from a key on, in order.
func (m Map[K, V]) From(k K) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if m.root != nil {
			m.walkFrom(m.root, k, yield)
		}
	}
}

func (m *Map[K, V]) walkFrom(n *node[K, V], k K, yield func(K, V) bool) bool {
	if n.kids == nil {
		i, _ := m.search(n.keys, k)
		for ; i < len(n.keys); i++ {
			if !yield(n.keys[i], n.vals[i]) {
				return false
			}
		}
		return true
	}
	i := m.child(n, k)
	if !m.walkFrom(n.kids[i], k, yield) {
		return false
	}
	for _, kid := range n.kids[i+1:] {
		if !kid.walk(yield) {
			return false
		}
	}
	return true
}
