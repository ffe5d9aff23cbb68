package index

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kraftctl/decode/quorumstate"
)

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// corpus calls f for every file that Kafka wrote.
func corpus(t testing.TB, f func(path string, name FileName, data []byte)) {
	t.Helper()
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "fuzz" {
			return fs.SkipDir // what fuzzers wrote
		}
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") || strings.Contains(path, "damaged") {
			return err
		}
		name, err := ParseFileName(filepath.Base(path))
		if err != nil || name.String() != filepath.Base(path) {
			t.Errorf("%s: parsed as %+v, %v", path, name, err)
		}
		f(path, name, readFile(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// collect reads to the end.
func collect[E any](next func() (E, error)) ([]E, error) {
	var list []E
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		list = append(list, e)
	}
}

func offsetEntries(data []byte, base int64) ([]OffsetEntry, error) {
	return collect(NewOffsetReader(bytes.NewReader(data), base, "F").Next)
}

func timeEntries(data []byte, base int64) ([]TimeEntry, error) {
	return collect(NewTimeReader(bytes.NewReader(data), base, "F").Next)
}

func txnEntries(data []byte) ([]AbortedTxn, error) {
	return collect(NewTxnReader(bytes.NewReader(data), "F").Next)
}

// recode parses a file and writes it again.
func recode(name FileName, data []byte) (out []byte, err error) {
	switch name.Kind {
	case KindOffsetIndex:
		list, err := offsetEntries(data, name.Offset)
		for _, e := range list {
			var aerr error
			if out, aerr = AppendOffsetEntry(out, name.Offset, e); aerr != nil {
				return out, aerr
			}
		}
		return out, err
	case KindTimeIndex:
		list, err := timeEntries(data, name.Offset)
		for _, e := range list {
			var aerr error
			if out, aerr = AppendTimeEntry(out, name.Offset, e); aerr != nil {
				return out, aerr
			}
		}
		return out, err
	case KindTxnIndex:
		list, err := txnEntries(data)
		for _, e := range list {
			out = AppendAbortedTxn(out, e)
		}
		return out, err
	case KindProducerSnapshot:
		list, err := ParseProducerSnapshot(data, "F")
		return AppendProducerSnapshot(nil, list), err
	case KindEpochCheckpoint:
		list, err := ParseEpochCheckpoint(data, "F")
		return AppendEpochCheckpoint(nil, list), err
	case KindReplicationOffsets, KindRecoveryPointOffsets, KindLogStartOffsets, KindCleanerOffsets:
		list, err := ParseOffsetCheckpoint(data, "F")
		return AppendOffsetCheckpoint(nil, list), err
	case KindPartitionMetadata:
		m, err := ParsePartitionMetadata(data, "F")
		return AppendPartitionMetadata(nil, m), err
	case KindCleanShutdown:
		c, err := ParseCleanShutdown(data, "F")
		return AppendCleanShutdown(nil, c), err
	case KindMetaProperties:
		m, err := ParseMetaProperties(data, "F")
		return AppendMetaProperties(nil, &m, MetaLayout{Date: storedDate(data)}), err
	case KindQuorumState:
		s, err := quorumstate.Parse(data, "F")
		if err != nil {
			return nil, err
		}
		return s.Append(nil), nil
	}
	return nil, errors.New("no codec for " + name.Kind.String())
}

// storedDate finds the date in a stored properties file.
func storedDate(data []byte) time.Time {
	for line := range strings.Lines(string(data)) {
		if d, err := time.Parse("#Mon Jan 02 15:04:05 MST 2006\n", line); err == nil {
			return d
		}
	}
	return time.Time{}
}

func TestKafkaFilesRoundTrip(t *testing.T) {
	seen := map[Kind]int{}
	corpus(t, func(path string, name FileName, data []byte) {
		seen[name.Kind]++
		got, err := recode(name, data)
		want := data
		if len(data) == 0 && name.Kind == KindCleanerOffsets {
			want = []byte("0\n0\n") // created, never written to
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, got %q, want %q", path, err, got, want)
		}
	})
	for k := KindOffsetIndex; k <= KindCleanShutdown; k++ {
		if seen[k] == 0 && k != KindSnapshot && k != KindBootstrap {
			t.Errorf("no file of kind %v", k)
		}
	}
}

// TestKafkaFilesVerify: what a broker wrote passes the strict checks, and the
// broker's own except where it has not cut off the padding.
func TestKafkaFilesVerify(t *testing.T) {
	padded := 0
	corpus(t, func(path string, name FileName, data []byte) {
		var sanity, strict error
		switch name.Kind {
		case KindOffsetIndex:
			x, err := OpenOffsetIndex(bytes.NewReader(data), int64(len(data)), name.Offset, path)
			if err != nil {
				t.Fatal(err)
			}
			sanity, strict = x.SanityCheck(), x.Verify()
			if x.Padded() {
				padded++
			}
		case KindTimeIndex:
			x, err := OpenTimeIndex(bytes.NewReader(data), int64(len(data)), name.Offset, path)
			if err != nil {
				t.Fatal(err)
			}
			sanity, strict = x.SanityCheck(), x.Verify()
			if x.Padded() {
				padded++
			}
			if x.Padded() && x.Used() > 0 {
				if !errors.Is(sanity, ErrOrder) {
					t.Errorf("%s: padding passed the sanity check: %v", path, sanity)
				}
				sanity = nil
			}
		case KindTxnIndex:
			sanity = SanityCheckTxnIndex(bytes.NewReader(data), name.Offset, path)
			strict = VerifyTxnIndex(bytes.NewReader(data), name.Offset, path)
		case KindEpochCheckpoint:
			list, err := ParseEpochCheckpoint(data, path)
			sanity, strict = err, VerifyEpochs(list, path)
		}
		if sanity != nil || strict != nil {
			t.Errorf("%s: %v, %v", path, sanity, strict)
		}
	})
	if padded < 4 {
		t.Errorf("only %d padded files in the corpus", padded)
	}
}

// TestDumpedEntries are the lines that kafka-dump-log 4.4.0 prints for the files.
func TestDumpedEntries(t *testing.T) {
	offsets, err := offsetEntries(readFile(t, "testdata/4.4.0/u-txn-0/00000000000000000007.index"), 7)
	wantList(t, offsets, err, []OffsetEntry{{19, 586}, {31, 1160}, {40, 1710}, {51, 2291}})
	times, err := timeEntries(readFile(t, "testdata/4.4.0/u-txn-0/00000000000000000007.timeindex"), 7)
	wantList(t, times, err, []TimeEntry{{1795956871549, 12}, {1795956871838, 25}, {1795956872803, 38}, {1795956873152, 51}})
	txns, err := txnEntries(readFile(t, "testdata/4.4.0/u-txn-0/00000000000000000007.txnindex"))
	wantList(t, txns, err, []AbortedTxn{{11, 0, 7, 4}, {10, 9, 12, 13}, {10, 30, 33, 26}, {11, 26, 34, 35}, {10, 48, 51, 52}})
	states, err := ParseProducerSnapshot(readFile(t, "testdata/damaged/producers/00000000000000000000.snapshot"), "F")
	wantList(t, states, err, []ProducerState{
		{1, 0, 62, 62, 2, 1700000061000, -1, -1},
		{19, 0, 53, 116, 26, 1700000061000, -1, -1},
	})
	if a, b := states[0].FirstSequence(), states[1].FirstSequence(); a != 60 || b != 27 {
		t.Errorf("first sequences %d, %d", a, b)
	}
}

func wantList[E comparable](t *testing.T, got []E, err error, want []E) {
	t.Helper()
	if err != nil || len(got) != len(want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("entry %d: got %v, want %v", i, got[i], want[i])
		}
	}
}
