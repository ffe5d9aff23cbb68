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

// scalaStrings is a set of strings in Scala's order.
func scalaStrings(list []string) []string {
	list = unique(list)
	hashes := make([]uint32, len(list))
	for i, s := range list {
		hashes[i] = javahash.String(s)
	}
	out := make([]string, len(list))
	for i, j := range javahash.Immutable(hashes) {
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
	for _, i := range javahash.Immutable(hashes) {
		words = append(words, strconv.Itoa(int(ids[i])))
	}
	name := "Set("
	if len(words) > 4 {
		name = "HashSet("
	}
	return name + strings.Join(words, ", ") + ")"
}
