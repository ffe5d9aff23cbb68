package image

import (
	"cmp"
	"iter"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
)

// Topic is a topic with its partitions.
type Topic struct {
	id         kbin.UUID
	name       string
	partitions cow.Map[int32, partition]
	owner      *cow.Owner
}

// ID is the topic's id.
func (t *Topic) ID() kbin.UUID { return t.id }

// Name is the topic's name.
func (t *Topic) Name() string { return t.name }

// Len is the number of partitions.
func (t *Topic) Len() int { return t.partitions.Len() }

// Partition gives a partition by its number.
func (t *Topic) Partition(n int32) (*Partition, bool) {
	p, ok := t.partitions.Get(n)
	if !ok {
		return nil, false
	}
	out := new(Partition)
	p.unpack(out)
	return out, true
}

// Numbers gives the numbers of the partitions in ascending order.
func (t *Topic) Numbers() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := range t.partitions.All() {
			if !yield(n) {
				return
			}
		}
	}
}

// Partitions goes through the partitions in the order of their numbers. What it
// gives is overwritten by the next one.
func (t *Topic) Partitions() iter.Seq2[int32, *Partition] {
	return func(yield func(int32, *Partition) bool) {
		var out Partition
		for n, p := range t.partitions.All() {
			p.unpack(&out)
			if !yield(n, &out) {
				return
			}
		}
	}
}

// topicByID gives a topic that may be changed. Partition records of one topic come
// one after the other, so the last one is looked at first.
func (d *Delta) topicByID(id kbin.UUID) (*Topic, bool) {
	if d.topic != nil && d.topic.id == id {
		return d.topic, true
	}
	t, ok := d.img.topics.Get(id)
	if !ok {
		return nil, false
	}
	if t.owner != d.owner {
		t = &Topic{id: id, name: t.name, partitions: t.partitions, owner: d.owner}
		d.img.topics.Set(d.owner, id, t)
	}
	d.topic = t
	return t, true
}

// topicRecord creates a topic without partitions, in place of one of the same id.
func (d *Delta) topicRecord(m *metadata.TopicRecord) error {
	if old, ok := d.img.topicIDs.Get(m.Name); ok && old != m.TopicID {
		return refuse(m, "there is a topic %q already, with id %s", m.Name, old)
	}
	if old, ok := d.img.topics.Get(m.TopicID); ok {
		d.img.partitions -= old.partitions.Len()
		if old.name != m.Name {
			d.img.topicIDs.Delete(d.owner, old.name)
		}
	}
	t := &Topic{id: m.TopicID, name: strings.Clone(m.Name), partitions: cow.New[int32, partition](cmp.Compare[int32]), owner: d.owner}
	d.img.topics.Set(d.owner, t.id, t)
	d.img.topicIDs.Set(d.owner, t.name, t.id)
	d.topic = t
	return nil
}

// removeTopic removes a topic, its partitions and its configuration.
func (d *Delta) removeTopic(m *metadata.RemoveTopicRecord) error {
	t, ok := d.img.topics.Get(m.TopicID)
	if !ok {
		return refuse(m, "there is no topic with id %s", m.TopicID)
	}
	d.img.partitions -= t.partitions.Len()
	d.img.topics.Delete(d.owner, t.id)
	d.img.topicIDs.Delete(d.owner, t.name)
	d.img.configs.Delete(d.owner, Resource{TopicResource, t.name})
	d.topic = nil
	return nil
}
