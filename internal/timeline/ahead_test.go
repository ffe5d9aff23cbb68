package timeline

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/metadata"
	"kraftctl/internal/metalog"
	"kraftctl/internal/vfs"
)

// seen is what a walk tells of a record.
func seen(e *Entry) string {
	kind := "control"
	if !e.IsControl && e.Frame.Message != nil {
		kind = string(e.Frame.Message.AppendJSON(nil, e.Frame.Version))
	}
	return fmt.Sprintf("%d at %d %v %s %v", e.Offset, e.Pos, e.At, kind, e.Err)
}

// walked is all that a walk over a segment tells.
func walked(t *testing.T, fsys vfs.FS, ahead bool, unchecked bool, from, to int64) (out []string, end place, problem *Problem) {
	t.Helper()
	before := aheadFromLog
	defer func() { aheadFromLog = before }()
	if ahead {
		aheadFromLog = 1
	}
	w := newWalker(fsys)
	w.unchecked = unchecked
	w.wanted = func(v []byte) bool { return len(v) < 2 || int16(v[1]) != metadata.KeyNoOpRecord }
	list := []metalog.Segment{{Name: "0", Path: "/d/0.log"}}
	end, problem, err := w.segments(context.Background(), list, place{next: from}, to, func(e *Entry) error {
		out = append(out, seen(e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(out, fmt.Sprint(w.entry.At, w.entry.Offset)), end, problem
}

// TestAheadLikePlain: decoding ahead tells the same as one batch after the other.
func TestAheadLikePlain(t *testing.T) {
	l := newTestLog(t, 0)
	l.leader(1, 1)
	for i := range 50 {
		l.batch(1, topicRecord(fmt.Sprint("t", i), byte(i+1)), partitionRecord(byte(i+1), 0), &metadata.NoOpRecord{}, partitionRecord(byte(i+1), 1))
		if i%7 == 0 { // one that nobody knows, and a compressed batch
			l.append(1, 0, []decode.Record{{Value: []byte{1, 99, 0, 1}}, {Value: value(t, topicRecord("x", 200))}})
			l.append(1, 1, []decode.Record{{Value: value(t, topicRecord("gzip", 201))}, {Value: value(t, &metadata.NoOpRecord{})}})
		}
	}
	whole := l.data
	damaged := append([]byte(nil), whole...)
	damaged[len(damaged)/2] ^= 1
	for name, data := range map[string][]byte{"whole": whole, "cut": whole[:len(whole)-3], "damaged": damaged, "empty": nil} {
		l.put("0.log", data)
		for _, r := range [][2]int64{{0, Latest}, {30, Latest}, {0, 77}, {31, 78}, {1000, Latest}} {
			plain, end1, problem1 := walked(t, l.fs, false, false, r[0], r[1])
			ahead, end2, problem2 := walked(t, l.fs, true, false, r[0], r[1])
			if !reflect.DeepEqual(plain, ahead) || end1 != end2 || !reflect.DeepEqual(problem1, problem2) {
				t.Errorf("%s from %d to %d: %d and %d records, ends %v and %v, problems %v and %v", name, r[0], r[1], len(plain), len(ahead), end1, end2, problem1, problem2)
			}
		}
	}
}

// TestAheadStops: nothing goes on once the walk has ended.
func TestAheadStops(t *testing.T) {
	l := newTestLog(t, 0)
	for i := range 100 {
		l.batch(1, topicRecord(fmt.Sprint("t", i), byte(i+1)))
	}
	l.put("0.log", l.data)
	f, err := metalog.OpenBatches(l.fs, "/d/0.log")
	if err != nil {
		t.Fatal(err)
	}
	s := newWalker(l.fs).open(f, 0, 1)
	if s.pos() != 0 {
		t.Errorf("begins at %d", s.pos())
	}
	if _, err := s.next(); err != nil {
		t.Fatal(err)
	}
	s.close()
	select {
	case <-s.done:
	default:
		t.Error("it still reads")
	}
}
