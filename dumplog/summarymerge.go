package dumplog

import (
	"cmp"
	"slices"

	"kraftctl/decode/compress"
)

// merge adds what another collector gathered from what comes next in the file.
func (s *summaryCollector) merge(o *summaryCollector) {
	s.offsets.add(o.offsets.low, o.offsets.high)
	s.times.add(o.times.low, o.times.high)
	s.batches += o.batches
	s.data += o.data
	s.control += o.control
	s.empty += o.empty
	s.invalid += o.invalid
	s.bytes += o.bytes
	s.declared += o.declared
	s.read += o.read
	for i := range s.codecs {
		s.codecs[i].batches += o.codecs[i].batches
		s.codecs[i].compressed += o.codecs[i].compressed
		s.codecs[i].raw += o.codecs[i].raw
		s.codecs[i].whole += o.codecs[i].whole
	}
	for i := range o.producers {
		s.addProducer(&o.producers[i])
	}
	s.otherBatches += o.otherBatches
	s.otherRecords += o.otherRecords
	s.moreProducers = s.moreProducers || o.moreProducers
	s.mergeTxns(o)
	for _, e := range o.epochs {
		s.addEpoch(e)
	}
	if o.otherEpochs > 0 {
		s.otherEpochs += o.otherEpochs
		s.lastEpoch = max(s.lastEpoch, o.lastEpoch)
	}
	s.moreEpochs = s.moreEpochs || o.moreEpochs
	for i := range o.kinds {
		k := &s.kinds[s.kind(o.kinds[i].key)]
		k.records += o.kinds[i].records
		k.tombstones += o.kinds[i].tombstones
		k.bytes += o.kinds[i].bytes
	}
}

// mergeTxns carries transactions on: one that is open here goes on in the other
// unless a marker there ended it.
func (s *summaryCollector) mergeTxns(o *summaryCollector) {
	s.committed += o.committed
	s.aborted += o.aborted
	s.moreTxns = s.moreTxns || o.moreTxns
	for id, next := range o.txns {
		t := s.txn(id)
		switch {
		case t == nil:
			s.moreTxns = s.moreTxns || next.open
		case next.ended:
			s.setTxn(t, *next)
		case !t.open:
			s.setTxn(t, txnState{ended: t.ended, open: next.open, first: next.first, epoch: next.epoch})
		}
	}
}

// addFile counts a file that what is taken next comes from. size is -1 when it
// is not known; then that of all files is not known either.
func (s *Summary) addFile(size int64) {
	if s.Files == 0 {
		s.FileBytes = new(int64)
	}
	s.Files++
	if size < 0 {
		s.FileBytes = nil
	} else if s.FileBytes != nil {
		*s.FileBytes += size
	}
}

// take adds what a collector gathered from the next stretch of the file or of
// the next file, and empties the collector.
func (s *Summary) take(c *summaryCollector) {
	if s.total == nil {
		s.total = newSummaryCollector(c.decoder)
	}
	s.total.merge(c)
	c.reset()
	s.fill(s.total)
}

// fill sets all fields but those about files.
func (s *Summary) fill(c *summaryCollector) {
	s.FirstOffset, s.LastOffset = c.offsets.bounds()
	s.FirstTimestamp, s.LastTimestamp = c.times.bounds()
	s.Batches, s.DataBatches, s.ControlBatches = c.batches, c.data, c.control
	s.EmptyBatches, s.InvalidBatches, s.Bytes = c.empty, c.invalid, c.bytes
	s.Records, s.RecordsRead = c.declared, c.read > 0
	if s.RecordsRead {
		s.Records = c.read
	}
	s.Codecs = s.Codecs[:0]
	for i := range c.codecs {
		if n := &c.codecs[i]; n.batches > 0 {
			row := CodecSummary{Codec: compress.Codec(i).String(), Batches: n.batches, CompressedBytes: n.compressed, RawBytes: -1}
			if n.whole == n.batches {
				row.RawBytes = n.raw
			}
			s.Codecs = append(s.Codecs, row)
		}
	}

	kept := min(len(c.producers), maxListed)
	s.Producers = append(s.Producers[:0], c.producers[:kept]...)
	s.ProducerCount, s.MoreProducers = int64(len(c.producers)), c.moreProducers
	s.OtherBatches, s.OtherRecords = c.otherBatches, c.otherRecords
	for i := range c.producers[kept:] {
		s.OtherBatches += c.producers[kept+i].Batches
		s.OtherRecords += c.producers[kept+i].Records
	}

	s.Committed, s.Aborted = c.committed, c.aborted
	open := s.OpenTransactions[:0]
	for id, t := range c.txns {
		if t.open {
			open = append(open, OpenTransaction{id, t.epoch, t.first})
		}
	}
	slices.SortFunc(open, func(a, b OpenTransaction) int {
		return cmp.Or(cmp.Compare(a.FirstOffset, b.FirstOffset), cmp.Compare(a.ProducerID, b.ProducerID))
	})
	s.OpenCount, s.MoreOpen = int64(len(open)), c.moreTxns
	s.OpenTransactions = open[:min(len(open), maxListed)]

	s.EpochCount, s.MoreEpochs = int64(len(c.epochs))+c.otherEpochs, c.moreEpochs
	s.LeaderEpochs = append(s.LeaderEpochs[:0], c.epochs[:min(len(c.epochs), maxListed)]...)
	s.Types = c.types(s.Types[:0])
}

// types lists the record types in place of all, the most frequent first.
func (s *summaryCollector) types(all []TypeSummary) []TypeSummary {
	for i := range s.kinds {
		k := &s.kinds[i]
		all = append(all, TypeSummary{s.kindName(k.key), k.records, k.tombstones, k.bytes})
	}
	slices.SortFunc(all, func(a, b TypeSummary) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Type, b.Type))
	})
	if len(all) <= maxListed {
		return all
	}
	rest := TypeSummary{Type: "other"}
	for _, t := range all[maxListed-1:] {
		rest.Records += t.Records
		rest.Tombstones += t.Tombstones
		rest.Bytes += t.Bytes
	}
	return append(all[:maxListed-1], rest)
}
