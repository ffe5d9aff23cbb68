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
	dst = strconv.AppendInt(dst, b.BaseOffset, 10)
	dst = append(dst, " lastOffset: "...)
	dst = strconv.AppendInt(dst, b.LastOffset(), 10)
	dst = append(dst, " count: "...)
	dst = strconv.AppendInt(dst, int64(b.Count), 10)
	dst = append(dst, " baseSequence: "...)
	dst = strconv.AppendInt(dst, int64(b.BaseSequence), 10)
	dst = append(dst, " lastSequence: "...)
	dst = strconv.AppendInt(dst, int64(b.LastSequence()), 10)
	dst = append(dst, " producerId: "...)
	dst = strconv.AppendInt(dst, b.ProducerID, 10)
	dst = append(dst, " producerEpoch: "...)
	dst = strconv.AppendInt(dst, int64(b.ProducerEpoch), 10)
	dst = append(dst, " partitionLeaderEpoch: "...)
	dst = strconv.AppendInt(dst, int64(b.LeaderEpoch), 10)
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
	dst = strconv.AppendInt(dst, b.BaseOffset, 10)
	return appendBatchEnd(dst, b, valid)
}

// appendBatchEnd prints what the lines of all magics have in common.
func appendBatchEnd(dst []byte, b *decode.Batch, valid bool) ([]byte, error) {
	codec, err := b.Codec()
	if err != nil {
		return dst, err
	}
	dst = append(dst, " position: "...)
	dst = strconv.AppendInt(dst, b.Position, 10)
	dst = append(dst, ' ')
	dst = append(dst, b.TimestampType().String()...)
	dst = append(dst, ": "...)
	dst = strconv.AppendInt(dst, b.MaxTimestamp, 10)
	dst = append(dst, " size: "...)
	dst = strconv.AppendInt(dst, int64(b.Size), 10)
	dst = append(dst, " magic: "...)
	dst = strconv.AppendInt(dst, int64(b.Magic), 10)
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
	dst = strconv.AppendInt(dst, v, 10)
	return append(dst, ']')
}

// appendRecordLine prints a record's metadata, without an end of line.
func appendRecordLine(dst []byte, b *decode.Batch, r *decode.Record) []byte {
	dst = append(dst, "| offset: "...)
	dst = strconv.AppendInt(dst, r.Offset, 10)
	dst = append(dst, ' ')
	dst = append(dst, b.TimestampType().String()...)
	dst = append(dst, ": "...)
	dst = strconv.AppendInt(dst, r.Timestamp, 10)
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
	dst = append(dst, " sequence: "...)
	dst = strconv.AppendInt(dst, int64(r.Sequence), 10)
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
	return strconv.AppendInt(dst, int64(len(field)), 10)
}
