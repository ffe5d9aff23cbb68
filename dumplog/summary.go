package dumplog

import (
	"math"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
)

// maxListed is how many producers, open transactions, leader epochs and record
// types a Summary lists; the rest are counted.
const maxListed = 1000

// Summary is what a segment, a snapshot, or several of them hold. Numbers are
// -1 where there are none.
//
// Of a batch with a wrong checksum only Batches, InvalidBatches and Bytes
// speak, and its records as far as they can be read: nothing else in it can be
// trusted.
type Summary struct {
	File  string `json:"file"`
	Files int    `json:"files"`
	// FileBytes are those of the whole files, with what is no batch; nil when
	// they are not known, as of streams and compressed copies.
	FileBytes *int64 `json:"fileBytes"`

	FirstOffset    int64 `json:"firstOffset"` // the lowest
	LastOffset     int64 `json:"lastOffset"`  // the highest
	FirstTimestamp int64 `json:"firstTimestamp"`
	LastTimestamp  int64 `json:"lastTimestamp"` // milliseconds since the epoch

	Batches        int64 `json:"batches"`        // all
	DataBatches    int64 `json:"dataBatches"`    // with records of data
	ControlBatches int64 `json:"controlBatches"` // with control records
	EmptyBatches   int64 `json:"emptyBatches"`   // left by compaction, without records
	InvalidBatches int64 `json:"invalidBatches"` // wrong checksum; in one of the above as well
	Bytes          int64 `json:"bytes"`          // of all batches

	// Records are those that were read, or when none were, those that the
	// batches declare. RecordsRead tells the two apart.
	Records     int64 `json:"records"`
	RecordsRead bool  `json:"recordsRead"`

	Codecs []CodecSummary `json:"codecs"`

	// Producers are the idempotent and transactional ones (KIP-98) by id and
	// epoch, in the order in which they appear.
	Producers []ProducerSummary `json:"producers"`
	// ProducerCount is how many there are; at least so many when
	// MoreProducers is set.
	ProducerCount int64 `json:"producerCount"`
	MoreProducers bool  `json:"moreProducers"`
	// OtherBatches and OtherRecords are those of the producers not listed.
	OtherBatches int64 `json:"otherBatches"`
	OtherRecords int64 `json:"otherRecords"`

	// Transactions that ended are counted by their markers, so those without
	// data here count too. An open one has data behind its producer's last marker.
	Committed        int64             `json:"committed"`
	Aborted          int64             `json:"aborted"`
	OpenCount        int64             `json:"openCount"`
	MoreOpen         bool              `json:"moreOpen"` // OpenCount is at least so many
	OpenTransactions []OpenTransaction `json:"openTransactions"`

	// LeaderEpochs are in the order in which they appear.
	LeaderEpochs []EpochSummary `json:"leaderEpochs"`
	// EpochCount is how many there are; at least so many when MoreEpochs is set.
	EpochCount int64 `json:"epochCount"`
	MoreEpochs bool  `json:"moreEpochs"`

	// Types are known when records were read.
	Types []TypeSummary `json:"types"`

	total *summaryCollector
}

// CodecSummary is what was compressed in one way.
type CodecSummary struct {
	Codec   string `json:"codec"`
	Batches int64  `json:"batches"`
	// CompressedBytes are those of the records as they are in the file.
	CompressedBytes int64 `json:"compressedBytes"`
	// RawBytes are those of the records before compression, -1 when not all
	// of the codec's batches were read whole.
	RawBytes int64 `json:"rawBytes"`
}

// Ratio is how much smaller compression made the records, 0 when not known.
func (c *CodecSummary) Ratio() float64 {
	if c.RawBytes < 0 || c.CompressedBytes <= 0 {
		return 0
	}
	return float64(c.RawBytes) / float64(c.CompressedBytes)
}

// ProducerSummary is what one producer wrote in one epoch.
type ProducerSummary struct {
	ProducerID    int64 `json:"producerId"`
	ProducerEpoch int16 `json:"producerEpoch"`
	Batches       int64 `json:"batches"` // without control batches
	Records       int64 `json:"records"` // as declared by the batches
	FirstSequence int32 `json:"firstSequence"`
	LastSequence  int32 `json:"lastSequence"`
	Transactional bool  `json:"transactional"`
}

// OpenTransaction is a transaction without an end.
type OpenTransaction struct {
	ProducerID    int64 `json:"producerId"`
	ProducerEpoch int16 `json:"producerEpoch"`
	FirstOffset   int64 `json:"firstOffset"`
}

// EpochSummary is a leader epoch and the first offset written in it.
type EpochSummary struct {
	Epoch       int32 `json:"epoch"`
	FirstOffset int64 `json:"firstOffset"`
}

// TypeSummary counts the records of one type: the name of a metadata record
// (TOPIC_RECORD), of a coordinator's (OffsetCommit), of a control record
// (COMMIT), or data and tombstone where there is no decoder.
type TypeSummary struct {
	Type       string `json:"type"`
	Records    int64  `json:"records"`
	Tombstones int64  `json:"tombstones"` // of these, without a value
	Bytes      int64  `json:"bytes"`      // of keys, values and headers
}

// AppendJSON appends the summary as one object, without an end of line.
func (s *Summary) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"kind":"summary","file":`...)
	dst = jsonw.AppendString(dst, s.File)
	dst = append(appendInts(dst, "files", int64(s.Files)), `,"fileBytes":`...)
	if s.FileBytes == nil {
		dst = append(dst, "null"...)
	} else {
		dst = jsonw.AppendInt(dst, *s.FileBytes)
	}
	dst = appendInts(dst, "firstOffset", s.FirstOffset, "lastOffset", s.LastOffset,
		"firstTimestamp", s.FirstTimestamp, "lastTimestamp", s.LastTimestamp,
		"batches", s.Batches, "dataBatches", s.DataBatches, "controlBatches", s.ControlBatches,
		"emptyBatches", s.EmptyBatches, "invalidBatches", s.InvalidBatches, "bytes", s.Bytes,
		"records", s.Records)
	dst = append(dst, `,"recordsRead":`...)
	dst = jsonw.AppendBool(dst, s.RecordsRead)

	dst = append(dst, `,"codecs":[`...)
	for i := range s.Codecs {
		c := &s.Codecs[i]
		dst = append(separate(dst, i), `{"codec":`...)
		dst = jsonw.AppendString(dst, c.Codec)
		dst = appendInts(dst, "batches", c.Batches, "compressedBytes", c.CompressedBytes, "rawBytes", c.RawBytes)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"producers":[`...)
	for i := range s.Producers {
		p := &s.Producers[i]
		dst = append(separate(dst, i), `{"producerId":`...)
		dst = jsonw.AppendInt(dst, p.ProducerID)
		dst = appendInts(dst, "producerEpoch", int64(p.ProducerEpoch), "batches", p.Batches, "records", p.Records,
			"firstSequence", int64(p.FirstSequence), "lastSequence", int64(p.LastSequence))
		dst = append(dst, `,"transactional":`...)
		dst = append(jsonw.AppendBool(dst, p.Transactional), '}')
	}
	dst = append(dst, ']')
	dst = appendInts(dst, "producerCount", s.ProducerCount)
	dst = append(dst, `,"moreProducers":`...)
	dst = jsonw.AppendBool(dst, s.MoreProducers)
	dst = appendInts(dst, "otherBatches", s.OtherBatches, "otherRecords", s.OtherRecords,
		"committed", s.Committed, "aborted", s.Aborted, "openCount", s.OpenCount)

	dst = append(dst, `,"moreOpen":`...)
	dst = jsonw.AppendBool(dst, s.MoreOpen)
	dst = append(dst, `,"openTransactions":[`...)
	for i := range s.OpenTransactions {
		t := &s.OpenTransactions[i]
		dst = append(separate(dst, i), `{"producerId":`...)
		dst = jsonw.AppendInt(dst, t.ProducerID)
		dst = append(appendInts(dst, "producerEpoch", int64(t.ProducerEpoch), "firstOffset", t.FirstOffset), '}')
	}
	dst = append(dst, `],"leaderEpochs":[`...)
	for i := range s.LeaderEpochs {
		dst = append(separate(dst, i), `{"epoch":`...)
		dst = jsonw.AppendInt(dst, int64(s.LeaderEpochs[i].Epoch))
		dst = append(appendInts(dst, "firstOffset", s.LeaderEpochs[i].FirstOffset), '}')
	}
	dst = append(dst, ']')
	dst = append(appendInts(dst, "epochCount", s.EpochCount), `,"moreEpochs":`...)
	dst = append(jsonw.AppendBool(dst, s.MoreEpochs), `,"types":[`...)
	for i := range s.Types {
		t := &s.Types[i]
		dst = append(separate(dst, i), `{"type":`...)
		dst = jsonw.AppendString(dst, t.Type)
		dst = append(appendInts(dst, "records", t.Records, "tombstones", t.Tombstones, "bytes", t.Bytes), '}')
	}
	return append(dst, "]}"...)
}

// separate puts a comma before all elements but the first.
func separate(dst []byte, i int) []byte {
	if i == 0 {
		return dst
	}
	return append(dst, ',')
}

// appendInts appends fields to an object that has one already: names and
// int64s in turn.
func appendInts(dst []byte, pairs ...any) []byte {
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		value, _ := pairs[i+1].(int64)
		dst = append(dst, ',', '"')
		dst = append(dst, name...)
		dst = append(dst, '"', ':')
		dst = jsonw.AppendInt(dst, value)
	}
	return dst
}

// span is a range of numbers that grows; without any it is empty.
type span struct{ low, high int64 }

func emptySpan() span { return span{math.MaxInt64, math.MinInt64} }

func (s *span) add(low, high int64) {
	s.low, s.high = min(s.low, low), max(s.high, high)
}

// bounds are -1 for an empty span.
func (s span) bounds() (low, high int64) {
	if s.low > s.high {
		return -1, -1
	}
	return s.low, s.high
}

// rawRecordSize is what a record of a batch takes without compression.
func rawRecordSize(b *decode.Batch, r *decode.Record) int64 {
	if b.Magic < 2 {
		const fixed = 12 + 4 + 1 + 1 + 4 + 4          // offset, size, checksum, magic, attributes, two lengths
		n := int64(fixed + len(r.Key) + len(r.Value)) // of a damaged value nothing counts
		if b.Magic == 1 {
			n += 8 // timestamp
		}
		return n
	}
	n := 1 + varintSize(r.TimestampDelta) + varintSize(r.Offset-b.BaseOffset) +
		fieldSize(r.Key) + fieldSize(r.Value) + varintSize(int64(len(r.Headers)))
	for i := range r.Headers {
		n += fieldSize(r.Headers[i].Key) + fieldSize(r.Headers[i].Value)
	}
	return n + varintSize(n)
}

// fieldSize is what a length and the bytes take.
func fieldSize(field []byte) int64 {
	if field == nil {
		return 1
	}
	return varintSize(int64(len(field))) + int64(len(field))
}

// varintSize is what a zig-zag variable-length integer takes.
func varintSize(v int64) int64 {
	n := int64(1)
	for u := uint64(v<<1 ^ v>>63); u >= 0x80; u >>= 7 {
		n++
	}
	return n
}
