package timeline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
)

// historyOf lists changes as "offset sign path (record)".
func historyOf(t *testing.T, line *Timeline, q Query) string {
	t.Helper()
	var out []string
	_, err := line.History(context.Background(), q, func(r *Recorded) error {
		out = append(out, changeLine(r))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func changeLine(r *Recorded) string {
	sign := "~"
	switch {
	case r.Before == nil:
		sign = "+"
	case r.After == nil:
		sign = "-"
	}
	asOf := ""
	if r.Snapshot {
		asOf = "as of "
	}
	return fmt.Sprintf("%s%d %s /%s (%s)", asOf, r.At.Offset, sign, strings.Join(r.Path, "/"), r.Record)
}

func topicRecord(name string, id byte) *metadata.TopicRecord {
	return &metadata.TopicRecord{Name: name, TopicID: kbin.UUID{15: id}}
}

func partitionRecord(id byte, n int32) *metadata.PartitionRecord {
	return &metadata.PartitionRecord{TopicID: kbin.UUID{15: id}, PartitionID: n, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1}
}

// historyLog is a log in which a topic goes and another one of its name comes.
func historyLog(t *testing.T) *testLog {
	l := newTestLog(t, 0)
	l.leader(1, 3000)                                                                                  // 0
	l.batch(1, &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 25})               // 1
	l.batch(1, topicRecord("a", 7), partitionRecord(7, 0), topicRecord("b", 8), partitionRecord(8, 0)) // 2 3 4 5
	l.batch(1, retention("a", ptr("1")))                                                               // 6
	l.batch(1, change(0, 1))                                                                           // 7
	l.batch(1, &metadata.RemoveTopicRecord{TopicID: kbin.UUID{15: 7}})                                 // 8
	l.batch(1, &metadata.NoOpRecord{}, topicRecord("a", 9), partitionRecord(9, 0))                     // 9 10 11
	l.batch(1, &metadata.ClearElrRecord{TopicName: "b"})                                               // 12
	return l
}

func TestHistory(t *testing.T) {
	line := historyLog(t).open()
	for _, c := range []struct {
		prefix string
		want   string
	}{
		{"image topics byName a", `2 + /image/topics/byName/a (TopicRecord)
3 + /image/topics/byName/a/0 (PartitionRecord)
7 ~ /image/topics/byName/a/0 (PartitionChangeRecord)
8 - /image/topics/byName/a/0 (RemoveTopicRecord)
8 - /image/topics/byName/a (RemoveTopicRecord)
10 + /image/topics/byName/a (TopicRecord)
11 + /image/topics/byName/a/0 (PartitionRecord)`},
		{"image topics byName a 0", `3 + /image/topics/byName/a/0 (PartitionRecord)
7 ~ /image/topics/byName/a/0 (PartitionChangeRecord)
8 - /image/topics/byName/a/0 (RemoveTopicRecord)
11 + /image/topics/byName/a/0 (PartitionRecord)`},
		{"image configs", `6 + /image/configs/TOPIC:a/retention.ms (ConfigRecord)
8 - /image/configs/TOPIC:a/retention.ms (RemoveTopicRecord)`},
		{"image features", `1 + /image/features/metadataVersion (FeatureLevelRecord)`},
		{"image topics byName c", ""},
		{"image cluster", ""},
		{"image nonsense", ""},
	} {
		if got := historyOf(t, line, Query{Prefix: strings.Fields(c.prefix)}); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.prefix, got, c.want)
		}
	}
}

// TestHistoryPassesOver: what wanted passes over changes nothing of what is asked
// for. Every prefix gives the same lines as a look at everything.
func TestHistoryPassesOver(t *testing.T) {
	line := historyLog(t).open()
	for _, prefix := range []string{"topics", "topics byName", "topics byName a", "topics byName b", "configs", "configs TOPIC:a", "features"} {
		p := append([]string{"image"}, strings.Fields(prefix)...)
		all := historyOf(t, line, Query{Match: func(c *image.Change) bool {
			return strings.HasPrefix(strings.Join(c.Path, " ")+" ", strings.Join(p, " ")+" ")
		}})
		if got := historyOf(t, line, Query{Prefix: p}); got != all {
			t.Errorf("%s:\n%s\nwant\n%s", prefix, got, all)
		}
	}
}

// TestHistoryOfTransactions: a change counts where its record stands, but only if
// its transaction ends.
func TestHistoryOfTransactions(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, &metadata.BeginTransactionRecord{}, topicRecord("a", 7))    // 0 1
	l.batch(1, retention("a", ptr("1")), &metadata.EndTransactionRecord{}) // 2 3
	l.batch(1, &metadata.BeginTransactionRecord{}, topicRecord("b", 8))    // 4 5
	l.batch(1, &metadata.AbortTransactionRecord{}, topicRecord("c", 9))    // 6 7
	l.batch(1, &metadata.BeginTransactionRecord{}, topicRecord("d", 10))   // 8 9, and no end
	want := `1 + /image/topics/byName/a (TopicRecord)
2 + /image/configs/TOPIC:a/retention.ms (ConfigRecord)
7 + /image/topics/byName/c (TopicRecord)`
	if got := historyOf(t, l.open(), Query{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestHistoryBehindSnapshot: what a snapshot has brought stands at its end, and
// records that it stands for are not told again.
func TestHistoryBehindSnapshot(t *testing.T) {
	l := newTestLog(t, 5)
	l.batch(2, retention("a", ptr("1"))) // 5: in the later snapshot
	l.batch(2, retention("a", ptr("2"))) // 6
	l.snapshot(5, 1, topicRecord("a", 7))
	l.snapshot(6, 2, topicRecord("a", 7), retention("a", ptr("1")))
	want := `as of 4 + /image/topics/byName/a (snapshot)
5 + /image/configs/TOPIC:a/retention.ms (ConfigRecord)
6 ~ /image/configs/TOPIC:a/retention.ms (ConfigRecord)`
	if got := historyOf(t, l.open(), Query{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
