package dumplog

import (
	"bufio"
	"maps"
	"slices"
	"strconv"

	"kraftctl/internal/javahash"
)

// indexMismatch is an index entry whose offset is not the one in the log.
type indexMismatch struct{ index, log int64 }

// timeMismatch is a timestamp that is not the one expected.
type timeMismatch struct{ index, other int64 }

// fileMap collects findings by file. Kafka's tool keeps them in Java hash maps
// and reports the files in the order of those.
type fileMap[T any] struct {
	files []string
	found map[string][]T
}

func (m *fileMap[T]) add(file string, v ...T) {
	if m.found == nil {
		m.found = map[string][]T{}
	}
	if _, ok := m.found[file]; !ok {
		m.files = append(m.files, file)
	}
	m.found[file] = append(m.found[file], v...)
}

// order gives the files as the java.util.HashMap of Kafka's tool does.
func (m *fileMap[T]) order() []string { return javahash.Grown(m.files, javahash.String) }

// lastOf keeps of the findings with one key the last one, sorted by key: Kafka's
// tool puts them into a tree map.
func lastOf[T any](found []T, key func(T) int64) []T {
	last := make(map[int64]T, len(found))
	for _, f := range found {
		last[key(f)] = f
	}
	sorted := make([]T, 0, len(last))
	for _, k := range slices.Sorted(maps.Keys(last)) {
		sorted = append(sorted, last[k])
	}
	return sorted
}

// report prints what was found over all files.
func (k *kafkaRun) report() error {
	w := bufio.NewWriter(k.errOut)
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	for _, file := range k.mismatches.order() {
		w.WriteString("Mismatches in :" + file + "\n")
		found := lastOf(k.mismatches.found[file], func(m indexMismatch) int64 { return m.index })
		slices.Reverse(found)
		for _, m := range found {
			w.WriteString("  Index offset: " + n(m.index) + ", log offset: " + n(m.log) + "\n")
		}
	}
	for _, file := range k.timestamps.order() {
		w.WriteString("Found timestamp mismatch in :" + file + "\n")
		for _, m := range k.timestamps.found[file] {
			w.WriteString("  Index timestamp: " + n(m.index) + ", log timestamp: " + n(m.other) + "\n")
		}
	}
	for _, file := range k.outOfOrder.order() {
		w.WriteString("Found out of order timestamp in :" + file + "\n")
		for _, m := range k.outOfOrder.found[file] {
			w.WriteString("  Index timestamp: " + n(m.index) + ", Previously indexed timestamp: " + n(m.other) + "\n")
		}
	}
	for _, file := range k.notFound.order() {
		w.WriteString("The following indexed offsets are not found in :" + file + "\n")
		for _, m := range k.notFound.found[file] {
			w.WriteString("Indexed offset: " + n(m.index) + ", found log offset: " + n(m.log) + "\n")
		}
	}
	for _, file := range k.nonConsecutive.order() {
		w.WriteString("Non-consecutive offsets in " + file + "\n")
		for _, g := range lastOf(k.nonConsecutive.found[file], func(g gap) int64 { return g.last }) {
			w.WriteString("  " + n(g.last) + " is followed by " + n(g.next) + "\n")
		}
	}
	return w.Flush()
}
