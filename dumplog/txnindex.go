package dumplog

import (
	"encoding/binary"
	"errors"
	"io/fs"

	"kraftctl/internal/vfs"
)

// abortedTxnSize is an entry of a transaction index: version, producer id, and
// three offsets.
const abortedTxnSize = 34

// transactionIndex dumps a .txnindex file. One that is not there is empty, as
// Kafka makes it only with the first aborted transaction.
func (k *kafkaRun) transactionIndex(path string) error {
	f, err := k.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := vfs.Size(f)
	if err != nil {
		return err
	}
	entry := make([]byte, abortedTxnSize)
	out := newLineWriter(k.out)
	for at := int64(0); at+abortedTxnSize <= size; at += abortedTxnSize {
		if n, err := f.ReadAt(entry, at); n < abortedTxnSize {
			return out.end(err)
		}
		if version := int16(binary.BigEndian.Uint16(entry)); version != 0 {
			return out.end(exceptionf(classKafka, "Unexpected aborted transaction version %d in transaction index %s, supported version range is 0 to 0", version, absolute(path)))
		}
		out.buf = append(appendAbortedTxn(out.buf, entry), '\n')
		out.flush(flushSize)
	}
	return out.end(nil)
}

// appendAbortedTxn prints one entry.
func appendAbortedTxn(dst, entry []byte) []byte {
	be := binary.BigEndian
	dst = appendLabeled(dst, "version: ", int64(int16(be.Uint16(entry))))
	dst = appendLabeled(dst, " producerId: ", int64(be.Uint64(entry[2:])))
	dst = appendLabeled(dst, " firstOffset: ", int64(be.Uint64(entry[10:])))
	dst = appendLabeled(dst, " lastOffset: ", int64(be.Uint64(entry[18:])))
	return appendLabeled(dst, " lastStableOffset: ", int64(be.Uint64(entry[26:])))
}
