package dumplog

import (
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
)

// appendBatchLine prints a batch the way Kafka's tool does. The tool prints the
// line in two steps, and dies between them when the codec or the magic is
// unknown; so much of the line stands then.
func appendBatchLine(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	if b.Magic < 2 {
		return appendMessageLine(dst, b, valid)
	}
	dst = append(dst, "baseOffset: "...)
	dst = jsonw.AppendInt(dst, b.BaseOffset)
	dst = append(dst, " lastOffset: "...)
	dst = jsonw.AppendInt(dst, b.LastOffset())
	dst = append(dst, " count: "...)
	dst = jsonw.AppendInt(dst, int64(b.Count))
	dst = append(dst, " baseSequence: "...)
	dst = jsonw.AppendInt(dst, int64(b.BaseSequence))
	dst = append(dst, " lastSequence: "...)
	dst = jsonw.AppendInt(dst, int64(b.LastSequence()))
	dst = append(dst, " producerId: "...)
	dst = jsonw.AppendInt(dst, b.ProducerID)
	dst = append(dst, " producerEpoch: "...)
	dst = jsonw.AppendInt(dst, int64(b.ProducerEpoch))
	dst = append(dst, " partitionLeaderEpoch: "...)
	dst = jsonw.AppendInt(dst, int64(b.LeaderEpoch))
	dst = append(dst, " isTransactional: "...)
	dst = strconv.AppendBool(dst, b.IsTransactional())
	dst = append(dst, " isControl: "...)
	dst = strconv.AppendBool(dst, b.IsControl())
	dst = append(dst, " deleteHorizonMs: "...)
	horizon, ok := b.DeleteHorizon()
	dst = appendOptionalLong(dst, horizon, ok)
	return appendBatchEnd(dst, b, valid)
}

// appendMessageLine prints an entry of magic 0 or 1.
func appendMessageLine(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	dst = append(dst, "offset: "...)
	dst = jsonw.AppendInt(dst, b.BaseOffset)
	return appendBatchEnd(dst, b, valid)
}

// appendBatchEnd prints what the lines of all magics have in common.
func appendBatchEnd(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	codec, err := b.Codec()
	if err != nil {
		return dst, err
	}
	dst = append(dst, " position: "...)
	dst = jsonw.AppendInt(dst, b.Position)
	dst = append(dst, ' ')
	dst = append(dst, b.TimestampType().String()...)
	dst = append(dst, ": "...)
	dst = jsonw.AppendInt(dst, b.MaxTimestamp)
	dst = append(dst, " size: "...)
	dst = jsonw.AppendInt(dst, int64(b.Size))
	dst = append(dst, " magic: "...)
	dst = jsonw.AppendInt(dst, int64(b.Magic))
	dst = append(dst, " compresscodec: "...)
	dst = append(dst, codec.String()...)
	dst = append(dst, " crc: "...)
	dst = strconv.AppendUint(dst, uint64(b.CRC), 10)
	dst = append(dst, " isvalid: "...)
	dst = strconv.AppendBool(dst, valid)
	return append(dst, '\n'), nil
}

func appendOptionalLong(dst []byte, v int64, ok bool) []byte {
	if !ok {
		return append(dst, "OptionalLong.empty"...)
	}
	dst = append(dst, "OptionalLong["...)
	dst = jsonw.AppendInt(dst, v)
	return append(dst, ']')
}

// stamp keeps the text of a record's time: the records of a batch often share
// it, above all those of the metadata log.
type stamp struct {
	kind decode.TimestampType
	time int64
	text []byte
}

func (s *stamp) append(dst []byte, kind decode.TimestampType, time int64) []byte {
	if len(s.text) == 0 || kind != s.kind || time != s.time {
		s.kind, s.time = kind, time
		s.text = append(append(s.text[:0], ' '), kind.String()...)
		s.text = appendLabeled(s.text, ": ", time)
	}
	return append(dst, s.text...)
}

// appendRecordLine prints a record's metadata, without an end of line.
func appendRecordLine(dst []byte, b *decode.Batch, r *decode.Record, s *stamp) []byte {
	dst = append(dst, "| offset: "...)
	dst = jsonw.AppendInt(dst, r.Offset)
	dst = s.append(dst, b.TimestampType(), r.Timestamp)
	if b.Magic < 2 {
		dst = appendLabeled(dst, " keySize: ", int64(r.KeySize))
		dst = appendLabeled(dst, " valueSize: ", int64(r.ValueSize))
		dst = append(dst, " isValid: "...)
		dst = strconv.AppendBool(dst, r.Valid)
		dst = append(dst, " crc: "...)
		return strconv.AppendUint(dst, uint64(r.CRC), 10)
	}
	dst = append(dst, " keySize: "...)
	dst = appendSize(dst, r.Key)
	dst = append(dst, " valueSize: "...)
	dst = appendSize(dst, r.Value)
	if r.Sequence == -1 && len(r.Headers) == 0 {
		return append(dst, " sequence: -1 headerKeys: []"...)
	}
	dst = append(dst, " sequence: "...)
	dst = jsonw.AppendInt(dst, int64(r.Sequence))
	dst = append(dst, " headerKeys: ["...)
	for i := range r.Headers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonw.AppendJavaUTF8(dst, r.Headers[i].Key)
	}
	return append(dst, ']')
}

// appendSize prints the length of a field, -1 for null.
func appendSize(dst, field []byte) []byte {
	if field == nil {
		return append(dst, "-1"...)
	}
	return jsonw.AppendInt(dst, int64(len(field)))
}
