package shell_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
	"kraftctl/shell"
	"kraftctl/shell/imagetree"
)

// manyTopics is the image of a cluster with so many topics.
func manyTopics(b *testing.B, n int) *image.Image {
	b.Helper()
	d := image.NewDelta(image.Empty())
	for i := range n {
		id := kbin.UUID{8: byte(i >> 24), 9: byte(i >> 16), 10: byte(i >> 8), 11: byte(i), 15: 1}
		if err := d.Replay(&metadata.TopicRecord{Name: fmt.Sprintf("topic-%06d", i), TopicID: id}); err != nil {
			b.Fatal(err)
		}
		if err := d.Replay(&metadata.PartitionRecord{TopicID: id, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1}); err != nil {
			b.Fatal(err)
		}
	}
	return d.Image(image.Provenance{})
}

// BenchmarkComplete is what a keystroke costs in a directory of 100,000 topics.
func BenchmarkComplete(b *testing.B) {
	const topics, shown = 100_000, 500
	img := manyTopics(b, topics)
	root := imagetree.Fixed(imagetree.Entry{Name: "image", Node: imagetree.New(img, imagetree.Options{Kafka: true})})
	k := &shell.Kafka{Root: root, Out: io.Discard, Interactive: true}
	s := session(b, img)
	for _, c := range []struct {
		name, line string
		want       int
		complete   func(line string, cursor int) (int, []shell.Candidate)
	}{
		{"all", "ls /image/topics/byName/", 1, s.Complete}, // what all begin with
		{"some", "ls /image/topics/byName/topic-0", shown, s.Complete},
		{"one", "ls /image/topics/byName/topic-012345", 1, s.Complete},
		{"kafka/all", "ls /image/topics/byName/", topics, k.Complete},
		{"kafka/one", "ls /image/topics/byName/topic-012345", 1, k.Complete},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, list := c.complete(c.line, len(c.line)); len(list) != c.want {
					b.Fatalf("%d candidates, want %d", len(list), c.want)
				}
			}
		})
	}
}

// session is one over a snapshot of an image.
func session(b *testing.B, img *image.Image) *shell.Shell {
	b.Helper()
	var file bytes.Buffer
	w := snapshot.NewWriter(&file, 1, snapshot.Header{}, func() int64 { return 0 })
	emit := func(apiKey, version int16, m kbin.Message) error { return w.Append(apiKey, version, m) }
	if err := emit(metadata.KeyFeatureLevelRecord, 0, &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}); err != nil {
		b.Fatal(err)
	}
	if err := img.Records(feature.LatestProduction, emit); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	const name = "/00000000000000000001-0000000001.checkpoint"
	fsys := vfs.NewMem()
	if err := vfs.WriteFileAtomic(fsys, name, file.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	t, err := timeline.Open(fsys, name)
	if err != nil {
		b.Fatal(err)
	}
	s, err := shell.New(b.Context(), t, timeline.Latest, shell.Terminal{Out: io.Discard, Err: io.Discard}, shell.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return s
}
