package timeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/metadata"
)

// following is a follower of a test log, with the changes it has told of.
type following struct {
	*Follower
	t   *testing.T
	log *testLog
	got []string
}

func follow(t *testing.T, l *testLog) *following {
	t.Helper()
	f := &following{t: t, log: l}
	var err error
	f.Follower, err = NewFollower(context.Background(), l.open(), func(r *Recorded) error {
		f.got = append(f.got, changeLine(r))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// poll writes the log as it is now and looks.
func (f *following) poll(want bool, changes ...string) {
	f.t.Helper()
	f.log.put(fmt.Sprintf("%020d.log", f.log.base), f.log.data)
	f.look(want, changes...)
}

func (f *following) look(want bool, changes ...string) {
	f.t.Helper()
	f.got = nil
	changed, err := f.Poll(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	if changed != want || !slices.Equal(f.got, changes) {
		f.t.Fatalf("changed %t, %q; want %t, %q", changed, f.got, want, changes)
	}
}

// same compares the state with one that was read from the beginning.
func (f *following) same() {
	f.t.Helper()
	got, fresh := f.State(), at(f.t, f.log.fs, "/d", Latest)
	if got.Image.Hash() != fresh.Image.Hash() || got.End != fresh.End || topics(got) != topics(fresh) {
		f.t.Fatalf("offset %d, topics %s; read anew: %d, %s", got.End, topics(got), fresh.End, topics(fresh))
	}
	if len(got.Problems) != len(fresh.Problems) {
		f.t.Fatalf("problems %v; read anew: %v", got.Problems, fresh.Problems)
	}
}

func TestFollow(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, topicRecord("a", 7))
	f := follow(t, l)
	f.poll(false)
	l.batch(1, partitionRecord(7, 0), topicRecord("b", 8))
	f.poll(true, "1 + /image/topics/byName/a/0 (PartitionRecord)", "2 + /image/topics/byName/b (TopicRecord)")
	f.same()
	before := f.State()

	// A part of a batch is nothing yet.
	whole := len(l.data)
	l.batch(1, topicRecord("c", 9))
	rest := l.data
	l.data = l.data[:whole+40]
	f.poll(false)
	l.data = rest
	f.poll(true, "3 + /image/topics/byName/c (TopicRecord)")
	f.same()
	if topics(before) != "a b" {
		t.Errorf("a state that was given out has moved: %s", topics(before))
	}

	// The next segment.
	l.base, l.data = l.next, nil
	l.batch(2, topicRecord("d", 10))
	f.poll(true, "4 + /image/topics/byName/d (TopicRecord)")
	f.same()
	l.batch(2, &metadata.NoOpRecord{})
	f.poll(true)
	f.same()
}

// TestFollowCut: a node that has lost the leadership takes back what was not
// committed, and writes something else there.
func TestFollowCut(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, topicRecord("a", 7))
	keep, next := len(l.data), l.next
	l.batch(1, topicRecord("b", 8))
	f := follow(t, l)
	l.data, l.next = l.data[:keep], next
	f.poll(true)
	if got := topics(f.State()); got != "a" {
		t.Fatalf("topics %s", got)
	}
	l.batch(2, topicRecord("c", 9))
	f.poll(true, "1 + /image/topics/byName/c (TopicRecord)")
	f.same()

	// Cut and written over between two looks, to the same length.
	l.data, l.next = l.data[:keep], next
	l.batch(3, topicRecord("e", 9))
	f.poll(false) // the offset is the same
	if got := topics(f.State()); got != "a e" {
		t.Fatalf("topics %s", got)
	}
	f.same()
}

// TestFollowFromNothing: the log comes after the first look.
func TestFollowFromNothing(t *testing.T) {
	l := newTestLog(t, 0)
	l.snapshot(0, 0, &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 30})
	f := follow(t, l)
	l.batch(1, &metadata.BeginTransactionRecord{}, &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 25}, topicRecord("a", 7))
	f.poll(true)
	if v, _ := f.State().Image.MetadataVersion(); v != 30 {
		t.Errorf("a transaction that has not ended counts: %v", v)
	}
	l.batch(1, &metadata.EndTransactionRecord{})
	f.poll(true, "3 ~ /image/features/metadataVersion (EndTransactionRecord)", "3 + /image/topics/byName/a (EndTransactionRecord)")
	f.same()
}

// TestFollowNewSnapshot: a node that has fallen behind gets a snapshot, and its log
// begins behind it.
func TestFollowNewSnapshot(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, topicRecord("a", 7))
	f := follow(t, l)
	if err := l.fs.Remove("/d/" + fmt.Sprintf("%020d.log", 0)); err != nil {
		t.Fatal(err)
	}
	l.snapshot(100, 4, topicRecord("x", 7), topicRecord("y", 8))
	l.base, l.next, l.data = 100, 100, nil
	l.batch(4, topicRecord("z", 9))
	f.poll(true)
	if got := topics(f.State()); got != "x y z" {
		t.Fatalf("topics %s", got)
	}
	f.same()
	if got := strings.TrimSpace(rules(f.State())); got != "" {
		t.Errorf("problems: %s", got)
	}
}
