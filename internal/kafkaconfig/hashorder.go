package kafkaconfig

import (
	"strconv"
	"strings"

	"kraftctl/internal/javahash"
)

// Kafka prints some sets in the order in which Java's and Scala's hash tables
// keep them, and for some it decides by that order which of two errors it
// reports. This file makes the same orders.

// mapOrder puts strings, none of them twice, in the order of a HashMap.
func mapOrder(list []string) []string { return javahash.Grown(list, javahash.String) }

// scalaSetOrder is the order of an immutable Scala set of different elements
// with these hashes: of insertion up to four elements, and above that of a trie
// that has 5 bits of the hash per level, lowest first.
func scalaSetOrder(hashes []uint32) []int {
	out := make([]int, len(hashes))
	for i := range out {
		out[i] = i
	}
	if len(hashes) > 4 {
		out = trieOrder(out, hashes, 0, out[:0:0])
	}
	return out
}

// improve spreads a hash as Scala does.
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

// scalaStrings is a set of strings in Scala's order.
func scalaStrings(list []string) []string {
	list = unique(list)
	hashes := make([]uint32, len(list))
	for i, s := range list {
		hashes[i] = javahash.String(s)
	}
	out := make([]string, len(list))
	for i, j := range scalaSetOrder(hashes) {
		out[i] = list[j]
	}
	return out
}

// voterSetText prints the ids of voters: those of a Java map that was made for
// as many bins as the setting has entries, put into a Scala set.
func voterSetText(voters []Voter, entries int) string {
	size := 1
	for size < entries {
		size *= 2
	}
	ids := make([]int32, len(voters))
	for i, v := range voters {
		ids[i] = v.ID
	}
	ids = javahash.Sized(ids, javahash.Int, size)
	hashes := make([]uint32, len(ids))
	for i, id := range ids {
		hashes[i] = javahash.Int(id)
	}
	var words []string
	for _, i := range scalaSetOrder(hashes) {
		words = append(words, strconv.Itoa(int(ids[i])))
	}
	name := "Set("
	if len(words) > 4 {
		name = "HashSet("
	}
	return name + strings.Join(words, ", ") + ")"
}
