package dumplog

import (
	"kraftctl/decode"
)

// collectLimit bounds how many producers, transactions, epochs and record types
// a collector keeps. It is more than a chunk has batches, so that what is kept
// does not depend on how a file is cut into chunks.
const collectLimit = 10000

// summaryCollector gathers a Summary. It is a formatter that prints nothing: a
// worker fills its own with a chunk, and Summary.take adds it to the whole in
// the order of the chunks and empties it.
type summaryCollector struct {
	decoder Decoder
	names   func(int16) string // of coordinator records
	recs    *decode.Records    // for markers of transactions

	offsets, times                                span
	batches, data, control, empty, invalid, bytes int64
	declared, read                                int64

	codecs [8]codecCount

	producers     []ProducerSummary
	producerIndex map[producerKey]int
	// Of producers beyond the limit.
	otherBatches, otherRecords int64
	moreProducers              bool

	committed, aborted int64
	txns               map[int64]*txnState // by producer id
	openTxns           int                 // of them
	moreTxns           bool                // there were open ones beyond the limit

	epochs     []EpochSummary
	epochIndex map[int32]struct{}
	// Of epochs beyond the limit those are counted that are higher than all
	// before, as they are in a sound file; moreEpochs says that there were others.
	otherEpochs int64
	lastEpoch   int32 // the highest
	moreEpochs  bool

	kinds     []kindCount
	kindIndex map[kindKey]int
	lastKind  int // of the last record: most often that of the next one

	// Of the batch that records come from.
	current struct {
		valid bool
		codec *codecCount
		left  int64 // records that are still to come; unknown in magic 0 and 1
		raw   int64
	}
}

// codecCount counts batches of one codec. whole are the batches of which all
// records were read.
type codecCount struct{ batches, compressed, raw, whole int64 }

type producerKey struct {
	id    int64
	epoch int16
}

// txnState is the last that is known of a producer's transactions.
type txnState struct {
	ended bool // a marker was seen here
	open  bool // data was seen since
	first int64
	epoch int16
}

func newSummaryCollector(d Decoder) *summaryCollector {
	const markerLimit = 1 << 20 // a marker has some 20 bytes
	s := &summaryCollector{decoder: d, names: coordinatorTypes(d).Name, recs: decode.NewRecords(markerLimit),
		producerIndex: map[producerKey]int{}, txns: map[int64]*txnState{},
		epochIndex: map[int32]struct{}{}, kindIndex: map[kindKey]int{}}
	s.reset()
	return s
}

// reset empties the collector.
func (s *summaryCollector) reset() {
	clear(s.producerIndex)
	clear(s.txns)
	clear(s.epochIndex)
	clear(s.kindIndex)
	*s = summaryCollector{decoder: s.decoder, names: s.names, recs: s.recs,
		offsets: emptySpan(), times: emptySpan(),
		producers: s.producers[:0], producerIndex: s.producerIndex, txns: s.txns,
		epochs: s.epochs[:0], epochIndex: s.epochIndex, kinds: s.kinds[:0], kindIndex: s.kindIndex}
}

// batch implements formatter.
func (s *summaryCollector) batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	s.add(b, valid)
	return dst, nil
}

// record implements formatter.
func (s *summaryCollector) record(dst []byte, b *decode.Batch, r *decode.Record) ([]byte, error) {
	s.addRecord(b, r)
	return dst, nil
}

// broken implements formatter.
func (s *summaryCollector) broken(dst []byte, b *decode.Batch) []byte {
	s.batches++
	s.data++
	s.invalid++
	s.bytes += int64(b.Size)
	return dst
}

// add counts a batch. Its records, if they are read, follow.
func (s *summaryCollector) add(b *decode.Batch, valid bool) {
	s.batches++
	s.bytes += int64(b.Size)
	s.current.valid, s.current.codec, s.current.raw = valid, nil, 0
	switch {
	case b.IsControl():
		s.control++
	case b.Magic >= 2 && b.Count == 0:
		s.empty++
	default:
		s.data++
	}
	if !valid {
		s.invalid++
		return
	}
	s.offsets.add(b.BaseOffset, b.LastOffset())
	s.addTimes(b)
	s.addCodec(b)
	if b.Magic < 2 {
		if b.Attributes&7 == 0 {
			s.declared++
		}
		return
	}
	s.declared += max(int64(b.Count), 0)
	s.addEpoch(EpochSummary{b.LeaderEpoch, b.BaseOffset})
	if b.ProducerID < 0 {
		return
	}
	if b.IsControl() {
		s.addMarkers(b)
		return
	}
	p := ProducerSummary{ProducerID: b.ProducerID, ProducerEpoch: b.ProducerEpoch, Batches: 1, Records: max(int64(b.Count), 0),
		FirstSequence: b.BaseSequence, LastSequence: b.LastSequence(), Transactional: b.IsTransactional()}
	s.addProducer(&p)
	if b.IsTransactional() {
		if t := s.txn(b.ProducerID); t == nil {
			s.moreTxns = true
		} else if !t.open {
			s.setTxn(t, txnState{ended: t.ended, open: true, first: b.BaseOffset, epoch: b.ProducerEpoch})
		}
	}
}

func (s *summaryCollector) addTimes(b *decode.Batch) {
	if b.MaxTimestamp >= 0 {
		s.times.add(b.MaxTimestamp, b.MaxTimestamp)
	}
	// The base is the first record's timestamp, unless it is a delete horizon
	// or what the producer said before the broker set its own.
	_, horizon := b.DeleteHorizon()
	if b.BaseTimestamp >= 0 && !horizon && b.TimestampType() == decode.CreateTime {
		s.times.add(b.BaseTimestamp, b.BaseTimestamp)
	}
}

func (s *summaryCollector) addCodec(b *decode.Batch) {
	c := &s.codecs[b.Attributes&7]
	c.batches++
	s.current.codec = c
	if b.Magic >= 2 {
		c.compressed += max(int64(b.Size)-decode.BatchHeaderSize, 0)
		s.current.left = int64(b.Count)
		if b.Count == 0 {
			c.whole++
		}
		return
	}
	s.current.left = -1
	// What is compressed is the message's value, after its fixed part and the
	// null key that wrappers have.
	overhead := int64(12 + 4 + 1 + 1 + 4 + 4)
	if b.Magic == 1 {
		overhead += 8
	}
	if b.Attributes&7 == 0 {
		overhead = 0
	}
	c.compressed += max(int64(b.Size)-overhead, 0)
}

// addMarkers notes the ends of transactions.
func (s *summaryCollector) addMarkers(b *decode.Batch) {
	if len(b.Raw) < b.Size {
		return // only the header is there
	}
	for s.recs.Reset(b); s.recs.Next(); {
		switch t, _, _ := decode.ParseControlKey(s.recs.Record.Key); t {
		case decode.Commit:
			s.committed++
		case decode.Abort:
			s.aborted++
		default:
			continue
		}
		if t := s.txn(b.ProducerID); t != nil {
			s.setTxn(t, txnState{ended: true})
		}
	}
}

// txn gives the state of a producer's transactions, nil when there is no room.
func (s *summaryCollector) txn(id int64) *txnState {
	if t, ok := s.txns[id]; ok {
		return t
	}
	if len(s.txns) >= collectLimit {
		if len(s.txns)-s.openTxns < collectLimit/4 {
			return nil
		}
		// Those that ended matter only to what was merged before, which has
		// been told by now in all but odd files.
		for id, t := range s.txns {
			if !t.open {
				delete(s.txns, id)
			}
		}
	}
	t := new(txnState)
	s.txns[id] = t
	return t
}

// setTxn changes a state.
func (s *summaryCollector) setTxn(t *txnState, to txnState) {
	if t.open {
		s.openTxns--
	}
	if to.open {
		s.openTxns++
	}
	*t = to
}

func (s *summaryCollector) addProducer(p *ProducerSummary) {
	key := producerKey{p.ProducerID, p.ProducerEpoch}
	i, ok := s.producerIndex[key]
	if !ok {
		if len(s.producers) >= collectLimit {
			s.moreProducers = true
			s.otherBatches += p.Batches
			s.otherRecords += p.Records
			return
		}
		s.producerIndex[key] = len(s.producers)
		s.producers = append(s.producers, *p)
		return
	}
	old := &s.producers[i]
	old.Batches += p.Batches
	old.Records += p.Records
	old.LastSequence = p.LastSequence
	old.Transactional = old.Transactional || p.Transactional
}

func (s *summaryCollector) addEpoch(e EpochSummary) {
	n := len(s.epochs)
	if n > 0 && e.Epoch == s.lastEpoch {
		return
	}
	if _, ok := s.epochIndex[e.Epoch]; ok {
		return
	}
	switch higher := n == 0 || e.Epoch > s.lastEpoch; {
	case n < collectLimit:
		s.epochIndex[e.Epoch] = struct{}{}
		s.epochs = append(s.epochs, e)
	case higher:
		s.otherEpochs++
	default:
		s.moreEpochs = true
	}
	if n == 0 {
		s.lastEpoch = e.Epoch
	}
	s.lastEpoch = max(s.lastEpoch, e.Epoch)
}

// addRecord counts a record of the batch that was added last.
func (s *summaryCollector) addRecord(b *decode.Batch, r *decode.Record) {
	s.read++
	if s.current.valid {
		s.offsets.add(r.Offset, r.Offset)
		if r.Timestamp >= 0 {
			s.times.add(r.Timestamp, r.Timestamp)
		}
	}
	if c := s.current.codec; c != nil {
		raw := rawRecordSize(b, r)
		switch s.current.left {
		case -1: // the first of a message set
			c.whole++
			c.raw += raw
			s.current.left = -2
		case -2:
			c.raw += raw
		default:
			s.current.raw += raw
			if s.current.left--; s.current.left == 0 {
				c.whole++
				c.raw += s.current.raw
			}
		}
	}
	key := s.kindOf(b, r)
	if s.lastKind >= len(s.kinds) || s.kinds[s.lastKind].key != key {
		s.lastKind = s.kind(key)
	}
	k := &s.kinds[s.lastKind]
	k.records++
	if r.Value == nil && r.Damage == nil {
		k.tombstones++
	}
	k.bytes += int64(len(r.Key) + len(r.Value))
	for i := range r.Headers {
		k.bytes += int64(len(r.Headers[i].Key) + len(r.Headers[i].Value))
	}
}
