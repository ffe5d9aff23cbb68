package dumplog

import (
	"errors"
	"io"
	"io/fs"

	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

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
	// Kafka reads all entries before it prints the first one.
	nothing := func(index.AbortedTxn) {}
	if err := eachAbortedTxn(f, size, path, nothing); err != nil {
		return err
	}
	out := newLineWriter(k.out)
	err = eachAbortedTxn(f, size, path, func(a index.AbortedTxn) {
		out.buf = append(appendAbortedTxn(out.buf, a), '\n')
		out.flush(flushSize)
	})
	return out.end(err)
}

// eachAbortedTxn reads a transaction index. Kafka ignores a part of an entry at its end.
func eachAbortedTxn(f vfs.File, size int64, path string, do func(index.AbortedTxn)) error {
	entries := index.NewTxnReader(io.NewSectionReader(f, 0, size), path)
	for {
		a, err := entries.Next()
		var version *index.VersionError
		switch {
		case endOfEntries(err):
			return nil
		case errors.As(err, &version):
			return exceptionf(classKafka, "Unexpected aborted transaction version %d in transaction index %s, supported version range is 0 to 0", version.Got, absolute(path))
		case err != nil:
			return err
		}
		do(a)
	}
}

// appendAbortedTxn prints one entry.
func appendAbortedTxn(dst []byte, a index.AbortedTxn) []byte {
	dst = append(dst, "version: 0"...)
	dst = appendLabeled(dst, " producerId: ", a.ProducerID)
	dst = appendLabeled(dst, " firstOffset: ", a.FirstOffset)
	dst = appendLabeled(dst, " lastOffset: ", a.LastOffset)
	return appendLabeled(dst, " lastStableOffset: ", a.LastStableOffset)
}
