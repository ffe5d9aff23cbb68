package timeline

import (
	"context"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
)

// Recorded is a change with the record that made it.
type Recorded struct {
	image.Change
	At     image.Provenance
	Record string // kind of the record: PartitionChangeRecord
	File   string
	Pos    int64 // of the batch in the file
	// Snapshot: it is not known when this came to be, only that it was there as of
	// a snapshot.
	Snapshot bool
}

// Query says which changes are asked for.
type Query struct {
	// Prefix is how all of their paths begin: image topics byName orders. Records
	// of which none can be asked for are not read.
	Prefix []string
	// Match tells which of them are; nil: all.
	Match func(*image.Change) bool
}

// Matches tells whether a change is asked for.
func (q *Query) Matches(c *image.Change) bool {
	n := min(len(q.Prefix), len(c.Path))
	return slices.Equal(q.Prefix[:n], c.Path[:n]) && (n == len(q.Prefix)) && (q.Match == nil || q.Match(c))
}

// History visits the changes that the files still know of, in the order of the log.
// What aborted transactions wrote is no change. The problems are those of State.
func (t *Timeline) History(ctx context.Context, q Query, visit func(*Recorded) error) ([]Problem, error) {
	b := newBuilder(t)
	k := newTracker(b, q, visit)
	b.walk.wanted = q.wanted()
	if !t.IsDir() {
		_, _, err := b.walk.snapshot(ctx, t.path, nil, k.visit)
		return b.list, err
	}
	if err := b.begin(ctx, t.earliest()); err != nil {
		return nil, err
	}
	if err := k.loaded(); err != nil {
		return nil, err
	}
	err := b.logWith(ctx, Latest, k.visit)
	return b.list, err
}

// earliest is the offset of the first snapshot behind which the log goes on.
func (t *Timeline) earliest() int64 {
	from := int64(Latest)
	if s := t.files.Segments; len(s) > 0 {
		from = s[0].BaseOffset
	}
	for _, s := range t.files.Snapshots {
		if s.EndOffset >= from || from == Latest {
			return s.EndOffset - 1
		}
	}
	return Latest
}

// tracker finds out what each record has changed.
type tracker struct {
	b      *builder
	q      Query
	emit   func(*Recorded) error
	before *image.Image
	// began is what counted when the tracker began in the middle of a transaction:
	// what that has changed so far is told at its end.
	began *image.Image
	// pending are the changes of a transaction that has not ended.
	pending []Recorded
}

func newTracker(b *builder, q Query, emit func(*Recorded) error) *tracker {
	return &tracker{b: b, q: q, emit: emit, before: image.Empty()}
}

// loaded takes what a snapshot has brought as changes that came with it.
func (k *tracker) loaded() error {
	after := k.b.loader.Image()
	at := after.Provenance()
	for c := range image.Diff(k.before, after) {
		if !k.q.Matches(&c) {
			continue
		}
		if err := k.emit(&Recorded{Change: c, At: at, Record: "snapshot", File: k.b.state.Snapshot, Pos: -1, Snapshot: true}); err != nil {
			return err
		}
	}
	k.before = after
	return nil
}

// visit applies a record and tells what it has changed.
func (k *tracker) visit(e *Entry) error {
	if err := k.b.visit(e); err != nil || e.IsControl || e.Err != nil {
		return err
	}
	switch e.Frame.Message.(type) {
	case *metadata.NoOpRecord:
		return nil
	case *metadata.BeginTransactionRecord:
		return nil
	case *metadata.AbortTransactionRecord:
		k.before, k.began, k.pending = k.b.loader.Working(), nil, nil
		return nil
	case *metadata.EndTransactionRecord:
		if k.began != nil {
			k.before, k.began, k.pending = k.began, nil, nil
			break
		}
		for i := range k.pending {
			if err := k.emit(&k.pending[i]); err != nil {
				return err
			}
		}
		k.pending = nil
		return nil
	}
	after := k.b.loader.Working()
	for c := range image.Diff(k.before, after) {
		if !k.q.Matches(&c) {
			continue
		}
		r := Recorded{Change: c, At: e.At, Record: e.Frame.Message.MessageName(), File: e.File, Pos: e.Pos, Snapshot: e.Snapshot}
		if k.b.loader.Open() {
			k.pending = append(k.pending, r)
			continue
		}
		if err := k.emit(&r); err != nil {
			return err
		}
	}
	k.before = after
	return nil
}

// always are the records that are read whatever is asked for: they tell what counts.
var always = []int16{metadata.KeyBeginTransactionRecord, metadata.KeyEndTransactionRecord, metadata.KeyAbortTransactionRecord, metadata.KeyFeatureLevelRecord}

// makers are the records that change what is below a directory.
var makers = map[string][]int16{
	"features":        {metadata.KeyZkMigrationStateRecord},
	"acls":            {metadata.KeyAccessControlEntryRecord, metadata.KeyRemoveAccessControlEntryRecord},
	"clientQuotas":    {metadata.KeyClientQuotaRecord},
	"configs":         {metadata.KeyConfigRecord, metadata.KeyTopicRecord, metadata.KeyRemoveTopicRecord},
	"delegationToken": {metadata.KeyDelegationTokenRecord, metadata.KeyRemoveDelegationTokenRecord},
	"producerIds":     {metadata.KeyProducerIdsRecord},
	"scram":           {metadata.KeyUserScramCredentialRecord, metadata.KeyRemoveUserScramCredentialRecord},
	"topics": {metadata.KeyTopicRecord, metadata.KeyRemoveTopicRecord, metadata.KeyPartitionRecord,
		metadata.KeyPartitionChangeRecord, metadata.KeyClearElrRecord},
	"cluster": {metadata.KeyRegisterBrokerRecord, metadata.KeyUnregisterBrokerRecord, metadata.KeyBrokerRegistrationChangeRecord,
		metadata.KeyFenceBrokerRecord, metadata.KeyUnfenceBrokerRecord, metadata.KeyRegisterControllerRecord, metadata.KeyUnregisterControllerRecord},
}

// wanted tells by its first bytes whether a record may have to do with what is asked
// for. A million partitions of other topics are passed over so.
func (q *Query) wanted() func(value []byte) bool {
	if len(q.Prefix) < 2 {
		return nil
	}
	var keys [128]bool
	for _, list := range [][]int16{always, makers[q.Prefix[1]]} {
		for _, k := range list {
			keys[k] = true
		}
	}
	var name string
	if len(q.Prefix) > 3 && q.Prefix[1] == "topics" && q.Prefix[2] == "byName" {
		name = q.Prefix[3]
	}
	topics := map[kbin.UUID]bool{} // those that had the name
	decoder := decode.NewMetadataDecoder()
	return func(v []byte) bool {
		if len(v) < 3 || v[0] != decode.FrameVersion || v[1] >= 0x80 || v[2] >= 0x80 {
			return true // it is told as a problem
		}
		key := int16(v[1])
		if !keys[key] {
			return false
		}
		if name == "" {
			return true
		}
		switch key {
		case metadata.KeyTopicRecord:
			f, err := decoder.Decode(v)
			if err != nil {
				return true
			}
			if m := f.Message.(*metadata.TopicRecord); m.Name == name {
				topics[m.TopicID] = true
				return true
			}
			return false
		case metadata.KeyPartitionRecord, metadata.KeyPartitionChangeRecord:
			// frame, int32 partition, uuid topic
			return len(v) < 23 || topics[kbin.UUID(v[7:23])]
		case metadata.KeyRemoveTopicRecord:
			return len(v) < 19 || topics[kbin.UUID(v[3:19])]
		case metadata.KeyClearElrRecord:
			f, err := decoder.Decode(v)
			if err != nil {
				return true
			}
			cleared := f.Message.(*metadata.ClearElrRecord).TopicName
			return cleared == "" || cleared == name
		}
		return true
	}
}
