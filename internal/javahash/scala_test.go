package javahash

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func names(keys []string, order func([]uint32) []int) (out []string) {
	hashes := make([]uint32, len(keys))
	for i, k := range keys {
		hashes[i] = String(k)
	}
	for _, i := range order(hashes) {
		out = append(out, keys[i])
	}
	return out
}

func grown(hashes []uint32) []int { return Mutable(hashes, 0) }

// What ZooKeeper had in documents that Kafka 3.9.1 wrote.
func TestScalaOrders(t *testing.T) {
	numbers := func(n int) (out []string) {
		for i := range n {
			out = append(out, strconv.Itoa(i))
		}
		return out
	}
	of := func(n int) func([]uint32) []int {
		return func(h []uint32) []int { return Mutable(h, n) }
	}
	for _, c := range []struct {
		keys  []string
		order func([]uint32) []int
		want  string
	}{
		{numbers(11), grown, "[0 1 2 3 4 5 6 7 8 9 10]"},
		{numbers(12), grown, "[11 0 1 2 3 4 5 6 7 8 9 10]"},
		{numbers(30), grown, "[22 23 24 25 26 27 28 29 10 11 12 13 14 15 16 17 18 19 0 1 2 3 4 5 6 7 8 9 20 21]"},
		{[]string{"version", "topic_id", "partitions", "adding_replicas", "removing_replicas"}, of(4), "[partitions topic_id adding_replicas removing_replicas version]"},
		{[]string{"version", "status", "features"}, of(3), "[features version status]"},
		{[]string{"version", "leader", "isr", "a"}, Immutable, "[version leader isr a]"},
		{[]string{"version", "leader", "leader_epoch", "controller_epoch", "isr"}, Immutable, "[controller_epoch leader version leader_epoch isr]"},
		{[]string{"producer_byte_rate", "request_percentage", "SCRAM-SHA-256", "consumer_byte_rate"}, Properties, "[SCRAM-SHA-256 request_percentage producer_byte_rate consumer_byte_rate]"},
	} {
		if got := fmt.Sprint(names(c.keys, c.order)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestOrdersKeepAll: every key comes once, equal hashes or not.
func TestOrdersKeepAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SliceOf(rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 40))).Draw(t, "hashes")
		initial := rapid.IntRange(0, 20).Draw(t, "initial")
		for _, order := range [][]int{Immutable(hashes), Mutable(hashes, initial), Properties(hashes)} {
			slices.Sort(order)
			if !slices.Equal(order, identity(len(hashes))) {
				t.Fatal(order)
			}
		}
	})
}
