package decode

import (
	"strconv"
	"unsafe"

	"kraftctl/decode/compress"
)

// DefaultMaxDecompressed bounds what one batch may decompress to, in bytes,
// where nothing else is said: a few kilobytes can claim to be gigabytes. It is
// also about what Kafka's own tools can hold with the heap that they have.
const DefaultMaxDecompressed = 256 << 20

// headerMemory is what a record header takes in memory.
const headerMemory = int64(unsafe.Sizeof(Header{}))

// keptBuffer is how large a buffer for decompressed bytes is kept for the next batch.
const keptBuffer = 32 << 20

// Records walks over the records of batches. It is reused from batch to batch
// and keeps its buffers; it is not safe for concurrent use.
//
//	it := decode.NewRecords(0)
//	for it.Reset(&batch); it.Next(); {
//		use(&it.Record)
//	}
//	if err := it.Err(); err != nil { ... }
type Records struct {
	// Record is the current record, valid after Next returned true.
	Record Record
	// TimesOnly leaves out the keys and values of messages of magic 0 and 1, and
	// so what is wrong with them. It is for those who want timestamps.
	TimesOnly bool

	batch      *Batch
	decoder    compress.Decoder
	limit      int64
	data       []byte // what is walked over: part of the batch, or plain
	plain      []byte // decompressed bytes, reused
	pos        int
	read       int32
	count      int32
	base       int64 // position in the file of data[0], -1 when decompressed
	compressed bool
	after      error // decompression stopped there: reported once data is used up
	err        error

	legacy legacyRecords
}

// NewRecords makes a walker. maxDecompressed bounds the decompressed size of
// one batch in bytes; 0 means DefaultMaxDecompressed.
func NewRecords(maxDecompressed int64) *Records {
	if maxDecompressed <= 0 {
		maxDecompressed = DefaultMaxDecompressed
	}
	return &Records{limit: maxDecompressed}
}

// Reset starts with the records of b, and decompresses them if need be.
func (r *Records) Reset(b *Batch) {
	r.batch, r.err, r.after = b, nil, nil
	r.pos, r.read, r.count = 0, 0, 0
	r.compressed, r.data = false, nil
	if cap(r.plain) > keptBuffer {
		r.plain = nil
	}
	if b.Magic < 2 {
		r.resetLegacy()
		return
	}
	if len(b.Raw) < BatchHeaderSize {
		r.fail(b.Position, "batch", &Fault{Kind: FaultBatchTooShort, Want: BatchHeaderSize, Got: int64(len(b.Raw))})
		return
	}
	if b.Count == 0 {
		return
	}
	codec, err := b.Codec()
	if err != nil {
		r.err = err
		return
	}
	if b.Count < 0 {
		r.fail(b.Position+posCount, "record count", &Fault{Kind: FaultCount, Want: int64(b.Magic), Got: int64(b.Count)})
		return
	}
	r.count = b.Count
	r.data, r.base = b.Raw[BatchHeaderSize:], b.Position+BatchHeaderSize
	if codec != compress.None {
		r.decompress(codec, r.data)
	}
	rec := &r.Record
	rec.LeaderEpoch = b.LeaderEpoch
	rec.ControlType = NotControl
	rec.TimestampType = b.TimestampType()
	rec.ProducerID, rec.ProducerEpoch = b.ProducerID, b.ProducerEpoch
	rec.CRC, rec.Valid, rec.KeySize, rec.ValueSize, rec.Damage = 0, false, 0, 0, nil
}

func (r *Records) decompress(codec compress.Codec, src []byte) {
	var err error
	r.plain, err = r.decoder.Decompress(r.plain[:0], codec, r.batch.Magic, src, r.limit)
	if err != nil {
		r.after = damage(r.batch.Position, "batch at offset "+strconv.FormatInt(r.batch.BaseOffset, 10),
			&Fault{Kind: FaultDecompress, Field: codec.String(), Err: err})
	}
	r.data, r.base, r.compressed = r.plain, -1, true
}

// Rewind goes back to the first record of the batch without decompressing it again.
func (r *Records) Rewind() {
	if r.batch.Magic < 2 {
		r.legacy.next, r.legacy.taken = 0, false
		return
	}
	r.pos, r.read, r.err = 0, 0, nil
}

// Err is what stopped Next, nil at the regular end of the batch.
func (r *Records) Err() error { return r.err }

// Compressed reports whether the records of the current batch were compressed.
func (r *Records) Compressed() bool { return r.compressed }

// Plain gives the bytes of the records after decompression, for those who want
// to show them as they are.
func (r *Records) Plain() []byte { return r.data }

// Next moves to the next record. It returns false at the end and at the first
// thing that is wrong.
func (r *Records) Next() bool {
	if r.err != nil || r.batch == nil {
		return false
	}
	if r.batch.Magic < 2 {
		return r.nextLegacy()
	}
	if r.read >= r.count {
		return false
	}
	r.read++
	start := r.pos
	length, at, f := readVarint(r.data, r.pos)
	if f != nil {
		if f.Kind != FaultVarint {
			f = &Fault{Kind: FaultPrematureEnd, Want: int64(r.count), Got: int64(r.read - 1)}
		} else if r.compressed {
			f = &Fault{Kind: FaultPrematureEnd, Want: int64(r.count), Got: int64(r.read - 1), Err: f}
		}
		return r.failRecord(start, f)
	}
	if length < 0 && r.compressed {
		return r.failRecord(start, &Fault{Kind: FaultRecordNegative, Got: int64(length)})
	}
	if int(length) > len(r.data)-at {
		past := &Fault{Kind: FaultRecordPastEnd, Want: int64(length), Got: int64(len(r.data) - at)}
		if r.compressed {
			past.Field = "compressed records"
		}
		return r.failRecord(start, past)
	}
	data := r.data
	if r.compressed && length >= 0 {
		// Each record of a compressed stream is read on its own, so its fields
		// cannot run into the next one.
		data = data[:at+int(length)]
	}
	end, f := r.parseRecord(data, at)
	if f == nil && end-at != int(length) {
		f = &Fault{Kind: FaultRecordLength, Want: int64(length), Got: int64(end - at)}
	}
	if f != nil {
		return r.failRecord(start, f)
	}
	r.pos = end
	if r.read == r.count {
		if end != len(r.data) {
			return r.failRecord(end, &Fault{Kind: FaultRecordsRemain, Want: int64(end), Got: int64(len(r.data))})
		}
		if r.after != nil {
			r.err = r.after
			return false
		}
	}
	return true
}

// parseRecord reads the fields of a magic 2 record that starts (behind its
// length) at byte i of d, and returns where they end.
func (r *Records) parseRecord(d []byte, i int) (int, *Fault) {
	b, rec := r.batch, &r.Record
	if i >= len(d) {
		return 0, structureFault("attributes")
	}
	rec.Attributes = int8(d[i])
	i++
	delta, i, f := readVarlong(d, i)
	if f != nil {
		return 0, asStructure(f, "timestamp delta")
	}
	rec.TimestampDelta = delta
	rec.Timestamp = b.BaseTimestamp + delta
	if rec.TimestampType == LogAppendTime {
		rec.Timestamp = b.MaxTimestamp
	}
	offsetDelta, i, f := readVarint(d, i)
	if f != nil {
		return 0, asStructure(f, "offset delta")
	}
	rec.Offset = b.BaseOffset + int64(offsetDelta)
	rec.Sequence = -1
	if b.BaseSequence >= 0 {
		rec.Sequence = IncrementSequence(b.BaseSequence, offsetDelta)
	}
	if rec.Key, i, f = readField(d, i, "key"); f != nil {
		return 0, f
	}
	if b.IsControl() {
		rec.ControlType = controlType(rec.Key)
	}
	if rec.Value, i, f = readField(d, i, "value"); f != nil {
		return 0, f
	}
	headers, i, f := readVarint(d, i)
	if f != nil {
		return 0, asStructure(f, "header count")
	}
	rec.Headers = rec.Headers[:0]
	if headers == 0 {
		return i, nil
	}
	if headers < 0 {
		return 0, &Fault{Kind: FaultHeaderCount, Got: int64(headers)}
	}
	if int(headers) > len(d)-i {
		return 0, &Fault{Kind: FaultHeaderCountTooLarge, Want: int64(headers), Got: int64(len(d) - i)}
	}
	for left := headers; left > 0; left-- {
		if int64(len(rec.Headers))*headerMemory > r.limit {
			return 0, &Fault{Kind: FaultHeaderMemory, Want: r.limit / headerMemory, Got: int64(headers)}
		}
		var h Header
		start := i
		if h.Key, i, f = readField(d, i, "header key"); f != nil {
			return 0, f
		}
		if h.Key == nil {
			size, _, _ := readVarint(d, start) // it was read once
			return 0, &Fault{Kind: FaultHeaderKey, Got: int64(size)}
		}
		if h.Value, i, f = readField(d, i, "header value"); f != nil {
			return 0, f
		}
		rec.Headers = append(rec.Headers, h)
	}
	return i, nil
}

// readField reads a length and that many bytes; a negative length is null.
func readField(d []byte, i int, field string) ([]byte, int, *Fault) {
	n, i, f := readVarint(d, i)
	if f != nil {
		return nil, 0, asStructure(f, field)
	}
	if n < 0 {
		return nil, i, nil
	}
	if int(n) > len(d)-i {
		return nil, 0, structureFault(field)
	}
	return d[i : i+int(n) : i+int(n)], i + int(n), nil
}

func structureFault(field string) *Fault {
	return &Fault{Kind: FaultRecordStructure, Field: field}
}

func asStructure(f *Fault, field string) *Fault {
	return &Fault{Kind: FaultRecordStructure, Field: field, Err: f}
}

// failRecord notes what is wrong with the record that starts at byte at of the data.
func (r *Records) failRecord(at int, f *Fault) bool {
	if r.after != nil && (f.Kind == FaultPrematureEnd || f.Kind == FaultRecordPastEnd) {
		// The records end early because the decompressor gave up.
		r.err = r.after
		return false
	}
	pos := r.batch.Position
	what := "batch at offset " + strconv.FormatInt(r.batch.BaseOffset, 10) + ", record " + strconv.Itoa(int(r.read))
	if r.base >= 0 {
		pos = r.base + int64(at)
	} else {
		what += ", decompressed byte " + strconv.Itoa(at)
	}
	r.fail(pos, what, f)
	return false
}

func (r *Records) fail(pos int64, what string, f *Fault) {
	r.err = damage(pos, what, f)
}

// readVarint reads a zig-zag variable-length int32 of at most 5 bytes.
func readVarint(d []byte, i int) (int32, int, *Fault) {
	if i < len(d) && d[i] < 0x80 {
		u := uint32(d[i])
		return int32(u>>1) ^ -int32(u&1), i + 1, nil
	}
	var u uint32
	for shift := uint(0); ; shift += 7 {
		if i >= len(d) {
			return 0, i, &Fault{Kind: FaultRecordStructure, Field: "variable-length integer"}
		}
		c := d[i]
		i++
		u |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return int32(u>>1) ^ -int32(u&1), i, nil
		}
		if shift == 28 {
			return 0, i, &Fault{Kind: FaultVarint, Want: 5, Got: int64(u)}
		}
	}
}

// readVarlong reads a zig-zag variable-length int64 of at most 10 bytes.
func readVarlong(d []byte, i int) (int64, int, *Fault) {
	if i < len(d) && d[i] < 0x80 {
		u := uint64(d[i])
		return int64(u>>1) ^ -int64(u&1), i + 1, nil
	}
	var u uint64
	for shift := uint(0); ; shift += 7 {
		if i >= len(d) {
			return 0, i, &Fault{Kind: FaultRecordStructure, Field: "variable-length integer"}
		}
		c := d[i]
		i++
		u |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return int64(u>>1) ^ -int64(u&1), i, nil
		}
		if shift == 63 {
			return 0, i, &Fault{Kind: FaultVarint, Want: 10, Got: int64(u)}
		}
	}
}
