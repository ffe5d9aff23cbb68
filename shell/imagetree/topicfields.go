package imagetree

import (
	"slices"

	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

// Kind says what the node is.
func (topicDir) Kind() string { return "topic" }

// Fields gives what is to be known about a topic, which takes a look at all of its
// partitions.
func (d topicDir) Fields() []node.Field {
	var under, offline, notPreferred, reassigning, least, most int64
	for n, p := range d.topic.Partitions() {
		size := int64(len(p.Replicas))
		if n == 0 || most == 0 {
			least = size
		}
		least, most = min(least, size), max(most, size)
		if UnderReplicated(p) {
			under++
		}
		switch {
		case p.Leader == image.NoLeader:
			offline++
		case len(p.Replicas) > 0 && p.Leader != p.Replicas[0]:
			notPreferred++
		}
		if len(p.AddingReplicas)+len(p.RemovingReplicas) > 0 {
			reassigning++
		}
	}
	factor := any(most)
	if least != most {
		factor = itoa(least) + "-" + itoa(most)
	}
	return []node.Field{
		{Name: "name", Value: d.topic.Name()},
		{Name: "partitions", Value: int64(d.topic.Len())},
		{Name: "replicationFactor", Value: factor},
		{Name: "underReplicated", Value: under},
		{Name: "offline", Value: offline},
		{Name: "leaderSkew", Value: notPreferred},
		{Name: "reassigning", Value: reassigning},
		{Name: "configs", Value: d.t.configValues(d.t.img.Config(image.Resource{Type: image.TopicResource, Name: d.topic.Name()}))},
		{Name: "id", Value: d.topic.ID().String(), Wide: true},
	}
}

// UnderReplicated reports whether replicas that belong to a partition are not in
// sync. While a partition is reassigned, those being added do not count.
func UnderReplicated(p *image.Partition) bool {
	for _, r := range p.Replicas {
		if !slices.Contains(p.ISR, r) && !slices.Contains(p.AddingReplicas, r) {
			return true
		}
	}
	return false
}

// Kind says what the node is.
func (partitionFile) Kind() string { return "partition" }

// Fields gives the state of the partition.
func (f partitionFile) Fields() []node.Field {
	p := f.p
	recovery := "RECOVERED"
	if p.Recovering {
		recovery = "RECOVERING"
	}
	return []node.Field{
		{Name: "partition", Value: int64(f.n)},
		{Name: "leader", Value: int64(p.Leader)},
		{Name: "replicas", Value: node.Ints(p.Replicas)},
		{Name: "isr", Value: node.Ints(p.ISR)},
		{Name: "adding", Value: node.Ints(p.AddingReplicas)},
		{Name: "removing", Value: node.Ints(p.RemovingReplicas)},
		{Name: "elr", Value: node.Ints(p.ELR)},
		{Name: "lastKnownElr", Value: node.Ints(p.LastKnownELR), Wide: true},
		{Name: "leaderEpoch", Value: int64(p.LeaderEpoch)},
		{Name: "partitionEpoch", Value: int64(p.PartitionEpoch)},
		{Name: "recovery", Value: recovery, Wide: true},
		{Name: "directories", Value: uuidTexts(p.Directories), Wide: true},
	}
}

// TopicFields gives the fields of a topic of an image.
func TopicFields(img *image.Image, t *image.Topic) []node.Field {
	return topicDir{&tree{img: img}, t}.Fields()
}
