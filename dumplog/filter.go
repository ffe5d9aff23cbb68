package dumplog

import (
	"bytes"
	"math"

	"kraftctl/decode"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
)

// Filter chooses batches and records. NewFilter gives one that chooses
// everything; its zero value chooses offset 0 of 1970.
type Filter struct {
	FirstOffset, LastOffset int64 // both included
	Since, Until            int64 // milliseconds since the epoch, both included
	Key                     []byte
	HasKey                  bool
	// Types are names of metadata records (TOPIC_RECORD), coordinator records
	// (OffsetCommit) and control records (LEADER_CHANGE), or others that CheckType
	// knows.
	Types []string
	// Topic chooses what is about a topic, by its name or its id.
	Topic string
	// ProducerID chooses batches of one producer.
	ProducerID    int64
	HasProducerID bool
	OnlyInvalid   bool
}

// NewFilter gives a filter that chooses everything.
func NewFilter() Filter {
	return Filter{FirstOffset: math.MinInt64, LastOffset: math.MaxInt64, Since: math.MinInt64, Until: math.MaxInt64}
}

// byRecord reports whether single records have to be looked at.
func (f *Filter) byRecord() bool {
	return f.HasKey || len(f.Types) > 0 || f.Topic != "" || f.byRange()
}

func (f *Filter) byRange() bool {
	return f.FirstOffset != math.MinInt64 || f.LastOffset != math.MaxInt64 || f.byTime()
}

func (f *Filter) byTime() bool { return f.Since != math.MinInt64 || f.Until != math.MaxInt64 }

func (f *Filter) all() bool { return !f.byRecord() && !f.HasProducerID && !f.OnlyInvalid }

// filter is a Filter at work. Each worker has its own, as it decodes records.
type filter struct {
	*Filter
	topic    *topicSet
	meta     *decode.FrameDecoder
	coord    *decode.CoordinatorDecoder
	contents recordContents // knows the names of types
	wanted   []string       // Types as typeKey gives them
}

// newFilter makes the filter of one worker; topic may be nil.
func newFilter(f *Filter, d Decoder, topic *topicSet) *filter {
	if f == nil || f.all() {
		return nil
	}
	w := &filter{Filter: f, topic: topic}
	switch d {
	case DecodeMetadata:
		w.meta, w.contents.name = decode.NewMetadataDecoder(), metadata.TypeName
	case DecodeRemoteLog:
		w.meta, w.contents.name = decode.NewRemoteLogDecoder(), remotelog.TypeName
	case DecodeOffsets:
		w.coord, w.contents.name = decode.NewOffsetsDecoder(), coordinator.Group.Name
	case DecodeTransactions:
		w.coord, w.contents.name = decode.NewTransactionDecoder(), coordinator.Transaction.Name
	case DecodeShareGroupState:
		w.coord, w.contents.name = decode.NewShareDecoder(), coordinator.Share.Name
	}
	for _, t := range f.Types {
		w.wanted = append(w.wanted, typeKey(t))
	}
	return w
}

// chooses reports whether a batch is only shown for the sake of its records.
func (f *filter) chooses() bool { return f.byRecord() }

// batch reports whether a batch can hold anything of interest. Headers are
// trusted where the checksum is right. Control batches and old messages are
// looked into: there are few of them, and their headers say less.
func (f *filter) batch(b *decode.Batch, valid bool) bool {
	switch {
	case f.OnlyInvalid && valid:
		return false
	case f.HasProducerID && b.ProducerID != f.ProducerID:
		return false
	case f.topic != nil && f.topic.learning:
		return true
	case !valid || b.Magic < 2 || b.IsControl():
		return true
	case b.LastOffset() < f.FirstOffset || b.BaseOffset > f.LastOffset:
		return false
	}
	return b.MaxTimestamp >= f.Since // the largest timestamp of the batch
}

// record reports whether a record is of interest.
func (f *filter) record(b *decode.Batch, r *decode.Record) bool {
	if f.topic != nil && f.topic.learning && f.meta != nil && !b.IsControl() {
		f.topic.learn(f.meta, r)
	}
	switch {
	case r.Offset < f.FirstOffset || r.Offset > f.LastOffset:
		return false
	case f.byTime() && (b.Magic == 0 || r.Timestamp == noTimestamp):
		return false
	case r.Timestamp < f.Since || r.Timestamp > f.Until:
		return false
	case f.HasKey && (b.IsControl() || !bytes.Equal(r.Key, f.Key)):
		return false
	}
	if len(f.Types) == 0 && f.Topic == "" {
		return true
	}
	name, message := f.decode(b, r)
	if len(f.Types) > 0 && !f.ofType(name, r.Value == nil && !b.IsControl()) {
		return false
	}
	if f.Topic == "" {
		return true
	}
	about := f.topic.about(message)
	if about && !f.topic.matched.Load() {
		f.topic.matched.Store(true)
	}
	return about
}

// noTimestamp is the timestamp of a record that has none.
const noTimestamp = -1

// decode gives the name of a record's type, as a Summary counts it, and its
// message: the value of a metadata record, the key of a coordinator's.
func (f *filter) decode(b *decode.Batch, r *decode.Record) (string, kbin.Message) {
	switch {
	case b.IsControl():
		t, id, fault := decode.ParseControlKey(r.Key)
		if fault != nil {
			return unreadableType, nil
		}
		if t == decode.NotControl {
			return typeName("", id), nil
		}
		return t.String(), nil
	case f.meta != nil:
		frame, err := f.meta.Decode(r.Value)
		if err != nil {
			return f.contents.unreadable(err, frame.APIKey), frame.Message
		}
		return typeName(f.contents.name(frame.APIKey), frame.APIKey), frame.Message
	case f.coord != nil:
		c, err := f.coord.Decode(r)
		if err != nil {
			return f.contents.unreadable(err, c.Type), c.Key
		}
		return typeName(f.contents.name(c.Type), c.Type), c.Key
	case r.Value == nil:
		return typeTombstone, nil
	}
	return typeData, nil
}
