package image

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

// Leaders and changes of them in records.
const (
	NoLeader       = -1
	noLeaderChange = -2
)

// Partition is the state of a partition.
type Partition struct {
	Replicas         []int32
	Directories      []kbin.UUID // one per replica; zero where it is not known (MIGRATING)
	ISR              []int32
	RemovingReplicas []int32
	AddingReplicas   []int32
	ELR              []int32 // eligible leader replicas (KIP-966)
	LastKnownELR     []int32
	Leader           int32 // NoLeader if there is none
	LeaderEpoch      int32
	PartitionEpoch   int32
	// Recovering: the leader was elected uncleanly, and has not recovered yet.
	Recovering bool
}

// partition is a Partition as it is kept: 32 bytes, and the lists packed into a
// string, which partitions that have the same share.
//
//	lists  recovery state, then replicas, ISR, removing, adding, ELR, last known
//	       ELR: a count and the elements each, all uvarints; then the directories,
//	       16 bytes each: none if all are zero, else as many as replicas
type partition struct {
	lists                       string
	leader, leaderEpoch, epochs int32
}

// lists gives the lists of a partition in their packed order.
func (p *Partition) lists() [6]*[]int32 {
	return [...]*[]int32{&p.Replicas, &p.ISR, &p.RemovingReplicas, &p.AddingReplicas, &p.ELR, &p.LastKnownELR}
}

// appendLists packs the lists.
func (p *Partition) appendLists(dst []byte) []byte {
	state := byte(0)
	if p.Recovering {
		state = 1
	}
	dst = append(dst, state)
	for _, list := range p.lists() {
		dst = binary.AppendUvarint(dst, uint64(len(*list)))
		for _, id := range *list {
			dst = binary.AppendUvarint(dst, uint64(uint32(id)))
		}
	}
	if !allZero(p.Directories) {
		dst = kbin.AppendUUIDs(dst, p.Directories)
	}
	return dst
}

// unpack reads a partition into out, whose memory is used again.
func (p *partition) unpack(out *Partition) {
	s := p.lists
	out.Recovering = s[0] != 0
	s = s[1:]
	for _, list := range out.lists() {
		var n uint32
		n, s = uvarint(s)
		l := (*list)[:0]
		for range n {
			var id uint32
			id, s = uvarint(s)
			l = append(l, int32(id))
		}
		*list = l
	}
	out.Directories = out.Directories[:0]
	if len(s) == 0 {
		out.Directories = append(out.Directories, make([]kbin.UUID, len(out.Replicas))...)
	}
	for ; len(s) > 0; s = s[16:] {
		out.Directories = append(out.Directories, kbin.UUID([]byte(s[:16])))
	}
	out.Leader, out.LeaderEpoch, out.PartitionEpoch = p.leader, p.leaderEpoch, p.epochs
}

func uvarint(s string) (v uint32, rest string) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		b := s[i]
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v, s[i+1:]
		}
	}
}

func allZero(ids []kbin.UUID) bool {
	for i := range ids {
		if !ids[i].IsZero() {
			return false
		}
	}
	return true
}

var internSeed = maphash.MakeSeed()

// pack makes what is kept of d.scratch.
func (d *Delta) pack(p *Partition) partition {
	d.packed = p.appendLists(d.packed[:0])
	at := &d.interns[maphash.Bytes(internSeed, d.packed)%uint64(len(d.interns))]
	if *at != string(d.packed) {
		*at = string(d.packed)
	}
	return partition{lists: *at, leader: p.Leader, leaderEpoch: p.LeaderEpoch, epochs: p.PartitionEpoch}
}

func unknownTopic(m kbin.Message, id kbin.UUID) error {
	return &ReplayError{Record: m.MessageName(), Reason: "there is no topic with id " + id.String(), UnknownTopic: true}
}

// partition sets a partition, whatever it was before.
func (d *Delta) partition(m *metadata.PartitionRecord) error {
	t, ok := d.topicByID(m.TopicID)
	if !ok {
		return unknownTopic(m, m.TopicID)
	}
	if len(m.Directories) != len(m.Replicas) && !allZero(m.Directories) {
		return refuse(m, "partition %s-%d has %d replicas, but %d directories", t.name, m.PartitionID, len(m.Replicas), len(m.Directories))
	}
	p := Partition{
		Replicas: m.Replicas, Directories: m.Directories, ISR: m.ISR, RemovingReplicas: m.RemovingReplicas,
		AddingReplicas: m.AddingReplicas, ELR: m.EligibleLeaderReplicas, LastKnownELR: m.LastKnownELR,
		Leader: m.Leader, LeaderEpoch: m.LeaderEpoch, PartitionEpoch: m.PartitionEpoch,
	}
	switch m.LeaderRecoveryState {
	case 0:
	case 1:
		p.Recovering = true
	default:
		return refuse(m, "partition %s-%d has a leader recovery state of %d", t.name, m.PartitionID, m.LeaderRecoveryState)
	}
	d.setPartition(t, m.PartitionID, d.pack(&p))
	return nil
}

func (d *Delta) setPartition(t *Topic, id int32, p partition) {
	before := t.partitions.Len()
	t.partitions.Set(d.owner, id, p)
	d.img.partitions += t.partitions.Len() - before
}

// partitionChange changes what the record names; what is null in it stays. The
// partition epoch always counts, the leader epoch when the leader is named.
func (d *Delta) partitionChange(m *metadata.PartitionChangeRecord) error {
	t, ok := d.topicByID(m.TopicID)
	if !ok {
		return unknownTopic(m, m.TopicID)
	}
	old, ok := t.partitions.Get(m.PartitionID)
	if !ok {
		return refuse(m, "there is no partition %s-%d", t.name, m.PartitionID)
	}
	p := &d.scratch
	old.unpack(p)
	replicas := len(p.Replicas)
	for _, c := range [...]struct{ to, from *[]int32 }{
		{&p.Replicas, &m.Replicas}, {&p.ISR, &m.ISR}, {&p.RemovingReplicas, &m.RemovingReplicas},
		{&p.AddingReplicas, &m.AddingReplicas}, {&p.ELR, &m.EligibleLeaderReplicas}, {&p.LastKnownELR, &m.LastKnownELR},
	} {
		if *c.from != nil {
			*c.to = append((*c.to)[:0], *c.from...)
		}
	}
	switch {
	case m.Directories != nil:
		p.Directories = append(p.Directories[:0], m.Directories...)
	case len(p.Replicas) != replicas && allZero(p.Directories):
		p.Directories = p.Directories[:0]
	}
	if len(p.Directories) != len(p.Replicas) && !allZero(p.Directories) {
		return refuse(m, "partition %s-%d would have %d replicas, but %d directories", t.name, m.PartitionID, len(p.Replicas), len(p.Directories))
	}
	if m.Leader != noLeaderChange {
		p.Leader = m.Leader
		p.LeaderEpoch++
	}
	switch m.LeaderRecoveryState {
	case -1:
	case 0, 1:
		p.Recovering = m.LeaderRecoveryState == 1
	default:
		return refuse(m, "partition %s-%d: a leader recovery state of %d", t.name, m.PartitionID, m.LeaderRecoveryState)
	}
	p.PartitionEpoch++
	d.setPartition(t, m.PartitionID, d.pack(p))
	return nil
}

// clearELR forgets the eligible leader replicas of a topic, or of all if the
// record names none.
func (d *Delta) clearELR(m *metadata.ClearElrRecord) error {
	if m.TopicName != "" {
		id, ok := d.img.topicIDs.Get(m.TopicName)
		if !ok {
			return refuse(m, "there is no topic %q", m.TopicName)
		}
		d.clearELROf(id)
		return nil
	}
	var ids []kbin.UUID
	for id := range d.img.topics.All() {
		ids = append(ids, id)
	}
	for _, id := range ids {
		d.clearELROf(id)
	}
	return nil
}

func (d *Delta) clearELROf(id kbin.UUID) {
	t, _ := d.img.topics.Get(id)
	var changed []int32
	for n, p := range t.partitions.All() {
		if p.hasELR() {
			changed = append(changed, n)
		}
	}
	if len(changed) == 0 {
		return
	}
	t, _ = d.topicByID(id)
	for _, n := range changed {
		p, _ := t.partitions.Get(n)
		p.unpack(&d.scratch)
		d.scratch.ELR, d.scratch.LastKnownELR = d.scratch.ELR[:0], d.scratch.LastKnownELR[:0]
		d.scratch.PartitionEpoch++
		t.partitions.Set(d.owner, n, d.pack(&d.scratch))
	}
}

// Equal reports whether two partitions are in the same state.
func (p *Partition) Equal(q *Partition) bool {
	a, b := p.lists(), q.lists()
	for i := range a {
		if !slices.Equal(*a[i], *b[i]) {
			return false
		}
	}
	return slices.Equal(p.Directories, q.Directories) && p.Leader == q.Leader && p.LeaderEpoch == q.LeaderEpoch &&
		p.PartitionEpoch == q.PartitionEpoch && p.Recovering == q.Recovering
}

// hasDirectories reports whether a directory is known for any replica.
func (p *partition) hasDirectories() bool {
	s := p.lists[1:]
	for range 6 {
		var n uint32
		for n, s = uvarint(s); n > 0; n-- {
			_, s = uvarint(s)
		}
	}
	return len(s) > 0
}

// hasELR reports whether there are eligible or last known leader replicas.
func (p *partition) hasELR() bool {
	s := p.lists[1:]
	for list := range 6 {
		var n uint32
		if n, s = uvarint(s); n > 0 && list >= 4 {
			return true
		}
		for ; n > 0; n-- {
			_, s = uvarint(s)
		}
	}
	return false
}
