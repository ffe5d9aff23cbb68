package index

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kraftctl/decode/kbin"
)

func TestCheckpointTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []EpochEntry
		err  string
	}{
		{"0\n2\n1 0\n2 126\n", []EpochEntry{{1, 0}, {2, 126}}, ""},
		{"", nil, ""},
		{"0", nil, ""},
		{"0\n", nil, ""},
		{"0\n0\n", nil, ""},
		{"0\r\n1\r\n1 0\r\n", []EpochEntry{{1, 0}}, ""},
		{"0\r1\r1 0", []EpochEntry{{1, 0}}, ""},
		{"+0\n1\n+1 \t\v\f -7 \n", []EpochEntry{{1, -7}}, ""},
		{"1\n0\n", nil, "F: at byte 0: version of the checkpoint: expected 0, found 1: unknown version 1"},
		{"\n0\n", nil, `F: at byte 0: line 1: expected the version, found "": malformed line`},
		{" 0\n0\n", nil, `F: at byte 0: line 1: expected the version, found " 0": malformed line`},
		{"0\nx\n", nil, `F: at byte 2: line 2: expected the number of entries, found "x": malformed line`},
		{"0\n-1\n", nil, `F: at byte 2: line 2: expected the number of entries, found "-1": malformed line`},
		{"0\n1\n", nil, "F: at byte 2: number of entries: expected 1, found 0: wrong number of entries"},
		{"0\n1\n1 0\n2 1\n", nil, "F: at byte 2: number of entries: expected 1, found 2: wrong number of entries"},
		{"0\n1\n1 0\n\n", nil, `F: at byte 8: line 4: expected an entry, found "": malformed line`},
		{"0\n1\n 1 0\n", nil, `F: at byte 4: line 3: expected an entry, found " 1 0": malformed line`},
		{"0\n1\n1\n", nil, `F: at byte 4: line 3: expected an entry, found "1": malformed line`},
		{"0\n1\n1 0 0\n", nil, `F: at byte 4: line 3: expected an entry, found "1 0 0": malformed line`},
		{"0\n1\n2147483648 0\n", nil, `F: at byte 4: line 3: expected an entry, found "2147483648 0": malformed line`},
		{"0\n1\n1 9223372036854775808\n", nil, `F: at byte 4: line 3: expected an entry, found "1 9223372036854775808": malformed line`},
		{"0\n1\n1 \xff\n", nil, "F: at byte 6: text: expected UTF-8: malformed line"},
	} {
		got, err := ParseEpochCheckpoint([]byte(c.text), "F")
		wantError(t, c.text, err, c.err)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
	}
	got, err := ParseOffsetCheckpoint([]byte("0\n2\na.b_c-d 0 5\n__x 2147483647 9223372036854775807\n"), "F")
	wantList(t, got, err, []PartitionOffset{{"a.b_c-d", 0, 5}, {"__x", 1<<31 - 1, 1<<63 - 1}})
	_, err = ParseOffsetCheckpoint([]byte("0\n1\na b 0 5\n"), "F")
	wantError(t, "space in the topic", err, `F: at byte 4: line 3: expected an entry, found "a b 0 5": malformed line`)
}

func TestVerifyEpochs(t *testing.T) {
	for _, c := range []struct {
		list []EpochEntry
		err  string
	}{
		{nil, ""},
		{[]EpochEntry{{0, 0}, {1, 5}, {7, 6}}, ""},
		{[]EpochEntry{{-1, 0}}, "F: epoch of entry 0: expected above -1, found -1: entries out of order"},
		{[]EpochEntry{{1, 0}, {1, 5}}, "F: epoch of entry 1: expected above 1, found 1: entries out of order"},
		{[]EpochEntry{{1, 5}, {2, 5}}, "F: start offset of entry 1: expected above 5, found 5: entries out of order"},
	} {
		wantError(t, "", VerifyEpochs(c.list, "F"), c.err)
	}
}

func TestPartitionMetadataTexts(t *testing.T) {
	id := kbin.OneUUID
	for _, c := range []struct {
		text    string
		version int32
		err     string
	}{
		{"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", 0, ""},
		{"version: 3\r\nx: \t AAAAAAAAAAAAAAAAAAAAAQ\njunk", 3, ""},
		{": 0\n: AAAAAAAAAAAAAAAAAAAAAQ: ", 0, ""},
		{"", 0, `F: at byte 0: version: expected version: VALUE, found "": malformed line`},
		{"version:0\n", 0, `F: at byte 1: version: expected version: VALUE, found "version:0": malformed line`},
		{"version: x\n", 0, `F: at byte 0: version: expected a number, found "x": malformed line`},
		{"version: -1\n", 0, `F: at byte 0: version of the partition metadata: expected 0, found -1: unknown version -1`},
		{"version: 0\n", 0, `F: at byte 1: topic_id: expected topic_id: VALUE, found "version: 0": malformed line`},
		{"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA", 0, "F: at byte 11: topic_id: found \"AAAAAAAAAAAAAAAAAAAAAA\": malformed line\nthe zero id belongs to no topic"},
	} {
		m, err := ParsePartitionMetadata([]byte(c.text), "F")
		wantError(t, c.text, err, c.err)
		if err == nil && (m != PartitionMetadata{c.version, id}) {
			t.Errorf("%q: %v", c.text, m)
		}
	}
}

func TestCleanShutdownTexts(t *testing.T) {
	for text, want := range map[string]CleanShutdown{
		`{"version":0,"brokerEpoch":17}`:                  {0, 17},
		"{ \"brokerEpoch\" : -1, \"new\":[{}] }\n":        {0, -1},
		`{"version":2,"brokerEpoch":9223372036854775807}`: {2, 1<<63 - 1},
	} {
		if got, err := ParseCleanShutdown([]byte(text), "F"); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "17", "[]", "{", `{"version":0}`, `{"brokerEpoch":null}`, `{"brokerEpoch":1e30}`, "{\"brokerEpoch\":1}x\xff"} {
		_, err := ParseCleanShutdown([]byte(text), "F")
		var e *CorruptError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMetaPropertiesFiles(t *testing.T) {
	id := func(s string) kbin.UUID {
		u, err := kbin.ParseUUID(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	const cluster = "XcZZOzUqS4yHOjhMQB6JLQ"
	for dir, want := range map[string]MetaProperties{
		"meta-empty":         {},
		"meta-no-version":    {ClusterID: cluster, HasClusterID: true, Extra: []MetaProperty{{"node.id", "1"}}},
		"meta-v0-static":     {ClusterID: "someold-cluster", HasClusterID: true, NodeID: 1, HasNodeID: true},
		"meta-v0-no-cluster": {NodeID: 1, HasNodeID: true},
		"meta-reserved-dirid": {Version: 1, ClusterID: cluster, HasClusterID: true, NodeID: 1, HasNodeID: true,
			DirectoryID: kbin.OneUUID, HasDirectoryID: true},
		"meta-extra": {Version: 1, ClusterID: cluster, HasClusterID: true, NodeID: 1, HasNodeID: true,
			DirectoryID: id("j3Dhkz9zTyGDpKGdR5xC4Q"), HasDirectoryID: true,
			Extra: []MetaProperty{{"zz.custom", "hello world"}, {"AA", "12"}, {"é", "x=y"}}},
	} {
		got, err := ParseMetaProperties(readFile(t, "testdata/damaged/"+dir+"/meta.properties"), "F")
		if err != nil || !sameMeta(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", dir, got, err, want)
		}
	}
	for dir, want := range map[string]string{
		"meta-bad-dirid": "F: directory.id: expected a UUID, found \"notauuid\": Input string `notauuid` decoded as 6 bytes, " +
			"which is not equal to the expected 16 bytes of a base64-encoded UUID",
		"meta-bad-node":     `F: node.id: expected a number, found "one": Unable to read node.id as a base-10 number.`,
		"meta-bad-version":  "F: version: expected 0 or 1, found 7: unknown version 7",
		"meta-text-version": `F: version: expected a number, found "x": Invalid meta.properties version string 'x'`,
		"meta-no-cluster":   "F: cluster.id: expected a value, found none: cluster.id was not found.",
		"meta-no-node":      "F: node.id: expected a value, found none: Failed to find node.id",
	} {
		_, err := ParseMetaProperties(readFile(t, "testdata/damaged/"+dir+"/meta.properties"), "F")
		wantError(t, dir, err, want)
	}
	_, err := ParseMetaProperties([]byte("version=1\nx=\\u12\n"), "F")
	wantError(t, "syntax", err, `F: at byte 10: properties: line 2: malformed \uXXXX encoding in the value of x`)
}

func sameMeta(a, b MetaProperties) bool {
	ok := slices.Equal(a.Extra, b.Extra)
	a.Extra, b.Extra = nil, nil
	return ok && a.Version == b.Version && a.ClusterID == b.ClusterID && a.HasClusterID == b.HasClusterID &&
		a.NodeID == b.NodeID && a.HasNodeID == b.HasNodeID && a.DirectoryID == b.DirectoryID && a.HasDirectoryID == b.HasDirectoryID
}

func TestMetaPropertiesLayouts(t *testing.T) {
	m := MetaProperties{Version: 1, ClusterID: "Straße", HasClusterID: true, NodeID: 7, HasNodeID: true}
	date := time.Date(2024, 2, 29, 1, 2, 3, 0, time.FixedZone("CET", 3600))
	head := "#\n#Thu Feb 29 01:02:03 CET 2024\n"
	for _, c := range []struct {
		layout MetaLayout
		want   string
		reads  string // what Kafka reads
	}{
		{MetaLayout{Date: date}, head + "node.id=7\nversion=1\ncluster.id=Straße\n", "StraÃ\u009fe"},
		{MetaLayout{Date: date, Sorted: true}, head + "cluster.id=Straße\nnode.id=7\nversion=1\n", "StraÃ\u009fe"},
		{MetaLayout{Date: date, ASCII: true}, head + "node.id=7\nversion=1\ncluster.id=Stra\\u00DFe\n", "Straße"},
	} {
		got := AppendMetaProperties(nil, &m, c.layout)
		if string(got) != c.want {
			t.Errorf("%+v: %q", c.layout, got)
		}
		if back, err := ParseMetaProperties(got, "F"); err != nil || back.ClusterID != c.reads {
			t.Errorf("%+v: read %q, %v", c.layout, back.ClusterID, err)
		}
	}
	old := AppendMetaProperties(nil, &MetaProperties{NodeID: 3, HasNodeID: true}, MetaLayout{Date: date, Sorted: true})
	if string(old) != head+"broker.id=3\nversion=0\n" {
		t.Errorf("%q", old)
	}
}

func TestReservedDirectoryID(t *testing.T) {
	for id, want := range map[kbin.UUID]bool{
		{}: true, {15: 1}: true, {15: 99}: true, {15: 100}: false, {14: 1}: false, {0: 1}: false,
		{7: 1}: false, {8: 0x80}: true, {8: 0x7f}: false, {8: 0xff, 15: 200}: true,
	} {
		if got := ReservedDirectoryID(id); got != want {
			t.Errorf("%x: %v", id, got)
		}
	}
}
