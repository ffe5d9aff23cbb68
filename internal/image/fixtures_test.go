package image_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// fixtureLogs are directories of metadata logs that real clusters wrote.
func fixtureLogs(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("../../testdata/fixtures/meta-*/*/" + index.MetadataLogDir)
	if err != nil || len(list) < 8 {
		t.Fatal(list, err)
	}
	return list
}

// stateOf reads the metadata as of an offset.
func stateOf(t testing.TB, fsys vfs.FS, path string, offset int64) *timeline.State {
	t.Helper()
	line, err := timeline.Open(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := line.At(context.Background(), offset)
	if err != nil {
		t.Fatalf("%s at %d: %v", path, offset, err)
	}
	return s
}

// replayed replays what emit gives on an image.
func replayed(t testing.TB, base *image.Image, records func(image.Emit) error) *image.Image {
	t.Helper()
	d := image.NewDelta(base)
	frames := newFrames()
	if err := records(func(apiKey, version int16, m kbin.Message) error {
		return d.Replay(frames.pass(t, apiKey, version, m))
	}); err != nil {
		t.Fatal(err)
	}
	return d.Image(image.Provenance{})
}

// TestSnapshotsOfFixtures compares each snapshot that real Kafka wrote with the log
// up to it, replayed without that snapshot, and with itself written and read again.
// (1.4)
func TestSnapshotsOfFixtures(t *testing.T) {
	compared := 0
	for _, dir := range fixtureLogs(t) {
		files, err := metalog.List(vfs.OS, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range files.Snapshots {
			if s.EndOffset == 0 {
				continue
			}
			snap := stateOf(t, vfs.OS, s.Path, timeline.Latest)
			if len(snap.Problems) > 0 {
				t.Errorf("%s: %v", s.Path, snap.Problems)
			}
			v, ok := snap.Image.MetadataVersion()
			if !ok || snap.Image.Provenance().Offset != s.EndOffset-1 {
				t.Fatalf("%s: version %v, %+v", s.Path, ok, snap.Image.Provenance())
			}
			again := replayed(t, image.Empty(), func(emit image.Emit) error { return snap.Image.Records(v, emit) })
			if again.Hash() != snap.Image.Hash() {
				t.Errorf("%s: written and read again it differs: %v", s.Path, differences(snap.Image, again))
			}
			if files.Segments[0].BaseOffset > 0 && s == files.Snapshots[0] {
				continue // nothing is there of before
			}
			before := logBefore(t, files, s)
			log := stateOf(t, before, filepath.Dir("/d/x"), s.EndOffset-1)
			if log.End != s.EndOffset {
				t.Fatalf("%s: the log was read to %d", s.Path, log.End)
			}
			compared++
			if log.Image.Hash() != snap.Image.Hash() {
				t.Errorf("%s: the log before it differs: %v", s.Path, differences(log.Image, snap.Image))
			}
		}
	}
	if compared < 15 {
		t.Errorf("only %d snapshots were compared with a log", compared)
	}
}

// logBefore copies a metadata log without a snapshot and those after it.
func logBefore(t *testing.T, files *metalog.Files, s metalog.Snapshot) vfs.FS {
	t.Helper()
	m := vfs.NewMem()
	put := func(path, name string) {
		data, err := os.ReadFile(path)
		if err == nil {
			err = m.MkdirAll("/d/"+index.MetadataLogDir, 0o777)
		}
		if err == nil {
			err = vfs.WriteFileAtomic(m, "/d/"+index.MetadataLogDir+"/"+name, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range files.Snapshots {
		if other.EndOffset < s.EndOffset {
			put(other.Path, other.Name)
		}
	}
	for _, g := range files.Segments {
		put(g.Path, g.Name)
	}
	return m
}

// differences lists paths that differ.
func differences(a, b *image.Image) (paths []string) {
	for c := range image.Diff(a, b) {
		path := "/" + filepath.Join(c.Path...)
		for _, m := range []kbin.Message{c.Before, c.After} {
			path += " "
			if m != nil {
				_, highest := m.Versions()
				path += string(m.AppendJSON(nil, highest))
			}
		}
		if paths = append(paths, path); len(paths) > 10 {
			break
		}
	}
	return paths
}

// TestBetweenFixtures leads from each state to every later one of a real log, and
// back, by records alone.
func TestBetweenFixtures(t *testing.T) {
	for _, dir := range fixtureLogs(t) {
		files, err := metalog.List(vfs.OS, dir)
		if err != nil {
			t.Fatal(err)
		}
		if files.Segments[0].BaseOffset > 0 {
			continue
		}
		var states []*image.Image
		for offset := int64(20); ; offset += 97 {
			s := stateOf(t, vfs.OS, dir, offset)
			states = append(states, s.Image)
			if s.End <= offset {
				break
			}
		}
		for i, a := range states {
			for j, b := range states {
				checkBetween(t, a, b)
				if i == j && len(differences(a, b)) > 0 {
					t.Error("an image differs from itself")
				}
			}
		}
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkBetween leads from one image to another.
func checkBetween(t fataler, a, b *image.Image) {
	t.Helper()
	before := a.Hash()
	d := image.NewDelta(a)
	frames := newFrames()
	n := 0
	err := image.RecordsBetween(a, b, func(apiKey, version int16, m kbin.Message) error {
		n++
		err := d.Replay(frames.pass(t, apiKey, version, m))
		if _, isFeature := m.(*metadata.FeatureLevelRecord); isFeature {
			return nil // of a version that is not known, which counts all the same
		}
		return err
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	got := d.Image(image.Provenance{})
	if got.Hash() != b.Hash() || len(differences(got, b)) > 0 {
		t.Fatalf("%d records lead to something else: %v", n, differences(got, b))
	}
	if (n == 0) != (before == b.Hash()) || (n == 0) != (len(differences(a, b)) == 0) {
		t.Fatalf("%d records between %s and %s, %v", n, before, b.Hash(), differences(a, b))
	}
	if a.Hash() != before {
		t.Fatalf("the old image has changed")
	}
	if got.PartitionCount() != b.PartitionCount() {
		t.Fatalf("%d partitions, not %d", got.PartitionCount(), b.PartitionCount())
	}
}

// TestMillion bounds what a hash and a diff of a large cluster cost in memory.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("builds 200,000 partitions")
	}
	img := largeImage(2000, 100)
	if n := testing.AllocsPerRun(1, func() { img.Hash() }); n > 100 {
		t.Errorf("a hash allocates %v times", n)
	}
	emitted := 0
	v := feature.LatestProduction
	if n := testing.AllocsPerRun(1, func() {
		_ = img.Records(v, func(int16, int16, kbin.Message) error { emitted++; return nil })
	}); n > float64(2*2000+100) {
		t.Errorf("%d records allocate %v times", emitted, n)
	}
	d := image.NewDelta(img)
	change := partitionChange(id(7), 3)
	if err := d.Replay(change); err != nil {
		t.Fatal(err)
	}
	other := d.Image(image.Provenance{})
	if n := testing.AllocsPerRun(1, func() {
		changes := 0
		for range image.Diff(img, other) {
			changes++
		}
		if changes != 1 {
			t.Errorf("%d changes", changes)
		}
	}); n > 500 {
		t.Errorf("a diff of one change allocates %v times", n)
	}
}

func BenchmarkHash(b *testing.B) {
	img := largeImage(10_000, 100)
	for b.Loop() {
		img.Hash()
	}
	b.ReportMetric(float64(img.PartitionCount())*float64(b.N)/b.Elapsed().Seconds(), "partitions/s")
}
