package timeline

import (
	"context"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// inFileOf is what Kafka's shell shows of a log.
func inFileOf(t *testing.T, l *testLog) *State {
	t.Helper()
	l.put("x.log", l.data)
	line, err := Open(l.fs, "/d/x.log")
	if err != nil {
		t.Fatal(err)
	}
	s, err := line.InFile(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestInFileUnknownTopic: of a batch with a record about a topic that is not there
// nothing counts; and where the last batch says that all before it may be shown, but
// there is no metadata version yet, nothing counts from there on.
func TestInFileUnknownTopic(t *testing.T) {
	l := newTestLog(t, 0)
	lost := partitionRecord(99, 0)
	lost.TopicID = kbin.UUID{1}
	l.batch(1, topicRecord("a", 7))                                                                           // 0
	l.batch(1, topicRecord("b", 8), lost)                                                                     // 1 2
	l.batch(1, &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 25}, topicRecord("c", 9)) // 3 4
	if s := inFileOf(t, l); topics(s) != "a c" {
		t.Errorf("topics %q, want a c", topics(s))
	}
	l.next = 0
	l.leader(1, 1) // a last batch whose offset is below all others
	if s := inFileOf(t, l); topics(s) != "" {
		t.Errorf("topics %q, want none", topics(s))
	}
}
