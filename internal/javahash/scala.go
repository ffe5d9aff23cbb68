package javahash

import (
	"cmp"
	"math/bits"
	"slices"
)

// identity is the order in which things are.
func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Immutable is the order of an immutable Map or Set of Scala 2.13 whose different
// keys have these hashes: of insertion up to four, and above that of a trie that
// has 5 bits of the hash per level, lowest first.
func Immutable(hashes []uint32) []int {
	out := identity(len(hashes))
	if len(hashes) > 4 {
		out = trieOrder(out, hashes, 0, out[:0:0])
	}
	return out
}

// improve spreads a hash as Scala's trie does.
func improve(h uint32) uint32 {
	h += ^(h << 9)
	h ^= h >> 14
	h += h << 4
	return h ^ h>>10
}

// trieOrder appends the elements of a node to out: first those that are alone
// in their place, then those that share theirs with others, which are a level
// further down.
func trieOrder(in []int, hashes []uint32, shift uint, out []int) []int {
	if shift >= 32 {
		return append(out, in...) // the hashes are equal
	}
	var places [32][]int
	for _, i := range in {
		p := improve(hashes[i]) >> shift & 31
		places[p] = append(places[p], i)
	}
	for _, p := range places {
		if len(p) == 1 {
			out = append(out, p[0])
		}
	}
	for _, p := range places {
		if len(p) > 1 {
			out = trieOrder(p, hashes, shift+5, out)
		}
	}
	return out
}

// Mutable is the order of a mutable.HashMap of Scala 2.13 whose different keys have
// these hashes. It was made with the first of them all at once, mutable.Map(...), or
// empty if initial is 0; in a slot of the table they are in the order of the hashes.
func Mutable(hashes []uint32, initial int) []int {
	table := defaultTable
	if initial > 0 {
		table = max(4, 1<<bits.Len(uint(float64(initial+1)/0.75)-1))
	}
	table = doubled(table, len(hashes))
	out := identity(len(hashes))
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := spread(hashes[a]), spread(hashes[b])
		return cmp.Or(cmp.Compare(x&uint32(table-1), y&uint32(table-1)), cmp.Compare(int32(x), int32(y)))
	})
	return out
}

// doubled is the size of a table for n keys that doubles when it is three quarters full.
func doubled(table, n int) int {
	for n*4 >= table*3 {
		table *= 2
	}
	return table
}

// Properties is the order of java.util.Properties, which is that of a
// ConcurrentHashMap, as long as no two keys are in one slot of the table: then it
// is that of insertion here, which a table that has grown does not keep.
func Properties(hashes []uint32) []int {
	table := doubled(defaultTable, len(hashes))
	slot := func(i int) uint32 { return spread(hashes[i]) & uint32(table-1) }
	out := identity(len(hashes))
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(slot(a), slot(b)) })
	return out
}
