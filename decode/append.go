package decode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"kraftctl/decode/compress"
)

// ErrEncode marks records that cannot be written as asked: an inner offset
// outside of its batch, a header without a key, a codec that the magic does not
// have. Nothing is written then.
var ErrEncode = errors.New("records cannot be encoded")

// NewBatch gives the header of a data batch of magic 2 without a producer, as
// the KRaft log uses it. AppendBatch fills in what follows from the records.
func NewBatch(baseOffset int64, leaderEpoch int32, timestamp int64) Batch {
	return Batch{
		BaseOffset: baseOffset, LeaderEpoch: leaderEpoch, Magic: 2, LastOffsetDelta: -1,
		BaseTimestamp: timestamp, MaxTimestamp: timestamp,
		ProducerID: -1, ProducerEpoch: -1, BaseSequence: -1,
	}
}

// AppendBatch encodes a batch with its records behind dst. Everything is taken
// from the header b but size, count and checksum; a LastOffsetDelta below that
// of the last record is raised to it, as one above it is what compaction
// leaves. The codec is the one in b.Attributes. An
// uncompressed batch that was read from a real file gives the same bytes again.
//
// For magic 0 and 1 without compression there must be one record; with it, the
// records become the messages of one wrapper whose offset is that of the last.
func AppendBatch(dst []byte, b *Batch, records []Record) ([]byte, error) {
	codec, err := b.Codec()
	if err != nil {
		return dst, err
	}
	if b.Magic < 2 {
		return appendLegacy(dst, b, records, codec)
	}
	start := len(dst)
	dst = append(dst, make([]byte, BatchHeaderSize)...)
	if codec == compress.None {
		dst, err = appendRecords(dst, b, records)
	} else {
		var plain []byte
		if plain, err = appendRecords(nil, b, records); err == nil {
			dst, err = new(compress.Encoder).Compress(dst, codec, b.Magic, compress.DefaultLevel, plain)
		}
	}
	if err != nil {
		return dst[:start], err
	}
	if len(dst)-start-LogOverhead > math.MaxInt32 {
		return dst[:start], fmt.Errorf("%w: batch of %d bytes", ErrEncode, len(dst)-start)
	}
	lastDelta := b.LastOffsetDelta
	if len(records) > 0 {
		lastDelta = max(lastDelta, int32(records[len(records)-1].Offset-b.BaseOffset))
	}
	be, h := binary.BigEndian, dst[start:]
	be.PutUint64(h, uint64(b.BaseOffset))
	be.PutUint32(h[posLength:], uint32(len(h)-LogOverhead))
	be.PutUint32(h[posLeaderEpoch:], uint32(b.LeaderEpoch))
	h[posMagic] = byte(b.Magic)
	be.PutUint16(h[posAttributes:], uint16(b.Attributes))
	be.PutUint32(h[posLastDelta:], uint32(lastDelta))
	be.PutUint64(h[posBaseTimestamp:], uint64(b.BaseTimestamp))
	be.PutUint64(h[posMaxTimestamp:], uint64(b.MaxTimestamp))
	be.PutUint64(h[posProducerID:], uint64(b.ProducerID))
	be.PutUint16(h[posProducerEpoch:], uint16(b.ProducerEpoch))
	be.PutUint32(h[posBaseSequence:], uint32(b.BaseSequence))
	be.PutUint32(h[posCount:], uint32(len(records)))
	be.PutUint32(h[posCRC:], crc32.Checksum(h[posAttributes:], castagnoli))
	return dst, nil
}

func appendRecords(dst []byte, b *Batch, records []Record) ([]byte, error) {
	var body []byte
	for i := range records {
		var err error
		if body, err = appendRecord(body[:0], b, &records[i]); err != nil {
			return dst, err
		}
		dst = binary.AppendVarint(dst, int64(len(body)))
		dst = append(dst, body...)
	}
	return dst, nil
}

// appendRecord encodes a record of magic 2 without its length. Kafka's varints
// are zig-zag groups of seven bits, low first, which is what encoding/binary writes.
func appendRecord(dst []byte, b *Batch, r *Record) ([]byte, error) {
	offsetDelta := r.Offset - b.BaseOffset
	if offsetDelta < math.MinInt32 || offsetDelta > math.MaxInt32 {
		return dst, fmt.Errorf("%w: offset %d in a batch that starts at %d", ErrEncode, r.Offset, b.BaseOffset)
	}
	timestampDelta := r.Timestamp - b.BaseTimestamp
	if b.TimestampType() == LogAppendTime {
		timestampDelta = r.TimestampDelta
	}
	dst = append(dst, byte(r.Attributes))
	dst = binary.AppendVarint(dst, timestampDelta)
	dst = binary.AppendVarint(dst, offsetDelta)
	dst = appendField(dst, r.Key)
	dst = appendField(dst, r.Value)
	dst = binary.AppendVarint(dst, int64(len(r.Headers)))
	for _, h := range r.Headers {
		if h.Key == nil {
			return dst, fmt.Errorf("%w: header without a key at offset %d", ErrEncode, r.Offset)
		}
		dst = appendField(dst, h.Key)
		dst = appendField(dst, h.Value)
	}
	return dst, nil
}

// appendField writes a length and the bytes; nil is null.
func appendField(dst, field []byte) []byte {
	if field == nil {
		return binary.AppendVarint(dst, -1)
	}
	dst = binary.AppendVarint(dst, int64(len(field)))
	return append(dst, field...)
}

func appendLegacy(dst []byte, b *Batch, records []Record, codec compress.Codec) ([]byte, error) {
	if b.Magic < 0 || codec == compress.Zstd {
		return dst, fmt.Errorf("%w: codec %s with magic %d", ErrEncode, codec, b.Magic)
	}
	if len(records) == 0 || codec == compress.None && len(records) != 1 {
		return dst, fmt.Errorf("%w: %d records in one message of magic %d", ErrEncode, len(records), b.Magic)
	}
	if codec == compress.None {
		r := &records[0]
		return appendMessage(dst, b.Magic, r.Offset, int8(b.Attributes), r.Timestamp, r.Key, r.Value), nil
	}
	var set []byte
	last := records[len(records)-1].Offset
	for i := range records {
		r := &records[i]
		offset := r.Offset
		if b.Magic == 1 {
			offset -= records[0].Offset
		}
		set = appendMessage(set, b.Magic, offset, r.Attributes, r.Timestamp, r.Key, r.Value)
	}
	value, err := new(compress.Encoder).Compress(nil, codec, b.Magic, compress.DefaultLevel, set)
	if err != nil {
		return dst, err
	}
	return appendMessage(dst, b.Magic, last, int8(b.Attributes), b.MaxTimestamp, nil, value), nil
}

// appendMessage encodes an entry of magic 0 or 1.
func appendMessage(dst []byte, magic int8, offset int64, attributes int8, timestamp int64, key, value []byte) []byte {
	be := binary.BigEndian
	start := len(dst)
	dst = be.AppendUint64(dst, uint64(offset))
	dst = append(dst, make([]byte, 8)...) // size and checksum
	dst = append(dst, byte(magic), byte(attributes))
	if magic == 1 {
		dst = be.AppendUint64(dst, uint64(timestamp))
	}
	for _, field := range [2][]byte{key, value} {
		if field == nil {
			dst = be.AppendUint32(dst, math.MaxUint32)
			continue
		}
		dst = be.AppendUint32(dst, uint32(len(field)))
		dst = append(dst, field...)
	}
	entry := dst[start:]
	be.PutUint32(entry[posLength:], uint32(len(entry)-LogOverhead))
	be.PutUint32(entry[posLegacyCRC:], crc32.ChecksumIEEE(entry[posMagic:]))
	return dst
}
