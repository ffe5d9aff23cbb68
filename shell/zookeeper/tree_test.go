package zookeeper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/javahash"
	"kraftctl/internal/javatext"
	"kraftctl/internal/timeline"
)

// replay makes an image of records.
func replay(t testing.TB, records ...kbin.Message) *image.Image {
	t.Helper()
	d := image.NewDelta(image.Empty())
	for _, r := range records {
		if err := d.Replay(r); err != nil {
			t.Fatal(err)
		}
	}
	return d.Image(image.Provenance{Offset: 41, Epoch: 5, Time: 1700000000000})
}

func nullable(s string) *string { return &s }

func id(n byte) kbin.UUID { return kbin.UUID{15: n} }

// odd is metadata that no ZooKeeper has had.
func odd(t testing.TB) *image.Image {
	return replay(t,
		&metadata.TopicRecord{Name: "a/b", TopicID: id(1)},
		&metadata.PartitionRecord{TopicID: id(1), PartitionID: 0, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1, LeaderRecoveryState: 1, PartitionEpoch: 7},
		&metadata.PartitionRecord{TopicID: id(1), PartitionID: 10, Leader: -1},
		&metadata.PartitionRecord{TopicID: id(1), PartitionID: 2, Leader: -1},
		&metadata.PartitionRecord{TopicID: id(1), PartitionID: -1, Leader: -1},
		&metadata.TopicRecord{Name: "..", TopicID: id(2)},
		&metadata.TopicRecord{Name: "z\x1b[31m", TopicID: id(3)},
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: "no/topic", Name: "retention.ms", Value: nullable("1")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "", Name: "sasl.jaas.config", Value: nullable("hunter2")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "<default>", Name: "num.io.threads", Value: nullable("4")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "7", Name: "a.plugin", Value: nullable("hunter2")},
		&metadata.ConfigRecord{ResourceType: 16, ResourceName: "metrics", Name: "interval.ms", Value: nullable("1")},
		&metadata.ConfigRecord{ResourceType: 32, ResourceName: "group", Name: "consumer.session.timeout.ms", Value: nullable("1")},
		&metadata.UserScramCredentialRecord{Name: "a/b", Mechanism: 2, Salt: []byte("hunter2"), StoredKey: []byte("hunter2"), ServerKey: []byte("hunter2"), Iterations: 4096},
		&metadata.UserScramCredentialRecord{Name: "x", Mechanism: 9},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: nullable("u")}, {EntityType: "ip", EntityName: nullable("i")}}, Key: "k", Value: 1},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "what"}}, Key: "k", Value: 1},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user"}, {EntityType: "client-id", EntityName: nullable(".")}}, Key: "producer_byte_rate", Value: 1.5},
		&metadata.ClientQuotaRecord{Key: "k", Value: 1},
		&metadata.AccessControlEntryRecord{ID: id(1), ResourceType: 3, ResourceName: "g/1", PatternType: 3, Principal: "User:b", Host: "*", Operation: 15, PermissionType: 3},
		&metadata.AccessControlEntryRecord{ID: id(2), ResourceType: 3, ResourceName: "g/1", PatternType: 3, Principal: "User:a", Host: "*", Operation: 99, PermissionType: -1},
		&metadata.AccessControlEntryRecord{ID: id(3), ResourceType: 99, ResourceName: "x", PatternType: 3},
		&metadata.AccessControlEntryRecord{ID: id(4), ResourceType: 2, ResourceName: "x", PatternType: 99},
		&metadata.DelegationTokenRecord{TokenID: "t/1", Owner: "User:o", Renewers: []string{"User:r"}},
		&metadata.RegisterBrokerRecord{BrokerID: 3, BrokerEpoch: 12, EndPoints: []metadata.BrokerEndpoint{{Name: "S", Host: "h", Port: 1, SecurityProtocol: 1}, {Name: "X", Host: "::1", Port: 2, SecurityProtocol: 77}}},
		&metadata.RegisterBrokerRecord{BrokerID: 4, Fenced: true},
		&metadata.FeatureLevelRecord{Name: "group.version", FeatureLevel: 1},
		&metadata.ProducerIdsRecord{BrokerID: 3, NextProducerID: 0},
	)
}

// TestOddNames: what ZooKeeper could not have is one component all the same, and
// every listed node can be got by its path.
func TestOddNames(t *testing.T) {
	tree := New(Source{Image: odd(t)})
	var paths []string
	if !tree.Walk("/", func(p string) bool {
		if _, _, exists := tree.Get(p); !exists {
			t.Errorf("%q is listed, and not there", p)
		}
		if data, ok, _ := tree.Get(p); ok && p != "/" && !json.Valid(data) {
			t.Errorf("%q: %q", p, data)
		}
		if names, _ := tree.List(p); !slices.IsSortedFunc(slices.Collect(names), javatext.Compare) {
			t.Errorf("%q: not in order", p)
		}
		n, _ := tree.Node(p)
		if s, ok := tree.Stat(p); !ok || s.NumChildren > 0 && n.Children() == nil {
			t.Errorf("%q: %+v", p, s)
		}
		if strings.ContainsAny(p, "\x1b") || strings.Contains(p, "//") {
			t.Errorf("%q", p)
		}
		paths = append(paths, p)
		return true
	}) {
		t.Fatal("no root")
	}
	if slices.Sort(paths); len(slices.Compact(slices.Clone(paths))) != len(paths) {
		t.Error("a path comes twice")
	}
	for p, want := range map[string]string{
		"/brokers/topics/<escaped>a%2Fb":                    `{"partitions":{"0":[1],"2":[],"-1":[],"10":[]},"topic_id":"AAAAAAAAAAAAAAAAAAAAAQ","adding_replicas":{},"removing_replicas":{},"version":3}`,
		"/brokers/topics/<escaped>a%2Fb/partitions/0/state": `{"controller_epoch":5,"leader":1,"version":1,"leader_recovery_state":1,"leader_epoch":0,"isr":[1]}`,
		"/config/topics/<escaped>no%2Ftopic":                `{"version":1,"config":{"retention.ms":"1"}}`,
		"/config/topics/<escaped>%2E%2E":                    `{"version":1,"config":{}}`,
		"/config/brokers/<default>":                         `{"version":1,"config":{"sasl.jaas.config":"[hidden]"}}`,
		"/config/brokers/<escaped><default>":                `{"version":1,"config":{"num.io.threads":"4"}}`,
		"/config/brokers/7":                                 `{"version":1,"config":{"a.plugin":"[hidden]"}}`,
		"/config/users/a%2Fb":                               `{"version":1,"config":{"SCRAM-SHA-512":"[hidden]"}}`,
		"/config/users/<default>":                           `null`,
		"/config/users/<default>/clients/<escaped>%2E":      `{"version":1,"config":{"producer_byte_rate":"1.5"}}`,
		"/kafka-acl/Group/<escaped>g%2F1":                   `{"acls":[{"principal":"User:a","permissionType":"Unknown","host":"*","operation":"Unknown"},{"principal":"User:b","permissionType":"Allow","host":"*","operation":"TwoPhaseCommit"}],"version":1}`,
		"/delegation_token/tokens/<escaped>t%2F1":           `{"issueTimestamp":0,"renewers":["User%3Ar"],"tokenRequester":"User%3Ao","tokenId":"t/1","owner":"User%3Ao","expiryTimestamp":0,"maxTimestamp":0,"version":3}`,
		"/brokers/ids/3":                                    `{"features":{},"listener_security_protocol_map":{"S":"SSL","X":"UNKNOWN"},"endpoints":["S://h:1","X://::1:2"],"jmx_port":-1,"port":-1,"host":null,"version":5,"timestamp":"-1"}`,
		"/feature":                                          `{"features":{"group.version":{"max_version_level":1}},"version":2,"status":1}`,
		"/latest_producer_id_block":                         `{"version":1,"broker":3,"block_start":"-1000","block_end":"-1"}`,
		"/cluster":                                          `null`,
	} {
		data, ok, exists := tree.Get(p)
		if !ok {
			data = []byte("null")
		}
		if !exists || string(data) != want {
			t.Errorf("%s: %t\n%s\nwant:\n%s", p, exists, data, want)
		}
	}
	for _, p := range []string{"/controller", "/controller_epoch", "/cluster/id", "/brokers/ids/4", "/config/users/u", "/config/users/x", "/config/topics/metrics", "/kafka-acl/Topic/x", "/migration", "/zookeeper", "/admin/reassign_partitions"} {
		if _, _, exists := tree.Get(p); exists {
			t.Errorf("there is %s", p)
		}
	}
}

// TestSecrets: nothing that is shown has a secret in it, unless asked for.
func TestSecrets(t *testing.T) {
	for _, show := range []bool{false, true} {
		var b strings.Builder
		if err := New(Source{Image: odd(t), ShowSecrets: show}).WriteJSON(&b, "/"); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"hunter2", "aHVudGVyMg=="} {
			if strings.Contains(b.String(), secret) != show {
				t.Errorf("%s: %t", secret, show)
			}
		}
	}
}

// TestKeyOrders holds the order of keys that is written against the maps in which
// Kafka has them.
func TestKeyOrders(t *testing.T) {
	tree := New(Source{Image: replay(t,
		&metadata.TopicRecord{Name: "t", TopicID: id(1)},
		&metadata.PartitionRecord{TopicID: id(1), LeaderRecoveryState: 1},
		&metadata.RegisterBrokerRecord{BrokerID: 1, Rack: nullable("r"), EndPoints: []metadata.BrokerEndpoint{{Name: "A"}}},
		&metadata.DelegationTokenRecord{TokenID: "t"},
	), Leader: &timeline.Leader{ID: 1, Epoch: 2, Time: 3}})
	for p, c := range map[string]struct {
		built string // the keys as Kafka puts them in
		order func([]uint32) []int
	}{
		"/brokers/topics/t":                    {"version partitions adding_replicas removing_replicas topic_id", func(h []uint32) []int { return javahash.Mutable(h, 4) }},
		"/brokers/topics/t/partitions/0/state": {"version leader leader_epoch controller_epoch isr leader_recovery_state", javahash.Immutable},
		"/brokers/ids/1":                       {"version host port endpoints jmx_port timestamp rack listener_security_protocol_map features", func(h []uint32) []int { return javahash.Mutable(h, 6) }},
		"/delegation_token/tokens/t":           {"version owner tokenRequester renewers issueTimestamp maxTimestamp expiryTimestamp tokenId", javahash.Immutable},
		"/feature":                             {"version status features", func(h []uint32) []int { return javahash.Mutable(h, 3) }},
		"/controller":                          {"version brokerid timestamp kraftControllerEpoch", javahash.Immutable},
	} {
		data, _, _ := tree.Get(p)
		keys := strings.Fields(c.built)
		var hashes []uint32
		for _, k := range keys {
			hashes = append(hashes, javahash.String(k))
		}
		var want []string
		for _, i := range c.order(hashes) {
			want = append(want, keys[i])
		}
		if got := topKeys(t, data); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// topKeys are the keys of a JSON object in their order.
func topKeys(t *testing.T, data []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, fmt.Sprint(k))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// TestLazy: a path costs nothing of the rest, and the marks are not asked for unless
// something needs them.
func TestLazy(t *testing.T) {
	asked := 0
	tree := New(Source{Image: odd(t), Marks: func() *timeline.Marks { asked++; return nil }, ClusterID: "c"})
	for _, p := range []string{"/", "/brokers/topics", "/brokers/topics/<escaped>a%2Fb", "/config/users", "/cluster/id", "/kafka-acl/Group"} {
		tree.Get(p)
		if names, ok := tree.List(p); ok {
			for range names {
			}
		}
		if n, ok := tree.Node(p); ok {
			n.Content()
		}
	}
	if asked != 0 {
		t.Error("the marks were asked for")
	}
	tree.Get("/brokers/topics/<escaped>a%2Fb/partitions/0/state")
	tree.Stat("/brokers/ids")
	if asked != 1 {
		t.Errorf("the marks were asked for %d times", asked)
	}
	if c, ok := tree.Root().Content(); ok {
		t.Errorf("the root has %q", c)
	}
	if c, ok := tree.Root().Child("cluster"); !ok || c.Children() == nil {
		t.Error("no /cluster")
	}
	allocs := testing.AllocsPerRun(10, func() { New(Source{Image: tree.image}) })
	if allocs > 60 {
		t.Errorf("%f allocations for a tree", allocs)
	}
}

// cluster is a large cluster: topics with partitions each.
func cluster(t testing.TB, topics, partitions int) *image.Image {
	d := image.NewDelta(image.Empty())
	for i := range topics {
		topic := kbin.UUID{0: 1, 12: byte(i >> 16), 13: byte(i >> 8), 14: byte(i)}
		d.Replay(&metadata.TopicRecord{Name: fmt.Sprintf("topic-%06d", i), TopicID: topic})
		for p := range partitions {
			if err := d.Replay(&metadata.PartitionRecord{TopicID: topic, PartitionID: int32(p), Replicas: []int32{1, 2, 3}, ISR: []int32{1, 2, 3}, Leader: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d.Image(image.Provenance{Offset: 1, Epoch: 1, Time: 1})
}

func BenchmarkMillionPartitions(b *testing.B) {
	img := cluster(b, 100_000, 10)
	b.Run("get", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok, _ := New(Source{Image: img}).Get("/brokers/topics/topic-050000/partitions/7/state"); !ok {
				b.Fatal("not there")
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			names, _ := New(Source{Image: img}).List("/config/topics")
			for range names {
			}
		}
	})
	b.Run("walk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			New(Source{Image: img}).Walk("/", func(string) bool { n++; return true })
		}
	})
}
