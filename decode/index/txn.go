package index

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// AbortedTxnSize is the length of an entry of a .txnindex file in bytes.
const AbortedTxnSize = 34

// AbortedTxn is one entry of a .txnindex file: a transaction whose ABORT marker
// is in the segment.
//
//	 0         2            10             18            26                   34
//	┌─────────┬────────────┬──────────────┬─────────────┬────────────────────┐
//	│ version │ producerId │ firstOffset  │ lastOffset  │ lastStableOffset   │
//	│ int16 0 │ int64      │ int64        │ int64       │ int64              │
//	└─────────┴────────────┴──────────────┴─────────────┴────────────────────┘
//
// The file is created with the first abort and never padded. Entries stand in
// the order of their last offsets; first offsets are in no order, because
// transactions overlap. Kafka's names: TransactionIndex, AbortedTxn.
type AbortedTxn struct {
	ProducerID       int64
	FirstOffset      int64 // of the transaction's first record; may be in an older segment
	LastOffset       int64 // of the ABORT marker
	LastStableOffset int64 // of the partition when the transaction was aborted
}

// Overlaps reports whether a consumer that reads the offsets [from, upTo) with
// isolation level read_committed must know of the transaction.
func (a AbortedTxn) Overlaps(from, upTo int64) bool {
	return a.LastOffset >= from && a.FirstOffset < upTo
}

// AppendAbortedTxn adds the encoding of an entry, version 0.
func AppendAbortedTxn(dst []byte, a AbortedTxn) []byte {
	dst = append(dst, 0, 0)
	dst = binary.BigEndian.AppendUint64(dst, uint64(a.ProducerID))
	dst = binary.BigEndian.AppendUint64(dst, uint64(a.FirstOffset))
	dst = binary.BigEndian.AppendUint64(dst, uint64(a.LastOffset))
	return binary.BigEndian.AppendUint64(dst, uint64(a.LastStableOffset))
}

// TxnReader gives the entries of a .txnindex file in the order in which they
// stand there.
type TxnReader struct {
	entries entryReader
	pos     int64
	err     error
}

// NewTxnReader reads a .txnindex file. file is for messages only.
func NewTxnReader(r io.Reader, file string) *TxnReader {
	return &TxnReader{entries: newEntryReader(r, AbortedTxnSize, file)}
}

// Next gives the next entry and io.EOF after the last one. Damage ends the
// reading: a version other than 0 (a *VersionError; Kafka up to 4.3 looks at
// its first byte only), or ErrPartialEntry in place of io.EOF, which Kafka
// ignores.
func (r *TxnReader) Next() (AbortedTxn, error) {
	if r.err != nil {
		return AbortedTxn{}, r.err
	}
	b, pos, err := r.entries.next()
	if err != nil {
		return AbortedTxn{}, err
	}
	if v := int16(binary.BigEndian.Uint16(b)); v != 0 {
		r.err = &CorruptError{File: r.entries.file, Pos: pos, What: "version of an aborted transaction",
			Want: "0", Got: itoa(v), Err: &VersionError{int64(v), 0, 0}}
		return AbortedTxn{}, r.err
	}
	r.pos = pos
	return AbortedTxn{
		ProducerID:       int64(binary.BigEndian.Uint64(b[2:])),
		FirstOffset:      int64(binary.BigEndian.Uint64(b[10:])),
		LastOffset:       int64(binary.BigEndian.Uint64(b[18:])),
		LastStableOffset: int64(binary.BigEndian.Uint64(b[26:])),
	}, nil
}

// SanityCheckTxnIndex is the check of a starting broker: every entry has version
// 0 and a last offset at or above base, the base offset of the segment. Bytes
// after the last whole entry are ignored.
func SanityCheckTxnIndex(r io.Reader, base int64, file string) error {
	err := eachTxn(r, file, func(a AbortedTxn, pos int64) error {
		if a.LastOffset < base {
			return belowBase(file, pos+18, "last offset of a transaction", base, a.LastOffset)
		}
		return nil
	})
	if errors.Is(err, ErrPartialEntry) {
		return nil
	}
	return err
}

// VerifyTxnIndex checks all that holds for a file written by a sound broker:
// the sanity check, last offsets that grow strictly, no first offset beyond the
// last one, and a length that is a multiple of the entry size.
func VerifyTxnIndex(r io.Reader, base int64, file string) error {
	prev := int64(math.MinInt64)
	return eachTxn(r, file, func(a AbortedTxn, pos int64) error {
		switch {
		case a.LastOffset < base:
			return belowBase(file, pos+18, "last offset of a transaction", base, a.LastOffset)
		case a.LastOffset <= prev:
			return outOfOrder(file, pos+18, "last offset of a transaction", "above", prev, a.LastOffset)
		case a.FirstOffset > a.LastOffset:
			return outOfOrder(file, pos+10, "first offset of a transaction", "at most", a.LastOffset, a.FirstOffset)
		}
		prev = a.LastOffset
		return nil
	})
}

// eachTxn calls check for every entry.
func eachTxn(r io.Reader, file string, check func(a AbortedTxn, pos int64) error) error {
	x := NewTxnReader(r, file)
	for {
		a, err := x.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = check(a, x.pos)
		}
		if err != nil {
			return err
		}
	}
}
