package decode_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode"
)

const fixtures = "../testdata/fixtures"

// segments gives the segments and snapshots below a directory of the fixtures.
func segments(t testing.TB, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Join(fixtures, dir), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.HasSuffix(path, ".log") || strings.HasSuffix(path, ".checkpoint")) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no segments in %s", dir)
	}
	return found
}

// readBatches reads all batches of raw with copies of their bytes.
func readBatches(raw []byte) ([]decode.Batch, error) {
	r := decode.NewReader(strings.NewReader(string(raw)), "test")
	var all []decode.Batch
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		c := *b
		c.Raw = append([]byte(nil), b.Raw...)
		all = append(all, c)
	}
}

// readRecords reads the records of a batch with copies of their bytes.
func readRecords(b *decode.Batch) ([]decode.Record, error) {
	it := decode.NewRecords(1 << 24)
	var all []decode.Record
	for it.Reset(b); it.Next(); {
		all = append(all, cloneRecord(it.Record))
	}
	return all, it.Err()
}

func cloneRecord(r decode.Record) decode.Record {
	r.Key, r.Value = clone(r.Key), clone(r.Value)
	headers := r.Headers
	r.Headers = nil
	for _, h := range headers {
		r.Headers = append(r.Headers, decode.Header{Key: clone(h.Key), Value: clone(h.Value)})
	}
	return r
}

// clone copies bytes and keeps null apart from empty.
func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The control type of every record of a real metadata directory: data records
// have none, control records that of their key.
func TestControlTypesOfFixtures(t *testing.T) {
	seen := map[decode.ControlType]int{}
	for _, file := range append(segments(t, "meta-4.0.0"), segments(t, "storage/formatted-dyn")...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		batches, err := readBatches(raw)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i := range batches {
			records, err := readRecords(&batches[i])
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, r := range records {
				if batches[i].IsControl() == (r.ControlType == decode.NotControl) {
					t.Fatalf("%s, offset %d: control batch %v, type %s", file, r.Offset, batches[i].IsControl(), r.ControlType)
				}
				seen[r.ControlType]++
			}
		}
	}
	for _, want := range []decode.ControlType{decode.NotControl, decode.LeaderChange, decode.SnapshotHeader, decode.SnapshotFooter, decode.KRaftVersion, decode.KRaftVoters} {
		if seen[want] == 0 {
			t.Errorf("no record of type %s in %v", want, seen)
		}
	}
}
