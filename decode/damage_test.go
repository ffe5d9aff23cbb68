package decode_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

// representatives are one file of each kind and codec; their first 4 KiB are
// damaged in every way.
var representatives = []string{
	"data-4.4.0/u-none-0/00000000000000000000.log",
	"data-4.4.0/u-gzip-0/00000000000000000000.log",
	"data-4.4.0/u-snappy-0/00000000000000000000.log",
	"data-4.4.0/u-lz4-0/00000000000000000000.log",
	"data-4.4.0/u-zstd-0/00000000000000000000.log",
	"synth-4.4.0/magic0-gzip/00000000000000001000.log",
	"synth-4.4.0/magic0-none/00000000000000001000.log",
	"synth-4.4.0/magic1-lz4/00000000000000001000.log",
	"synth-4.4.0/magic1-snappy/00000000000000001000.log",
	"synth-4.4.0/control/00000000000000000000.log",
	"meta-4.4.0-rich/c1/__cluster_metadata-0/00000000000000000000.log",
}

// readAll reads everything there is. It gives, for every record, how long the
// text of all records up to it is, that text, and the first thing that was
// wrong. Wrong checksums are damage here, too.
func readAll(raw []byte, it *decode.Records, text []byte) (ends []int, all []byte, err error) {
	r := decode.NewReaderAt(bytes.NewReader(raw), int64(len(raw)), "f")
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			if r.Tail() > 0 {
				return ends, text, errTail
			}
			return ends, text, nil
		}
		if err != nil {
			return ends, text, err
		}
		if !b.Valid() {
			return ends, text, errChecksum
		}
		for it.Reset(b); it.Next(); {
			rec := &it.Record
			text = binary.BigEndian.AppendUint64(text, uint64(rec.Offset))
			text = binary.AppendVarint(text, int64(len(rec.Key)))
			text = append(append(text, rec.Key...), rec.Value...)
			ends = append(ends, len(text))
		}
		if it.Err() != nil {
			return ends, text, it.Err()
		}
	}
}

var (
	errTail     = errors.New("bytes left")
	errChecksum = errors.New("checksum")
)

// Every bit of the first 4 KiB is flipped and every cut is made: never a panic,
// and always either an error or the same records. What no checksum covers (the
// base offset, the leader epoch) may change nothing but itself.
func TestEveryBitAndCut(t *testing.T) {
	for _, path := range representatives {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			raw := readFile(t, fixtures+"/"+path)
			raw = raw[:cutAt(t, raw, 4096)]
			everyBitAndCut(t, raw)
		})
	}
}

func everyBitAndCut(t *testing.T, raw []byte) {
	it := decode.NewRecords(1 << 22)
	soundEnds, sound, err := readAll(raw, it, nil)
	if err != nil {
		t.Fatal(err)
	}
	covered := coverage(t, raw)
	var text []byte
	for bit := range len(raw) * 8 {
		raw[bit/8] ^= 1 << (bit % 8)
		ends, got, err := readAll(raw, it, text[:0])
		text = got
		if err == nil && covered[bit/8] && !bytes.Equal(got, sound) {
			t.Errorf("bit %d of byte %d: other records and no error", bit%8, bit/8)
		}
		if len(ends) > len(soundEnds) {
			t.Errorf("bit %d of byte %d: more records than there were", bit%8, bit/8)
		}
		raw[bit/8] ^= 1 << (bit % 8)
	}
	for cut := range raw {
		ends, got, err := readAll(raw[:cut], it, text[:0])
		text = got
		if corrupt.Is(err) {
			t.Errorf("cut at %d: a torn tail is no damage: %v", cut, err)
		}
		if len(ends) > len(soundEnds) || !bytes.Equal(got, sound[:len(got)]) {
			t.Errorf("cut at %d: other records", cut)
		}
	}
}

// cutAt gives the end of the last whole batch within the first n bytes.
func cutAt(t *testing.T, raw []byte, n int) int {
	t.Helper()
	batches, err := readBatches(raw)
	if err != nil {
		t.Fatal(err)
	}
	end := 0
	for _, b := range batches {
		if next := int(b.Position) + b.Size; next <= n {
			end = next
		}
	}
	if end == 0 {
		end = batches[0].Size
	}
	return end
}

// coverage says which bytes a checksum covers: of magic 2 all but base offset,
// leader epoch and magic; of older ones all but the offset.
func coverage(t *testing.T, raw []byte) []bool {
	t.Helper()
	batches, err := readBatches(raw)
	if err != nil {
		t.Fatal(err)
	}
	covered := make([]bool, len(raw))
	for _, b := range batches {
		first := 21
		if b.Magic < 2 {
			first = 12
		}
		for i := first; i < b.Size; i++ {
			covered[int(b.Position)+i] = true
		}
	}
	return covered
}

func TestRecordFaults(t *testing.T) {
	record := func(fields ...byte) []byte { return append([]byte{byte(len(fields) * 2)}, fields...) }
	null := byte(1) // -1
	for _, c := range []struct {
		name  string
		count int32
		body  []byte
		kind  decode.FaultKind
	}{
		{"sound", 1, record(0, 0, 0, null, null, 0), 0},
		{"nothing, none wanted", 0, []byte{1, 2, 3}, 0},
		{"negative count", -1, nil, decode.FaultCount},
		{"no records", 1, nil, decode.FaultPrematureEnd},
		{"one of two", 2, record(0, 0, 0, null, null, 0), decode.FaultPrematureEnd},
		{"two of one", 1, append(record(0, 0, 0, null, null, 0), record(0, 0, 0, null, null, 0)...), decode.FaultRecordsRemain},
		{"length past the end", 1, []byte{40, 0, 0, 0}, decode.FaultRecordPastEnd},
		{"length too short", 1, []byte{10, 0, 0, 0, null, null, 0}, decode.FaultRecordLength},
		{"negative length", 1, []byte{1, 0, 0, 0, null, null, 0}, decode.FaultRecordLength},
		{"key past the end", 1, record(0, 0, 0, 20, null, 0), decode.FaultRecordStructure},
		{"value past the end", 1, record(0, 0, 0, null, 20, 0), decode.FaultRecordStructure},
		{"no fields", 1, record(), decode.FaultRecordStructure},
		{"length of six bytes", 1, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, decode.FaultVarint},
		{"timestamp of eleven bytes", 1, append([]byte{40, 0}, bytes.Repeat([]byte{0x80}, 30)...), decode.FaultRecordStructure},
		{"negative headers", 1, record(0, 0, 0, null, null, 1), decode.FaultHeaderCount},
		{"too many headers", 1, record(0, 0, 0, null, null, 100), decode.FaultHeaderCountTooLarge},
		{"header without key", 1, record(0, 0, 0, null, null, 2, null, null), decode.FaultHeaderKey},
		{"header past the end", 1, record(0, 0, 0, null, null, 2, 60, null), decode.FaultRecordStructure},
	} {
		b := decode.NewBatch(0, 0, 0)
		raw, err := decode.AppendBatch(nil, &b, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.Raw = append(raw, c.body...)
		b.Size, b.Count, b.Position = len(b.Raw), c.count, 1000
		_, err = readRecords(&b)
		var fault *decode.Fault
		if errors.As(err, &fault) != (c.kind != 0) || fault != nil && fault.Kind != c.kind {
			t.Errorf("%s: got %v, want %v", c.name, err, c.kind)
		}
		if err != nil {
			var damage *corrupt.Error
			if !errors.As(err, &damage) || damage.Pos < 1000 {
				t.Errorf("%s: no position in %v", c.name, err)
			}
		}
	}
}

// A few bytes that decompress to too much are stopped at the limit.
func TestDecompressionLimit(t *testing.T) {
	for codec := int16(1); codec <= 4; codec++ {
		b := decode.NewBatch(0, 0, 0)
		b.Attributes = codec
		raw, err := decode.AppendBatch(nil, &b, []decode.Record{{Value: make([]byte, 1<<20)}})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := decode.ParseBatch(raw, 0)
		if err != nil {
			t.Fatal(err)
		}
		it := decode.NewRecords(1 << 16)
		for it.Reset(&parsed); it.Next(); {
			t.Errorf("codec %d: a record of %d bytes beyond the limit", codec, len(it.Record.Value))
		}
		var fault *decode.Fault
		if !errors.As(it.Err(), &fault) || fault.Kind != decode.FaultDecompress {
			t.Errorf("codec %d: %v", codec, it.Err())
		}
	}
}
