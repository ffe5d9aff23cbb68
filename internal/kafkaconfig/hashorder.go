package kafkaconfig

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kafka prints some sets in the order in which Java's and Scala's hash tables
// keep them, and for some it decides by that order which of two errors it
// reports. This file makes the same orders.

// stringHash is String.hashCode.
func stringHash(s string) uint32 {
	var h uint32
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			h = (h*31+uint32(hi))*31 + uint32(lo)
			continue
		}
		h = h*31 + uint32(r)
	}
	return h
}

// utf16Len is String.length.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// javaMapOrder is the order of a java.util.HashMap with room for 16 at first:
// the indexes of the hashes in the order in which the map is walked. The hashes
// are of different keys, in the order of their insertion. Bins of more than 8
// keys, which Java makes trees of, keep the order of insertion here.
func javaMapOrder(hashes []uint32) []int {
	return javaMapOrderFrom(hashes, 16)
}

// javaMapOrderFrom is javaMapOrder for a map that was made for size bins.
func javaMapOrderFrom(hashes []uint32, size int) []int {
	for len(hashes)*4 > size*3 {
		size *= 2
	}
	bins := make([][]int, size)
	for i, h := range hashes {
		b := (h ^ h>>16) & uint32(size-1)
		bins[b] = append(bins[b], i)
	}
	out := make([]int, 0, len(hashes))
	for _, b := range bins {
		out = append(out, b...)
	}
	return out
}

// mapOrder puts strings, none of them twice, in the order of a HashMap.
func mapOrder(list []string) []string {
	hashes := make([]uint32, len(list))
	for i, s := range list {
		hashes[i] = stringHash(s)
	}
	out := make([]string, len(list))
	for i, j := range javaMapOrder(hashes) {
		out[i] = list[j]
	}
	return out
}

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
		hashes[i] = stringHash(s)
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
	hashes := make([]uint32, len(voters))
	for i, v := range voters {
		hashes[i] = uint32(v.ID)
	}
	size := 1
	for size < entries {
		size *= 2
	}
	inMap := javaMapOrderFrom(hashes, size)
	ordered := make([]uint32, len(inMap))
	for i, j := range inMap {
		ordered[i] = hashes[j]
	}
	var words []string
	for _, i := range scalaSetOrder(ordered) {
		words = append(words, strconv.Itoa(int(int32(ordered[i]))))
	}
	name := "Set("
	if len(words) > 4 {
		name = "HashSet("
	}
	return name + strings.Join(words, ", ") + ")"
}
