package decode

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"kraftctl/decode/compress"
)

// Sizes of the fixed parts, in bytes.
const (
	// LogOverhead is the offset and size that come before every entry of any magic.
	LogOverhead = 12
	// HeaderUpToMagic is what must be read of an entry to know its magic.
	HeaderUpToMagic = 17
	// BatchHeaderSize is the fixed part of a batch of magic 2.
	BatchHeaderSize = 61
	// MinEntrySize is the smallest value of an entry's size field: an empty message of magic 0.
	MinEntrySize = 14
	// MaxBatchSize is the largest batch of the KRaft log: 8 MiB.
	MaxBatchSize = 8 << 20
)

// Positions of the fields of a batch of magic 2.
const (
	posLength        = 8
	posLeaderEpoch   = 12
	posMagic         = 16
	posCRC           = 17
	posAttributes    = 21
	posLastDelta     = 23
	posBaseTimestamp = 27
	posMaxTimestamp  = 35
	posProducerID    = 43
	posProducerEpoch = 51
	posBaseSequence  = 53
	posCount         = 57
)

// Attribute bits of a batch.
const (
	attrCodec         = 0x07
	attrLogAppendTime = 0x08
	attrTransactional = 0x10
	attrControl       = 0x20
	attrDeleteHorizon = 0x40
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Batch is one entry of a segment or snapshot: a record batch of magic 2, or a
// message of magic 0 or 1, which may be a compressed set of messages. For the
// old formats the fields that they do not have are -1, BaseOffset is the
// entry's own offset (that of the last inner message) and Count is -1.
type Batch struct {
	Position        int64 // in the file, of the first byte
	Size            int   // in bytes, with the 12 bytes of offset and size
	BaseOffset      int64
	LeaderEpoch     int32
	Magic           int8
	CRC             uint32 // as stored
	Attributes      int16
	LastOffsetDelta int32
	BaseTimestamp   int64
	MaxTimestamp    int64
	ProducerID      int64
	ProducerEpoch   int16
	BaseSequence    int32
	Count           int32

	// Raw is the whole entry. It points into the reader's buffer.
	Raw []byte
}

// parseHeader fills the batch from its first bytes. head may be longer than
// the entry: a damaged size can be smaller than the fixed part, which is then
// read from what follows, as Kafka does. The caller has checked that head has
// at least 17 bytes.
func (b *Batch) parseHeader(head []byte, pos int64, size int) *Fault {
	be := binary.BigEndian
	b.Position, b.Size = pos, size
	b.BaseOffset = int64(be.Uint64(head))
	b.Magic = int8(head[posMagic])
	if b.Magic < 2 {
		return b.parseLegacyHeader(head)
	}
	if len(head) < BatchHeaderSize {
		return &Fault{Kind: FaultHeaderPastEnd, Want: BatchHeaderSize, Got: int64(len(head))}
	}
	b.LeaderEpoch = int32(be.Uint32(head[posLeaderEpoch:]))
	b.CRC = be.Uint32(head[posCRC:])
	b.Attributes = int16(be.Uint16(head[posAttributes:]))
	b.LastOffsetDelta = int32(be.Uint32(head[posLastDelta:]))
	b.BaseTimestamp = int64(be.Uint64(head[posBaseTimestamp:]))
	b.MaxTimestamp = int64(be.Uint64(head[posMaxTimestamp:]))
	b.ProducerID = int64(be.Uint64(head[posProducerID:]))
	b.ProducerEpoch = int16(be.Uint16(head[posProducerEpoch:]))
	b.BaseSequence = int32(be.Uint32(head[posBaseSequence:]))
	b.Count = int32(be.Uint32(head[posCount:]))
	return nil
}

// ParseBatch reads the entry at the start of raw, which must hold it whole.
// pos is its position in the file, for error messages. The batch points into
// raw. Only the fixed part is looked at: see Valid and Records.
func ParseBatch(raw []byte, pos int64) (Batch, error) {
	var b Batch
	if len(raw) < HeaderUpToMagic {
		return b, damage(pos, "batch header", &Fault{Kind: FaultHeaderPastEnd, Want: HeaderUpToMagic, Got: int64(len(raw))})
	}
	length := int32(binary.BigEndian.Uint32(raw[posLength:]))
	if length < MinEntrySize {
		return b, damage(pos, "batch length", &Fault{Kind: FaultSizeTooSmall, Want: MinEntrySize, Got: int64(length)})
	}
	size := int(length) + LogOverhead
	if size > len(raw) {
		return b, damage(pos, "batch length", &Fault{Kind: FaultHeaderPastEnd, Want: int64(size), Got: int64(len(raw))})
	}
	if f := b.parseHeader(raw, pos, size); f != nil {
		return b, damage(pos, "batch header", f)
	}
	b.Raw = raw[:size]
	return b, nil
}

// LastOffset is the offset of the last record that was ever in the batch; it
// survives compaction.
func (b *Batch) LastOffset() int64 { return b.BaseOffset + int64(b.LastOffsetDelta) }

// NextOffset is the offset that follows the batch.
func (b *Batch) NextOffset() int64 { return b.LastOffset() + 1 }

// LastSequence is the sequence of the last record, -1 when there is none.
func (b *Batch) LastSequence() int32 {
	if b.BaseSequence == -1 {
		return -1
	}
	return IncrementSequence(b.BaseSequence, b.LastOffsetDelta)
}

// IncrementSequence adds to a producer's sequence, which wraps from 2^31-1 to 0.
func IncrementSequence(sequence, increment int32) int32 {
	if sequence > math.MaxInt32-increment {
		return increment - (math.MaxInt32 - sequence) - 1
	}
	return sequence + increment
}

// Codec is the compression of the records. The bits 5 to 7 mean nothing: an error.
func (b *Batch) Codec() (compress.Codec, error) {
	if c := b.Attributes & attrCodec; c <= int16(compress.Zstd) {
		return compress.Codec(c), nil
	}
	return 0, damage(b.Position, "batch attributes", &Fault{Kind: FaultCodec, Got: int64(b.Attributes & attrCodec)})
}

// TimestampType says what MaxTimestamp and the records' timestamps mean.
func (b *Batch) TimestampType() TimestampType {
	switch {
	case b.Magic == 0:
		return NoTimestamp
	case b.Attributes&attrLogAppendTime != 0:
		return LogAppendTime
	}
	return CreateTime
}

// IsTransactional reports whether the batch belongs to a transaction (KIP-98).
func (b *Batch) IsTransactional() bool { return b.Magic >= 2 && b.Attributes&attrTransactional != 0 }

// IsControl reports whether the batch holds control records, which no consumer sees.
func (b *Batch) IsControl() bool { return b.Magic >= 2 && b.Attributes&attrControl != 0 }

// DeleteHorizon gives the time in milliseconds after which the cleaner may drop
// the batch's tombstones (KIP-534), and whether there is one.
func (b *Batch) DeleteHorizon() (int64, bool) {
	if b.Magic >= 2 && b.Attributes&attrDeleteHorizon != 0 {
		return b.BaseTimestamp, true
	}
	return 0, false
}

// Checksum computes the checksum over the bytes that the stored one covers:
// CRC-32C from the attributes on for magic 2, CRC-32 (IEEE) from the magic on
// for the older formats.
func (b *Batch) Checksum() uint32 {
	if b.Magic < 2 {
		return crc32.ChecksumIEEE(b.Raw[posMagic:])
	}
	if len(b.Raw) < posAttributes {
		return 0
	}
	return crc32.Checksum(b.Raw[posAttributes:], castagnoli)
}

// Valid reports whether the batch is at least as long as its fixed part and
// its stored checksum is right. The leader epoch and the base offset are not
// covered by the checksum of magic 2.
func (b *Batch) Valid() bool {
	if b.Magic >= 2 && b.Size < BatchHeaderSize {
		return false
	}
	return b.CRC == b.Checksum()
}
