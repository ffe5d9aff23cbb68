package snapfile

import (
	"bytes"
	"context"
	"errors"
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
	"kraftctl/internal/metalog"
	"kraftctl/internal/snapshottest"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// TestInspectFinds breaks one rule after the other.
func TestInspectFinds(t *testing.T) {
	version := &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: 33}
	topic := &metadata.TopicRecord{Name: "a", TopicID: kbin.UUID{1}}
	good := snapshottest.Bytes(t, 1, snapshot.Header{}, now(), version, topic)
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
		{"a transaction", snapshottest.Bytes(t, 1, snapshot.Header{}, now(), version, &metadata.BeginTransactionRecord{}, &metadata.EndTransactionRecord{}), "snapshot-transaction"},
		{"no version", snapshottest.Bytes(t, 1, snapshot.Header{}, now(), topic), "snapshot-version"},
		{"does not fit", snapshottest.Bytes(t, 1, snapshot.Header{}, now(), version, &metadata.RemoveTopicRecord{}), "metadata-replay"},
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
// TestInspectUnwritten: what a running node has not written yet at the end of its log,
// a part of a batch or zeros, is no problem of a directory, as it is none of its state;
// with anything behind it, it is.
func TestInspectUnwritten(t *testing.T) {
	fsys := load(t, rich)
	files, err := metalog.List(fsys, "/n/"+index.MetadataLogDir)
	if err != nil {
		t.Fatal(err)
	}
	last := files.Segments[len(files.Segments)-1].Path
	data, err := vfs.ReadFile(fsys, last, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	want := inspect(t, fsys, "/n")
	zeros := make([]byte, 4096)
	for _, c := range []struct {
		name string
		tail []byte
		ok   bool
	}{
		{"nothing", nil, true},
		{"a part of a batch", data[:40], true},
		{"zeros", zeros, true},
		{"zeros and something", append(bytes.Clone(zeros), 1), false},
	} {
		fsys := load(t, rich)
		if err := fsys.Remove(last); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileAtomic(fsys, last, append(bytes.Clone(data), c.tail...), 0o666); err != nil {
			t.Fatal(err)
		}
		r := inspect(t, fsys, "/n")
		if ok := len(r.Problems) == len(want.Problems) && len(r.State.Problems) == len(want.State.Problems); ok != c.ok {
			t.Errorf("%s: %v, %v", c.name, r.Problems, r.State.Problems)
		}
		if r.State.Image.Hash() != want.State.Image.Hash() {
			t.Errorf("%s: another state", c.name)
		}
	}
}

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
		snapshottest.FixChecksums(data)
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
