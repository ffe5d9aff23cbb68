package dumplog

import (
	"bytes"
	"math"
	"strings"

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
	// (OffsetCommit) and control records (LEADER_CHANGE).
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
	return f.FirstOffset != math.MinInt64 || f.LastOffset != math.MaxInt64 ||
		f.Since != math.MinInt64 || f.Until != math.MaxInt64
}

func (f *Filter) all() bool { return !f.byRecord() && !f.HasProducerID && !f.OnlyInvalid }

// filter is a Filter at work. Each worker has its own, as it decodes records.
type filter struct {
	*Filter
	topic  *topicSet
	meta   *decode.FrameDecoder
	types  func(apiKey int16) string // names of meta's records
	coord  *decode.CoordinatorDecoder
	groups coordinator.Registry
}

// newFilter makes the filter of one worker; topic may be nil.
func newFilter(f *Filter, d Decoder, topic *topicSet) *filter {
	if f == nil || f.all() {
		return nil
	}
	w := &filter{Filter: f, topic: topic}
	switch d {
	case DecodeMetadata:
		w.meta, w.types = decode.NewMetadataDecoder(), metadata.TypeName
	case DecodeRemoteLog:
		w.meta, w.types = decode.NewRemoteLogDecoder(), remotelog.TypeName
	case DecodeOffsets:
		w.coord, w.groups = decode.NewOffsetsDecoder(), coordinator.Group
	case DecodeTransactions:
		w.coord, w.groups = decode.NewTransactionDecoder(), coordinator.Transaction
	case DecodeShareGroupState:
		w.coord, w.groups = decode.NewShareDecoder(), coordinator.Share
	}
	return w
}

// chooses reports whether a batch is only shown for the sake of its records.
func (f *filter) chooses() bool { return f.byRecord() }

// batch reports whether a batch can hold anything of interest.
func (f *filter) batch(b *decode.Batch, valid bool) bool {
	switch {
	case f.OnlyInvalid && valid:
		return false
	case f.HasProducerID && b.ProducerID != f.ProducerID:
		return false
	case b.LastOffset() < f.FirstOffset:
		return false
	case b.Magic >= 2 && b.BaseOffset > f.LastOffset:
		return false
	case valid && b.Magic >= 1 && b.MaxTimestamp < f.Since:
		return false // the largest timestamp of the batch
	}
	return true
}

// record reports whether a record is of interest.
func (f *filter) record(b *decode.Batch, r *decode.Record) bool {
	switch {
	case r.Offset < f.FirstOffset || r.Offset > f.LastOffset:
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
	if len(f.Types) > 0 && !containsFold(f.Types, name) {
		return false
	}
	return f.Topic == "" || f.topic.about(message)
}

// decode gives the name of a record's type and its message: the value of a
// metadata record, the key of a coordinator's.
func (f *filter) decode(b *decode.Batch, r *decode.Record) (string, kbin.Message) {
	if b.IsControl() {
		t, _, _ := decode.ParseControlKey(r.Key)
		return t.String(), nil
	}
	switch {
	case f.meta != nil:
		frame, _ := f.meta.Decode(r.Value) // a damaged record has no type
		if frame.Message == nil {
			return "", nil
		}
		return f.types(frame.APIKey), frame.Message
	case f.coord != nil:
		c, _ := f.coord.Decode(r)
		return f.groups.Name(c.Type), c.Key
	}
	return "", nil
}

func containsFold(names []string, name string) bool {
	for _, n := range names {
		if name != "" && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}
