package imagetree

import (
	"iter"
	"slices"

	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
	"kraftctl/shell/node"
)

func (t *tree) topicsByName() node.Node {
	return byName{t}
}

// byName are the topics by name. It is a type of its own to give its children
// without gathering them: there may be hundreds of thousands.
type byName struct{ t *tree }

// Children gives the names of the topics.
func (b byName) Children() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range b.t.img.TopicIDs().All() {
			if !yield(name) {
				return
			}
		}
	}
}

// Child finds a topic.
func (b byName) Child(name string) (node.Node, bool) {
	topic, ok := b.t.img.Topic(name)
	if !ok {
		return nil, false
	}
	return topicDir{b.t, topic}, true
}

// Content is none.
func (byName) Content() (string, bool) { return "", false }

// OnlyDirectories: topics are directories.
func (byName) OnlyDirectories() bool { return true }

func (t *tree) topicsByID() node.Node {
	all := t.img.Topics()
	return dir{
		names: func() []string { return names(all.All(), uuidName[*image.Topic]) },
		child: func(name string) (node.Node, bool) {
			id, err := kbin.ParseUUID(name)
			if err != nil {
				return nil, false
			}
			topic, ok := all.Get(id)
			if !ok {
				return nil, false
			}
			return topicDir{t, topic}, true
		},
	}
}

// topicDir is a topic: its id, its name and its partitions.
type topicDir struct {
	t     *tree
	topic *image.Topic
}

// Children gives the names of the children. Most who ask only want to know whether it
// is a directory, so they are sorted when they are read.
func (d topicDir) Children() iter.Seq[string] {
	return func(yield func(string) bool) {
		out := []string{"id", "name"}
		for n := range d.topic.Numbers() {
			out = append(out, itoa(n))
		}
		slices.SortFunc(out, javatext.Compare)
		slices.Values(out)(yield)
	}
}

// Child finds a partition, the id or the name.
func (d topicDir) Child(name string) (node.Node, bool) {
	switch name {
	case "id":
		return node.File(d.topic.ID().String()), true
	case "name":
		return node.File(d.topic.Name()), true
	}
	n, ok := javatext.ParseInt(name, 32)
	if !ok {
		return nil, false
	}
	p, ok := d.topic.Partition(int32(n))
	if !ok {
		return nil, false
	}
	return partitionFile{int32(n), p}, true
}

// Content is none.
func (topicDir) Content() (string, bool) { return "", false }

// partitionFile is a partition; its text is made when it is read.
type partitionFile struct {
	n int32
	p *image.Partition
}

// Children is nil.
func (partitionFile) Children() iter.Seq[string] { return nil }

// Child finds nothing.
func (partitionFile) Child(string) (node.Node, bool) { return nil, false }

// Content is the state of the partition.
func (f partitionFile) Content() (string, bool) { return partitionText(f.p), true }

func partitionText(p *image.Partition) string {
	s := append(make([]byte, 0, 256), "PartitionRegistration(replicas="...)
	s = appendInts(s, p.Replicas)
	s = append(s, ", directories="...)
	s = appendUUIDs(s, p.Directories)
	s = append(s, ", isr="...)
	s = appendInts(s, p.ISR)
	s = append(s, ", removingReplicas="...)
	s = appendInts(s, p.RemovingReplicas)
	s = append(s, ", addingReplicas="...)
	s = appendInts(s, p.AddingReplicas)
	s = append(s, ", elr="...)
	s = appendInts(s, p.ELR)
	s = append(s, ", lastKnownElr="...)
	s = appendInts(s, p.LastKnownELR)
	state := "RECOVERED"
	if p.Recovering {
		state = "RECOVERING"
	}
	return string(s) + ", leader=" + itoa(p.Leader) + ", leaderRecoveryState=" + state +
		", leaderEpoch=" + itoa(p.LeaderEpoch) + ", partitionEpoch=" + itoa(p.PartitionEpoch) + ")"
}
