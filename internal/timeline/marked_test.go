package timeline

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"kraftctl/internal/golden"
	"kraftctl/internal/image"
	"kraftctl/internal/vfs"
)

// TestMarksOfRealLogs: in the logs of real nodes, at many offsets, everything in the
// image has a mark, nothing else has one, and marks are in the past.
func TestMarksOfRealLogs(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(golden.Root(), "fixtures", "meta-*", "*"))
	if err != nil || len(dirs) < 5 {
		t.Fatal(err, dirs)
	}
	checked := 0
	for _, dir := range dirs {
		line, err := Open(vfs.OS, dir)
		if errors.Is(err, ErrNoMetadata) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		last, err := line.At(context.Background(), Latest)
		if err != nil {
			t.Fatal(err)
		}
		for offset := last.Offset(); offset >= 0; offset -= 1 + last.Offset()/12 {
			state, err := line.At(context.Background(), offset)
			var beyond *OutOfReachError
			if errors.As(err, &beyond) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			m := marksOf(t, line, offset)
			if m.End() != state.End {
				t.Errorf("%s: marks end at %d, the state at %d", dir, m.End(), state.End)
			}
			checked += checkMarks(t, dir, state.Image, m)
		}
	}
	if checked < 1000 {
		t.Errorf("%d marks", checked)
	}
}

// checkMarks holds marks against an image.
func checkMarks(t *testing.T, dir string, img *image.Image, m *Marks) (n int) {
	t.Helper()
	topics, others := 0, 0
	check := func(counter *int, what any, k Mark, ok bool) {
		n++
		*counter++
		end := img.Provenance().Offset
		if !ok || k.Created.Offset > k.Changed.Offset || k.Changed.Offset > end || k.Created.Epoch > k.Changed.Epoch || k.Created.Time > k.Changed.Time && !k.Snapshot || k.Changes < 0 {
			t.Errorf("%s at %d: %v: %t %+v", dir, end, what, ok, k)
		}
	}
	partitions := 0
	for id, topic := range img.Topics().All() {
		k, ok := m.Topic(id)
		check(&topics, topic.Name(), k, ok)
		for number, p := range topic.Partitions() {
			k, ok := m.Partition(id, number)
			check(&partitions, topic.Name(), k, ok)
			// Every change of a partition counts in its epoch.
			if ok && !k.Snapshot && int(p.PartitionEpoch) < k.Changes {
				t.Errorf("%s: %s-%d: %d changes, epoch %d", dir, topic.Name(), number, k.Changes, p.PartitionEpoch)
			}
		}
	}
	for id := range img.Brokers().All() {
		k, ok := m.Broker(id)
		check(&others, id, k, ok)
	}
	for id := range img.Controllers().All() {
		k, ok := m.Controller(id)
		check(&others, id, k, ok)
	}
	for r := range img.Configs().All() {
		k, ok := m.Config(r)
		check(&others, r, k, ok)
	}
	for key := range img.Quotas().All() {
		k, ok := m.Quota(key)
		check(&others, key, k, ok)
	}
	for u := range img.Scram().All() {
		k, ok := m.Scram(u)
		check(&others, u, k, ok)
	}
	for id := range img.ACLs().All() {
		k, ok := m.ACL(id)
		check(&others, id, k, ok)
	}
	for id := range img.Tokens().All() {
		k, ok := m.Token(id)
		check(&others, id, k, ok)
	}
	for name := range img.Features().All() {
		k, ok := m.Feature(name)
		check(&others, name, k, ok)
	}
	if _, ok := img.MetadataVersion(); ok {
		k, ok := m.Feature("metadata.version")
		check(&others, "metadata.version", k, ok)
	}
	if img.ProducerIDs().NextProducerID >= 0 {
		k, ok := m.ProducerIDs()
		check(&others, "producer ids", k, ok)
	}
	held := 0
	for _, topic := range m.topics {
		held += len(topic.partitions) + len(topic.odd)
	}
	if len(m.topics) != topics || len(m.others) != others || held != partitions {
		t.Errorf("%s at %d: marks of %d topics, %d partitions, %d others; the image has %d, %d, %d", dir, img.Provenance().Offset, len(m.topics), held, len(m.others), topics, partitions, others)
	}
	return n
}
