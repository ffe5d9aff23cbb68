package timeline

import (
	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
)

// End is the offset after the last one that was read.
func (m *Marks) End() int64 { return m.end }

// Leader is who led the quorum; nil if no record says so. It may be known where it
// is not in the State, since more of the log was read.
func (m *Marks) Leader() *Leader { return m.leader }

// other gives the mark of what is neither topic nor partition.
func (m *Marks) other(x entity) (Mark, bool) {
	k, ok := m.others[x]
	if !ok {
		return Mark{}, false
	}
	return k.export(), true
}

// Topic is about a topic: it is changed by what its list of partitions and their
// replicas is changed by.
func (m *Marks) Topic(id kbin.UUID) (Mark, bool) {
	t, ok := m.topics[id]
	if !ok {
		return Mark{}, false
	}
	return t.export(), true
}

// Partition is about a partition.
func (m *Marks) Partition(topic kbin.UUID, n int32) (Mark, bool) {
	t, ok := m.topics[topic]
	if !ok {
		return Mark{}, false
	}
	if n >= 0 && int(n) < len(t.partitions) {
		return t.partitions[n].export(), true
	}
	k, ok := t.odd[n]
	if !ok {
		return Mark{}, false
	}
	return k.export(), true
}

// Broker is about a broker's registration.
func (m *Marks) Broker(id int32) (Mark, bool) {
	return m.other(entity{kind: brokerKind, number: id})
}

// Controller is about a controller's registration.
func (m *Marks) Controller(id int32) (Mark, bool) {
	return m.other(entity{kind: controllerKind, number: id})
}

// Config is about the configuration of a resource.
func (m *Marks) Config(r image.Resource) (Mark, bool) {
	return m.other(entity{kind: configKind, number: int32(r.Type), name: r.Name})
}

// Quota is about the quotas of an entity, by its key in Image.Quotas.
func (m *Marks) Quota(key string) (Mark, bool) {
	return m.other(entity{kind: quotaKind, name: key})
}

// Scram is about a SCRAM credential.
func (m *Marks) Scram(u image.ScramUser) (Mark, bool) {
	return m.other(entity{kind: scramKind, number: int32(u.Mechanism), name: u.Name})
}

// ACL is about an access control entry.
func (m *Marks) ACL(id kbin.UUID) (Mark, bool) {
	return m.other(entity{kind: aclKind, id: id})
}

// Token is about a delegation token.
func (m *Marks) Token(id string) (Mark, bool) {
	return m.other(entity{kind: tokenKind, name: id})
}

// Feature is about a finalized feature, or metadata.version.
func (m *Marks) Feature(name string) (Mark, bool) {
	return m.other(entity{kind: featureKind, name: name})
}

// ProducerIDs is about the block of producer ids that was given out last.
func (m *Marks) ProducerIDs() (Mark, bool) {
	return m.other(entity{kind: producerKind})
}

// ProducerBlock is the block of producer ids that was given out last, and who got
// it, which snapshots do not keep.
func (m *Marks) ProducerBlock() image.ProducerIDs { return m.blocks }

// Topics counts the topics that came and went.
func (m *Marks) Topics() Tally { return m.tallies[topicKind] }

// Brokers counts the registrations that came and went.
func (m *Marks) Brokers() Tally { return m.tallies[brokerKind] }

// Tokens counts the delegation tokens that came and went.
func (m *Marks) Tokens() Tally { return m.tallies[tokenKind] }
