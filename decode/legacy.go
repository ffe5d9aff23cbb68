package decode

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"

	"kraftctl/decode/compress"
)

// Positions in an entry of magic 0 and 1, counted from the entry's offset.
const (
	posLegacyCRC        = 12
	posLegacyAttributes = 17
	posLegacyTimestamp  = 18 // magic 1 only
)

// legacyHeaderEnd is where the key length of a message starts.
func legacyHeaderEnd(magic int8) int {
	if magic == 0 {
		return 18
	}
	return 26
}

// parseLegacyHeader fills the batch from a message of magic 0 or 1.
func (b *Batch) parseLegacyHeader(head []byte) *Fault {
	b.LeaderEpoch, b.ProducerID, b.ProducerEpoch, b.BaseSequence, b.Count = -1, -1, -1, -1, -1
	b.LastOffsetDelta = 0
	b.BaseTimestamp, b.MaxTimestamp = -1, -1
	var unknown *Fault
	if b.Magic < 0 {
		unknown = &Fault{Kind: FaultMagic, Got: int64(b.Magic)}
	}
	if len(head) < legacyHeaderEnd(b.Magic) {
		if unknown != nil {
			return unknown
		}
		return &Fault{Kind: FaultHeaderPastEnd, Want: int64(legacyHeaderEnd(b.Magic)), Got: int64(len(head))}
	}
	b.CRC = binary.BigEndian.Uint32(head[posLegacyCRC:])
	b.Attributes = int16(int8(head[posLegacyAttributes]))
	if b.Magic == 1 {
		b.BaseTimestamp = int64(binary.BigEndian.Uint64(head[posLegacyTimestamp:]))
		b.MaxTimestamp = b.BaseTimestamp
	}
	return unknown
}

// legacyRecords is the state of a walk over the messages of one entry.
type legacyRecords struct {
	single  bool      // the entry is its own only record
	taken   bool      // and it was given out
	entries []message // inner messages, offsets still as stored
	next    int
	base    int64 // added to inner offsets, -1 when they are absolute
}

// message is an inner message: its offset, and its bytes from the checksum on.
type message struct {
	offset int64
	body   []byte
}

func (r *Records) resetLegacy() {
	l := &r.legacy
	l.entries, l.next, l.single, l.taken, l.base = l.entries[:0], 0, false, false, -1
	b := r.batch
	rec := &r.Record
	rec.LeaderEpoch, rec.Sequence, rec.ProducerID, rec.ProducerEpoch = -1, -1, -1, -1
	rec.ControlType, rec.Headers = NotControl, rec.Headers[:0]
	if len(b.Raw) < LogOverhead+MinEntrySize {
		r.fail(b.Position, "message", &Fault{Kind: FaultBatchTooShort, Want: LogOverhead + MinEntrySize, Got: int64(len(b.Raw))})
		return
	}
	if b.Magic < 0 && !r.TimesOnly {
		r.fail(b.Position, "message", &Fault{Kind: FaultMagic, Got: int64(b.Magic)})
		return
	}
	codec, err := b.Codec()
	if err != nil {
		r.err = err
		return
	}
	r.data, r.base = b.Raw, b.Position
	if codec == compress.None {
		l.single = true
		return
	}
	what := "message set at offset " + strconv.FormatInt(b.BaseOffset, 10)
	if b.Magic < 0 {
		r.fail(b.Position, what, &Fault{Kind: FaultWrapperMagic, Got: int64(b.Magic)})
		return
	}
	if codec == compress.Zstd {
		r.fail(b.Position, what, &Fault{Kind: FaultLegacyCodec, Got: int64(b.Magic)})
		return
	}
	value, f := wrapperValue(b.Raw[LogOverhead:], b.Magic)
	if f == nil && value == nil {
		f = &Fault{Kind: FaultLegacyNullWrapper, Got: int64(b.Magic)}
	}
	if f != nil {
		r.fail(b.Position, what, f)
		return
	}
	r.decompress(codec, value)
	if f := r.splitMessages(); f != nil {
		r.fail(b.Position, what, f)
	}
}

// splitMessages cuts the decompressed set into messages and finds the base of
// their offsets. A short message at the end ends the set without an error.
func (r *Records) splitMessages() *Fault {
	l, d := &r.legacy, r.data
	for i := 0; len(d)-i >= LogOverhead; {
		size := int(int32(binary.BigEndian.Uint32(d[i+8:])))
		if size < MinEntrySize {
			return &Fault{Kind: FaultLegacyInnerSize, Want: MinEntrySize, Got: int64(size)}
		}
		if size > len(d)-i-LogOverhead {
			break
		}
		l.entries = append(l.entries, message{
			offset: int64(binary.BigEndian.Uint64(d[i:])),
			body:   d[i+LogOverhead : i+LogOverhead+size],
		})
		i += LogOverhead + size
	}
	if r.after != nil {
		r.err = r.after
		return nil
	}
	if len(l.entries) == 0 {
		return &Fault{Kind: FaultLegacyEmptyWrapper}
	}
	if r.batch.Magic == 1 {
		// Offsets are relative, the wrapper has the absolute one of the last
		// message; old C clients left the wrapper's at 0.
		wrapper, last := r.batch.BaseOffset, l.entries[len(l.entries)-1].offset
		switch {
		case wrapper == 0:
			l.base = 0
		case wrapper < last:
			return &Fault{Kind: FaultLegacyWrapperOffset, Want: last, Got: wrapper}
		default:
			l.base = wrapper - last
		}
	}
	return nil
}

func (r *Records) nextLegacy() bool {
	l, b := &r.legacy, r.batch
	r.read++
	if l.single {
		if l.taken {
			return false
		}
		l.taken = true
		return r.setLegacy(b.BaseOffset, b.Raw[LogOverhead:])
	}
	if l.next >= len(l.entries) {
		return false
	}
	m := l.entries[l.next]
	l.next++
	if attributes := m.body[posLegacyAttributes-LogOverhead]; attributes&attrCodec != 0 {
		r.fail(b.Position, "message set at offset "+strconv.FormatInt(b.BaseOffset, 10), &Fault{Kind: FaultLegacyNested})
		return false
	}
	if l.base >= 0 {
		m.offset += l.base
	}
	return r.setLegacy(m.offset, m.body)
}

// setLegacy fills the record from a message whose bytes start at its checksum.
func (r *Records) setLegacy(offset int64, body []byte) bool {
	rec, b := &r.Record, r.batch
	magic := int8(body[posMagic-LogOverhead])
	rec.Offset = offset
	rec.CRC = binary.BigEndian.Uint32(body)
	rec.Valid = rec.CRC == crc32.ChecksumIEEE(body[posMagic-LogOverhead:])
	rec.Attributes = int8(body[posLegacyAttributes-LogOverhead])
	rec.Timestamp, rec.TimestampType = -1, NoTimestamp
	if magic != 0 && len(body) >= legacyHeaderEnd(1)-LogOverhead {
		// The wrapper decides the type, and with LogAppendTime the time too. A
		// damaged magic is read like 1.
		rec.TimestampType = b.TimestampType()
		rec.Timestamp = int64(binary.BigEndian.Uint64(body[posLegacyTimestamp-LogOverhead:]))
		if rec.TimestampType == LogAppendTime && magic == 1 {
			rec.Timestamp = b.MaxTimestamp
		}
	}
	if r.TimesOnly {
		return true
	}
	what := "message at offset " + strconv.FormatInt(offset, 10)
	var f *Fault
	i := legacyHeaderEnd(magic) - LogOverhead
	if rec.Key, rec.KeySize, i, f = legacyField(body, i, "key"); f != nil {
		r.fail(b.Position, what, f)
		return false
	}
	rec.Damage = nil
	if rec.Value, rec.ValueSize, _, f = legacyField(body, i, "value"); f != nil {
		if f.Want == 0 {
			r.fail(b.Position, what, f) // not even its length is there
			return false
		}
		rec.Damage = damage(b.Position, what, f)
	}
	return true
}

// wrapperValue cuts the compressed set out of a wrapper whose bytes start at its checksum.
func wrapperValue(body []byte, magic int8) ([]byte, *Fault) {
	i := legacyHeaderEnd(magic) - LogOverhead
	_, _, i, f := legacyField(body, i, "key")
	if f != nil {
		return nil, f
	}
	value, _, _, f := legacyField(body, i, "value")
	return value, f
}

// legacyField cuts a key or value out of a message: its bytes, its length as it
// is stored, and where it ends.
func legacyField(d []byte, i int, field string) ([]byte, int32, int, *Fault) {
	if len(d)-i < 4 {
		return nil, 0, 0, &Fault{Kind: FaultLegacyField, Field: field + " length"}
	}
	size := int32(binary.BigEndian.Uint32(d[i:]))
	i += 4
	if size < 0 {
		return nil, size, i, nil
	}
	n := int(size)
	if n > len(d)-i {
		return nil, size, 0, &Fault{Kind: FaultLegacyField, Field: field, Want: int64(n), Got: int64(len(d) - i)}
	}
	return d[i : i+n : i+n], size, i + n, nil
}
