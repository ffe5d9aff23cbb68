package snapshot

import (
	"errors"
	"fmt"
	"io"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
)

// attrControl marks a batch of control records.
const attrControl = 0x20

// maxRecordOverhead is what a record takes in a batch beside its value: length,
// attributes, deltas, key and value length, header count.
const maxRecordOverhead = 32

// Header is what the first batch of a snapshot says.
type Header struct {
	// LastContainedLogTimestamp is the append time of the last record that the
	// snapshot stands for, in milliseconds; 0 in a bootstrap.checkpoint.
	LastContainedLogTimestamp int64
	// KRaftVersion is the level of kraft.version. At 0 there is no record of it.
	KRaftVersion int16
	// Voters is the voter set, nil if there is none. It needs kraft.version 1.
	Voters *control.VotersRecord
}

// Writer writes one snapshot: NewWriter, Append for each record, Close. The first
// error stays.
type Writer struct {
	w       io.Writer
	now     func() int64
	epoch   int32
	offset  int64
	records []decode.Record
	values  []byte // the records' values, one behind the other
	ends    []int
	buf     []byte
	err     error
}

// NewWriter writes the header of a snapshot of an epoch to w. now gives the time
// of each batch in milliseconds.
func NewWriter(w io.Writer, epoch int32, h Header, now func() int64) *Writer {
	s := &Writer{w: w, now: now, epoch: epoch}
	if h.Voters != nil && h.KRaftVersion < 1 {
		s.err = errors.New("snapshot: a voter set needs kraft.version 1")
		return s
	}
	messages := []controlRecord{{decode.SnapshotHeader, &control.SnapshotHeaderRecord{LastContainedLogTimestamp: h.LastContainedLogTimestamp}}}
	if h.KRaftVersion > 0 {
		messages = append(messages, controlRecord{decode.KRaftVersion, &control.KRaftVersionRecord{KRaftVersion: h.KRaftVersion}})
	}
	if h.Voters != nil {
		messages = append(messages, controlRecord{decode.KRaftVoters, h.Voters})
	}
	s.control(messages...)
	return s
}

type controlRecord struct {
	kind    decode.ControlType
	message kbin.Message
}

// control writes a batch of control records.
func (s *Writer) control(list ...controlRecord) {
	if s.err != nil {
		return
	}
	now := s.now()
	records := make([]decode.Record, len(list))
	for i, c := range list {
		value, err := c.message.Append(nil, 0)
		if err != nil {
			s.err = fmt.Errorf("snapshot: %s: %w", c.message.MessageName(), err)
			return
		}
		// A key is the version of the schema and the type, two int16.
		records[i] = decode.Record{Offset: s.offset + int64(i), Timestamp: now, Key: []byte{0, 0, byte(c.kind >> 8), byte(c.kind)}, Value: value}
	}
	s.batch(now, attrControl, records)
}

// Append adds a metadata record in the given version of its schema.
func (s *Writer) Append(apiKey, version int16, m kbin.Message) error {
	if s.err != nil {
		return s.err
	}
	before := len(s.values)
	values, err := decode.AppendFrame(s.values, apiKey, version, m)
	if err != nil {
		s.err = fmt.Errorf("snapshot: %s: %w", m.MessageName(), err)
		return s.err
	}
	size := decode.BatchHeaderSize + len(values) + maxRecordOverhead*(len(s.ends)+1)
	if len(s.ends) > 0 && size > decode.MaxBatchSize {
		// The record opens the next batch.
		next := append([]byte(nil), values[before:]...)
		s.flush()
		values = append(s.values[:0], next...)
	}
	s.values = values
	s.ends = append(s.ends, len(values))
	return s.err
}

// flush writes the records since the last batch as one.
func (s *Writer) flush() {
	if len(s.ends) == 0 || s.err != nil {
		return
	}
	now := s.now()
	s.records = s.records[:0]
	start := 0
	for i, end := range s.ends {
		s.records = append(s.records, decode.Record{Offset: s.offset + int64(i), Timestamp: now, Value: s.values[start:end]})
		start = end
	}
	s.batch(now, 0, s.records)
	s.values, s.ends = s.values[:0], s.ends[:0]
}

func (s *Writer) batch(now int64, attributes int16, records []decode.Record) {
	b := decode.NewBatch(s.offset, s.epoch, now)
	b.Attributes = attributes
	s.buf, s.err = decode.AppendBatch(s.buf[:0], &b, records)
	if s.err != nil {
		return
	}
	s.offset += int64(len(records))
	_, s.err = s.w.Write(s.buf)
}

// Close writes what is left and the footer. It does not close the writer behind.
func (s *Writer) Close() error {
	s.flush()
	s.control(controlRecord{decode.SnapshotFooter, &control.SnapshotFooterRecord{}})
	return s.err
}
