package index

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestDamagedIndexes(t *testing.T) {
	open := func(dir string) *OffsetIndex {
		data := readFile(t, "testdata/damaged/"+dir+"/00000000000000000000.index")
		x, err := OpenOffsetIndex(bytes.NewReader(data), int64(len(data)), 0, "F")
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	openTime := func(dir string) *TimeIndex {
		data := readFile(t, "testdata/damaged/"+dir+"/00000000000000000000.timeindex")
		x, err := OpenTimeIndex(bytes.NewReader(data), int64(len(data)), 0, "F")
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		name           string
		sanity, verify func() error
		wantSanity     string // as kafka-dump-log --index-sanity-check judges
		wantVerify     string
	}{
		{"index-not-increasing", open("index-not-increasing").SanityCheck, open("index-not-increasing").Verify,
			"", "F: at byte 24: offset of an entry: expected above 62, found 39: entries out of order"},
		{"index-not-multiple", open("index-not-multiple").SanityCheck, open("index-not-multiple").Verify,
			"F: at byte 24: last entry: expected 8 bytes, found 3: partial entry at the end of the file",
			"F: at byte 24: last entry: expected 8 bytes, found 3: partial entry at the end of the file"},
		{"index-position-past-end", open("index-position-past-end").SanityCheck, open("index-position-past-end").Verify, "", ""},
		{"index-wrong-offset", open("index-wrong-offset").SanityCheck, open("index-wrong-offset").Verify, "", ""},
		{"index-zero-entries", open("index-zero-entries").SanityCheck, open("index-zero-entries").Verify, "", ""},
		{"timeindex-not-multiple", openTime("timeindex-not-multiple").SanityCheck, openTime("timeindex-not-multiple").Verify,
			"F: at byte 36: last entry: expected 12 bytes, found 4: partial entry at the end of the file",
			"F: at byte 36: last entry: expected 12 bytes, found 4: partial entry at the end of the file"},
		{"timeindex-out-of-order", openTime("timeindex-out-of-order").SanityCheck, openTime("timeindex-out-of-order").Verify,
			"", "F: at byte 36: timestamp of an entry: expected above 1700000061000, found 1700000039000: entries out of order"},
		{"timeindex-zero-entries", openTime("timeindex-zero-entries").SanityCheck, openTime("timeindex-zero-entries").Verify,
			"F: at byte 72: last timestamp: expected at least 1700000039000, found 0: entries out of order", ""},
		{"timeindex-offset-past-end", openTime("timeindex-offset-past-end").SanityCheck, openTime("timeindex-offset-past-end").Verify, "", ""},
	} {
		wantError(t, c.name+" sanity", c.sanity(), c.wantSanity)
		wantError(t, c.name+" verify", c.verify(), c.wantVerify)
	}
	if x := open("index-zero-entries"); x.Len() != 11 || x.Used() != 3 || !x.Padded() {
		t.Errorf("%d entries, %d used", x.Len(), x.Used())
	}
	if x := openTime("timeindex-zero-entries"); x.Len() != 7 || x.Used() != 3 || !x.Padded() {
		t.Errorf("%d entries, %d used", x.Len(), x.Used())
	}
}

// wantError compares the text and insists on the type.
func wantError(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil {
		if want != "" {
			t.Errorf("%s: no error, want %s", what, want)
		}
		return
	}
	var e *CorruptError
	if err.Error() != want || !errors.As(err, &e) {
		t.Errorf("%s: got %T %v, want %s", what, err, err, want)
	}
}

func TestDamagedProducerSnapshots(t *testing.T) {
	intact := readFile(t, "testdata/damaged/producers/00000000000000000000.snapshot")
	put := func(at int, b ...byte) []byte {
		out := bytes.Clone(intact)
		copy(out[at:], b)
		return out
	}
	for i, c := range []struct {
		data []byte
		want string
	}{
		{readFile(t, "testdata/damaged/producers/00000000000000000001.snapshot"), "F: at byte 56: entry: expected 46 bytes, found 43: unexpected end of file"},
		{readFile(t, "testdata/damaged/producers/00000000000000000002.snapshot"), "F: at byte 0: version: expected 2 bytes, found 0: unexpected end of file"},
		{readFile(t, "testdata/damaged/producers/00000000000000000003.snapshot"), "F: at byte 0: version of the producer snapshot: expected 1, found 9: unknown version 9"},
		{readFile(t, "testdata/damaged/producers/00000000000000000004.snapshot"), "F: at byte 2: CRC of the producer snapshot: expected 0x7363852e, found 0x161cdcca: checksum mismatch"},
		{readFile(t, "testdata/damaged/producers/00000000000000000005.snapshot"), "F: at byte 2: CRC of the producer snapshot: expected 0xd174801e, found 0x161cdcca: checksum mismatch"},
		{readFile(t, "testdata/damaged/producers/00000000000000000006.snapshot"), "F: at byte 6: count: expected 4 bytes, found 0: unexpected end of file"},
		{put(6, 0xff, 0xff, 0xff, 0xff), "F: at byte 6: count: expected 0 or more, found -1: null array"},
		{put(6, 0, 0, 0, 93), "F: at byte 6: count: expected at most 2, found 93: count larger than the file"},
		// Kafka compares with the bytes and not with the entries that are left.
		{put(6, 0, 0, 0, 92), "F: at byte 102: entry: expected 46 bytes, found 0: unexpected end of file"},
	} {
		list, err := ParseProducerSnapshot(c.data, "F")
		wantError(t, fmt.Sprint(i), err, c.want)
		if list != nil {
			t.Errorf("%d: damage and %d entries", i, len(list))
		}
	}
	var crc *ChecksumError
	_, err := ParseProducerSnapshot(readFile(t, "testdata/damaged/producers/00000000000000000004.snapshot"), "F")
	if !errors.As(err, &crc) || crc.Stored != 370990282 || crc.Computed != 1935901998 { // as the real tool prints them
		t.Errorf("%+v", crc)
	}
}

// TestProducerTrailing: a sound CRC over bytes after the entries is accepted, as
// in Kafka, and the bytes are counted.
func TestProducerTrailing(t *testing.T) {
	data := append(AppendProducerSnapshot(nil, make([]ProducerState, 2)), 1, 2, 3)
	data[9] = 1 // one entry, the other is trailing
	_, err := ParseProducerSnapshot(data, "F")
	var crc *ChecksumError
	if !errors.As(err, &crc) {
		t.Fatal(err)
	}
	copy(data[2:], []byte{byte(crc.Computed >> 24), byte(crc.Computed >> 16), byte(crc.Computed >> 8), byte(crc.Computed)})
	r := NewProducerReader(bytes.NewReader(data), -1, "F")
	list, err := collect(r.Next)
	if err != nil || len(list) != 1 || r.Trailing() != ProducerEntrySize+3 {
		t.Errorf("%v, %v, %d trailing", list, err, r.Trailing())
	}
}

// TestHugeCountAllocatesNothing: twenty bytes that claim 2^31-1 entries.
func TestHugeCountAllocatesNothing(t *testing.T) {
	snapshot := []byte{0, 1, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err1 := ParseProducerSnapshot(snapshot, "F")
	_, err2 := collect(NewProducerReader(bytes.NewReader(snapshot), -1, "F").Next)
	_, err3 := ParseEpochCheckpoint([]byte("0\n2147483647\n1 0\n"), "F")
	_, err4 := ParseOffsetCheckpoint([]byte("0\n2147483647\nt 0 0\n"), "F")
	runtime.ReadMemStats(&after)
	var count *CountError
	if !errors.As(err1, &count) || count.Count != 1<<31-1 || count.Remaining != 10 {
		t.Errorf("got %v", err1)
	}
	if !errors.Is(err2, ErrTruncated) || !errors.Is(err3, ErrCount) || !errors.Is(err4, ErrCount) {
		t.Errorf("got %v, %v, %v", err2, err3, err4)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

func TestDamagedTxnIndexes(t *testing.T) {
	file := func(i int) string { return fmt.Sprintf("testdata/damaged/producers/%020d.txnindex", i) }
	for i, c := range []struct {
		entries              int
		read, sanity, verify string
	}{
		{3, "", "", ""},
		{2, "F: at byte 68: last entry: expected 34 bytes, found 29: partial entry at the end of the file", "",
			"F: at byte 68: last entry: expected 34 bytes, found 29: partial entry at the end of the file"},
		{0, "", "", ""},
		{0, "F: at byte 0: version of an aborted transaction: expected 0, found 7: unknown version 7",
			"F: at byte 0: version of an aborted transaction: expected 0, found 7: unknown version 7",
			"F: at byte 0: version of an aborted transaction: expected 0, found 7: unknown version 7"},
		{3, "", "", "F: at byte 86: last offset of a transaction: expected above 23, found 5: entries out of order"},
		{4, "", "F: at byte 120: last offset of a transaction: expected at least 3, found 0: offset below the base offset",
			"F: at byte 120: last offset of a transaction: expected at least 3, found 0: offset below the base offset"},
	} {
		data := readFile(t, file(i))
		list, err := txnEntries(data)
		wantError(t, fmt.Sprintf("%d read", i), err, c.read)
		if len(list) != c.entries {
			t.Errorf("%d: %d entries", i, len(list))
		}
		wantError(t, fmt.Sprintf("%d sanity", i), SanityCheckTxnIndex(bytes.NewReader(data), 3, "F"), c.sanity)
		wantError(t, fmt.Sprintf("%d verify", i), VerifyTxnIndex(bytes.NewReader(data), 3, "F"), c.verify)
	}
}

// shown parses a file and shows its entries, one string each.
func shown(name FileName, data []byte) (out []string, err error) {
	show := func(list any, err error) ([]string, error) {
		text := strings.Trim(fmt.Sprintf("%+v", list), "[]")
		if text == "" {
			return nil, err
		}
		return strings.Split(text, "} {"), err
	}
	switch name.Kind {
	case KindOffsetIndex:
		return show(offsetEntries(data, name.Offset))
	case KindTimeIndex:
		return show(timeEntries(data, name.Offset))
	case KindTxnIndex:
		return show(txnEntries(data))
	case KindProducerSnapshot:
		return show(ParseProducerSnapshot(data, "F"))
	}
	_, err = recode(name, data)
	return nil, err
}

// TestEveryBitAndEveryCut damages a file of each kind in every way that one bit
// or one cut can. Nothing panics and all errors are damage. The binary formats
// give an error or an undisturbed prefix: up to the entry that was hit, or up to
// the cut, where the index formats cannot tell a cut between two entries. The
// producer snapshot, which has a CRC, gives an error always. The text formats
// cannot tell 12 from 126, and promise no more than the first sentence.
func TestEveryBitAndEveryCut(t *testing.T) {
	sizes := map[Kind]int64{KindOffsetIndex: OffsetEntrySize, KindTimeIndex: TimeEntrySize, KindTxnIndex: AbortedTxnSize}
	done := map[Kind]bool{}
	corpus(t, func(path string, name FileName, data []byte) {
		if done[name.Kind] || len(data) < 30 || len(data) > 400 {
			return
		}
		done[name.Kind] = true
		whole, err := shown(name, data)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, damaged []byte, undisturbed int) {
			got, err := shown(name, damaged)
			var e *CorruptError
			if err != nil && (!errors.As(err, &e) || e.Pos > int64(len(damaged))) {
				t.Errorf("%s: %s: %T %v", path, what, err, err)
			}
			switch size := sizes[name.Kind]; {
			case name.Kind == KindProducerSnapshot:
				if err == nil || got != nil {
					t.Errorf("%s: %s: no error", path, what)
				}
			case size > 0:
				n := undisturbed / int(size)
				if len(got) < n || n > 0 && !slices.Equal(clean(got[:n]), clean(whole[:n])) {
					t.Errorf("%s: %s: got %v, want %v", path, what, got, whole[:n])
				}
				if err == nil && len(damaged)%int(size) != 0 {
					t.Errorf("%s: %s: the partial entry went unnoticed", path, what)
				}
			}
		}
		damaged := bytes.Clone(data)
		for bit := range 8 * min(len(data), 4096) {
			damaged[bit/8] ^= 1 << (bit % 8)
			check(fmt.Sprintf("bit %d", bit), damaged, bit/8)
			damaged[bit/8] ^= 1 << (bit % 8)
		}
		for n := range len(data) {
			check(fmt.Sprintf("cut at %d", n), data[:n], n)
		}
	})
	if len(done) < 10 {
		t.Errorf("only %d kinds of files are long enough", len(done))
	}
}

// clean strips what the cutting of the list into strings has left.
func clean(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.Trim(s, "{}")
	}
	return out
}

// failingReader is an io.Reader and io.ReaderAt whose disk dies.
type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error)          { return 0, f.err }
func (f failingReader) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// TestReadErrorsAreNotDamage: what the disk says is passed on as it is.
func TestReadErrorsAreNotDamage(t *testing.T) {
	boom := errors.New("boom")
	r := failingReader{boom}
	_, err1 := OpenOffsetIndex(r, 80, 0, "F")
	_, err2 := OpenTimeIndex(r, 80, 0, "F")
	_, err3 := NewOffsetReader(r, 0, "F").Next()
	_, err4 := NewProducerReader(r, 100, "F").Next()
	_, err5 := NewProducerReader(io.MultiReader(bytes.NewReader(AppendProducerSnapshot(nil, nil)), r), 10, "F").Next()
	_, err6 := NewTxnReader(r, "F").Next()
	x, _ := OpenOffsetIndex(bytes.NewReader(make([]byte, 7)), 7, 0, "F")
	x.t.r, x.t.size, x.t.used = r, 80, 10
	for i, err := range []error{err1, err2, err3, err4, err5, err6, lookupError(x), x.SanityCheck(), x.Verify()} {
		var e *CorruptError
		if !errors.Is(err, boom) || errors.As(err, &e) {
			t.Errorf("%d: %v", i, err)
		}
	}
	// A file that is shorter than it was said to be.
	if _, err := OpenTimeIndex(bytes.NewReader(make([]byte, 12)), 24, 0, "F"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func lookupError(x *OffsetIndex) error {
	_, err := x.Lookup(1)
	return err
}
