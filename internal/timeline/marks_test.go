package timeline

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/image"
	"kraftctl/internal/snapshottest"
	"kraftctl/internal/vfs"
)

// testLog is the directory of a metadata log that is written batch by batch: the
// time of a batch is its offset times ten.
type testLog struct {
	t    testing.TB
	fs   *vfs.Mem
	base int64 // of the segment
	next int64
	data []byte
}

func newTestLog(t testing.TB, base int64) *testLog {
	m := vfs.NewMem()
	if err := m.MkdirAll("/d", 0o755); err != nil {
		t.Fatal(err)
	}
	return &testLog{t: t, fs: m, base: base, next: base}
}

func (l *testLog) put(name string, data []byte) {
	l.t.Helper()
	f, err := l.fs.Create("/d/"+name, 0o644)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		l.t.Fatal(err)
	}
	f.Close()
}

func (l *testLog) append(epoch int32, attributes int16, records []decode.Record) {
	l.t.Helper()
	b := decode.NewBatch(l.next, epoch, l.next*10)
	b.Attributes = attributes
	for i := range records {
		records[i].Offset, records[i].Timestamp = l.next+int64(i), l.next*10
	}
	var err error
	if l.data, err = decode.AppendBatch(l.data, &b, records); err != nil {
		l.t.Fatal(err)
	}
	l.next += int64(len(records))
}

// batch appends metadata records as one batch.
func (l *testLog) batch(epoch int32, messages ...message) {
	l.t.Helper()
	var records []decode.Record
	for _, m := range messages {
		records = append(records, decode.Record{Value: value(l.t, m)})
	}
	l.append(epoch, 0, records)
}

// leader appends a LeaderChange record.
func (l *testLog) leader(epoch, id int32) {
	l.t.Helper()
	value, err := (&control.LeaderChangeMessage{LeaderID: id}).Append(nil, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	l.append(epoch, 1<<5, []decode.Record{{Key: []byte{0, 0, 0, byte(decode.LeaderChange)}, Value: value}})
}

// snapshot writes a snapshot that stands for all up to an offset.
func (l *testLog) snapshot(end int64, epoch int32, messages ...message) {
	l.t.Helper()
	l.put(snapName(end, epoch), snapshottest.Bytes(l.t, epoch, snapshot.Header{LastContainedLogTimestamp: end*10 - 5}, 1, messages...))
}

func (l *testLog) open() *Timeline {
	l.t.Helper()
	l.put(fmt.Sprintf("%020d.log", l.base), l.data)
	line, err := Open(l.fs, "/d")
	if err != nil {
		l.t.Fatal(err)
	}
	return line
}

func marksOf(t testing.TB, line *Timeline, offset int64) *Marks {
	t.Helper()
	m, err := line.Marks(context.Background(), offset)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var topicA = kbin.UUID{15: 7}

func change(n int32, isr ...int32) *metadata.PartitionChangeRecord {
	c := metadata.NewPartitionChangeRecord()
	c.TopicID, c.PartitionID, c.ISR = topicA, n, isr
	return c
}

func ptr(s string) *string { return &s }

func retention(topic string, v *string) *metadata.ConfigRecord {
	return &metadata.ConfigRecord{ResourceType: 2, ResourceName: topic, Name: "retention.ms", Value: v}
}

// stands is where a record of a testLog stands: batch is the offset of its batch.
func stands(offset, batch int64, epoch int32) image.Provenance {
	return image.Provenance{Offset: offset, Epoch: epoch, Time: batch * 10}
}

func checkMark(t *testing.T, what string, got Mark, ok bool, want Mark) {
	t.Helper()
	if !ok || got != want {
		t.Errorf("%s: %t %+v, want %+v", what, ok, got, want)
	}
}

// TestMarks: creation, changes by batches, deletion and coming back.
func TestMarks(t *testing.T) {
	l := newTestLog(t, 0)
	l.leader(1, 3000)                                                                                                                                                     // 0
	l.batch(1, &metadata.TopicRecord{Name: "a", TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA, PartitionID: 1}) // 1 2 3
	l.batch(1, retention("a", ptr("1")), retention("a", ptr("2")))                                                                                                        // 4 5
	l.batch(1, change(1, 1), change(1, 1, 2))                                                                                                                             // 6 7
	l.leader(2, 3001)                                                                                                                                                     // 8
	l.batch(2, change(1, 1), retention("a", nil))                                                                                                                         // 9 10
	l.batch(2, retention("a", ptr("3")), &metadata.PartitionRecord{TopicID: topicA, PartitionID: 5})                                                                      // 11 12
	l.batch(2, &metadata.RegisterBrokerRecord{BrokerID: 1, BrokerEpoch: 13}, &metadata.ProducerIdsRecord{BrokerID: 1, NextProducerID: 1000})                              // 13 14
	l.batch(2, &metadata.BrokerRegistrationChangeRecord{BrokerID: 1, BrokerEpoch: 13, Fenced: -1})                                                                        // 15
	l.batch(2, &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 25}, &metadata.ProducerIdsRecord{BrokerID: 1, NextProducerID: 2000})                  // 16 17
	line := l.open()

	m := marksOf(t, line, Latest)
	got, ok := m.Topic(topicA)
	checkMark(t, "topic", got, ok, Mark{Created: stands(1, 1, 1), Changed: stands(12, 11, 2), Changes: 1})
	got, ok = m.Partition(topicA, 0)
	checkMark(t, "partition 0", got, ok, Mark{Created: stands(2, 1, 1), Changed: stands(2, 1, 1)})
	got, ok = m.Partition(topicA, 1)
	checkMark(t, "partition 1", got, ok, Mark{Created: stands(3, 1, 1), Changed: stands(9, 9, 2), Changes: 2})
	got, ok = m.Partition(topicA, 5)
	checkMark(t, "partition 5", got, ok, Mark{Created: stands(12, 11, 2), Changed: stands(12, 11, 2)})
	got, ok = m.Config(image.Resource{Type: image.TopicResource, Name: "a"})
	checkMark(t, "config", got, ok, Mark{Created: stands(11, 11, 2), Changed: stands(11, 11, 2)})
	got, ok = m.Broker(1)
	checkMark(t, "broker", got, ok, Mark{Created: stands(13, 13, 2), Changed: stands(15, 15, 2), Changes: 1})
	got, ok = m.ProducerIDs()
	checkMark(t, "producer ids", got, ok, Mark{Created: stands(14, 13, 2), Changed: stands(17, 16, 2), Changes: 1})
	got, ok = m.Feature("metadata.version")
	checkMark(t, "metadata.version", got, ok, Mark{Created: stands(16, 16, 2), Changed: stands(16, 16, 2)})
	if b := m.ProducerBlock(); b.BrokerID != 1 || b.NextProducerID != 2000 {
		t.Errorf("%+v", b)
	}
	if _, ok := m.Partition(topicA, 2); ok {
		t.Error("a partition that there is not")
	}
	if l := m.Leader(); l == nil || *l != (Leader{3001, 2, 80, 8}) {
		t.Errorf("%+v", l)
	}

	m = marksOf(t, line, 10)
	if _, ok := m.Config(image.Resource{Type: image.TopicResource, Name: "a"}); ok {
		t.Error("the configuration was deleted")
	}
	m = marksOf(t, line, 5)
	got, ok = m.Config(image.Resource{Type: image.TopicResource, Name: "a"})
	checkMark(t, "config at 5", got, ok, Mark{Created: stands(4, 4, 1), Changed: stands(5, 4, 1)})
	for offset, want := range map[int64]int32{0: 3000, 7: 3000, 8: 3001, Latest: 3001} {
		if l, err := line.Leader(context.Background(), offset); err != nil || l == nil || l.ID != want {
			t.Errorf("leader at %d: %+v %v", offset, l, err)
		}
	}
}

// TestMarksOfTransactions: what was aborted, or has not ended, does not count.
func TestMarksOfTransactions(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, &metadata.TopicRecord{Name: "a", TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA}) // 0 1
	l.batch(1, &metadata.BeginTransactionRecord{})                                                            // 2
	l.batch(1, change(0, 1), retention("a", ptr("1")), &metadata.RemoveTopicRecord{TopicID: topicA})          // 3 4 5
	l.batch(1, &metadata.AbortTransactionRecord{})                                                            // 6
	l.batch(1, &metadata.BeginTransactionRecord{}, change(0, 1, 2))                                           // 7 8
	l.batch(1, change(0, 1), retention("a", ptr("2")))                                                        // 9 10
	l.batch(1, &metadata.EndTransactionRecord{})                                                              // 11
	l.batch(1, &metadata.BeginTransactionRecord{}, change(0, 1, 2), retention("a", nil))                      // 12 13 14
	m := marksOf(t, l.open(), Latest)
	got, ok := m.Topic(topicA)
	checkMark(t, "topic", got, ok, Mark{Created: stands(0, 0, 1), Changed: stands(1, 0, 1)})
	got, ok = m.Partition(topicA, 0)
	checkMark(t, "partition", got, ok, Mark{Created: stands(1, 0, 1), Changed: stands(9, 9, 1), Changes: 2})
	got, ok = m.Config(image.Resource{Type: image.TopicResource, Name: "a"})
	checkMark(t, "config", got, ok, Mark{Created: stands(10, 9, 1), Changed: stands(10, 9, 1)})
	if n := m.Topics(); n.Changes != 1 || n.Last != stands(0, 0, 1) {
		t.Errorf("%+v", n)
	}
}

// TestMarksOfSnapshots: the oldest snapshot behind which the log is whole is what
// they begin with; what is in it has been there before.
func TestMarksOfSnapshots(t *testing.T) {
	state := []message{&metadata.TopicRecord{Name: "a", TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA}}
	l := newTestLog(t, 100)
	l.snapshot(90, 3, state...)
	l.snapshot(101, 4, state...)
	l.batch(4, change(0, 1)) // 100
	l.batch(4, change(0, 1)) // 101
	l.batch(5, change(0, 1)) // 102
	l.snapshot(103, 5, state...)
	line := l.open()
	before := image.Provenance{Offset: 100, Epoch: 4, Time: 1005}
	m := marksOf(t, line, Latest)
	got, ok := m.Partition(topicA, 0)
	checkMark(t, "partition", got, ok, Mark{Created: before, Changed: stands(102, 102, 5), Changes: 2, Snapshot: true})
	got, ok = m.Topic(topicA)
	checkMark(t, "topic", got, ok, Mark{Created: before, Changed: before, Snapshot: true})
	got, ok = marksOf(t, line, 100).Partition(topicA, 0)
	checkMark(t, "partition at 100", got, ok, Mark{Created: before, Changed: before, Snapshot: true})

	// Before the log there is only the snapshot.
	old := image.Provenance{Offset: 89, Epoch: 3, Time: 895}
	got, ok = marksOf(t, line, 89).Partition(topicA, 0)
	checkMark(t, "partition at 89", got, ok, Mark{Created: old, Changed: old, Snapshot: true})

	// When the log is damaged, the snapshot behind the damage is what there is.
	l.data[len(l.data)/2] ^= 1
	m = marksOf(t, l.open(), Latest)
	late := image.Provenance{Offset: 102, Epoch: 5, Time: 1025}
	got, ok = m.Partition(topicA, 0)
	checkMark(t, "partition behind damage", got, ok, Mark{Created: late, Changed: late, Snapshot: true})
	if m.End() != 103 {
		t.Error(m.End())
	}
}

// TestMarksKeepNames: names in records point into what was read of the file, which is
// overwritten by what is read next.
func TestMarksKeepNames(t *testing.T) {
	const rounds, names = 100, 50
	l := newTestLog(t, 0)
	filler := strings.Repeat("x", 300)
	for i := range rounds * names {
		name := fmt.Sprintf("user-%03d", i%names)
		records := []message{
			&metadata.UserScramCredentialRecord{Name: name, Mechanism: 1},
			&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: &name}}, Key: "k", Value: 1},
			&metadata.DelegationTokenRecord{TokenID: name, Owner: filler}, retention(name, ptr("1")),
		}
		if i == names { // what comes in a transaction is kept until its end
			l.batch(1, &metadata.BeginTransactionRecord{})
		}
		l.batch(1, records...)
		if i == names*rounds-1 {
			l.batch(1, &metadata.EndTransactionRecord{})
		}
	}
	m := marksOf(t, l.open(), Latest)
	if len(m.others) != 4*names {
		t.Errorf("%d", len(m.others))
	}
	for i := range names {
		name := fmt.Sprintf("user-%03d", i)
		want := int64((rounds-1)*names+i)*4 + 1
		for j, get := range []func() (Mark, bool){
			func() (Mark, bool) { return m.Scram(image.ScramUser{Mechanism: 1, Name: name}) },
			func() (Mark, bool) {
				return m.Quota(image.EntityKey([]image.EntityPart{{Type: "user", Name: name}}))
			},
			func() (Mark, bool) { return m.Token(name) },
			func() (Mark, bool) { return m.Config(image.Resource{Type: image.TopicResource, Name: name}) },
		} {
			if got, ok := get(); !ok || got.Changes != rounds-1 || got.Changed.Offset != want+int64(j) {
				t.Errorf("%s %d: %t %+v", name, j, ok, got)
			}
		}
	}
}

// TestMarksOfDeletion: what is deleted takes along what belongs to it, and what is
// not there is not deleted.
func TestMarksOfDeletion(t *testing.T) {
	acl := kbin.UUID{15: 9}
	quota := func(remove bool) *metadata.ClientQuotaRecord {
		return &metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "ip"}}, Key: "k", Value: 1, Remove: remove}
	}
	create := []message{
		&metadata.TopicRecord{Name: "a", TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA}, retention("a", ptr("1")), &metadata.AccessControlEntryRecord{ID: acl},
		&metadata.RegisterBrokerRecord{BrokerID: 1}, &metadata.RegisterControllerRecord{ControllerID: 2}, quota(false), &metadata.DelegationTokenRecord{TokenID: "t"},
		&metadata.UserScramCredentialRecord{Name: "u", Mechanism: 1}, &metadata.FeatureLevelRecord{Name: "f", FeatureLevel: 1},
	}
	l := newTestLog(t, 0)
	l.batch(1, create...) // 0 to 9
	l.batch(1, &metadata.RemoveTopicRecord{TopicID: topicA}, &metadata.RemoveAccessControlEntryRecord{ID: acl}, &metadata.UnregisterBrokerRecord{BrokerID: 1},
		&metadata.UnregisterControllerRecord{ControllerID: 2}, quota(true), &metadata.RemoveDelegationTokenRecord{TokenID: "t"},
		&metadata.RemoveUserScramCredentialRecord{Name: "u", Mechanism: 1}, &metadata.FeatureLevelRecord{Name: "f"},
		&metadata.UnregisterBrokerRecord{BrokerID: 1}, &metadata.RemoveDelegationTokenRecord{TokenID: "t"}, &metadata.RemoveTopicRecord{TopicID: topicA}) // 10 to 20
	line := l.open()
	if m := marksOf(t, line, Latest); len(m.others)+len(m.topics) != 0 {
		t.Errorf("%v %v", m.others, m.topics)
	}
	l.batch(1, create...) // 21 to 30
	l.batch(1, &metadata.RegisterBrokerRecord{BrokerID: 1})
	m := marksOf(t, l.open(), Latest)
	if len(m.others) != 8 || len(m.topics) != 1 {
		t.Errorf("%v %v", m.others, m.topics)
	}
	for i, get := range []func() (Mark, bool){
		func() (Mark, bool) { return m.Topic(topicA) },
		func() (Mark, bool) { return m.Partition(topicA, 0) },
		func() (Mark, bool) { return m.Config(image.Resource{Type: image.TopicResource, Name: "a"}) },
		func() (Mark, bool) { return m.ACL(acl) },
		func() (Mark, bool) { return Mark{Created: stands(25, 21, 1)}, true },
		func() (Mark, bool) { return m.Controller(2) },
		func() (Mark, bool) { return m.Quota(image.EntityKey([]image.EntityPart{{Type: "ip", Default: true}})) },
		func() (Mark, bool) { return m.Token("t") },
		func() (Mark, bool) { return m.Scram(image.ScramUser{Mechanism: 1, Name: "u"}) },
		func() (Mark, bool) { return m.Feature("f") },
	} {
		if got, ok := get(); !ok || got.Created != stands(21+int64(i), 21, 1) || got.Changes != 0 {
			t.Errorf("%d: %t %+v", i, ok, got)
		}
	}
	for what, n := range map[string][2]Tally{
		"topics": {m.Topics(), {3, stands(21, 21, 1)}}, "tokens": {m.Tokens(), {3, stands(28, 21, 1)}}, "brokers": {m.Brokers(), {5, stands(31, 31, 1)}},
	} {
		if n[0] != n[1] {
			t.Errorf("%s: %+v", what, n)
		}
	}
}

// TestMarksOfELR: clearing the ELR changes the partitions that have one.
func TestMarksOfELR(t *testing.T) {
	l := newTestLog(t, 0)
	l.batch(1, &metadata.TopicRecord{Name: "a", TopicID: topicA}, &metadata.PartitionRecord{TopicID: topicA, EligibleLeaderReplicas: []int32{1}},
		&metadata.PartitionRecord{TopicID: topicA, PartitionID: 1}) // 0 1 2
	l.batch(1, &metadata.ClearElrRecord{})               // 3
	l.batch(1, change(1, 1))                             // 4
	l.batch(1, &metadata.ClearElrRecord{TopicName: "a"}) // 5: nothing is left
	m := marksOf(t, l.open(), Latest)
	got, ok := m.Partition(topicA, 0)
	checkMark(t, "with ELR", got, ok, Mark{Created: stands(1, 0, 1), Changed: stands(3, 3, 1), Changes: 1})
	got, ok = m.Partition(topicA, 1)
	checkMark(t, "without", got, ok, Mark{Created: stands(2, 0, 1), Changed: stands(4, 4, 1), Changes: 1})
}

// TestMarksOfBootstrap: what a node was formatted with is forgotten when the log
// begins with its own, as in the image.
func TestMarksOfBootstrap(t *testing.T) {
	level := &metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 25}
	l := newTestLog(t, 0)
	l.snapshot(0, 0, level, &metadata.UserScramCredentialRecord{Name: "u", Mechanism: 1})
	l.leader(1, 1)
	l.batch(1, level)
	m := marksOf(t, l.open(), Latest)
	if got, ok := m.Scram(image.ScramUser{Mechanism: 1, Name: "u"}); ok {
		t.Errorf("%+v", got)
	}
	got, ok := m.Feature("metadata.version")
	checkMark(t, "metadata.version", got, ok, Mark{Created: stands(1, 1, 1), Changed: stands(1, 1, 1)})
}

// TestMarksAreSmall: those of a million partitions take less than 100 MiB.
func TestMarksAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	const topics, partitions = 10_000, 100
	l := newTestLog(t, 0)
	for i := range topics {
		id := kbin.UUID{0: 1, 14: byte(i >> 8), 15: byte(i)}
		batch := []message{&metadata.TopicRecord{Name: fmt.Sprintf("t%d", i), TopicID: id}}
		for n := range int32(partitions) {
			batch = append(batch, &metadata.PartitionRecord{TopicID: id, PartitionID: n})
		}
		l.batch(1, batch...)
	}
	line := l.open()
	l.data = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools hold goes with the second one
	runtime.ReadMemStats(&before)
	m := marksOf(t, line, Latest)
	runtime.GC()
	runtime.GC() // what pools hold goes with the second one
	runtime.ReadMemStats(&after)
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 100<<20 {
		t.Errorf("%d MiB", used>>20)
	} else {
		t.Logf("%d MiB", used>>20)
	}
	runtime.KeepAlive(line)
	if len(m.topics) != topics {
		t.Errorf("%d topics", len(m.topics))
	}
}
