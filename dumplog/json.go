package dumplog

import (
	"strconv"
	"unicode/utf8"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/control"
	"kraftctl/decode/coordinator"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/metadata"
	"kraftctl/decode/remotelog"
)

// jsonOptions say what the lines of JSON show.
type jsonOptions struct {
	file        string  // as it is named in every line
	decoder     Decoder // DecodeClasses is like none: keys and values are bytes
	showSecrets bool
}

// jsonFormatter prints one JSON object per line and batch or record. What the
// fields are is in output.schema.json, see [JSONSchema]. It is a formatter: one
// worker's own, as it keeps decoders and buffers.
type jsonFormatter struct {
	o       jsonOptions
	meta    *decode.FrameDecoder
	coord   *coordinatorPrinter
	name    func(int16) string // of a record type
	secrets *secretFinder

	file []byte // the file's name as JSON

	// What the lines of all records of a batch have in common, between the
	// fields that differ.
	position, base int64 // of that batch
	head           []byte
	middle, end    []byte
}

func newJSONFormatter(o jsonOptions) *jsonFormatter {
	f := &jsonFormatter{o: o, file: jsonw.AppendString(nil, o.file), position: -1}
	f.meta, f.coord, f.name = recordDecoders(o.decoder)
	f.secrets = newSecretFinder(o.decoder == DecodeMetadata, o.showSecrets)
	return f
}

// recordDecoders makes what decodes records for the structured outputs: one of
// a frame decoder and a coordinator's, and the names of its record types. All
// are nil where keys and values are just bytes.
func recordDecoders(d Decoder) (*decode.FrameDecoder, *coordinatorPrinter, func(int16) string) {
	switch d {
	case DecodeMetadata:
		return decode.NewMetadataDecoder(), nil, metadata.TypeName
	case DecodeRemoteLog:
		return decode.NewRemoteLogDecoder(), nil, remotelog.TypeName
	case DecodeOffsets, DecodeTransactions, DecodeShareGroupState:
		p, _ := newPrinter(d, "", "", true) // only class names fail
		c, _ := p.(*coordinatorPrinter)
		return nil, c, coordinatorTypes(d).Name
	}
	return nil, nil, nil
}

// coordinatorTypes gives the record types of a coordinator's decoder, none for others.
func coordinatorTypes(d Decoder) coordinator.Registry {
	switch d {
	case DecodeOffsets:
		return coordinator.Group
	case DecodeTransactions:
		return coordinator.Transaction
	case DecodeShareGroupState:
		return coordinator.Share
	}
	return coordinator.Registry{}
}

// batch prints a batch. A codec that nobody knows is an error, as the records
// cannot be read; the batch is shown all the same.
func (f *jsonFormatter) batch(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	f.prepare(b)
	f.secrets.start(valid)
	dst = f.batchStart(dst, b)
	dst = append(dst, `,"lastOffset":`...)
	dst = strconv.AppendInt(dst, b.LastOffset(), 10)
	dst = append(dst, `,"count":`...)
	if b.Magic < 2 {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendInt(dst, int64(b.Count), 10)
	}
	dst = append(dst, `,"baseSequence":`...)
	dst = strconv.AppendInt(dst, int64(b.BaseSequence), 10)
	dst = append(dst, `,"lastSequence":`...)
	dst = strconv.AppendInt(dst, int64(b.LastSequence()), 10)
	dst = append(dst, `,"producerId":`...)
	dst = strconv.AppendInt(dst, b.ProducerID, 10)
	dst = append(dst, `,"producerEpoch":`...)
	dst = strconv.AppendInt(dst, int64(b.ProducerEpoch), 10)
	dst = append(dst, `,"leaderEpoch":`...)
	dst = strconv.AppendInt(dst, int64(b.LeaderEpoch), 10)
	dst = append(dst, `,"transactional":`...)
	dst = strconv.AppendBool(dst, b.IsTransactional())
	dst = append(dst, `,"control":`...)
	dst = strconv.AppendBool(dst, b.IsControl())
	dst = append(dst, `,"deleteHorizonMs":`...)
	if horizon, ok := b.DeleteHorizon(); ok {
		dst = strconv.AppendInt(dst, horizon, 10)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"timestampType":`...)
	dst = appendTimestampType(dst, b.TimestampType())
	dst = append(dst, `,"baseTimestamp":`...)
	dst = strconv.AppendInt(dst, b.BaseTimestamp, 10)
	dst = append(dst, `,"maxTimestamp":`...)
	dst = strconv.AppendInt(dst, b.MaxTimestamp, 10)
	dst = append(dst, `,"magic":`...)
	dst = strconv.AppendInt(dst, int64(b.Magic), 10)
	dst = append(dst, `,"codec":"`...)
	dst = append(dst, codecName(b)...)
	dst = append(dst, `","crc":`...)
	dst = strconv.AppendUint(dst, uint64(b.CRC), 10)
	dst = append(dst, `,"valid":`...)
	dst = strconv.AppendBool(dst, valid)
	_, err := b.Codec()
	return append(dst, "}\n"...), err
}

// batchStart prints what is known of every batch, however damaged.
func (f *jsonFormatter) batchStart(dst []byte, b *decode.Batch) []byte {
	dst = append(dst, `{"kind":"batch","file":`...)
	dst = append(dst, f.file...)
	dst = append(dst, `,"position":`...)
	dst = strconv.AppendInt(dst, b.Position, 10)
	dst = append(dst, `,"size":`...)
	dst = strconv.AppendInt(dst, int64(b.Size), 10)
	dst = append(dst, `,"baseOffset":`...)
	return strconv.AppendInt(dst, b.BaseOffset, 10)
}

// broken prints a batch of whose fixed part only offset, size and magic are there.
func (f *jsonFormatter) broken(dst []byte, b *decode.Batch) []byte {
	dst = f.batchStart(dst, b)
	dst = append(dst, `,"lastOffset":null,"count":null,"baseSequence":null,"lastSequence":null,"producerId":null,"producerEpoch":null,`+
		`"leaderEpoch":null,"transactional":null,"control":null,"deleteHorizonMs":null,"timestampType":null,"baseTimestamp":null,"maxTimestamp":null,"magic":`...)
	dst = strconv.AppendInt(dst, int64(b.Magic), 10)
	return append(dst, `,"codec":null,"crc":null,"valid":false}`+"\n"...)
}

// codecName gives the codec's name, or unknown(5) to unknown(7).
func codecName(b *decode.Batch) string {
	c, err := b.Codec()
	if err != nil {
		c = compress.Codec(b.Attributes & 7)
	}
	return c.String()
}

func appendTimestampType(dst []byte, t decode.TimestampType) []byte {
	if t == decode.NoTimestamp {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	dst = append(dst, t.String()...)
	return append(dst, '"')
}

// prepare prints what the records of a batch have in common.
func (f *jsonFormatter) prepare(b *decode.Batch) {
	f.position, f.base = b.Position, b.BaseOffset
	f.head = append(f.head[:0], `{"kind":"record","file":`...)
	f.head = append(f.head, f.file...)
	f.head = append(f.head, `,"batchPosition":`...)
	f.head = strconv.AppendInt(f.head, b.Position, 10)
	f.head = append(f.head, `,"offset":`...)

	f.middle = append(f.middle[:0], `,"leaderEpoch":`...)
	f.middle = strconv.AppendInt(f.middle, int64(b.LeaderEpoch), 10)
	f.middle = append(f.middle, `,"sequence":`...)

	f.end = append(f.end[:0], `,"producerId":`...)
	f.end = strconv.AppendInt(f.end, b.ProducerID, 10)
	f.end = append(f.end, `,"producerEpoch":`...)
	f.end = strconv.AppendInt(f.end, int64(b.ProducerEpoch), 10)
	f.end = append(f.end, `,"headers":[`...)
}

// record prints a record. What cannot be decoded is said in the line and is no error.
func (f *jsonFormatter) record(dst []byte, b *decode.Batch, r *decode.Record) ([]byte, error) {
	if b.Position != f.position || b.BaseOffset != f.base {
		f.prepare(b)
	}
	dst = append(dst, f.head...)
	dst = strconv.AppendInt(dst, r.Offset, 10)
	dst = append(dst, `,"timestamp":`...)
	dst = strconv.AppendInt(dst, r.Timestamp, 10)
	dst = append(dst, `,"timestampType":`...)
	dst = appendTimestampType(dst, r.TimestampType)
	dst = append(dst, f.middle...)
	dst = strconv.AppendInt(dst, int64(r.Sequence), 10)
	dst = append(dst, f.end...)
	for i := range r.Headers {
		if i > 0 {
			dst = append(dst, ',')
		}
		if f.secrets.everywhere() {
			dst = append(dst, `{"key":"`+masked+`","value":`+maskedJSON+`}`...)
			continue
		}
		dst = appendHeaderJSON(dst, &r.Headers[i])
	}
	dst = append(dst, ']')
	if b.Magic < 2 {
		dst = append(dst, `,"crc":`...)
		dst = strconv.AppendUint(dst, uint64(r.CRC), 10)
		dst = append(dst, `,"valid":`...)
		dst = strconv.AppendBool(dst, r.Valid)
	}
	dst = append(dst, `,"key":`...)
	dst = appendFieldBytes(dst, r.Key, f.secrets.everywhere())
	dst = append(dst, `,"value":`...)
	var err error
	switch {
	case b.IsControl():
		// Its value is no frame, unless damage made it a control record.
		dst = appendFieldBytes(dst, r.Value, f.secrets.everywhere() && f.secrets.hides(r.Value))
		dst, err = appendControlJSON(append(dst, `,"decoded":`...), r)
	case f.meta != nil:
		dst, err = f.frame(dst, r)
	case f.coord != nil:
		dst = appendFieldBytes(dst, r.Value, f.secrets.hides(r.Value))
		dst, err = f.coordinator(append(dst, `,"decoded":`...), r)
	default:
		dst = appendFieldBytes(dst, r.Value, f.secrets.hides(r.Value))
	}
	if r.Damage != nil {
		err = r.Damage // that there is no value follows from it
	}
	if err != nil {
		dst = append(dst, `,"decodeError":`...)
		dst = jsonw.AppendString(dst, err.Error())
	}
	return append(dst, "}\n"...), nil
}

// frame prints the value of a framed record, as bytes and decoded.
func (f *jsonFormatter) frame(dst []byte, r *decode.Record) ([]byte, error) {
	frame, err := f.meta.Decode(r.Value)
	var hidden bool
	if f.o.decoder == DecodeMetadata {
		hidden = f.secrets.hidesFrame(&frame, err)
	} else {
		hidden = f.secrets.hides(r.Value)
	}
	dst = appendFieldBytes(dst, r.Value, hidden)
	dst = append(dst, `,"decoded":`...)
	if frame.Message == nil || err != nil && f.secrets.everywhere() {
		return append(dst, "null"...), err
	}
	dst = append(dst, `{"type":"`...)
	dst = append(dst, f.name(frame.APIKey)...)
	dst = append(dst, `","version":`...)
	dst = strconv.AppendInt(dst, int64(frame.Version), 10)
	dst = append(dst, `,"data":`...)
	dst = frame.Message.AppendJSON(dst, frame.Version)
	return append(dst, '}'), err
}

// coordinator prints the decoded key and value of a coordinator's record.
func (f *jsonFormatter) coordinator(dst []byte, r *decode.Record) ([]byte, error) {
	c, err := f.coord.decoder.Decode(r)
	if c.Key == nil && len(r.Key) < 2 {
		return append(dst, "null"...), err
	}
	dst = append(dst, `{"type":`...)
	dst = strconv.AppendInt(dst, int64(c.Type), 10)
	dst = append(dst, `,"name":`...)
	if name := f.name(c.Type); name != "" {
		dst = jsonw.AppendString(dst, name)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"keyData":`...)
	if c.Key != nil {
		dst = c.Key.AppendJSON(dst, 0)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"version":`...)
	if c.Key == nil || len(r.Value) < 2 {
		return append(dst, `null,"data":null}`...), err
	}
	dst = strconv.AppendInt(dst, int64(c.ValueVersion), 10)
	dst = append(dst, `,"data":`...)
	if c.Value != nil {
		dst = f.coord.value(dst, c.Value, c.ValueVersion)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}'), err
}

// appendControlJSON prints what a control record says. The data of a
// transaction's end has one field, as in Kafka's table of it.
func appendControlJSON(dst []byte, r *decode.Record) ([]byte, error) {
	c, err := decode.DecodeControl(r)
	if err != nil && c.Type == decode.NotControl {
		return append(dst, "null"...), err
	}
	dst = append(dst, `{"controlType":"`...)
	if c.Type == decode.NotControl {
		dst = append(dst, "UNKNOWN"...)
	} else {
		dst = append(dst, c.Type.String()...)
	}
	dst = append(dst, `","typeId":`...)
	dst = strconv.AppendInt(dst, int64(c.TypeID), 10)
	dst = append(dst, `,"data":`...)
	switch {
	case err != nil || c.Type == decode.NotControl:
		dst = append(dst, "null"...)
	case c.Type == decode.Abort || c.Type == decode.Commit:
		m := control.EndTxnMarker{CoordinatorEpoch: c.CoordinatorEpoch}
		dst = m.AppendJSON(dst, 0)
	default:
		dst = c.Message.AppendJSON(dst, c.Version)
	}
	return append(dst, '}'), err
}

func appendHeaderJSON(dst []byte, h *decode.Header) []byte {
	dst = append(dst, `{"key":`...)
	dst = jsonw.AppendStringBytes(dst, h.Key)
	if !utf8.Valid(h.Key) {
		// The text has lost something.
		dst = append(dst, `,"keyBase64":`...)
		dst = jsonw.AppendBase64(dst, h.Key)
	}
	dst = append(dst, `,"value":`...)
	return append(appendBinaryJSON(dst, h.Value), '}')
}

// maskedJSON stands in place of bytes that hold a secret.
const maskedJSON = `{"masked":true}`

// appendFieldBytes prints a key or value, or that it is hidden. What is null or
// empty hides nothing.
func appendFieldBytes(dst, field []byte, hidden bool) []byte {
	if hidden && len(field) > 0 {
		return append(dst, maskedJSON...)
	}
	return appendBinaryJSON(dst, field)
}

// appendBinaryJSON prints bytes in base64, and also as text where they are valid UTF-8.
func appendBinaryJSON(dst, field []byte) []byte {
	if field == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, `{"base64":`...)
	dst = jsonw.AppendBase64(dst, field)
	if utf8.Valid(field) {
		dst = append(dst, `,"text":`...)
		dst = jsonw.AppendStringBytes(dst, field)
	}
	return append(dst, '}')
}
