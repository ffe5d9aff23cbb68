package timeline

import (
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// before looks at what a record is about to delete.
func (m *Marks) before(e *Entry, now *image.Image) {
	m.cleared, m.removed = m.cleared[:0], ""
	switch r := e.Frame.Message.(type) {
	case *metadata.RemoveTopicRecord:
		if t, ok := now.Topics().Get(r.TopicID); ok {
			m.removed = t.Name()
		}
	case *metadata.ClearElrRecord:
		if r.TopicName == "" {
			for _, t := range now.Topics().All() {
				m.clearELR(t)
			}
		} else if t, ok := now.Topic(r.TopicName); ok {
			m.clearELR(t)
		}
	}
}

func (m *Marks) clearELR(t *image.Topic) {
	for n, p := range t.Partitions() {
		if len(p.ELR)+len(p.LastKnownELR) > 0 {
			m.cleared = append(m.cleared, entity{kind: partitionKind, id: t.ID(), number: n})
		}
	}
}

// after notes what a record has done, unless it was refused.
func (m *Marks) after(e *Entry, loader *image.Loader, err error) {
	if m.batchFile != e.File || m.batchPos != e.Pos {
		m.batchFile, m.batchPos, m.batch = e.File, e.Pos, e.At.Offset
	}
	message := e.Frame.Message
	if level, ok := message.(*metadata.FeatureLevelRecord); err != nil && !(ok && level.Name == feature.MetadataName) {
		return
	}
	switch message.(type) {
	case *metadata.EndTransactionRecord:
		for i := range m.journal {
			m.apply(&m.journal[i])
		}
		m.journal = nil
		return
	case *metadata.AbortTransactionRecord:
		m.journal = nil
		return
	}
	s := step{at: e.At, batch: m.batch, snapshot: e.Snapshot}
	do := func(v verb, x entity) {
		s.verb, s.entity = v, x
		if loader.Open() {
			s.entity.name = strings.Clone(x.name) // it points into the batch
			m.journal = append(m.journal, s)
			return
		}
		m.apply(&s)
	}
	m.record(message, loader.Current(), do)
}

// touched is touch, or drop for what is not there any more.
func touched(there bool) verb {
	if there {
		return touch
	}
	return drop
}

// record tells which entities a record is about; now is what there is behind it.
func (m *Marks) record(message kbin.Message, now *image.Image, do func(verb, entity)) {
	switch r := message.(type) {
	case *metadata.TopicRecord:
		do(create, entity{kind: topicKind, id: r.TopicID})
	case *metadata.PartitionRecord:
		do(touch, entity{kind: topicKind, id: r.TopicID})
		do(touch, entity{kind: partitionKind, id: r.TopicID, number: r.PartitionID})
	case *metadata.PartitionChangeRecord:
		if r.Replicas != nil || r.AddingReplicas != nil || r.RemovingReplicas != nil {
			do(touch, entity{kind: topicKind, id: r.TopicID})
		}
		do(touch, entity{kind: partitionKind, id: r.TopicID, number: r.PartitionID})
	case *metadata.RemoveTopicRecord:
		do(drop, entity{kind: topicKind, id: r.TopicID})
		do(drop, entity{kind: configKind, number: int32(image.TopicResource), name: m.removed})
	case *metadata.ClearElrRecord:
		for _, x := range m.cleared {
			do(touch, x)
		}
	case *metadata.ConfigRecord:
		there := now.Config(image.Resource{Type: image.ResourceType(r.ResourceType), Name: r.ResourceName}) != nil
		do(touched(there), entity{kind: configKind, number: int32(r.ResourceType), name: r.ResourceName})
	case *metadata.ClientQuotaRecord:
		key := image.EntityKey(image.QuotaEntity(r.Entity))
		_, there := now.Quotas().Get(key)
		do(touched(there), entity{kind: quotaKind, name: key})
	case *metadata.RegisterBrokerRecord:
		do(create, entity{kind: brokerKind, number: r.BrokerID})
	case *metadata.UnregisterBrokerRecord:
		do(drop, entity{kind: brokerKind, number: r.BrokerID})
	case *metadata.BrokerRegistrationChangeRecord:
		do(touch, entity{kind: brokerKind, number: r.BrokerID})
	case *metadata.FenceBrokerRecord:
		do(touch, entity{kind: brokerKind, number: r.ID})
	case *metadata.UnfenceBrokerRecord:
		do(touch, entity{kind: brokerKind, number: r.ID})
	case *metadata.RegisterControllerRecord:
		do(create, entity{kind: controllerKind, number: r.ControllerID})
	case *metadata.UnregisterControllerRecord:
		do(drop, entity{kind: controllerKind, number: r.ControllerID})
	case *metadata.FeatureLevelRecord:
		switch {
		case r.Name == feature.KRaftName: // a control record tells it
		case r.FeatureLevel == 0 && r.Name != feature.MetadataName:
			do(drop, entity{kind: featureKind, name: r.Name})
		default:
			do(touch, entity{kind: featureKind, name: r.Name})
		}
	case *metadata.ProducerIdsRecord:
		do(touch, entity{kind: producerKind})
	case *metadata.AccessControlEntryRecord:
		do(touch, entity{kind: aclKind, id: r.ID})
	case *metadata.RemoveAccessControlEntryRecord:
		do(drop, entity{kind: aclKind, id: r.ID})
	case *metadata.UserScramCredentialRecord:
		do(touch, entity{kind: scramKind, number: int32(r.Mechanism), name: r.Name})
	case *metadata.RemoveUserScramCredentialRecord:
		do(drop, entity{kind: scramKind, number: int32(r.Mechanism), name: r.Name})
	case *metadata.DelegationTokenRecord:
		do(touch, entity{kind: tokenKind, name: r.TokenID})
	case *metadata.RemoveDelegationTokenRecord:
		do(drop, entity{kind: tokenKind, name: r.TokenID})
	}
}
