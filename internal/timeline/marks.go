package timeline

import (
	"context"
	"math"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
)

// Mark tells where something came to be and where it was changed last.
type Mark struct {
	// Created and Changed are the places of the first and of the last record about
	// it. For what a snapshot begins with they are the end of that snapshot: no
	// file says when it really was.
	Created, Changed image.Provenance
	// Changes is how many batches have changed it since it was created.
	Changes int
	// Snapshot: it was there before the first record that could be read.
	Snapshot bool
}

// Tally tells how the number of things of a kind came about.
type Tally struct {
	// Changes is how many were created, and how many of those were deleted again.
	Changes int
	// Last is the place of the last one that was.
	Last image.Provenance
}

// Marks tell of everything that the metadata has at an offset where it came from:
// as far back as the files go, not only to the snapshot that the state begins with.
// What was deleted and came back is new, and so is a broker or controller that
// registers anew. A record of a metadata transaction has its own place, although
// it counts from the end of the transaction on; if that is aborted, it never was.
//
// Marks are kept small: 48 bytes for each of what may be a million partitions.
type Marks struct {
	topics  map[kbin.UUID]*topicMarks
	others  map[entity]*mark // behind pointers: a map would take over the name it is asked by
	tallies [kinds]Tally

	leader *Leader
	blocks image.ProducerIDs
	end    int64

	// Only while reading:
	batchFile string
	batchPos  int64
	batch     int64 // offset of the first record of the batch at hand
	journal   []step
	cleared   []entity // partitions whose ELR the record at hand clears
	removed   string   // the topic that it removes
}

// kind is what an entity is.
type kind uint8

const (
	topicKind kind = iota
	partitionKind
	brokerKind
	controllerKind
	configKind
	quotaKind
	scramKind
	aclKind
	tokenKind
	featureKind
	producerKind
	kinds
)

// entity tells apart what has a mark. Which fields count depends on the kind.
type entity struct {
	kind   kind
	number int32
	id     kbin.UUID
	name   string
}

// mark is a Mark as it is kept.
type mark struct {
	created, createdTime       int64
	changed, changedTime       int64
	createdEpoch, changedEpoch int32
	changes                    uint32
	snapshot                   bool
}

// topicMarks are those of a topic and its partitions. Partitions nearly always come
// in the order of their numbers; those that do not are kept apart.
type topicMarks struct {
	mark
	partitions []mark
	odd        map[int32]mark
}

// verb is what a record does with an entity.
type verb uint8

const (
	touch  verb = iota // it is changed, or created if there is none
	create             // it is created, also in place of one that is there
	drop               // it is deleted
)

// step is what a record does, kept until the transaction that it is in has ended.
type step struct {
	entity   entity
	verb     verb
	at       image.Provenance
	batch    int64
	snapshot bool
}

func newMarks() *Marks {
	return &Marks{topics: map[kbin.UUID]*topicMarks{}, others: map[entity]*mark{}, batchPos: -1, batch: math.MinInt64}
}

// reset forgets all metadata, as the loader does.
func (m *Marks) reset() {
	clear(m.topics)
	clear(m.others)
	m.tallies, m.journal = [kinds]Tally{}, nil
}

// Marks tells where everything in the metadata as of an offset came from. It reads
// all that the files hold up to that offset, which takes longer than At.
func (t *Timeline) Marks(ctx context.Context, offset int64) (*Marks, error) {
	b := newBuilder(t)
	b.marks = newMarks()
	if !t.IsDir() {
		if _, err := b.single(ctx, offset); err != nil {
			return nil, err
		}
		return b.finishMarks(), nil
	}
	oldest, ok := t.oldest(offset)
	if ok {
		if err := b.load(ctx, oldest, offset); err != nil {
			return nil, err
		}
		if err := b.log(ctx, offset); err != nil {
			return nil, err
		}
		ok = !t.snapshotIn(b.state.End, offset)
	}
	if !ok { // The log cannot be read that far: what At stands on is all there is.
		b = newBuilder(t)
		b.marks = newMarks()
		if err := b.begin(ctx, offset); err != nil {
			return nil, err
		}
		if err := b.log(ctx, offset); err != nil {
			return nil, err
		}
	}
	return b.finishMarks(), nil
}

// finishMarks gives what was gathered.
func (b *builder) finishMarks() *Marks {
	m := b.marks
	m.leader, m.blocks, m.end = b.state.Leader, b.loader.Image().ProducerIDs(), b.state.End
	m.journal, m.cleared = nil, nil // an open transaction does not count
	return m
}

// oldest lists the snapshots behind which all of the log is still there, oldest
// first: where it begins at 0, only what the node was formatted with. It is not ok
// if the log does not go as far as the offset.
func (t *Timeline) oldest(offset int64) (list []metalog.Snapshot, ok bool) {
	segments := t.files.Segments
	if len(segments) == 0 || segments[0].BaseOffset > offset {
		return nil, false
	}
	first := segments[0].BaseOffset
	for _, s := range t.files.Snapshots {
		if s.EndOffset >= first && s.EndOffset-1 <= offset && (first > 0 || s.EndOffset == 0) {
			list = append(list, s)
		}
	}
	return list, first == 0 || len(list) > 0
}

// snapshotIn reports whether a snapshot goes further than what was read.
func (t *Timeline) snapshotIn(end, offset int64) bool {
	for _, s := range t.files.Snapshots {
		if s.EndOffset > end && s.EndOffset-1 <= offset {
			return true
		}
	}
	return false
}

// apply does a step.
func (m *Marks) apply(s *step) {
	x := s.entity
	switch x.kind {
	case topicKind:
		t, there := m.topics[x.id]
		switch {
		case s.verb == drop:
			delete(m.topics, x.id)
		case there && s.verb == touch:
			t.touch(s)
			return
		default:
			m.topics[x.id] = &topicMarks{mark: s.born()}
		}
		m.count(s, there)
	case partitionKind:
		if t, ok := m.topics[x.id]; ok {
			t.partition(s)
		}
	default:
		old, there := m.others[x]
		switch {
		case s.verb == drop:
			delete(m.others, x)
		case there && s.verb == touch:
			old.touch(s)
			return
		default:
			x.name = strings.Clone(x.name)
			born := s.born()
			m.others[x] = &born
		}
		m.count(s, there)
	}
}

// count counts what comes and goes; there: the entity was there before.
func (m *Marks) count(s *step, there bool) {
	t := &m.tallies[s.entity.kind]
	if s.verb == drop && !there {
		return
	}
	t.Changes++
	if s.verb == create && there {
		t.Changes++ // the one that was there is gone
	}
	t.Last = s.at
}

// born is the mark of what a step creates.
func (s *step) born() mark {
	return mark{
		created: s.at.Offset, createdTime: s.at.Time, createdEpoch: s.at.Epoch,
		changed: s.at.Offset, changedTime: s.at.Time, changedEpoch: s.at.Epoch, snapshot: s.snapshot,
	}
}

// touch notes a change. Records of one batch are one change.
func (k *mark) touch(s *step) {
	if k.changed < s.batch && k.changes < math.MaxUint32 {
		k.changes++
	}
	k.changed, k.changedTime, k.changedEpoch = s.at.Offset, s.at.Time, s.at.Epoch
}

// partition notes a change of a partition.
func (t *topicMarks) partition(s *step) {
	n := s.entity.number
	switch {
	case n >= 0 && int(n) < len(t.partitions):
		t.partitions[n].touch(s)
	case int(n) == len(t.partitions):
		if k, ok := t.odd[n]; ok {
			k.touch(s)
			t.odd[n] = k
			return
		}
		t.partitions = append(t.partitions, s.born())
	default:
		k, ok := t.odd[n]
		if ok {
			k.touch(s)
		} else {
			k = s.born()
		}
		if t.odd == nil {
			t.odd = map[int32]mark{}
		}
		t.odd[n] = k
	}
}

func (k *mark) export() Mark {
	return Mark{
		Created:  image.Provenance{Offset: k.created, Epoch: k.createdEpoch, Time: k.createdTime},
		Changed:  image.Provenance{Offset: k.changed, Epoch: k.changedEpoch, Time: k.changedTime},
		Changes:  int(k.changes),
		Snapshot: k.snapshot,
	}
}
