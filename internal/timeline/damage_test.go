package timeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/snapshottest"
)

func cut(data []byte, n int) []byte { return data[:len(data)-n] }

func flip(data []byte, at int) []byte {
	data = slices.Clone(data)
	data[at] ^= 1
	return data
}

// TestProblems lays out metadata logs with one thing wrong, and says what is read
// of them and what is told.
func TestProblems(t *testing.T) {
	v := version(feature.LatestProduction)
	a, b, c, d := topicOf("a"), topicOf("b"), topicOf("c"), topicOf("d")
	whole := segment(t, 0, 1, v, a, b, c, d)
	begin, end := &metadata.BeginTransactionRecord{}, &metadata.EndTransactionRecord{}
	unknown := []byte{1, 0x7e, 0, 0}
	for _, x := range []struct {
		name   string
		files  map[string][]byte
		offset int64
		topics string
		rules  string
		end    int64
	}{
		{"all is well", map[string][]byte{logName(0): whole, snapName(3, 1): snap(t, 1, v, a, b)}, Latest, "a b c d", "", 5},
		{"as of an offset before the snapshot", map[string][]byte{logName(0): whole, snapName(3, 1): snap(t, 1, v, a, b)}, 1, "a", "", 2},
		{"as of the snapshot", map[string][]byte{logName(0): whole, snapName(3, 1): snap(t, 1, v, a, b)}, 2, "a b", "", 3},
		{"a damaged snapshot, an older one and the log", map[string][]byte{
			logName(2): segment(t, 2, 1, b, c, d), snapName(2, 1): snap(t, 1, v, a), snapName(4, 1): flip(snap(t, 1, v, a, b, c), 150)}, Latest, "a b c d", "batch-crc", 5},
		{"a damaged snapshot, and all of the log", map[string][]byte{logName(0): whole, snapName(4, 1): flip(snap(t, 1, v, a, b, c), 150)}, Latest, "a b c d", "batch-crc", 5},
		{"a snapshot without its footer", map[string][]byte{logName(0): whole, snapName(3, 1): cut(snap(t, 1, v, a, b), footerSize)}, Latest, "a b c d", "snapshot-malformed", 5},
		{"a snapshot cut in a batch", map[string][]byte{logName(0): whole, snapName(3, 1): cut(snap(t, 1, v, a, b), 3)}, Latest, "a b c d", "snapshot-malformed", 5},
		{"no other than a snapshot without its footer", map[string][]byte{logName(3): segment(t, 3, 1, c), snapName(3, 1): cut(snap(t, 1, v, a, b), footerSize)}, Latest, "a b c", "snapshot-malformed", 4},
		{"a snapshot without its header", map[string][]byte{logName(0): whole, snapName(3, 1): segment(t, 0, 1, v, a, b)}, Latest, "a b c d", "batch-header", 5},
		{"a gap between snapshot and log", map[string][]byte{logName(4): segment(t, 4, 1, d), snapName(2, 1): snap(t, 1, v, a)}, Latest, "a d", "snapshot-missing", 5},
		{"a gap in the log", map[string][]byte{logName(0): append(segment(t, 0, 1, v, a), segment(t, 3, 1, c)...)}, Latest, "a", "metadata-gap", 2},
		{"a torn tail", map[string][]byte{logName(0): cut(whole, 1)}, Latest, "a b c", "", 4},
		{"zeros behind the end", map[string][]byte{logName(0): append(slices.Clone(whole), make([]byte, 5000)...)}, Latest, "a b c d", "", 5},
		{"a torn tail in the middle of the log", map[string][]byte{logName(0): cut(segment(t, 0, 1, v, a), 1), logName(2): segment(t, 2, 1, b)}, Latest, "", "tail-torn", 1},
		{"a flipped bit in the log", map[string][]byte{logName(0): flip(whole, len(whole)-5)}, Latest, "a b c", "batch-crc", 4},
		{"an epoch that decreases", map[string][]byte{logName(0): append(segment(t, 0, 2, v, a), segment(t, 2, 1, b)...)}, Latest, "a", "epoch-decreasing", 2},
		{"a record type that is not known", map[string][]byte{logName(0): batch(t, segment(t, 0, 1, v, a), 2, 1, unknown, value(t, b))}, Latest, "a b", "metadata-record-unknown", 4},
		{"a record that cannot be decoded", map[string][]byte{logName(0): batch(t, segment(t, 0, 1, v, a), 2, 1, []byte{1, 2, 0, 9}, value(t, b))}, Latest, "a b", "metadata-record", 4},
		{"a record that does not fit", map[string][]byte{logName(0): segment(t, 0, 1, v, a, &metadata.RemoveTopicRecord{}, b)}, Latest, "a b", "metadata-replay", 4},
		{"an open transaction", map[string][]byte{logName(0): segment(t, 0, 1, v, a, begin, b)}, Latest, "a", "transaction-open", 4},
		{"a transaction", map[string][]byte{logName(0): segment(t, 0, 1, v, a, begin, b, end)}, Latest, "a b", "", 5},
		{"in the middle of a transaction", map[string][]byte{logName(0): segment(t, 0, 1, v, a, begin, b, end)}, 3, "a", "transaction-open", 4},
		{"in the middle of a batch", map[string][]byte{logName(0): batch(t, segment(t, 0, 1, v, a), 2, 1, value(t, b), value(t, c))}, 2, "a b", "", 3},
		{"an unfinished snapshot", map[string][]byte{logName(0): whole, snapName(4, 1) + ".part": nil}, Latest, "a b c d", "snapshot-unfinished", 5},
		{"a snapshot that was deleted", map[string][]byte{logName(0): whole, snapName(4, 1) + ".deleted": nil}, Latest, "a b c d", "", 5},
		{"a new leader", map[string][]byte{logName(0): append(leader(t, segment(t, 0, 1, v, a), 2, 2, 7), segment(t, 3, 2, b)...)}, Latest, "a b", "", 4},
		// KAFKA-20164: what format wrote is not the state of the cluster if the log
		// begins with a metadata version, see supersede.
		{"0-0 superseded by the log", map[string][]byte{snapName(0, 0): snap(t, 0, v, a), logName(0): leader(t, nil, 0, 1, 1), logName(1): segment(t, 1, 1, v, b)}, Latest, "b", "", 3},
		{"0-0 superseded in a transaction", map[string][]byte{snapName(0, 0): snap(t, 0, v, a), logName(0): segment(t, 0, 1, begin, v, b, end)}, Latest, "b", "", 4},
		{"0-0 that the log adds to", map[string][]byte{snapName(0, 0): snap(t, 0, v, a), logName(0): segment(t, 0, 1, b)}, Latest, "a b", "", 1},
		{"0-0 alone", map[string][]byte{snapName(0, 0): snap(t, 0, v, a)}, Latest, "a", "", 0},
		{"a snapshot alone", map[string][]byte{snapName(9, 2): snap(t, 2, v, a)}, Latest, "a", "", 9},
	} {
		t.Run(x.name, func(t *testing.T) {
			fsys := files(t, x.files)
			for _, path := range []string{nodeDir, logDir} {
				s := at(t, fsys, path, x.offset)
				if topics(s) != x.topics || rules(s) != x.rules || s.End != x.end {
					t.Errorf("topics %q, rules %q, end %d; want %q, %q, %d\n%v", topics(s), rules(s), s.End, x.topics, x.rules, x.end, s.Problems)
				}
				for _, p := range s.Problems {
					if !strings.HasPrefix(p.File, logDir+"/") || !strings.Contains(p.String(), p.Rule) || p.Text == "" {
						t.Errorf("%+v", p)
					}
				}
			}
		})
	}
}

// TestAligned tells states that end within a batch.
func TestAligned(t *testing.T) {
	v, a, b := version(feature.LatestProduction), topicOf("a"), topicOf("b")
	fsys := files(t, map[string][]byte{logName(0): batch(t, segment(t, 0, 1, v), 1, 1, value(t, a), value(t, b)), snapName(1, 1): snap(t, 1, v)})
	for _, path := range []string{nodeDir, logDir + "/" + logName(0)} {
		for offset, want := range []bool{true, false, true} {
			if s := at(t, fsys, path, int64(offset)); s.Aligned() != want || s.End != int64(offset)+1 {
				t.Errorf("%s at %d: %v, end %d", path, offset, s.Aligned(), s.End)
			}
		}
	}
}

// footerSize is the size of the batch that a snapshot ends with.
const footerSize = 75

// TestRemovedMeanwhile: a running node removes snapshots and segments.
func TestRemovedMeanwhile(t *testing.T) {
	v := version(feature.LatestProduction)
	fsys := files(t, map[string][]byte{logName(0): segment(t, 0, 1, v, topicOf("a"), topicOf("b")), snapName(2, 1): snap(t, 1, v, topicOf("a"))})
	line, err := Open(fsys, nodeDir)
	if err != nil {
		t.Fatal(err)
	}
	if err := fsys.Remove(logDir + "/" + snapName(2, 1)); err != nil {
		t.Fatal(err)
	}
	s, err := line.At(context.Background(), Latest)
	if err != nil || topics(s) != "a b" || rules(s) != "" {
		t.Errorf("%v %q %q", err, topics(s), rules(s))
	}
	if err := fsys.Remove(logDir + "/" + logName(0)); err != nil {
		t.Fatal(err)
	}
	if s, err = line.At(context.Background(), Latest); err != nil || rules(s) != "file-unreadable" {
		t.Errorf("%v %q", err, rules(s))
	}
}

// TestOutOfReach: the log of before a snapshot is gone.
func TestOutOfReach(t *testing.T) {
	v := version(feature.LatestProduction)
	fsys := files(t, map[string][]byte{logName(5): segment(t, 5, 1, topicOf("b")), snapName(5, 1): snap(t, 1, v, topicOf("a"))})
	line, err := Open(fsys, nodeDir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = line.At(context.Background(), 3)
	if out, ok := errors.AsType[*OutOfReachError](err); !ok || out.Offset != 3 || out.First != 4 {
		t.Errorf("%v", err)
	}
	if r := line.Reach(); len(r) != 1 || r[0] != (Range{4, Latest, true}) {
		t.Errorf("%v", r)
	}
}

// TestSingleFiles reads files by themselves, with the offsets in them.
func TestSingleFiles(t *testing.T) {
	v := version(feature.LatestProduction)
	good := snap(t, 1, v, topicOf("a"))
	fsys := files(t, map[string][]byte{
		snapName(5, 1): good, "copy.bin": good, snapName(6, 1): cut(good, footerSize), snapName(7, 1): flip(good, 120),
		logName(0): segment(t, 0, 1, v, topicOf("a")), logName(5): segment(t, 5, 1, topicOf("b")), "empty": nil, "text": []byte("version=1\n"),
		"odd": segment(t, 0, 1, v)[:30],
	})
	for _, x := range []struct {
		name, topics, rules string
		end                 int64
	}{
		{snapName(5, 1), "a", "", 5},
		{"copy.bin", "a", "", 4},
		{snapName(6, 1), "a", "snapshot-malformed", 6},
		{snapName(7, 1), "", "batch-crc no-metadata", 7},
		{logName(0), "a", "", 2},
		{logName(5), "b", "snapshot-missing", 6},
		{"empty", "", "no-metadata", 0},
	} {
		s := at(t, fsys, logDir+"/"+x.name, Latest)
		if topics(s) != x.topics || rules(s) != x.rules || s.End != x.end {
			t.Errorf("%s: topics %q, rules %q, end %d", x.name, topics(s), rules(s), s.End)
		}
	}
	for _, name := range []string{"text", "odd"} {
		line, err := Open(fsys, logDir+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = line.At(context.Background(), Latest)
		if _, ok := errors.AsType[*NotMetadataError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{"/nowhere", "/"} {
		if _, err := Open(fsys, path); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNoMetadata) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestManyProblems keeps a bounded list.
func TestManyProblems(t *testing.T) {
	var values [][]byte
	for range 1000 {
		values = append(values, []byte{1, 0x7e, 0, 0})
	}
	s := at(t, files(t, map[string][]byte{logName(0): batch(t, nil, 0, 1, values...)}), nodeDir, Latest)
	if len(s.Problems) != maxProblems || s.More != 1000-maxProblems {
		t.Errorf("%d problems, %d more", len(s.Problems), s.More)
	}
}

// TestCanceled stops reading.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fsys := files(t, map[string][]byte{logName(0): segment(t, 0, 1, topicOf("a")), snapName(1, 1): snap(t, 1, topicOf("a"))})
	for _, path := range []string{nodeDir, logDir + "/" + logName(0), logDir + "/" + snapName(1, 1)} {
		line, err := Open(fsys, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := line.At(ctx, Latest); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// FuzzFile reads any bytes as a segment, as a snapshot, and as one between others.
func FuzzFile(f *testing.F) {
	v := version(feature.LatestProduction)
	f.Add(segment(f, 0, 1, v, topicOf("a")))
	f.Add(snap(f, 1, v, topicOf("a")))
	f.Add(leader(f, nil, 0, 1, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = slices.Clone(data)
		snapshottest.FixChecksums(data)
		fsys := files(t, map[string][]byte{logName(0): data, snapName(2, 1): data, snapName(4, 1): snap(t, 1, v), logName(3): data, "x": data})
		for _, path := range []string{nodeDir, logDir + "/" + logName(0), logDir + "/" + snapName(2, 1), logDir + "/x"} {
			line, err := Open(fsys, path)
			if err != nil {
				t.Fatal(err)
			}
			for _, offset := range []int64{0, 2, Latest} {
				s, err := line.At(context.Background(), offset)
				if err != nil {
					continue
				}
				if len(s.Problems) > maxProblems {
					t.Fatalf("%d problems", len(s.Problems))
				}
				n := 0
				for _, topic := range s.Image.Topics().All() {
					n += topic.Len()
				}
				if n != s.Image.PartitionCount() {
					t.Fatalf("%d partitions, %d counted", n, s.Image.PartitionCount())
				}
			}
		}
	})
}

// TestBootstrapFile: what format of a release before 4.4 wrote is the metadata until
// the log has some.
func TestBootstrapFile(t *testing.T) {
	list := map[string][]byte{snapName(0, 0): snap(t, 0), "../bootstrap.checkpoint": snap(t, 0, version(feature.V4_0_IV3))}
	if v, ok := at(t, files(t, list), nodeDir, Latest).Image.MetadataVersion(); !ok || v != feature.V4_0_IV3 {
		t.Errorf("formatted: %v", v)
	}
	list[logName(0)] = leader(t, nil, 0, 1, 1)
	if v, ok := at(t, files(t, list), nodeDir, Latest).Image.MetadataVersion(); !ok || v != feature.V4_0_IV3 {
		t.Errorf("without metadata in the log: %v", v)
	}
	list[logName(0)] = segment(t, 0, 1, version(feature.V3_9_IV0), topicOf("a"))
	s := at(t, files(t, list), nodeDir, Latest)
	if v, _ := s.Image.MetadataVersion(); v != feature.V3_9_IV0 || topics(s) != "a" || rules(s) != "" {
		t.Errorf("begun: %v, %s, %s", v, topics(s), rules(s))
	}
	list["../bootstrap.checkpoint"] = list["../bootstrap.checkpoint"][:100]
	delete(list, logName(0))
	if s := at(t, files(t, list), nodeDir, Latest); rules(s) == "" {
		t.Error("a cut file is no problem")
	}
}
