package snapfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// file makes a snapshot with some writer calls.
func file(t *testing.T, h snapshot.Header, records ...interface {
	kbin.Message
	APIKey() int16
}) []byte {
	t.Helper()
	var out bytes.Buffer
	w := snapshot.NewWriter(&out, 1, h, now)
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

// TestInspectFinds breaks one rule after the other.
func TestInspectFinds(t *testing.T) {
	version := &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: 33}
	topic := &metadata.TopicRecord{Name: "a", TopicID: kbin.UUID{1}}
	good := file(t, snapshot.Header{}, version, topic)
	first, err := decode.ParseBatch(good, 0)
	if err != nil {
		t.Fatal(err)
	}
	head, rest := good[:first.Size], good[first.Size:]
	for _, c := range []struct {
		name string
		data []byte
		rule string
	}{
		{"sound", good, ""},
		{"two headers", append(slices.Clone(head), good...), "snapshot-header"},
		{"offsets", append(slices.Clone(head), rest[batchSize(t, rest):]...), "snapshot-offsets"},
		{"behind the footer", append(slices.Clone(good), rest...), "snapshot-footer"},
		{"no footer", good[:first.Size+batchSize(t, rest)], "snapshot-malformed"},
		{"a transaction", file(t, snapshot.Header{}, version, &metadata.BeginTransactionRecord{}, &metadata.EndTransactionRecord{}), "snapshot-transaction"},
		{"no version", file(t, snapshot.Header{}, topic), "snapshot-version"},
		{"does not fit", file(t, snapshot.Header{}, version, &metadata.RemoveTopicRecord{}), "metadata-replay"},
		{"a wrong checksum", append(good[:len(good)-1:len(good)-1], 1), "batch-crc"},
	} {
		m := vfs.NewMem()
		path := "/00000000000000000009-0000000001.checkpoint"
		if err := vfs.WriteFileAtomic(m, path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		r := inspect(t, m, path)
		found := slices.ContainsFunc(r.Problems, func(p timeline.Problem) bool { return p.Rule == c.rule })
		if found != (c.rule != "") || c.rule == "" && len(r.Problems) > 0 {
			t.Errorf("%s: %v", c.name, r.Problems)
		}
	}
	m := vfs.NewMem()
	path := "/00000000000000000009-0000000007.checkpoint"
	if err := vfs.WriteFileAtomic(m, path, good, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := inspect(t, m, path); len(r.Problems) != 1 || r.Problems[0].Rule != "snapshot-epoch" {
		t.Errorf("another epoch: %v", r.Problems)
	}
}

func batchSize(t *testing.T, data []byte) int {
	t.Helper()
	b, err := decode.ParseBatch(data[:], 0)
	if err == nil {
		return b.Size
	}
	size := int(uint32(data[8])<<24|uint32(data[9])<<16|uint32(data[10])<<8|uint32(data[11])) + decode.LogOverhead
	return size
}

// FuzzFiles verifies and redacts any bytes: nothing panics, what Inspect calls sound
// can be written as a snapshot of the same state, and what is redacted can be read.
func FuzzFiles(f *testing.F) {
	for _, name := range []string{"00000000000000000138-0000000001.checkpoint", "00000000000000000650.log"} {
		data, err := os.ReadFile(filepath.Join(rich, index.MetadataLogDir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := vfs.NewMem()
		data = bytes.Clone(data)
		repair(data)
		path := "/00000000000000000138-0000000001.checkpoint"
		if err := vfs.WriteFileAtomic(m, path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		r, err := Inspect(ctx, m, path)
		if err == nil && len(r.Problems) == 0 {
			w, err := Write(ctx, m, "/copy", r.State, WriteOptions{Now: now, DropLoss: true})
			if err == nil && len(w.Lost) == 0 && w.Hash != r.State.Image.Hash() {
				t.Fatal("another state was written")
			}
			if _, mismatch := errors.AsType[*MismatchError](err); mismatch {
				t.Fatal(err)
			}
		}
		if _, err := Redact(ctx, m, path, "/redacted"); err != nil {
			return
		}
		s := newScanner(m)
		before, after := 0, 0
		if err := s.file(ctx, path, 0, func(*Record) error { before++; return nil }); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return // zeros at its end, or a malformed control batch, which stays as it is
		}
		if err := s.file(ctx, "/redacted", 0, func(*Record) error { after++; return nil }); err != nil || before != after {
			t.Fatalf("%d records redacted, %d there: %v", after, before, err)
		}
	})
}

// repair gives batches right checksums, behind which a fuzzer would never get.
func repair(data []byte) {
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
