package nodeinfo

import (
	"testing"

	"kraftctl/decode/metadata"
	"kraftctl/internal/golden"
	"kraftctl/internal/vfs"
)

// BenchmarkSmallNode is what storage info costs on a small node.
func BenchmarkSmallNode(b *testing.B) {
	dir := golden.Fixture(b, "data-4.4.0")
	for b.Loop() {
		if _, err := Collect(b.Context(), vfs.OS, Options{Dirs: []string{dir}, Partitions: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLog replays a log of partition records.
func BenchmarkLog(b *testing.B) {
	m := metadata.NewPartitionRecord()
	m.Replicas, m.ISR = []int32{1, 2, 3}, []int32{1, 2, 3}
	var all []any
	for range 1000 {
		var batch dataRecords
		for range 100 {
			batch = append(batch, dataRecord(m.APIKey(), m))
		}
		all = append(all, batch)
	}
	s := dynamicScene()
	s.files[segment0] = batches(0, 1, all...)
	fsys, o := s.write(b), s.options()
	b.SetBytes(int64(len(s.files[segment0])))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Collect(b.Context(), fsys, o); err != nil {
			b.Fatal(err)
		}
	}
}
