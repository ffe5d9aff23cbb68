package props

import (
	"math/bits"
	"slices"
	"strings"
)

// SortedOrder is the order in which Properties.store of Java 18 and later writes
// the keys (JDK-8231640): by UTF-16 code units.
func SortedOrder(keys []string) []string {
	out := slices.Clone(keys)
	slices.SortFunc(out, compareUTF16)
	return slices.Compact(out)
}

func compareUTF16(a, b string) int {
	var ua, ub []uint16
	units(a, func(u uint16) { ua = append(ua, u) })
	units(b, func(u uint16) { ub = append(ub, u) })
	if c := slices.Compare(ua, ub); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// HashOrder is the order in which Properties.store of Java 9 to 17 writes the
// keys: that of the java.util.concurrent.ConcurrentHashMap inside, if the keys
// were put into it in the given order and none was removed. A key that is put
// again keeps its place and comes out once.
func HashOrder(keys []string) []string {
	m := javaMap{table: make([]bin, 16), grow: 12} // new ConcurrentHashMap(8) makes 16
	for _, k := range keys {
		m.put(k)
	}
	out := make([]string, 0, m.size)
	for _, b := range m.table {
		for _, e := range b.list {
			out = append(out, e.key)
		}
	}
	return out
}

// hashCode is String.hashCode spread as ConcurrentHashMap does it.
func hashCode(s string) uint32 {
	var h uint32
	units(s, func(u uint16) { h = 31*h + uint32(u) })
	return (h ^ h>>16) & 0x7fffffff
}

// javaMap follows ConcurrentHashMap as far as it decides the order of its keys.
type javaMap struct {
	table []bin
	size  int
	grow  int // the size at which the table doubles
}

type entry struct {
	key  string
	hash uint32
}

// bin is a list in the order in which it is walked; a tree keeps one as well.
type bin struct {
	list []entry
	tree bool
}

// The thresholds of ConcurrentHashMap: a bin of more than 8 becomes a tree if
// the table has 64 bins, and a tree cut to 6 or fewer a list.
const (
	treeifyAbove   = 8
	untreeifyUpTo  = 6
	treeifyMinBins = 64
)

func (m *javaMap) put(key string) {
	e := entry{key, hashCode(key)}
	b := &m.table[e.hash&uint32(len(m.table)-1)]
	// The walk to a key that is there already counts, too.
	if at := slices.Index(b.list, e); at >= 0 {
		if !b.tree && at+1 >= treeifyAbove {
			m.treeify(b)
		}
		return
	}
	before := len(b.list)
	if b.tree {
		b.list = slices.Insert(b.list, 0, e) // a tree takes new nodes at the front
	} else {
		b.list = append(b.list, e)
		if before >= treeifyAbove {
			m.treeify(b)
		}
	}
	m.size++
	for m.size >= m.grow {
		m.double()
	}
}

// treeify makes a bin a tree, or in a small table spreads the keys instead.
func (m *javaMap) treeify(b *bin) {
	if len(m.table) >= treeifyMinBins {
		b.tree = true
		return
	}
	target := 1 << bits.Len(uint(3*len(m.table))) // tableSizeFor(1.5 * twice the size + 1)
	for target > m.grow {
		m.double()
	}
}

// double moves every bin to a table twice as large.
func (m *javaMap) double() {
	old := m.table
	n := uint32(len(old))
	m.table = make([]bin, 2*n)
	m.grow = int(2*n - n/2)
	for i, b := range old {
		low, high := split(b, n)
		m.table[i], m.table[uint32(i)+n] = low, high
	}
}

// split divides a bin by one more bit of the hash. A list keeps its longest tail
// that goes one way as it is, and the entries before it come in front of that,
// last first; a tree keeps its order.
func split(b bin, bit uint32) (low, high bin) {
	if b.tree {
		for _, e := range b.list {
			if e.hash&bit == 0 {
				low.list = append(low.list, e)
			} else {
				high.list = append(high.list, e)
			}
		}
		low.tree, high.tree = len(low.list) > untreeifyUpTo, len(high.list) > untreeifyUpTo
		return low, high
	}
	run := len(b.list)
	for run > 0 && b.list[run-1].hash&bit == b.list[len(b.list)-1].hash&bit {
		run--
	}
	for i, e := range b.list {
		into := &low
		if e.hash&bit != 0 {
			into = &high
		}
		if i < run {
			into.list = slices.Insert(into.list, 0, e)
		} else {
			into.list = append(into.list, e)
		}
	}
	return low, high
}
