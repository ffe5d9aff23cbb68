package raft

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// TestOneStep: OneStep holds for two sets of replicas exactly where every majority of one
// has a replica in common with every majority of the other and, beyond that, no more
// than one came or went.
func TestOneStep(t *testing.T) {
	set := func(mask uint) (s VoterSet) {
		for id := range int32(6) {
			if mask>>id&1 != 0 {
				s = s.with(Voter{Key: ReplicaKey{ID: id, Directory: UUID{15: byte(id + 1)}}})
			}
		}
		return s
	}
	disjoint := func(a, b uint) bool {
		for x := range uint(64) {
			for y := range uint(64) {
				if x&^a == 0 && y&^b == 0 && x&y == 0 && bits.OnesCount(x) > bits.OnesCount(a)/2 && bits.OnesCount(y) > bits.OnesCount(b)/2 {
					return true
				}
			}
		}
		return false
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.UintRange(1, 63).Draw(t, "a"), rapid.UintRange(1, 63).Draw(t, "b")
		got := set(a).OneStep(set(b))
		if want := bits.OnesCount(a^b) <= 1; got != want {
			t.Fatalf("%06b and %06b: %v", a, b, got)
		}
		if got && disjoint(a, b) {
			t.Fatalf("%06b and %06b have disjoint majorities", a, b)
		}
	})
}

// TestSameIDAnotherDirectory: a node with another directory is another voter.
func TestSameIDAnotherDirectory(t *testing.T) {
	known := ReplicaKey{1, UUID{15: 1}}
	other := ReplicaKey{1, UUID{15: 2}}
	unknown := ReplicaKey{ID: 1}
	a, b, static := NewVoterSet(Voter{Key: known}), NewVoterSet(Voter{Key: other}), NewVoterSet(Voter{Key: unknown})
	switch {
	case a.OneStep(b):
		t.Error("one voter went and another came: two steps")
	case !static.OneStep(a):
		t.Error("a directory that becomes known is no step")
	case a.Contains(other) || !a.Contains(known) || !static.Contains(other):
		t.Error("a set knows its voters by directory, where it has one")
	}
}

// TestEndOffsetForEpoch: epoch and end are those of the last record of the largest epoch
// up to the one asked for.
func TestEndOffsetForEpoch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := logState{start: rapid.Int64Range(0, 3).Draw(t, "start")}
		l.end = l.start
		if l.start > 0 {
			l.snapshots = []Snapshot{{ID: SnapshotID{l.start, 0}}}
		}
		var epochs []int32 // of each record
		epoch := int32(0)
		for range rapid.IntRange(0, 12).Draw(t, "records") {
			epoch += rapid.Int32Range(0, 2).Draw(t, "step")
			l.appended(&Batch{Base: l.end, Count: 1, Epoch: epoch})
			epochs = append(epochs, epoch)
		}
		if cut := rapid.Int64Range(0, 4).Draw(t, "cut"); cut < int64(len(epochs)) {
			l.truncate(l.end - cut)
			epochs = epochs[:int64(len(epochs))-cut]
		}
		if err := l.check(); err != nil {
			t.Fatal(err)
		}
		asked := rapid.Int32Range(0, 25).Draw(t, "epoch")
		want := SnapshotID{l.start, asked} // older than all: the log begins behind it
		for i, e := range epochs {
			if e <= asked {
				want = SnapshotID{l.start + int64(i) + 1, e}
			}
		}
		if len(epochs) == 0 {
			want = SnapshotID{l.start, 0}
		}
		if got := l.endOffsetForEpoch(asked); got != want {
			t.Fatalf("epoch %d of %v from %d: %v, want %v", asked, epochs, l.start, got, want)
		}
	})
}
