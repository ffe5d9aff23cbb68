package image

import (
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// Emit takes a record in a version of its schema. The record may be used again
// for the next one once it returns.
type Emit func(apiKey, version int16, m kbin.Message) error

// Records gives the image as records, in the order and in the versions in which
// Kafka's snapshots of a metadata version have them (KIP-630): metadata.version
// and the other features, brokers, controllers, each topic with its partitions,
// configurations, quotas, producer ids, access control entries, SCRAM credentials
// and delegation tokens. Replaying them gives an image of the same hash, but for
// the metadata version if that is another one.
//
// What the metadata version cannot express is a *LossError before the first
// record. A version that is not known is a *VersionError.
func (i *Image) Records(v feature.MetadataVersion, emit Emit) error {
	if !v.Known() {
		return &VersionError{v}
	}
	if lost := i.Losses(v); len(lost) > 0 {
		return &LossError{v, lost}
	}
	return i.RecordsWithLoss(v, emit)
}

// RecordsWithLoss is Records without what the metadata version cannot express.
func (i *Image) RecordsWithLoss(v feature.MetadataVersion, emit Emit) error {
	if !v.Known() {
		return &VersionError{v}
	}
	w := &recordWriter{v: v, elr: i.hasELR(v), emit: emit}
	for _, part := range [...]func(*recordWriter) error{
		i.emitFeatures, i.emitCluster, i.emitTopics, i.emitConfigs, i.emitQuotas, i.emitProducerIDs, i.emitUsers,
	} {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

// HashAs is the hash of the image as far as a metadata version can express it: of what
// RecordsWithLoss gives.
func (i *Image) HashAs(v feature.MetadataVersion) (Hash, error) {
	d := NewDelta(Empty())
	if err := i.RecordsWithLoss(v, func(_, _ int16, m kbin.Message) error { return d.Replay(m) }); err != nil {
		return Hash{}, err
	}
	return d.Image(Provenance{}).Hash(), nil
}

// keyed is a record that knows its number.
type keyed interface {
	kbin.Message
	APIKey() int16
}

// recordWriter makes records of a metadata version.
type recordWriter struct {
	v    feature.MetadataVersion
	elr  bool // the partitions' eligible leader replicas are told
	emit Emit

	partition metadata.PartitionRecord // used again for each
	state     Partition
	config    metadata.ConfigRecord
	value     string
}

// put emits a record in version 0, the only one of most.
func (w *recordWriter) put(m keyed) error { return w.emit(m.APIKey(), 0, m) }

func (i *Image) emitFeatures(w *recordWriter) error {
	if err := w.put(&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(w.v)}); err != nil {
		return err
	}
	for name, level := range i.features.All() {
		if w.v < neededBy(name, level) {
			continue
		}
		if err := w.put(&metadata.FeatureLevelRecord{Name: name, FeatureLevel: level}); err != nil {
			return err
		}
	}
	if i.zkMigration != nil && w.v >= feature.V3_4_IV0 {
		return w.put(&metadata.ZkMigrationStateRecord{ZkMigrationState: *i.zkMigration})
	}
	return nil
}

func (i *Image) emitCluster(w *recordWriter) error {
	for _, b := range i.brokers.All() {
		if err := w.broker(b); err != nil {
			return err
		}
	}
	if w.v < feature.ControllerRegistrationFrom {
		return nil
	}
	for _, c := range i.controllers.All() {
		if err := w.put(c); err != nil {
			return err
		}
	}
	return nil
}

// broker emits a registration without what its version does not have.
func (w *recordWriter) broker(b *Broker) error {
	version := w.v.RegisterBrokerRecordVersion()
	if version < 4 {
		c := *b
		c.CordonedLogDirs = nil
		if version < 3 {
			c.LogDirs = nil
		}
		if version < 2 {
			c.IsMigratingZkBroker = false
		}
		b = &c
	}
	return w.emit(b.APIKey(), version, b)
}

// emitTopics goes by name, which is nicer to read than the ids that maps would go by.
func (i *Image) emitTopics(w *recordWriter) error {
	for _, id := range i.topicIDs.All() {
		t, _ := i.topics.Get(id)
		if err := w.topic(t); err != nil {
			return err
		}
	}
	return nil
}

// topic emits a topic and its partitions.
func (w *recordWriter) topic(t *Topic) error {
	if err := w.put(&metadata.TopicRecord{Name: t.name, TopicID: t.id}); err != nil {
		return err
	}
	for n, p := range t.partitions.All() {
		if err := w.partitionOf(t, n, &p); err != nil {
			return err
		}
	}
	return nil
}

// partitionOf emits a partition.
func (w *recordWriter) partitionOf(t *Topic, n int32, p *partition) error {
	p.unpack(&w.state)
	w.state.fill(&w.partition, t.id, n)
	version := w.v.PartitionRecordVersion()
	if version < 1 {
		w.partition.Directories = nil
	}
	if !w.elr {
		w.partition.EligibleLeaderReplicas, w.partition.LastKnownELR = nil, nil
	}
	return w.emit(metadata.KeyPartitionRecord, version, &w.partition)
}

// fill makes a record of a partition; it shares the partition's memory.
func (p *Partition) fill(m *metadata.PartitionRecord, topic kbin.UUID, n int32) {
	m.TopicID, m.PartitionID = topic, n
	m.Replicas, m.ISR, m.RemovingReplicas, m.AddingReplicas = p.Replicas, p.ISR, p.RemovingReplicas, p.AddingReplicas
	m.Leader, m.LeaderEpoch, m.PartitionEpoch = p.Leader, p.LeaderEpoch, p.PartitionEpoch
	m.LeaderRecoveryState = 0
	if p.Recovering {
		m.LeaderRecoveryState = 1
	}
	m.Directories = p.Directories
	m.EligibleLeaderReplicas, m.LastKnownELR = nil, nil
	if len(p.ELR) > 0 {
		m.EligibleLeaderReplicas = p.ELR
	}
	if len(p.LastKnownELR) > 0 {
		m.LastKnownELR = p.LastKnownELR
	}
}

func (i *Image) emitConfigs(w *recordWriter) error {
	for r, c := range i.configs.All() {
		for name, value := range c.values.All() {
			if err := w.configOf(r, name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// configOf emits one value of a configuration.
func (w *recordWriter) configOf(r Resource, name, value string) error {
	w.value = value
	w.config = metadata.ConfigRecord{ResourceType: int8(r.Type), ResourceName: r.Name, Name: name, Value: &w.value}
	return w.put(&w.config)
}

func (i *Image) emitQuotas(w *recordWriter) error {
	for _, q := range i.quotas.All() {
		entity := q.record()
		for key, value := range q.values.All() {
			if err := w.put(&metadata.ClientQuotaRecord{Entity: entity, Key: key, Value: value}); err != nil {
				return err
			}
		}
	}
	return nil
}

// record gives who a quota is for as records say it.
func (q *Quota) record() []metadata.EntityData {
	entity := make([]metadata.EntityData, len(q.entity))
	for i := range q.entity {
		entity[i].EntityType = q.entity[i].Type
		if !q.entity[i].Default {
			entity[i].EntityName = &q.entity[i].Name
		}
	}
	return entity
}

// emitProducerIDs tells no broker: a snapshot does not know which one it was.
func (i *Image) emitProducerIDs(w *recordWriter) error {
	if i.producerIDs.NextProducerID < 0 {
		return nil
	}
	return w.put(&metadata.ProducerIdsRecord{BrokerID: -1, BrokerEpoch: -1, NextProducerID: i.producerIDs.NextProducerID})
}

func (i *Image) emitUsers(w *recordWriter) error {
	for _, a := range i.acls.All() {
		if w.v < feature.CIDRAccessControlSince && isCIDR(a.Host) {
			continue
		}
		if err := w.put(a); err != nil {
			return err
		}
	}
	if w.v >= feature.SCRAMSince {
		for _, c := range i.scram.All() {
			if err := w.put(c); err != nil {
				return err
			}
		}
	}
	if w.v >= feature.DelegationTokensSince {
		for _, t := range i.tokens.All() {
			if err := w.put(t); err != nil {
				return err
			}
		}
	}
	return nil
}
