package zookeeper

import (
	"context"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// logged makes a tree of a metadata log: a batch for each list of records, whose time
// is its offset times ten.
func logged(t *testing.T, batches ...[]kbin.Message) *Tree {
	t.Helper()
	keys := map[string]int16{}
	for _, key := range metadata.Keys() {
		keys[metadata.New(key).MessageName()] = key
	}
	var data []byte
	next := int64(0)
	for _, batch := range batches {
		b := decode.NewBatch(next, 1, next*10)
		var records []decode.Record
		for _, m := range batch {
			_, version := m.Versions()
			value, err := decode.AppendFrame(nil, keys[m.MessageName()], version, m)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, decode.Record{Offset: next, Timestamp: b.BaseTimestamp, Value: value})
			next++
		}
		var err error
		if data, err = decode.AppendBatch(data, &b, records); err != nil {
			t.Fatal(err)
		}
	}
	mem := vfs.NewMem()
	f, err := mem.Create("/00000000000000000000.log", 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	f.Close()
	line, err := timeline.Open(mem, "/")
	if err != nil {
		t.Fatal(err)
	}
	state, err := line.At(context.Background(), timeline.Latest)
	if err != nil || len(state.Problems) > 0 {
		t.Fatal(err, state.Problems)
	}
	marks, err := line.Marks(context.Background(), timeline.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return New(Source{Image: state.Image, Marks: func() *timeline.Marks { return marks }})
}

func list(m ...kbin.Message) []kbin.Message { return m }

func topicConfig(topic, v string) *metadata.ConfigRecord {
	return &metadata.ConfigRecord{ResourceType: 2, ResourceName: topic, Name: "retention.ms", Value: nullable(v)}
}

func userQuota(key string, v float64) *metadata.ClientQuotaRecord {
	return &metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: nullable("u")}}, Key: key, Value: v}
}

// TestVersions: what came with a node is no change of it, what came later is one.
func TestVersions(t *testing.T) {
	tree := logged(t,
		list(&metadata.TopicRecord{Name: "with", TopicID: id(1)}, topicConfig("with", "1"), &metadata.TopicRecord{Name: "later", TopicID: id(2)}), // 0 1 2
		list(topicConfig("later", "1"), topicConfig("orphan", "1")),                                                                               // 3 4
		list(topicConfig("later", "2"), topicConfig("with", "2"), userQuota("producer_byte_rate", 1)),                                             // 5 6 7
		list(&metadata.UserScramCredentialRecord{Name: "u", Mechanism: 1}),                                                                        // 8
		list(&metadata.UserScramCredentialRecord{Name: "u", Mechanism: 2}, userQuota("consumer_byte_rate", 1)),                                    // 9 10
	)
	for p, want := range map[string]Stat{
		"/config/topics/with":   {CZxid: 0, MZxid: 6, PZxid: 0, CTime: 0, MTime: 50, Version: 1, DataLength: 43},
		"/config/topics/later":  {CZxid: 2, MZxid: 5, PZxid: 2, CTime: 0, MTime: 50, Version: 2, DataLength: 43},
		"/config/topics/orphan": {CZxid: 4, MZxid: 4, PZxid: 4, CTime: 30, MTime: 30, DataLength: 43},
		"/config/users/u":       {CZxid: 7, MZxid: 10, PZxid: 7, CTime: 50, MTime: 90, Version: 3, DataLength: 128},
	} {
		if got, ok := tree.Stat(p); !ok || got != want {
			data, _, _ := tree.Get(p)
			t.Errorf("%s: %+v, want %+v: %s", p, got, want, data)
		}
	}
}

// TestHostileValues: numbers that no Kafka writes.
func TestHostileValues(t *testing.T) {
	plain := metadata.BrokerEndpoint{Name: "A", Host: "first", Port: 65535}
	tree := New(Source{Image: replay(t,
		userQuota("producer_byte_rate", 1e300), userQuota("consumer_byte_rate", -9.3e18), userQuota("\x00", 0),
		&metadata.RegisterBrokerRecord{BrokerID: -7, EndPoints: []metadata.BrokerEndpoint{plain, {Name: "B", Host: "\xff", Port: 1}}},
		&metadata.ProducerIdsRecord{BrokerID: -1, NextProducerID: 500},
	), Marks: sourceOf(t, "kraft2").Marks})
	for p, want := range map[string]string{
		"/config/users/u":           `{"version":1,"config":{"\u0000":"0.0","producer_byte_rate":"1.0E300","consumer_byte_rate":"-9.3E18"}}`,
		"/brokers/ids/-7":           `{"features":{},"listener_security_protocol_map":{"A":"PLAINTEXT","B":"PLAINTEXT"},"endpoints":["A://first:65535","B://` + "\ufffd" + `:1"],"jmx_port":-1,"port":65535,"host":"first","version":5,"timestamp":"-1"}`,
		"/latest_producer_id_block": `{"version":1,"broker":-1,"block_start":"-500","block_end":"499"}`,
	} {
		if data, _, _ := tree.Get(p); string(data) != want {
			t.Errorf("%s\nwant\n%s", data, want)
		}
	}
}
