package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

const (
	// ProducerEntrySize is the length of an entry of a producer snapshot in bytes.
	ProducerEntrySize = 46

	producerVersion = 1
	crcPos          = 2 // the CRC covers all that follows it
	countPos        = 6
	entriesPos      = 10
)

// castagnoli is the table of CRC-32C, the CRC of all that Kafka writes since 0.11.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ProducerState is what a broker remembers of one idempotent or transactional
// producer: an entry of a producer snapshot, the file OFFSET.snapshot that holds
// the state before the record at OFFSET.
//
//	 0         2         6                10
//	┌─────────┬─────────┬────────────────┬─────────┬─────────┬───┐
//	│ version │ crc     │ count          │ entry 0 │ entry 1 │...│
//	│ int16 1 │ uint32  │ int32          │         │         │   │
//	└─────────┴─────────┴────────────────┴─────────┴─────────┴───┘
//	                    └──────── CRC-32C of this ───────────────┘
//
//	entry
//	 0            8        10             14           22
//	┌────────────┬────────┬──────────────┬────────────┬─────────────┐
//	│ producerId │ epoch  │ lastSequence │ lastOffset │ offsetDelta │
//	│ int64      │ int16  │ int32        │ int64      │ int32       │
//	├────────────┼────────┴─────────┬────┴────────────┴─────────────┘
//	│ timestamp  │ coordinatorEpoch │ currentTxnFirstOffset │
//	│ int64      │ int32            │ int64                 │
//	└────────────┴──────────────────┴───────────────────────┘
//	 26           34                 38                      46
//
// The KRaft log writes such files as well, always without entries. Kafka's
// names: ProducerStateManager, ProducerSnapshot.
type ProducerState struct {
	ProducerID int64
	Epoch      int16
	// The producer's last batch; LastSequence and LastOffset are -1 and
	// OffsetDelta is 0 if there is none.
	LastSequence int32
	LastOffset   int64
	OffsetDelta  int32 // last minus first offset (and sequence) of that batch
	Timestamp    int64 // of the last entry of the producer, in milliseconds since 1970
	// CoordinatorEpoch is that of the last transaction marker, -1 if there was none.
	CoordinatorEpoch int32
	// CurrentTxnFirstOffset is where the open transaction starts, -1 without one.
	CurrentTxnFirstOffset int64
}

// HasBatch reports whether the entry knows of a batch, as Kafka decides it.
func (p ProducerState) HasBatch() bool { return p.LastOffset >= 0 }

// FirstSequence is the sequence of the first record of the last batch, -1
// without one. Sequences wrap from 2^31-1 to 0.
func (p ProducerState) FirstSequence() int32 {
	if !p.HasBatch() {
		return -1
	}
	if p.LastSequence < p.OffsetDelta {
		return math.MaxInt32 - (p.OffsetDelta - p.LastSequence) + 1
	}
	return p.LastSequence - p.OffsetDelta
}

// AppendProducerSnapshot adds the encoding of a whole file with the given
// entries, in their order (Kafka's is that of a hash map).
func AppendProducerSnapshot(dst []byte, entries []ProducerState) []byte {
	start := len(dst)
	dst = binary.BigEndian.AppendUint16(dst, producerVersion)
	dst = binary.BigEndian.AppendUint32(dst, 0) // the CRC, below
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(entries)))
	for i := range entries {
		dst = appendProducerState(dst, &entries[i])
	}
	crc := crc32.Checksum(dst[start+countPos:], castagnoli)
	binary.BigEndian.PutUint32(dst[start+crcPos:], crc)
	return dst
}

func appendProducerState(dst []byte, p *ProducerState) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.ProducerID))
	dst = binary.BigEndian.AppendUint16(dst, uint16(p.Epoch))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.LastSequence))
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.LastOffset))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.OffsetDelta))
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.Timestamp))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.CoordinatorEpoch))
	return binary.BigEndian.AppendUint64(dst, uint64(p.CurrentTxnFirstOffset))
}

func parseProducerState(b []byte) ProducerState {
	return ProducerState{
		ProducerID:            int64(binary.BigEndian.Uint64(b)),
		Epoch:                 int16(binary.BigEndian.Uint16(b[8:])),
		LastSequence:          int32(binary.BigEndian.Uint32(b[10:])),
		LastOffset:            int64(binary.BigEndian.Uint64(b[14:])),
		OffsetDelta:           int32(binary.BigEndian.Uint32(b[22:])),
		Timestamp:             int64(binary.BigEndian.Uint64(b[26:])),
		CoordinatorEpoch:      int32(binary.BigEndian.Uint32(b[34:])),
		CurrentTxnFirstOffset: int64(binary.BigEndian.Uint64(b[38:])),
	}
}

// ProducerReader gives the entries of a producer snapshot one by one, before it
// can know whether the CRC over all of them is right: only io.EOF says that the
// entries given out can be trusted.
type ProducerReader struct {
	r        io.Reader
	file     string
	size     int64
	pos      int64
	started  bool
	left     int32
	stored   uint32
	crc      uint32
	trailing int64
	err      error
	buf      []byte
}

// NewProducerReader reads a producer snapshot of the given size in bytes; -1 if
// the size is not known, in which case a count that is too large is noticed only
// at the end of the file. file is for messages only.
func NewProducerReader(r io.Reader, size int64, file string) *ProducerReader {
	return &ProducerReader{r: r, size: size, file: file}
}

// Next gives the next entry, and io.EOF after the last one if the CRC is right.
// Any damage (in Kafka's order: *VersionError, ErrTruncated, ErrNullArray,
// *CountError, *ChecksumError) ends the reading; Kafka treats such a file as if
// it were not there.
func (r *ProducerReader) Next() (ProducerState, error) {
	if r.err == nil && !r.started {
		r.started = true
		r.buf = make([]byte, ProducerEntrySize)
		r.err = r.header()
	}
	if r.err == nil && r.left == 0 {
		r.err = r.finish()
	}
	if r.err == nil {
		r.left--
		r.err = r.fill(r.buf, "entry")
	}
	if r.err != nil {
		return ProducerState{}, r.err
	}
	return parseProducerState(r.buf), nil
}

// Trailing is the number of bytes after the last entry, known after io.EOF. The
// CRC covers them and Kafka ignores them.
func (r *ProducerReader) Trailing() int64 { return r.trailing }

// fill reads the next len(b) bytes, which the CRC covers from the count on.
func (r *ProducerReader) fill(b []byte, what string) error {
	n, err := io.ReadFull(r.r, b)
	pos := r.pos
	r.pos += int64(n)
	if pos >= countPos {
		r.crc = crc32.Update(r.crc, castagnoli, b[:n])
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &CorruptError{File: r.file, Pos: pos, What: what, Want: itoa(len(b)) + " bytes", Got: itoa(n), Err: ErrTruncated}
	}
	return err
}

// header reads up to the first entry. The version is looked at before anything
// else is read, because an unknown one says nothing about the rest.
func (r *ProducerReader) header() error {
	b := r.buf[:2]
	if err := r.fill(b, "version"); err != nil {
		return err
	}
	if v := int16(binary.BigEndian.Uint16(b)); v != producerVersion {
		return &CorruptError{File: r.file, Pos: 0, What: "version of the producer snapshot", Want: itoa(producerVersion), Got: itoa(v),
			Err: &VersionError{int64(v), producerVersion, producerVersion}}
	}
	b = r.buf[:4]
	if err := r.fill(b, "CRC"); err != nil {
		return err
	}
	r.stored = binary.BigEndian.Uint32(b)
	if err := r.fill(b, "count"); err != nil {
		return err
	}
	r.left = int32(binary.BigEndian.Uint32(b))
	if r.left < 0 {
		return &CorruptError{File: r.file, Pos: countPos, What: "count", Want: "0 or more", Got: itoa(r.left), Err: ErrNullArray}
	}
	if remaining := r.size - entriesPos; r.size >= 0 && int64(r.left) > remaining {
		return &CorruptError{File: r.file, Pos: countPos, What: "count", Want: "at most " + itoa(remaining/ProducerEntrySize), Got: itoa(r.left),
			Err: &CountError{r.left, remaining}}
	}
	return nil
}

// finish reads to the end of the file and checks the CRC.
func (r *ProducerReader) finish() error {
	var rest [512]byte
	for {
		n, err := r.r.Read(rest[:])
		r.crc = crc32.Update(r.crc, castagnoli, rest[:n])
		r.trailing += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if r.crc != r.stored {
		return &CorruptError{File: r.file, Pos: crcPos, What: "CRC of the producer snapshot", Want: hex32(r.crc), Got: hex32(r.stored),
			Err: &ChecksumError{Stored: r.stored, Computed: r.crc}}
	}
	return io.EOF
}

// ParseProducerSnapshot gives the entries of a file whose bytes are at hand, or
// nothing but the damage.
func ParseProducerSnapshot(data []byte, file string) ([]ProducerState, error) {
	r := NewProducerReader(bytes.NewReader(data), int64(len(data)), file)
	var list []ProducerState
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}
