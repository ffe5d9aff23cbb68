package decode_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// vectorTime is the timestamp of the vectors.
const vectorTime = 1700000000000

// Batches made with the classes of Kafka 4.4.0.
var vectors = []struct {
	name, hex string
	batch     decode.Batch
	record    decode.Record
}{
	{
		"leader change",
		"00000000000000070000005e000000050229f868300020000000000000018bcfe568000000018bcfe56800ffffffffffffffffffffffffffff00000001580000000800000002440000000000020400000001000000000200000000030003000000010000000002000000",
		decode.Batch{BaseOffset: 7, LeaderEpoch: 5, Magic: 2, CRC: 0x29f86830, Attributes: 0x20, BaseTimestamp: vectorTime, MaxTimestamp: vectorTime, ProducerID: -1, ProducerEpoch: -1, BaseSequence: -1, Count: 1},
		decode.Record{Offset: 7, LeaderEpoch: 5, ControlType: decode.LeaderChange, Timestamp: vectorTime, Sequence: -1, ProducerID: -1, ProducerEpoch: -1},
	},
	{
		"commit marker",
		"000000000000002a0000004200000009023053694d0030000000000000018bcfe568000000018bcfe5680000000000000003e80004ffffffff000000012000000008000000010c00000000000200",
		decode.Batch{BaseOffset: 42, LeaderEpoch: 9, Magic: 2, CRC: 0x3053694d, Attributes: 0x30, BaseTimestamp: vectorTime, MaxTimestamp: vectorTime, ProducerID: 1000, ProducerEpoch: 4, BaseSequence: -1, Count: 1},
		decode.Record{Offset: 42, LeaderEpoch: 9, ControlType: decode.Commit, Timestamp: vectorTime, Sequence: -1, ProducerID: 1000, ProducerEpoch: 4},
	},
	{
		"empty batch",
		"0000000000000064000000310000000302461a439e000000000009ffffffffffffffff0000018bcfe5680000000000000003e800010000000500000000",
		decode.Batch{BaseOffset: 100, LeaderEpoch: 3, Magic: 2, CRC: 0x461a439e, LastOffsetDelta: 9, BaseTimestamp: -1, MaxTimestamp: vectorTime, ProducerID: 1000, ProducerEpoch: 1, BaseSequence: 5},
		decode.Record{},
	},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		raw := unhex(t, v.hex)
		b, err := decode.ParseBatch(raw, 0)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
			continue
		}
		if !b.Valid() {
			t.Errorf("%s: checksum %08x, want %08x", v.name, b.CRC, b.Checksum())
		}
		want := v.batch
		want.Size, want.Raw = len(raw), b.Raw
		if got := b; !sameHeader(got, want) {
			t.Errorf("%s: got %+v, want %+v", v.name, got, want)
		}
		records, err := readRecords(&b)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if len(records) == 1 {
			key, value := records[0].Key, records[0].Value
			r := records[0]
			r.Key, r.Value = nil, nil
			if !sameRecord(r, v.record) {
				t.Errorf("%s: record %+v, want %+v", v.name, r, v.record)
			}
			if len(key) != 4 || len(value) == 0 {
				t.Errorf("%s: key %x, value %x", v.name, key, value)
			}
		}
		again, err := decode.AppendBatch(nil, &b, records)
		if err != nil || !bytes.Equal(again, raw) {
			t.Errorf("%s: encodes to %x, %v", v.name, again, err)
		}
	}
}

func sameHeader(a, b decode.Batch) bool {
	same := bytes.Equal(a.Raw, b.Raw)
	a.Raw, b.Raw = nil, nil
	return same && a.Position == b.Position && a.Size == b.Size && a.BaseOffset == b.BaseOffset && a.LeaderEpoch == b.LeaderEpoch &&
		a.Magic == b.Magic && a.CRC == b.CRC && a.Attributes == b.Attributes && a.LastOffsetDelta == b.LastOffsetDelta &&
		a.BaseTimestamp == b.BaseTimestamp && a.MaxTimestamp == b.MaxTimestamp && a.ProducerID == b.ProducerID &&
		a.ProducerEpoch == b.ProducerEpoch && a.BaseSequence == b.BaseSequence && a.Count == b.Count
}

// sameRecord compares all but CRC and Valid, which only old formats have.
func sameRecord(a, b decode.Record) bool {
	if a.Offset != b.Offset || a.LeaderEpoch != b.LeaderEpoch || a.ControlType != b.ControlType || a.Timestamp != b.Timestamp ||
		a.TimestampType != b.TimestampType || a.Sequence != b.Sequence || a.ProducerID != b.ProducerID || a.ProducerEpoch != b.ProducerEpoch ||
		!sameField(a.Key, b.Key) || !sameField(a.Value, b.Value) || len(a.Headers) != len(b.Headers) {
		return false
	}
	for i := range a.Headers {
		if !sameField(a.Headers[i].Key, b.Headers[i].Key) || !sameField(a.Headers[i].Value, b.Headers[i].Value) {
			return false
		}
	}
	return true
}

func sameField(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func TestControlRecords(t *testing.T) {
	b, err := decode.ParseBatch(unhex(t, vectors[0].hex), 0)
	if err != nil {
		t.Fatal(err)
	}
	records, err := readRecords(&b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := decode.DecodeControl(&records[0])
	if err != nil {
		t.Fatal(err)
	}
	m, ok := c.Message.(*control.LeaderChangeMessage)
	if !ok || c.Type != decode.LeaderChange || m.LeaderID != 2 || len(m.Voters) != 3 || len(m.GrantingVoters) != 2 {
		t.Errorf("got %v %+v", c.Type, c.Message)
	}
	for _, bad := range []struct {
		name       string
		key, value []byte
		field      string
	}{
		{"null key", nil, []byte{0}, "null"},
		{"short key", []byte{0, 0, 0}, nil, "Must have at least 4 bytes, but found only 3"},
		{"negative version", []byte{0xff, 0xff, 0, 2}, nil, "Invalid version found for control record: -1"},
		{"short marker", []byte{0, 0, 0, 1}, []byte{0, 0, 0}, "COMMIT"},
		{"negative marker", []byte{0, 0, 0, 1}, []byte{0xff, 0xff}, "Invalid version found for end transaction marker: -1."},
		{"null value", []byte{0, 0, 0, 2}, nil, "null"},
		{"cut value", []byte{0, 0, 0, 6}, []byte{0, 0, 9}, "KRAFT_VOTERS"},
	} {
		_, err := decode.DecodeControl(&decode.Record{Key: bad.key, Value: bad.value})
		var fault *decode.Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Field, bad.field) {
			t.Errorf("%s: got %v, want %s", bad.name, err, bad.field)
		}
	}
	// A type that nobody knows is no damage, and a newer version of the key is read like 0.
	c, err = decode.DecodeControl(&decode.Record{Key: []byte{0, 9, 0, 99}})
	if err != nil || c.Type != decode.NotControl || c.TypeID != 99 {
		t.Errorf("unknown type: %v, %v", c, err)
	}
}

func TestSequences(t *testing.T) {
	for _, c := range []struct{ start, add, want int32 }{
		{0, 0, 0}, {5, 3, 8}, {math.MaxInt32, 0, math.MaxInt32}, {math.MaxInt32, 1, 0}, {math.MaxInt32 - 7, 11, 3},
	} {
		if got := decode.IncrementSequence(c.start, c.add); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.start, c.add, got, c.want)
		}
	}
}

// Every uncompressed batch of a real file encodes to the same bytes.
func TestFixturesEncodeAlike(t *testing.T) {
	counted := 0
	for _, dir := range []string{"data-4.4.0", "data-4.4.0-live", "meta-3.9.1", "meta-4.0.0", "meta-4.3.1-rich", "meta-4.4.0-rich", "synth-4.4.0"} {
		for _, path := range segments(t, dir) {
			batches, err := readBatches(readFile(t, path))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			for i := range batches {
				b := &batches[i]
				codec, err := b.Codec()
				if err != nil || codec != compress.None {
					continue
				}
				records, err := readRecords(b)
				if err != nil {
					t.Errorf("%s at %d: %v", path, b.Position, err)
					continue
				}
				got, err := decode.AppendBatch(nil, b, records)
				if err != nil || !bytes.Equal(got, b.Raw) {
					t.Errorf("%s at %d: %v\n got %x\nwant %x", path, b.Position, err, got, b.Raw)
				}
				counted++
			}
		}
	}
	if counted < 500 {
		t.Errorf("only %d uncompressed batches, the fixtures are not all there", counted)
	}
}

// Frames of real metadata records encode to the same bytes.
func TestFramesEncodeAlike(t *testing.T) {
	decoder := decode.NewMetadataDecoder()
	counted := 0
	for _, dir := range []string{"meta-4.0.0", "meta-4.4.0-rich", "synth-4.4.0/metadata"} {
		for _, path := range segments(t, dir) {
			if !strings.Contains(path, "metadata") {
				continue
			}
			batches, err := readBatches(readFile(t, path))
			if err != nil {
				t.Fatal(err)
			}
			for i := range batches {
				if batches[i].IsControl() {
					continue
				}
				records, err := readRecords(&batches[i])
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					f, err := decoder.Decode(r.Value)
					if err != nil {
						t.Errorf("%s offset %d: %v", path, r.Offset, err)
						continue
					}
					got, err := decode.AppendFrame(nil, f.APIKey, f.Version, f.Message)
					if err != nil || !bytes.Equal(got, r.Value) {
						t.Errorf("%s offset %d: %v\n got %x\nwant %x", path, r.Offset, err, got, r.Value)
					}
					counted++
				}
			}
		}
	}
	if counted < 300 {
		t.Errorf("only %d records", counted)
	}
}

func TestFrameProblems(t *testing.T) {
	topic := unhex(t, "01020004666f6fdd9c9657c9904e7ea69e45c003ac4b5c00")
	decoder := decode.NewMetadataDecoder()
	for _, c := range []struct {
		name    string
		value   []byte
		problem decode.FrameProblem
	}{
		{"null", nil, decode.FrameNoVersion},
		{"endless varint", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 1}, decode.FrameNoVersion},
		{"preview", []byte{0, 2, 0}, decode.FramePreview},
		{"frame version 2", []byte{2, 2, 0}, decode.FrameUnknownVersion},
		{"frame version 40000", kbin.AppendUvarint(nil, 40000), decode.FrameVersionTooBig},
		{"no type", []byte{1}, decode.FrameNoType},
		{"type 40000", kbin.AppendUvarint([]byte{1}, 40000), decode.FrameTypeTooBig},
		{"no version", []byte{1, 2}, decode.FrameNoSchema},
		{"unknown type", []byte{1, 100, 0}, decode.FrameUnknownType},
		{"hole in the types", []byte{1, 6, 0}, decode.FrameUnknownType},
		{"large unknown type", kbin.AppendUvarint([]byte{1}, 30000), decode.FrameNoSchema},
		{"cut", topic[:len(topic)-3], decode.FrameBadMessage},
		{"garbage", append(append([]byte(nil), topic...), 1, 2, 3), decode.FrameGarbage},
	} {
		_, err := decoder.Decode(c.value)
		e, ok := err.(*decode.FrameError)
		if !ok || e.Problem != c.problem {
			t.Errorf("%s: got %v, want problem %d", c.name, err, c.problem)
		}
		if ok && e.Error() == "" {
			t.Errorf("%s: no text", c.name)
		}
	}
	if f, err := decoder.Decode(topic); err != nil || f.APIKey != 2 {
		t.Errorf("good record after bad ones: %+v, %v", f, err)
	}
}
