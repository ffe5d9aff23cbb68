package timeline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/snapshottest"
	"kraftctl/internal/vfs"
)

const (
	nodeDir = "/n"
	logDir  = nodeDir + "/__cluster_metadata-0"
	someAge = int64(1_700_000_000_000)
)

// message is a record of any kind.
type message = snapshottest.Record

func version(v feature.MetadataVersion) message {
	return &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(v)}
}

// topicOf makes a topic whose id follows from its name.
func topicOf(name string) message {
	m := &metadata.TopicRecord{Name: name}
	m.TopicID[0] = 1
	copy(m.TopicID[1:], name)
	return m
}

// value is the frame of a record.
func value(t testing.TB, m message) []byte {
	t.Helper()
	_, highest := m.Versions()
	frame, err := decode.AppendFrame(nil, m.APIKey(), highest, m)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// batch appends one batch of values.
func batch(t testing.TB, dst []byte, base int64, epoch int32, values ...[]byte) []byte {
	t.Helper()
	b := decode.NewBatch(base, epoch, someAge+base)
	var records []decode.Record
	for i, v := range values {
		records = append(records, decode.Record{Offset: base + int64(i), Timestamp: b.BaseTimestamp, Value: v})
	}
	out, err := decode.AppendBatch(dst, &b, records)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// leader appends the batch that a new leader begins with.
func leader(t testing.TB, dst []byte, base int64, epoch, id int32) []byte {
	t.Helper()
	value, err := (&control.LeaderChangeMessage{LeaderID: id}).Append(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := decode.NewBatch(base, epoch, someAge+base)
	b.Attributes = 0x20
	out, err := decode.AppendBatch(dst, &b, []decode.Record{{Offset: base, Timestamp: b.BaseTimestamp, Key: []byte{0, 0, 0, 2}, Value: value}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// segment is a log of one record a batch from an offset on.
func segment(t testing.TB, base int64, epoch int32, records ...message) []byte {
	t.Helper()
	var out []byte
	for i, m := range records {
		out = batch(t, out, base+int64(i), epoch, value(t, m))
	}
	return out
}

// snap is a snapshot.
func snap(t testing.TB, epoch int32, records ...message) []byte {
	t.Helper()
	return snapshottest.Bytes(t, epoch, snapshot.Header{LastContainedLogTimestamp: someAge}, someAge+1, records...)
}

func logName(base int64) string { return fmt.Sprintf("%020d.log", base) }

func snapName(end int64, epoch int32) string {
	return index.FileName{Kind: index.KindSnapshot, Offset: end, Epoch: epoch}.String()
}

// files lays out a metadata log.
func files(t testing.TB, list map[string][]byte) vfs.FS {
	t.Helper()
	m := vfs.NewMem()
	if err := m.MkdirAll(logDir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range list {
		if err := vfs.WriteFileAtomic(m, logDir+"/"+name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// at reads the state as of an offset.
func at(t testing.TB, fsys vfs.FS, path string, offset int64) *State {
	t.Helper()
	line, err := Open(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := line.At(context.Background(), offset)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// topics lists the names of the topics.
func topics(s *State) string {
	var names []string
	for name := range s.Image.TopicIDs().All() {
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// rules lists the rules of the problems.
func rules(s *State) string {
	var ids []string
	for _, p := range s.Problems {
		ids = append(ids, p.Rule)
	}
	return strings.Join(ids, " ")
}
