package zookeeper

import (
	"iter"
	"strconv"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
	"kraftctl/internal/javahash"
)

// topics is /brokers/topics.
func (t *Tree) topics() *znode {
	return &znode{
		list: inOrder(t.topicNames),
		find: func(name string) *znode {
			topic, ok := t.topicAt(name)
			if !ok {
				return nil
			}
			return t.topic(topic)
		},
		count: t.image.TopicIDs().Len,
		life:  t.topicsLife,
	}
}

// topicsLife is that of the directories that have a node for each topic.
func (t *Tree) topicsLife() life {
	l := unborn(t.image.TopicIDs().Len())
	if m := t.marks(); m != nil {
		n := m.Topics()
		l.cversion, l.children = n.Changes, n.Last
	}
	return l
}

func (t *Tree) topicNames(yield func(string) bool) {
	for name := range t.image.TopicIDs().All() {
		if !yield(EscapeName(name)) {
			return
		}
	}
}

// topicAt finds a topic by the component that stands for its name.
func (t *Tree) topicAt(component string) (*image.Topic, bool) {
	name, ok := UnescapeName(component)
	if !ok {
		return nil, false
	}
	return t.image.Topic(name)
}

// topic is /brokers/topics/T.
func (t *Tree) topic(topic *image.Topic) *znode {
	z := fixed(entry{"partitions", func() *znode { return t.partitions(topic) }})
	z.data = func(dst []byte) []byte { return appendTopic(dst, topic) }
	z.life = func() life {
		l := unborn(1)
		if m := t.marks(); m != nil {
			if k, ok := m.Topic(topic.ID()); ok {
				l.created, l.children, l.changed, l.version = k.Created, k.Created, k.Changed, k.Changes
			}
		}
		return l
	}
	return z
}

// assignment gathers members of a JSON object, partitions and a list of brokers
// each, whose order is known only when all are there.
type assignment struct {
	text   []byte
	ends   []int
	hashes []uint32
}

func (a *assignment) add(partition int32, brokers []int32) {
	at := len(a.text) + 1
	a.text = append(a.text, '"')
	a.text = jsonw.AppendInt(a.text, int64(partition))
	a.hashes = append(a.hashes, javahash.String(string(a.text[at:])))
	a.text = append(a.text, '"', ':')
	a.text = jsonw.AppendInt32s(a.text, brokers)
	a.ends = append(a.ends, len(a.text))
}

// appendTo appends the object, with its keys in the order of a mutable map.
func (a *assignment) appendTo(dst []byte) []byte {
	dst = append(dst, '{')
	for _, i := range javahash.Mutable(a.hashes, 0) {
		dst = jsonw.Comma(dst)
		start := 0
		if i > 0 {
			start = a.ends[i-1]
		}
		dst = append(dst, a.text[start:a.ends[i]]...)
	}
	return append(dst, '}')
}

// appendTopic appends the document of a topic, in version 3. During a reassignment
// replicas are all of them: those that are wanted, and behind them those that will
// be removed.
func appendTopic(dst []byte, topic *image.Topic) []byte {
	var replicas, adding, removing assignment
	for n, p := range topic.Partitions() {
		replicas.add(n, p.Replicas)
		if len(p.AddingReplicas) > 0 {
			adding.add(n, p.AddingReplicas)
		}
		if len(p.RemovingReplicas) > 0 {
			removing.add(n, p.RemovingReplicas)
		}
	}
	dst = append(dst, `{"partitions":`...)
	dst = replicas.appendTo(dst)
	dst = append(dst, `,"topic_id":`...)
	dst = jsonw.AppendUUID(dst, topic.ID())
	dst = append(dst, `,"adding_replicas":`...)
	dst = adding.appendTo(dst)
	dst = append(dst, `,"removing_replicas":`...)
	dst = removing.appendTo(dst)
	return append(dst, `,"version":3}`...)
}

// partitions is /brokers/topics/T/partitions. Partitions only come: as many changes
// of the directory as there are of them.
func (t *Tree) partitions(topic *image.Topic) *znode {
	return &znode{
		list: partitionNames(topic),
		find: func(name string) *znode {
			n, ok := number(name)
			if !ok {
				return nil
			}
			p, ok := topic.Partition(n)
			if !ok {
				return nil
			}
			return t.partition(topic.ID(), n, p)
		},
		count: topic.Len,
		life: func() life {
			l := unborn(topic.Len())
			if m := t.marks(); m != nil {
				if k, ok := m.Topic(topic.ID()); ok {
					l.created, l.changed, l.children = k.Created, k.Created, k.Created
				}
				if k, ok := m.Partition(topic.ID(), lastOf(topic)); ok {
					l.children = k.Created
				}
			}
			return l
		},
	}
}

// lastOf is the highest number of a partition, -1 if there is none.
func lastOf(topic *image.Topic) int32 {
	last := int32(-1)
	for n := range topic.Numbers() {
		last = n
	}
	return last
}

// partitionNames gives the numbers of a topic's partitions in the order of strings.
func partitionNames(topic *image.Topic) iter.Seq[string] {
	return inOrder(func(yield func(string) bool) {
		for n := range topic.Numbers() {
			if !yield(strconv.Itoa(int(n))) {
				return
			}
		}
	})
}

// partition is /brokers/topics/T/partitions/P.
func (t *Tree) partition(topic kbin.UUID, n int32, p *image.Partition) *znode {
	lives := func() (created, changed image.Provenance) {
		created, changed = nowhere, nowhere
		if m := t.marks(); m != nil {
			if k, ok := m.Partition(topic, n); ok {
				created, changed = k.Created, k.Changed
			}
		}
		return created, changed
	}
	z := fixed(entry{"state", func() *znode {
		return leaf(func(dst []byte) []byte {
			_, changed := lives()
			if changed == nowhere {
				changed = t.image.Provenance()
			}
			return appendState(dst, p, changed.Epoch)
		}, func() life {
			// In ZooKeeper mode the partition epoch was the version of this node.
			created, changed := lives()
			return life{created: created, changed: changed, children: created, version: int(p.PartitionEpoch)}
		})
	}})
	z.life = func() life {
		created, _ := lives()
		return life{created: created, changed: created, children: created, cversion: 1}
	}
	return z
}

// appendState appends the document of a partition's state. The controller epoch is
// that of the leader of the quorum who wrote the partition's last record.
func appendState(dst []byte, p *image.Partition, controllerEpoch int32) []byte {
	dst = append(dst, `{"controller_epoch":`...)
	dst = jsonw.AppendInt(dst, int64(controllerEpoch))
	dst = append(dst, `,"leader":`...)
	dst = jsonw.AppendInt(dst, int64(p.Leader))
	dst = append(dst, `,"version":1`...)
	if p.Recovering {
		dst = append(dst, `,"leader_recovery_state":1`...)
	}
	dst = append(dst, `,"leader_epoch":`...)
	dst = jsonw.AppendInt(dst, int64(p.LeaderEpoch))
	dst = append(dst, `,"isr":`...)
	dst = jsonw.AppendInt32s(dst, p.ISR)
	return append(dst, '}')
}
