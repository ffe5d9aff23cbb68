package index

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// isDamage fails the test for an error that is no damage, or damage outside the file.
func isDamage(t *testing.T, err error, size int) {
	t.Helper()
	var e *CorruptError
	if err != nil && (!errors.As(err, &e) || e.Pos < -1 || e.Pos > int64(size) || e.Error() == "") {
		t.Fatalf("%T %v", err, err)
	}
}

func seed(f *testing.F, kinds ...Kind) {
	corpus(f, func(_ string, name FileName, data []byte) {
		for _, k := range kinds {
			if name.Kind == k {
				f.Add(data)
			}
		}
	})
}

// FuzzIndex: for any bytes, as .index and as .timeindex, all entries that fit
// are read, the used ones are at most these and are followed by zeros only, a
// lookup agrees with a walk if the file verifies, and whole entries that can be
// written come out as they were.
func FuzzIndex(f *testing.F) {
	seed(f, KindOffsetIndex, KindTimeIndex)
	f.Fuzz(func(t *testing.T, data []byte) {
		const base = 42
		x, err := OpenOffsetIndex(bytes.NewReader(data), int64(len(data)), base, "F")
		if err != nil {
			t.Fatal(err)
		}
		list, err := offsetEntries(data, base)
		isDamage(t, err, len(data))
		isDamage(t, x.SanityCheck(), len(data))
		verr := x.Verify()
		isDamage(t, verr, len(data))
		if int64(len(list)) != x.Len() || x.Used() > x.Len() || (err != nil) != (len(data)%OffsetEntrySize != 0) {
			t.Fatalf("%d entries of %d, %d used, %v", len(list), x.Len(), x.Used(), err)
		}
		for _, b := range data[x.Used()*OffsetEntrySize : x.Len()*OffsetEntrySize] {
			if b != 0 {
				t.Fatal("the padding is not zero")
			}
		}
		var out []byte
		for i, e := range list {
			if out, err = AppendOffsetEntry(out, base, e); err != nil {
				if e.Offset >= base {
					t.Fatal(err)
				}
				return
			}
			if verr == nil && int64(i) < x.Used() {
				if got, err := x.Lookup(e.Offset); err != nil || got != e {
					t.Fatalf("%v, %v; want %v", got, err, e)
				}
			}
		}
		if !bytes.Equal(out, data[:len(out)]) {
			t.Fatalf("%x became %x", data, out)
		}

		y, err := OpenTimeIndex(bytes.NewReader(data), int64(len(data)), base, "F")
		if err != nil {
			t.Fatal(err)
		}
		times, err := timeEntries(data, base)
		isDamage(t, err, len(data))
		isDamage(t, y.SanityCheck(), len(data))
		isDamage(t, y.Verify(), len(data))
		if int64(len(times)) != y.Len() || y.Used() > y.Len() {
			t.Fatalf("%d entries of %d, %d used", len(times), y.Len(), y.Used())
		}
		if _, err := y.Lookup(7); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzTxnIndex: entries come out as they were, up to the first damage.
func FuzzTxnIndex(f *testing.F) {
	seed(f, KindTxnIndex)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := txnEntries(data)
		isDamage(t, err, len(data))
		isDamage(t, SanityCheckTxnIndex(bytes.NewReader(data), 0, "F"), len(data))
		isDamage(t, VerifyTxnIndex(bytes.NewReader(data), 0, "F"), len(data))
		var out []byte
		for _, e := range list {
			out = AppendAbortedTxn(out, e)
		}
		if !bytes.HasPrefix(data, out) || err == nil && len(out) != len(data) {
			t.Fatalf("%x became %x, %v", data, out, err)
		}
	})
}

// FuzzSnapshot: a producer snapshot that is accepted comes out as it was, but
// for bytes after the last entry; one that is not gives no entries. With the CRC
// put right, streaming and parsing agree.
func FuzzSnapshot(f *testing.F) {
	seed(f, KindProducerSnapshot)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseProducerSnapshot(data, "F")
		isDamage(t, err, len(data))
		var crc *ChecksumError
		if errors.As(err, &crc) {
			data = bytes.Clone(data)
			copy(data[crcPos:], []byte{byte(crc.Computed >> 24), byte(crc.Computed >> 16), byte(crc.Computed >> 8), byte(crc.Computed)})
			list, err = ParseProducerSnapshot(data, "F")
		}
		r := NewProducerReader(bytes.NewReader(data), -1, "F")
		streamed, serr := collect(r.Next)
		if (err == nil) != (serr == nil) || err == nil && len(streamed) != len(list) || err != nil && list != nil {
			t.Fatalf("%v and %v, %d and %d entries", err, serr, len(list), len(streamed))
		}
		if err == nil && r.Trailing() == 0 && !bytes.Equal(AppendProducerSnapshot(nil, list), data) {
			t.Fatalf("%x became %x", data, AppendProducerSnapshot(nil, list))
		}
		if _, err := r.Next(); err == nil || serr == nil && !errors.Is(err, io.EOF) {
			t.Fatalf("reading went on after the end: %v", err)
		}
	})
}

// FuzzCheckpoint: a checkpoint that is accepted is written and read again
// without a loss.
func FuzzCheckpoint(f *testing.F) {
	seed(f, KindEpochCheckpoint, KindReplicationOffsets, KindCleanerOffsets)
	f.Fuzz(func(t *testing.T, data []byte) {
		epochs, err := ParseEpochCheckpoint(data, "F")
		isDamage(t, err, len(data))
		if err == nil {
			text := AppendEpochCheckpoint(nil, epochs)
			if again, err := ParseEpochCheckpoint(text, "F"); err != nil || len(again) != len(epochs) {
				t.Fatalf("%q: %v", text, err)
			}
			isDamage(t, VerifyEpochs(epochs, "F"), len(data))
		}
		offsets, err := ParseOffsetCheckpoint(data, "F")
		isDamage(t, err, len(data))
		if err == nil {
			text := AppendOffsetCheckpoint(nil, offsets)
			again, err := ParseOffsetCheckpoint(text, "F")
			for i := range offsets {
				// A line may start with white space: Kafka then takes the topic to be "".
				if offsets[i].Topic == "" {
					return
				}
				if err != nil || again[i] != offsets[i] {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	})
}

// FuzzSmallFiles: partition.metadata and .kafka_cleanshutdown that are accepted
// are written and read again without a loss.
func FuzzSmallFiles(f *testing.F) {
	seed(f, KindPartitionMetadata, KindCleanShutdown)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParsePartitionMetadata(data, "F")
		isDamage(t, err, len(data))
		if err == nil {
			if again, err := ParsePartitionMetadata(AppendPartitionMetadata(nil, m), "F"); err != nil || again != m {
				t.Fatalf("%v became %v, %v", m, again, err)
			}
		}
		c, err := ParseCleanShutdown(data, "F")
		isDamage(t, err, len(data))
		if err == nil {
			if again, err := ParseCleanShutdown(AppendCleanShutdown(nil, c), "F"); err != nil || again != c {
				t.Fatalf("%v became %v, %v", c, again, err)
			}
		}
	})
}

// FuzzMetaProperties: a meta.properties that is accepted, written with ASCII
// layout, is read again without a loss.
func FuzzMetaProperties(f *testing.F) {
	seed(f, KindMetaProperties)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseMetaProperties(data, "F")
		isDamage(t, err, len(data))
		if err != nil {
			return
		}
		for _, sorted := range []bool{false, true} {
			text := AppendMetaProperties(nil, &m, MetaLayout{ASCII: true, Sorted: sorted})
			again, err := ParseMetaProperties(text, "F")
			if err != nil || len(again.Extra) != len(m.Extra) {
				t.Fatalf("%q: %v", text, err)
			}
			again.Extra = m.Extra // in the order of the file, which is another now
			if !sameMeta(again, m) {
				t.Fatalf("%+v became %+v", m, again)
			}
		}
	})
}

// FuzzNames: a name that is understood is written to one that means the same.
func FuzzNames(f *testing.F) {
	corpus(f, func(_ string, name FileName, _ []byte) { f.Add(name.String()) })
	f.Add("00000000000000000005-0000000003-98.checkpoint.part")
	f.Add("orders-3.1f3b5a6c7d8e9f0a1b2c3d4e5f6a7b8c-delete")
	f.Fuzz(func(t *testing.T, name string) {
		n, err := ParseFileName(name)
		isDamage(t, err, 0)
		// Of negative numbers, and of what follows the epoch without a dash, Kafka
		// writes another form than it reads.
		if err == nil && n.Kind != KindUnknown && n.Offset >= 0 && n.Epoch >= 0 {
			if again, err := ParseFileName(n.String()); err != nil || again != n {
				t.Fatalf("%q is %+v, %q is %+v, %v", name, n, n.String(), again, err)
			}
		}
		d, err := ParseDirName(name)
		isDamage(t, err, 0)
		if err == nil && d.Partition >= 0 && len(d.String()) <= len(name) && len(name) < maxDirName {
			if again, err := ParseDirName(d.String()); err != nil || again != d {
				t.Fatalf("%q is %+v, %q is %+v, %v", name, d, d.String(), again, err)
			}
		}
	})
}
