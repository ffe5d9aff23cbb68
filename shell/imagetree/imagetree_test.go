package imagetree_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/snapshottest"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

type message = snapshottest.Record

// imageOf replays records out of a snapshot.
func imageOf(t *testing.T, records ...message) *image.Image {
	t.Helper()
	const name = "/00000000000000000100-0000000001.checkpoint"
	records = append([]message{&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}}, records...)
	fsys := vfs.NewMem()
	if err := vfs.WriteFileAtomic(fsys, name, snapshottest.Bytes(t, 1, snapshot.Header{}, 0, records...), 0o666); err != nil {
		t.Fatal(err)
	}
	line, err := timeline.Open(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	state, err := line.At(context.Background(), timeline.Latest)
	if err != nil || len(state.Problems) > 0 {
		t.Fatalf("%v, %v", err, state.Problems)
	}
	return state.Image
}

// at finds a node by the names that lead to it.
func at(t *testing.T, n node.Node, path ...string) node.Node {
	t.Helper()
	for _, name := range path {
		child, ok := n.Child(name)
		if !ok {
			t.Fatalf("%q: there is no %q", path, name)
		}
		n = child
	}
	return n
}

func content(t *testing.T, n node.Node, path ...string) string {
	t.Helper()
	text, ok := at(t, n, path...).Content()
	if !ok {
		t.Fatalf("%q has no content", path)
	}
	return text
}

func list(n node.Node) []string { return slices.Collect(n.Children()) }

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func text(s string) *string { return &s }

func quota(value float64, entity ...metadata.EntityData) message {
	return &metadata.ClientQuotaRecord{Entity: entity, Key: "producer_byte_rate", Value: value}
}

func entity(kind string, name *string) metadata.EntityData {
	return metadata.EntityData{EntityType: kind, EntityName: name}
}

// TestDefaultQuotas: Kafka's shell has nothing in the place of a default, lists names
// twice and cannot find some of them. Ours has a name for each.
func TestDefaultQuotas(t *testing.T) {
	img := imageOf(t,
		quota(1, entity("user", nil)), quota(2, entity("client-id", text("c"))), quota(3, entity("user", nil), entity("client-id", text("c"))),
		quota(4, entity("ip", text("1.2.3.4"))), quota(5, entity("user", text(`a(b)\c`)), entity("client-id", nil)), quota(6, entity("user", text(""))))
	ours := at(t, imagetree.New(img, imagetree.Options{}), "clientQuotas")
	values := map[string]string{
		"user(<default>)": "1.0", "clientId(c)": "2.0", "clientId(c)_user(<default>)": "3.0", "ip(1.2.3.4)": "4.0", `clientId(<default>)_user(a\(b\)\\c)`: "5.0", "user()": "6.0",
	}
	if got := list(ours); len(got) != len(values) || !slices.IsSorted(got) {
		t.Errorf("names: %q", got)
	}
	for name, want := range values {
		if got := content(t, ours, name, "producer_byte_rate"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	kafka := at(t, imagetree.New(img, imagetree.Options{Kafka: true}), "clientQuotas")
	same(t, "Kafka's names", list(kafka), "", "clientId(c)", "clientId(c)", "ip(1.2.3.4)", "user()", `user(a\(b\)\\c)`)
	for _, lost := range []string{"", `user(a\(b\)\\c)`, "user(<default>)", "nope"} {
		if _, ok := kafka.Child(lost); ok {
			t.Errorf("Kafka's shell does not find %q", lost)
		}
	}
	if got := content(t, kafka, "clientId(c)", "producer_byte_rate"); got != "2.0" {
		t.Errorf("of two with one name: %s", got)
	}
	if _, ok := at(t, ours, "clientId(c)").Child("nope"); ok {
		t.Error("a quota that is not there")
	}
}

// TestUnknownACLs: numbers of a later release are UNKNOWN.
func TestUnknownACLs(t *testing.T) {
	id := kbin.UUID{1}
	tree := imagetree.New(imageOf(t, &metadata.AccessControlEntryRecord{ID: id, ResourceType: 99, ResourceName: "r, s", PatternType: -1, Principal: "", Host: "*", Operation: 100, PermissionType: 50}), imagetree.Options{})
	acls := at(t, tree, "acls", "byId")
	same(t, "ids", list(acls), id.String())
	const want = "StandardAcl[resourceType=UNKNOWN, resourceName=r, s, patternType=UNKNOWN, principal=, host=*, operation=UNKNOWN, permissionType=UNKNOWN]"
	if got := content(t, acls, id.String()); got != want {
		t.Error(got)
	}
	for _, name := range []string{"", "x", kbin.UUID{2}.String(), id.String() + "x"} {
		if _, ok := acls.Child(name); ok {
			t.Errorf("there is %q", name)
		}
	}
}

func TestEmpty(t *testing.T) {
	tree := imagetree.New(image.Empty(), imagetree.Options{Kafka: true})
	same(t, "/image", list(tree), "acls", "clientQuotas", "cluster", "configs", "delegationToken", "features", "producerIds", "provenance", "scram", "topics")
	for _, dir := range []string{"clientQuotas", "configs", "delegationToken"} {
		if n := at(t, tree, dir); n.Children() == nil || len(list(n)) > 0 {
			t.Errorf("%s is no empty directory", dir)
		}
	}
	same(t, "scram", list(at(t, tree, "scram")), "SCRAM-SHA-256", "SCRAM-SHA-512")
	same(t, "features", list(at(t, tree, "features")), "metadataVersion")
	if got := content(t, tree, "features", "metadataVersion"); got != "Optional.empty" {
		t.Errorf("metadata version %s", got)
	}
	if got := content(t, tree, "producerIds", "nextProducerId"); got != "-1" {
		t.Errorf("producer id %s", got)
	}
	if got := content(t, imagetree.New(imageOf(t), imagetree.Options{}), "provenance"); got != "offset 99, epoch 1, time 1970-01-01T00:00:00Z[UTC]" {
		t.Errorf("provenance: %s", got)
	}
	if got := content(t, tree, "features", "finalized_nope"); got != "0" { // so it is in Kafka's
		t.Errorf("a feature that nobody knows: %s", got)
	}
	if _, ok := at(t, imagetree.New(image.Empty(), imagetree.Options{}), "features").Child("finalized_nope"); ok {
		t.Error("in ours it is there as well")
	}
}

// TestEmptyLists of partitions and brokers.
func TestEmptyLists(t *testing.T) {
	topic := kbin.UUID{7}
	img := imageOf(t, &metadata.TopicRecord{Name: "t", TopicID: topic}, &metadata.PartitionRecord{TopicID: topic, PartitionID: 10, Leader: -1, LeaderRecoveryState: 1},
		&metadata.PartitionRecord{TopicID: topic, PartitionID: 2, Leader: -1}, &metadata.RegisterBrokerRecord{BrokerID: 3, Fenced: true, EndPoints: []metadata.BrokerEndpoint{{Name: "L", SecurityProtocol: 99}},
			Features: []metadata.BrokerFeature{{Name: "b", MinSupportedVersion: 1, MaxSupportedVersion: 1}, {Name: "a", MaxSupportedVersion: 32767}}})
	tree := imagetree.New(img, imagetree.Options{Kafka: true})
	same(t, "topic", list(at(t, tree, "topics", "byName", "t")), "10", "2", "id", "name")
	const want = "PartitionRegistration(replicas=[], directories=[], isr=[], removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], leader=-1, leaderRecoveryState=RECOVERING, leaderEpoch=0, partitionEpoch=0)"
	if got := content(t, tree, "topics", "byId", topic.String(), "10"); got != want {
		t.Error(got)
	}
	for _, name := range []string{"+2", "02", "2"} { // as Java reads numbers
		if got := content(t, tree, "topics", "byName", "t", name); !strings.Contains(got, "RECOVERED") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, name := range []string{"3", "x", "", "2147483650", " 2"} {
		if _, ok := at(t, tree, "topics", "byName", "t").Child(name); ok {
			t.Errorf("there is a partition %q", name)
		}
	}
	broker := content(t, tree, "cluster", "brokers", "3")
	for _, part := range []string{"listeners=[Endpoint(listenerName='L', securityProtocol=null, host='', port=0)]", "supportedFeatures={a: 0+, b: 1}", "rack=Optional.empty", "fenced=true", "directories=[], cordonedDirectories=null)"} {
		if !strings.Contains(broker, part) {
			t.Errorf("%s\nis not in %s", part, broker)
		}
	}
	d, ok := at(t, imagetree.New(img, imagetree.Options{}), "topics", "byName", "t", "2").(node.Described)
	if !ok || d.Kind() != "partition" {
		t.Fatal("a partition has no fields")
	}
	for _, f := range d.Fields() {
		if ints, ok := f.Value.([]int32); ok && (len(ints) != 0 || f.Text() != "-") {
			t.Errorf("%s is %q", f.Name, f.Text())
		}
	}
}

// TestConfigNames: of the default of a type there is the type only; "default" is a
// name like others, and names may have colons.
func TestConfigNames(t *testing.T) {
	config := func(kind int8, resource, value string) message {
		return &metadata.ConfigRecord{ResourceType: kind, ResourceName: resource, Name: "k", Value: &value}
	}
	img := imageOf(t, config(4, "", "cluster"), config(4, "default", "named"), config(4, "1", "one"), config(32, "g:1:x", "colons"), config(32, "BROKER", "group"), config(77, "x", "unknown"),
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: "t", Name: "empty.one", Value: text("")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "1", Name: "ssl.key.password", Value: text("s3cr3t")})
	tree := at(t, imagetree.New(img, imagetree.Options{ShowSecrets: true}), "configs")
	for path, want := range map[string]string{"BROKER": "cluster", "BROKER:default": "named", "BROKER:1": "one", "GROUP:g:1:x": "colons", "GROUP:BROKER": "group", "UNKNOWN:x": "unknown"} {
		if got := content(t, tree, path, "k"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if !slices.Contains(list(tree), path) {
			t.Errorf("%s is not in %q", path, list(tree))
		}
	}
	if got := content(t, tree, "TOPIC:t", "empty.one"); got != "" {
		t.Errorf("an empty value: %q", got)
	}
	for _, name := range []string{"", "BROKER:2", "GROUP", "BROKER:1:", "NOPE:x", "broker:1"} {
		if _, ok := tree.Child(name); ok {
			t.Errorf("there is %q", name)
		}
	}
	if got := content(t, imagetree.New(img, imagetree.Options{}), "configs", "BROKER:1", "ssl.key.password"); strings.Contains(got, "s3cr3t") {
		t.Errorf("a password: %s", got)
	}
	for _, o := range []imagetree.Options{{ShowSecrets: true}, {Kafka: true}} {
		if got := content(t, imagetree.New(img, o), "configs", "BROKER:1", "ssl.key.password"); got != "s3cr3t" {
			t.Errorf("%+v: %s", o, got)
		}
	}
	// Kafka's shell does not show what it does not know of groups and topics.
	kafka := list(at(t, imagetree.New(img, imagetree.Options{Kafka: true}), "configs"))
	for _, name := range kafka {
		if !strings.HasPrefix(name, "BROKER") {
			t.Errorf("Kafka's shell shows %q", name)
		}
	}
	// Each name that is listed is found.
	for _, name := range list(tree) {
		if _, ok := tree.Child(name); !ok {
			t.Errorf("%q is listed and not found", name)
		}
	}
}

func TestTimes(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "1970-01-01T00:00:00Z", 1795957079359: "2026-11-29T12:57:59.359Z", 1795957079300: "2026-11-29T12:57:59.3Z", 1795957079050: "2026-11-29T12:57:59.05Z", 1795957079000: "2026-11-29T12:57:59Z", -1: "1969-12-31T23:59:59.999Z",
	} {
		if got := imagetree.Time(ms); got != want {
			t.Errorf("%d: %s, want %s", ms, got, want)
		}
	}
}
