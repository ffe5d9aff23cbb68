package image

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
	"kraftctl/internal/feature"
	"kraftctl/internal/javatext"
)

// Kind is what a change is about.
type Kind uint8

// The kinds, in the order in which changes come.
const (
	KindMetadataVersion Kind = iota
	KindFeature
	KindZKMigration
	KindBroker
	KindController
	KindTopic
	KindPartition
	KindConfig
	KindQuota
	KindProducerIDs
	KindACL
	KindScram
	KindToken
)

var kindNames = [...]string{"metadata version", "feature", "ZooKeeper migration", "broker", "controller", "topic", "partition",
	"configuration", "quota", "producer ids", "access control entry", "SCRAM credential", "delegation token"}

// String is the kind in words.
func (k Kind) String() string { return kindNames[k] }

// Change is one thing that differs between two images.
type Change struct {
	Kind Kind
	// Path is where Kafka's shell shows it, without the root: image topics byName
	// orders 0.
	Path []string
	// Before and After are the records that snapshots have of it; nil: it is not
	// there. They are the image's own or made for this change.
	Before, After kbin.Message

	// Topic is the id of the topic of a partition, Partition its number.
	Topic     kbin.UUID
	Partition int32
}

// Diff goes through what differs between two images, in the order of a snapshot.
// What they share is not looked at, so that the cost for two images of which one
// came from the other is that of what has changed. Two images have the same hash
// exactly if nothing differs.
//
// Of a topic that is gone its partitions come first; of one with another id, the
// old one comes before the new one.
func Diff(before, after *Image) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		d := &differ{yield: yield}
		for _, part := range [...]func(a, b *Image) bool{d.features, d.cluster, d.topics, d.configs, d.quotas, d.producerIDs, d.users} {
			if !part(before, after) {
				return
			}
		}
	}
}

type differ struct{ yield func(Change) bool }

// changed yields the differences of one map, as the records that make and its path.
func changed[K, V any](d *differ, kind Kind, a, b cow.Map[K, V], same func(a, b V) bool, path func(K, V) []string, record func(K, V) kbin.Message) bool {
	for c := range cow.Diff(a, b, same) {
		out := Change{Kind: kind}
		if c.WasThere {
			out.Path, out.Before = path(c.Key, c.Old), record(c.Key, c.Old)
		}
		if c.IsThere {
			out.Path, out.After = path(c.Key, c.New), record(c.Key, c.New)
		}
		if !d.yield(out) {
			return false
		}
	}
	return true
}

func featureRecord(name string, level int16) kbin.Message {
	return &metadata.FeatureLevelRecord{Name: name, FeatureLevel: level}
}

func (d *differ) features(a, b *Image) bool {
	if a.version != b.version {
		c := Change{Kind: KindMetadataVersion, Path: []string{"image", "features", "metadataVersion"}}
		if a.version != 0 {
			c.Before = featureRecord(feature.MetadataName, a.version)
		}
		if b.version != 0 {
			c.After = featureRecord(feature.MetadataName, b.version)
		}
		if !d.yield(c) {
			return false
		}
	}
	if !changed(d, KindFeature, a.features, b.features, same, func(name string, _ int16) []string {
		return []string{"image", "features", "finalized_" + name}
	}, featureRecord) {
		return false
	}
	before, _ := a.ZKMigration()
	after, _ := b.ZKMigration()
	if before == after {
		return true
	}
	return d.yield(Change{Kind: KindZKMigration, Path: []string{"image", "features", "zkMigrationState"},
		Before: &metadata.ZkMigrationStateRecord{ZkMigrationState: before}, After: &metadata.ZkMigrationStateRecord{ZkMigrationState: after}})
}

func (d *differ) cluster(a, b *Image) bool {
	return changed(d, KindBroker, a.brokers, b.brokers, sameBroker, func(id int32, _ *Broker) []string {
		return []string{"image", "cluster", "brokers", strconv.Itoa(int(id))}
	}, func(_ int32, b *Broker) kbin.Message { return canonicalBroker(b) }) &&
		changed(d, KindController, a.controllers, b.controllers, sameController, func(id int32, _ *Controller) []string {
			return []string{"image", "cluster", "controllers", strconv.Itoa(int(id))}
		}, func(_ int32, c *Controller) kbin.Message { return canonicalController(c) })
}

// topics yields what is gone first, since a name may have gone to another id. Both
// go by name, as people look for topics.
func (d *differ) topics(a, b *Image) bool {
	type change struct{ old, now *Topic }
	var gone, changes []change
	for c := range cow.Diff(a.topics, b.topics, sameTopic) {
		switch {
		case !c.WasThere || !c.IsThere || c.Old.name == c.New.name:
			if c.IsThere {
				changes = append(changes, change{c.Old, c.New})
			} else {
				gone = append(gone, change{c.Old, nil})
			}
		default:
			gone, changes = append(gone, change{c.Old, nil}), append(changes, change{nil, c.New})
		}
	}
	slices.SortFunc(gone, func(a, b change) int { return javatext.Compare(a.old.name, b.old.name) })
	slices.SortFunc(changes, func(a, b change) int { return javatext.Compare(a.now.name, b.now.name) })
	for _, c := range append(gone, changes...) {
		if !d.topic(c.old, c.now) {
			return false
		}
	}
	return true
}

// topic yields what differs between two states of a topic, of which one may be nil.
func (d *differ) topic(a, b *Topic) bool {
	t := b
	if t == nil {
		t = a
	}
	path := []string{"image", "topics", "byName", t.name}
	record := &metadata.TopicRecord{Name: t.name, TopicID: t.id}
	if a == nil && !d.yield(Change{Kind: KindTopic, Path: path, After: record, Topic: t.id}) {
		return false
	}
	var old, now cow.Map[int32, partition]
	if a != nil {
		old = a.partitions
	}
	if b != nil {
		now = b.partitions
	}
	for c := range cow.Diff(old, now, same) {
		out := Change{Kind: KindPartition, Path: append(path[:4:4], strconv.Itoa(int(c.Key))), Topic: t.id, Partition: c.Key}
		if c.WasThere {
			out.Before = c.Old.record(t.id, c.Key)
		}
		if c.IsThere {
			out.After = c.New.record(t.id, c.Key)
		}
		if !d.yield(out) {
			return false
		}
	}
	return b != nil || d.yield(Change{Kind: KindTopic, Path: path, Before: record, Topic: t.id})
}

// record makes the record of a partition.
func (p *partition) record(topic kbin.UUID, n int32) kbin.Message {
	var state Partition
	p.unpack(&state)
	m := new(metadata.PartitionRecord)
	state.fill(m, topic, n)
	return m
}

func (d *differ) configs(a, b *Image) bool {
	for c := range cow.Diff(a.configs, b.configs, sameConfig) {
		name := c.Key.PathName()
		if !changed(d, KindConfig, c.Old.Values(), c.New.Values(), same, func(key, _ string) []string {
			return []string{"image", "configs", name, key}
		}, func(key, value string) kbin.Message {
			return &metadata.ConfigRecord{ResourceType: int8(c.Key.Type), ResourceName: c.Key.Name, Name: key, Value: &value}
		}) {
			return false
		}
	}
	return true
}

func (d *differ) quotas(a, b *Image) bool {
	for c := range cow.Diff(a.quotas, b.quotas, sameQuota) {
		q := c.New
		if !c.IsThere {
			q = c.Old
		}
		if !changed(d, KindQuota, c.Old.Values(), c.New.Values(), sameLimit, func(key string, _ float64) []string {
			return []string{"image", "clientQuotas", q.String(), key}
		}, func(key string, value float64) kbin.Message {
			return &metadata.ClientQuotaRecord{Entity: q.record(), Key: key, Value: value}
		}) {
			return false
		}
	}
	return true
}

// String is the entity as Kafka's shell names it, but with <default> where a name
// is the default, which Kafka leaves out: clientId(c)_user(alice).
func (q *Quota) String() string {
	var b strings.Builder
	for _, p := range q.entity { // client-id, ip, user
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		name := p.Type
		if name == ClientIDEntity {
			name = "clientId"
		}
		b.WriteString(name)
		b.WriteByte('(')
		if p.Default {
			b.WriteString("<default>")
		}
		for _, r := range []byte(p.Name) {
			if r == '\\' || r == '(' || r == ')' {
				b.WriteByte('\\')
			}
			b.WriteByte(r)
		}
		b.WriteByte(')')
	}
	return b.String()
}

func (d *differ) producerIDs(a, b *Image) bool {
	before, after := a.producerIDs.NextProducerID, b.producerIDs.NextProducerID
	if before == after {
		return true
	}
	c := Change{Kind: KindProducerIDs, Path: []string{"image", "producerIds", "nextProducerId"}}
	if before >= 0 {
		c.Before = &metadata.ProducerIdsRecord{BrokerID: -1, BrokerEpoch: -1, NextProducerID: before}
	}
	c.After = &metadata.ProducerIdsRecord{BrokerID: -1, BrokerEpoch: -1, NextProducerID: after}
	return d.yield(c)
}

func (d *differ) users(a, b *Image) bool {
	return changed(d, KindACL, a.acls, b.acls, sameACL, func(id kbin.UUID, _ *ACL) []string {
		return []string{"image", "acls", "byId", id.String()}
	}, func(_ kbin.UUID, a *ACL) kbin.Message { return a }) &&
		changed(d, KindScram, a.scram, b.scram, sameScram, func(u ScramUser, _ *ScramCredential) []string {
			return []string{"image", "scram", u.Mechanism.String(), u.Name}
		}, func(_ ScramUser, c *ScramCredential) kbin.Message { return c }) &&
		changed(d, KindToken, a.tokens, b.tokens, sameToken, func(id string, _ *Token) []string {
			return []string{"image", "delegationToken", id}
		}, func(_ string, t *Token) kbin.Message { return t })
}
