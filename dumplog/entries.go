package dumplog

import (
	"bytes"
	"errors"
	"io"

	"kraftctl/decode/index"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/sensitive"
	"kraftctl/internal/vfs"
)

// maxTextFile bounds the text files that are read whole, in bytes. The largest
// ones have a line for every partition of a broker.
const maxTextFile = 64 << 20

// entries dumps a file that is not a segment, entry by entry.
func (d *dump) entries(f *opened) error {
	w := &entryWriter{d: d, f: f}
	var err error
	indexed := false // an index that can be held against its log
	switch f.name.Kind {
	case index.KindOffsetIndex:
		indexed, err = !d.o.IndexSanityOnly, w.offsetIndex()
	case index.KindTimeIndex:
		indexed, err = !d.o.IndexSanityOnly, w.timeIndex()
	case index.KindTxnIndex:
		if indexed = true; !d.o.VerifyIndexOnly {
			err = w.txnIndex()
		}
	case index.KindProducerSnapshot:
		err = w.producers()
	default:
		err = w.text()
	}
	if ferr := w.flush(); ferr != nil {
		return ferr
	}
	if errors.Is(err, errWrite) || err != nil && d.ctx.Err() != nil {
		return err
	}
	told := false
	if indexed {
		var verr error
		if told, verr = d.verifyIndex(f); verr != nil {
			return verr
		}
	}
	if err != nil && !told {
		d.find(Finding{File: f.path, Rule: RuleCorrupt, Pos: -1, Offset: -1, Err: err})
	}
	if d.o.Progress != nil {
		d.o.Progress(f.size)
	}
	return nil
}

// entryWriter prints entries in the output that was asked for.
type entryWriter struct {
	d   *dump
	f   *opened
	buf []byte
	n   int // entries so far
}

func (w *entryWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.d.out.Write(w.buf)
	w.buf = w.buf[:0]
	if err != nil {
		return errors.Join(errWrite, err)
	}
	return nil
}

// raw reads the bytes of an entry.
func (w *entryWriter) raw(pos int64, n int) ([]byte, error) {
	b := make([]byte, n)
	if m, err := w.f.at.ReadAt(b, pos); m < n {
		return nil, err
	}
	return b, nil
}

// write prints one entry.
func (w *entryWriter) write(e *Entry) error {
	if w.n++; w.n%1024 == 0 && w.d.ctx.Err() != nil {
		return w.d.ctx.Err()
	}
	switch w.d.o.Output {
	case OutputJSON:
		w.buf = append(appendEntryJSON(w.buf, w.f.path, e), '\n')
	case OutputHex:
		w.buf = appendEntryHex(w.buf, w.f.path, e)
	case OutputTable:
		w.buf = appendEntryTable(w.buf, &w.d.table, e)
	default:
		w.buf = append(appendEntryText(w.buf, e), '\n')
	}
	if len(w.buf) < flushSize {
		return nil
	}
	return w.flush()
}

// appendEntryText prints "name: value name: value".
func appendEntryText(dst []byte, e *Entry) []byte {
	for i, f := range e.Fields {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, f.Name...)
		dst = append(dst, ": "...)
		dst = appendValueText(dst, f.Value)
	}
	return dst
}

func appendValueText(dst []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return appendLabeled(dst, "", v)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case string:
		return append(dst, v...)
	}
	return append(dst, "null"...)
}

func (w *entryWriter) offsetIndex() error {
	x, err := index.OpenOffsetIndex(w.f.at, w.f.size, w.f.name.Offset, w.f.path)
	if err != nil {
		return err
	}
	return w.slots(x, "offset-index-entry", index.OffsetEntrySize, func(i int64) ([]Field, error) {
		e, err := x.Entry(i)
		return []Field{{"offset", 0, 4, e.Offset}, {"position", 4, 4, int64(e.Position)}}, err
	})
}

func (w *entryWriter) timeIndex() error {
	x, err := index.OpenTimeIndex(w.f.at, w.f.size, w.f.name.Offset, w.f.path)
	if err != nil {
		return err
	}
	return w.slots(x, "time-index-entry", index.TimeEntrySize, func(i int64) ([]Field, error) {
		e, err := x.Entry(i)
		return []Field{{"timestamp", 0, 8, e.Timestamp}, {"offset", 8, 4, e.Offset}}, err
	})
}

// slotIndex is what the offset and the time index have in common: slots of one
// size, of which those behind the used ones are padding.
type slotIndex interface {
	Used() int64
	Len() int64
	SanityCheck() error
}

// slots prints the used slots of x, each of size bytes, then its padding; or
// does only the check that the options ask for.
func (w *entryWriter) slots(x slotIndex, kind string, size int64, fields func(i int64) ([]Field, error)) error {
	switch {
	case w.d.o.IndexSanityOnly:
		return w.sanity(x.SanityCheck())
	case w.d.o.VerifyIndexOnly:
		return nil
	}
	for i := range x.Used() {
		values, err := fields(i)
		if err != nil {
			return err
		}
		pos := i * size
		raw, err := w.raw(pos, int(size))
		if err != nil {
			return err
		}
		if err := w.write(&Entry{Kind: kind, Position: pos, Raw: raw, Fields: values}); err != nil {
			return err
		}
	}
	return w.padding(x.Used(), x.Len(), size)
}

// sanity prints that the check of a starting broker passed.
func (w *entryWriter) sanity(err error) error {
	if err != nil || w.d.o.Output != OutputText {
		return err
	}
	w.buf = append(w.buf, w.f.path+" passed sanity check.\n"...)
	return nil
}

// padding tells of the zeros that an index in use is filled up with.
func (w *entryWriter) padding(used, all int64, size int64) error {
	if used == all {
		return nil
	}
	return w.write(&Entry{Kind: "padding", Position: used * size, Fields: []Field{
		{"padding", 0, 0, (all - used) * size}}})
}

func (w *entryWriter) txnIndex() error {
	r := index.NewTxnReader(io.NewSectionReader(w.f.at, 0, w.f.size), w.f.path)
	for pos := int64(0); ; pos += index.AbortedTxnSize {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = w.write(&Entry{Kind: "aborted-transaction", Position: pos, Raw: index.AppendAbortedTxn(nil, e), Fields: []Field{
			{"version", 0, 2, int64(0)}, {"producerId", 2, 8, e.ProducerID}, {"firstOffset", 10, 8, e.FirstOffset},
			{"lastOffset", 18, 8, e.LastOffset}, {"lastStableOffset", 26, 8, e.LastStableOffset}}})
		if err != nil {
			return err
		}
	}
}

func (w *entryWriter) producers() error {
	const header = 10 // version, checksum, count
	r := index.NewProducerReader(io.NewSectionReader(w.f.at, 0, w.f.size), w.f.size, w.f.path)
	for pos := int64(header); ; pos += index.ProducerEntrySize {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		raw, err := w.raw(pos, index.ProducerEntrySize)
		if err != nil {
			return err
		}
		if err := w.write(producerEntry(pos, raw, e)); err != nil {
			return err
		}
	}
}

func producerEntry(pos int64, raw []byte, e index.ProducerState) *Entry {
	optional := func(v int64, ok bool) any {
		if !ok {
			return nil
		}
		return v
	}
	batch := e.HasBatch()
	return &Entry{Kind: "producer", Position: pos, Raw: raw, Fields: []Field{
		{"producerId", 0, 8, e.ProducerID}, {"producerEpoch", 8, 2, int64(e.Epoch)},
		{"coordinatorEpoch", 34, 4, int64(e.CoordinatorEpoch)},
		{"currentTxnFirstOffset", 38, 8, optional(e.CurrentTxnFirstOffset, e.CurrentTxnFirstOffset >= 0)},
		{"lastTimestamp", 26, 8, e.Timestamp},
		{"firstSequence", 0, 0, optional(int64(e.FirstSequence()), batch)},
		{"lastSequence", 10, 4, optional(int64(e.LastSequence), batch)},
		{"lastOffset", 14, 8, optional(e.LastOffset, batch)},
		{"offsetDelta", 22, 4, optional(int64(e.OffsetDelta), batch)}}}
}

// text dumps the files that are text.
func (w *entryWriter) text() error {
	if w.f.size > maxTextFile {
		return vfs.ErrTooLarge
	}
	data, err := w.raw(0, int(w.f.size))
	if err != nil {
		return err
	}
	switch w.f.name.Kind {
	case index.KindEpochCheckpoint:
		list, err := index.ParseEpochCheckpoint(data, w.f.path)
		return w.lines(data, err, len(list), "leader-epoch", func(i int) []any {
			return []any{int64(list[i].Epoch), list[i].StartOffset}
		}, "epoch", "startOffset")
	case index.KindReplicationOffsets, index.KindRecoveryPointOffsets, index.KindLogStartOffsets, index.KindCleanerOffsets:
		list, err := index.ParseOffsetCheckpoint(data, w.f.path)
		return w.lines(data, err, len(list), "partition-offset", func(i int) []any {
			return []any{list[i].Topic, int64(list[i].Partition), list[i].Offset}
		}, "topic", "partition", "offset")
	case index.KindPartitionMetadata:
		m, err := index.ParsePartitionMetadata(data, w.f.path)
		if err != nil {
			return err
		}
		return w.write(&Entry{Kind: "partition-metadata", Raw: data, Fields: []Field{
			{"version", 0, 0, int64(m.Version)}, {"topicId", 0, 0, m.TopicID.String()}}})
	case index.KindMetaProperties:
		m, err := index.ParseMetaProperties(data, w.f.path)
		if err != nil {
			return err
		}
		return w.write(w.metaEntry(data, &m))
	case index.KindCleanShutdown:
		m, err := index.ParseCleanShutdown(data, w.f.path)
		if err != nil {
			return err
		}
		return w.write(&Entry{Kind: "clean-shutdown", Raw: data, Fields: []Field{
			{"version", 0, 0, int64(m.Version)}, {"brokerEpoch", 0, 0, m.BrokerEpoch}}})
	case index.KindQuorumState:
		return w.quorumState(data)
	}
	return nil // a lock file is empty
}

// metaEntry shows meta.properties. A node writes no secrets there, but somebody
// may have put a whole server.properties in its place.
func (w *entryWriter) metaEntry(data []byte, m *index.MetaProperties) *Entry {
	e := &Entry{Kind: "meta-properties", Raw: data, Fields: []Field{{"version", 0, 0, int64(m.Version)}}}
	if m.HasClusterID {
		e.Fields = append(e.Fields, Field{"clusterId", 0, 0, m.ClusterID})
	}
	if m.HasNodeID {
		e.Fields = append(e.Fields, Field{"nodeId", 0, 0, int64(m.NodeID)})
	}
	if m.HasDirectoryID {
		e.Fields = append(e.Fields, Field{"directoryId", 0, 0, m.DirectoryID.String()})
	}
	for _, p := range m.Extra {
		if !w.d.o.ShowSecrets && sensitive.Config(p.Key) {
			p.Value, e.Raw = masked, nil
		}
		e.Fields = append(e.Fields, Field{p.Key, 0, 0, p.Value})
	}
	return e
}

// lines dumps a text checkpoint: version, count, and a line for each entry.
func (w *entryWriter) lines(data []byte, err error, n int, kind string, values func(int) []any, names ...string) error {
	pos := 0
	for i := -2; i < n; i++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		if i >= 0 {
			e := &Entry{Kind: kind, Position: int64(pos), Raw: line}
			at := 0
			for j, v := range values(i) {
				for at < len(line) && line[at] == ' ' {
					at++
				}
				end := at
				for end < len(line) && line[end] != ' ' {
					end++
				}
				e.Fields = append(e.Fields, Field{names[j], at, end - at, v})
				at = end
			}
			if werr := w.write(e); werr != nil {
				return werr
			}
		}
		pos += len(data) - len(rest)
		data = rest
	}
	return err
}

// quorumState dumps the file quorum-state.
func (w *entryWriter) quorumState(data []byte) error {
	s, err := quorumstate.Parse(data, w.f.path)
	if err != nil {
		return err
	}
	e := &Entry{Kind: "quorum-state", Raw: data, Fields: []Field{
		{"version", 0, 0, int64(s.Version)},
		{"leaderId", 0, 0, int64(s.LeaderID)}, {"leaderEpoch", 0, 0, int64(s.LeaderEpoch)},
		{"votedId", 0, 0, int64(s.VotedID)}}}
	if s.Version > 0 {
		e.Fields = append(e.Fields, Field{"votedDirectoryId", 0, 0, s.VotedDirectoryID.String()})
	} else {
		var voters []byte
		for i, v := range s.Voters {
			if i > 0 {
				voters = append(voters, ',')
			}
			voters = appendLabeled(voters, "", int64(v.ID))
		}
		e.Fields = append(e.Fields, Field{"currentVoters", 0, 0, string(voters)})
	}
	return w.write(e)
}
