// Package snapshottest makes snapshots for tests of what reads them.
package snapshottest

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/snapshot"
)

// Record is a metadata record of any kind.
type Record interface {
	kbin.Message
	APIKey() int16
}

// Bytes is a snapshot of records, each in the highest version of its kind. Its
// batches have the time now, in milliseconds.
func Bytes(t testing.TB, epoch int32, h snapshot.Header, now int64, records ...Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w := snapshot.NewWriter(&out, epoch, h, func() int64 { return now })
	for _, m := range records {
		_, highest := m.Versions()
		if err := w.Append(m.APIKey(), highest, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// FixChecksums gives batches right checksums, behind which a fuzzer would never get. It
// ends at the first bytes that are no batch.
func FixChecksums(data []byte) {
	be := binary.BigEndian
	for len(data) >= decode.BatchHeaderSize {
		size := int64(be.Uint32(data[8:])) + decode.LogOverhead
		if size < decode.BatchHeaderSize || size > int64(len(data)) {
			return
		}
		be.PutUint32(data[17:], crc32.Checksum(data[21:size], crc32.MakeTable(crc32.Castagnoli)))
		data = data[size:]
	}
}
