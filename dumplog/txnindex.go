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
	entries := index.NewTxnReader(io.NewSectionReader(f, 0, size), path)
	out := newLineWriter(k.out)
	for {
		a, err := entries.Next()
		var version *index.VersionError
		switch {
		case endOfEntries(err):
			return out.end(nil)
		case errors.As(err, &version):
			return out.end(exceptionf(classKafka, "Unexpected aborted transaction version %d in transaction index %s, supported version range is 0 to 0", version.Got, absolute(path)))
		case err != nil:
			return out.end(err)
		}
		out.buf = append(appendAbortedTxn(out.buf, a), '\n')
		out.flush(flushSize)
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
