package dumplog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
)

// summarize gathers a file in pieces of so many batches.
func summarize(f fixture, piece int) *Summary {
	s := &Summary{File: f.path}
	s.addFile(int64(len(f.data)))
	c := newSummaryCollector(f.decoder)
	recs := decode.NewRecords(0)
	n := 0
	eachBatch(f.data, func(b *decode.Batch, err error) {
		if n++; n%piece == 0 {
			s.take(c)
		}
		if err != nil {
			c.broken(nil, b)
			return
		}
		_, _ = c.batch(nil, b, b.Valid())
		for recs.Reset(b); recs.Next(); {
			_, _ = c.record(nil, b, &recs.Record)
		}
	})
	s.take(c)
	return s
}

// TestSummaryPieces: how a file is cut makes no difference.
func TestSummaryPieces(t *testing.T) {
	c := newChecker(t)
	for _, f := range fixtures(t) {
		whole := summarize(f, 1<<30)
		for _, piece := range []int{1, 2, 7} {
			if got := summarize(f, piece); string(got.AppendJSON(nil)) != string(whole.AppendJSON(nil)) {
				t.Fatalf("%s in pieces of %d:\n%s\n%s", f.path, piece, got.AppendJSON(nil), whole.AppendJSON(nil))
			}
		}
		if err := c.line(whole.AppendJSON(nil)); err != nil {
			t.Fatalf("%s: %v", f.path, err)
		}
	}
}

// TestSummaryAgainstJSON counts what the JSON output shows.
func TestSummaryAgainstJSON(t *testing.T) {
	for _, f := range fixtures(t) {
		s := summarize(f, 1<<30)
		out := string(format(newJSONFormatter(jsonOptions{file: f.path, decoder: f.decoder}), f.data))
		if n := int64(strings.Count(out, `{"kind":"batch"`)); n != s.Batches {
			t.Errorf("%s: %d batches, want %d", f.path, s.Batches, n)
		}
		n := int64(strings.Count(out, `{"kind":"record"`))
		if s.RecordsRead && n != s.Records || !s.RecordsRead && n != 0 {
			t.Errorf("%s: %d records, want %d", f.path, s.Records, n)
		}
		if s.DataBatches+s.ControlBatches+s.EmptyBatches != s.Batches {
			t.Errorf("%s: %d+%d+%d batches, want %d", f.path, s.DataBatches, s.ControlBatches, s.EmptyBatches, s.Batches)
		}
		var types int64
		for _, k := range s.Types {
			types += k.Records
		}
		if types != n {
			t.Errorf("%s: %d records by type, want %d", f.path, types, n)
		}
	}
}

// TestSummaryRaw: the raw bytes are those that come out of the decompressor.
func TestSummaryRaw(t *testing.T) {
	var d compress.Decoder
	for _, f := range fixtures(t) {
		if !strings.HasPrefix(f.path, "data") && !strings.HasPrefix(f.path, "synth-4.4.0/magic2") {
			continue
		}
		want := map[string]int64{}
		eachBatch(f.data, func(b *decode.Batch, _ error) {
			codec, _ := b.Codec()
			plain, err := d.Decompress(nil, codec, b.Magic, b.Raw[decode.BatchHeaderSize:], 0)
			if err != nil {
				t.Fatal(err)
			}
			want[codec.String()] += int64(len(plain))
		})
		for _, c := range summarize(f, 1<<30).Codecs {
			if c.RawBytes != want[c.Codec] {
				t.Errorf("%s: %s: %d raw bytes, want %d", f.path, c.Codec, c.RawBytes, want[c.Codec])
			}
		}
	}
}

func TestSummaryGolden(t *testing.T) {
	var out bytes.Buffer
	for _, path := range []string{"data-4.4.0-live/u-txn-0/00000000000000000007.log", "synth-4.4.0/control/00000000000000000000.log",
		"synth-4.4.0/magic1-gzip/00000000000000001000.log", "meta-4.4.0-rich/c1/__cluster_metadata-0/00000000000000000385.log",
		"data-4.4.0-live/__transaction_state-0/00000000000000000000.log", "corrupt/flip-crc/00000000000000000000.log"} {
		s := summarize(readFixture(t, path), 1<<30)
		out.Write(append(s.AppendJSON(nil), '\n'))
		for _, section := range s.Sections() {
			out.WriteString("== " + section.Title + " ==\n" + strings.Join(section.Header, " | ") + "\n")
			if len(section.Right) != len(section.Header) {
				t.Errorf("%s: %d columns, %d alignments", section.Title, len(section.Header), len(section.Right))
			}
			for _, row := range section.Rows {
				if len(row) != len(section.Header) {
					t.Errorf("%s: %q", section.Title, row)
				}
				out.WriteString(strings.Join(row, " | ") + "\n")
			}
		}
	}
	checkGolden(t, "summary.txt", out.Bytes())
}

// TestSummaryTags: AppendJSON and the struct's tags name the same fields.
func TestSummaryTags(t *testing.T) {
	s := summarize(readFixture(t, "data-4.4.0-live/u-txn-0/00000000000000000007.log"), 3)
	tagged, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var a, b map[string]any
	if json.Unmarshal(tagged, &a) != nil || json.Unmarshal(s.AppendJSON(nil), &b) != nil || b["kind"] != "summary" {
		t.Fatalf("%s", s.AppendJSON(nil))
	}
	delete(b, "kind")
	for name, v := range a {
		if v == nil {
			a[name] = []any{} // a nil slice
		}
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
}

// txnBatch is a batch of a transactional producer, or the marker that ends its
// transaction.
func txnBatch(t *testing.T, producer, offset int64, marker decode.ControlType) []byte {
	b := decode.Batch{BaseOffset: offset, Magic: 2, Attributes: 0x10, LastOffsetDelta: -1, ProducerID: producer, BaseSequence: 0}
	r := decode.Record{Offset: offset, Value: []byte("x")}
	if marker != decode.NotControl {
		b.Attributes, b.BaseSequence = 0x30, -1
		r.Key, r.Value = []byte{0, 0, 0, byte(marker)}, make([]byte, 6)
	}
	raw, err := decode.AppendBatch(nil, &b, []decode.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestSummaryTransactions(t *testing.T) {
	var data []byte
	offset := int64(0)
	add := func(producer int64, marker decode.ControlType) {
		data = append(data, txnBatch(t, producer, offset, marker)...)
		offset++
	}
	add(1, decode.NotControl) // 0
	add(2, decode.NotControl) // 1: stays open
	add(1, decode.Commit)     // 2
	add(2, decode.NotControl) // 3
	add(3, decode.NotControl) // 4
	add(3, decode.Abort)      // 5
	add(3, decode.NotControl) // 6: open again
	add(4, decode.Commit)     // 7: of another segment's data
	for piece := 1; piece < 10; piece++ {
		s := summarize(fixture{data: data}, piece)
		if s.Committed != 2 || s.Aborted != 1 || s.OpenCount != 2 || s.MoreOpen ||
			!reflect.DeepEqual(s.OpenTransactions, []OpenTransaction{{2, 0, 1}, {3, 0, 6}}) {
			t.Errorf("pieces of %d: %d, %d, %v", piece, s.Committed, s.Aborted, s.OpenTransactions)
		}
	}
}

// TestSummaryBounds: whatever a file has, memory does not grow with it.
func TestSummaryBounds(t *testing.T) {
	c := newSummaryCollector(DecodeOffsets)
	s := new(Summary)
	const n = 3 * collectLimit
	for i := range n {
		b := decode.Batch{Magic: 2, Attributes: 0x10, Count: 1, BaseOffset: int64(i), ProducerID: int64(i), LeaderEpoch: int32(i)}
		c.add(&b, true)
		c.addRecord(&b, &decode.Record{Key: []byte{byte(i >> 8), byte(i)}})
		if i%7000 == 0 {
			s.take(c)
		}
	}
	s.take(c)
	for name, size := range map[string]int{"producers": len(s.total.producers), "transactions": len(s.total.txns), "epochs": len(s.total.epochs),
		"types": len(s.total.kinds) - 1} {
		if size != collectLimit {
			t.Errorf("%d %s", size, name)
		}
	}
	if len(s.Producers) != maxListed || len(s.OpenTransactions) != maxListed || len(s.LeaderEpochs) != maxListed || len(s.Types) != maxListed {
		t.Errorf("%d, %d, %d, %d", len(s.Producers), len(s.OpenTransactions), len(s.LeaderEpochs), len(s.Types))
	}
	if !s.MoreProducers || !s.MoreOpen || s.OtherBatches != n-maxListed || s.OtherRecords != n-maxListed {
		t.Errorf("%+v", s.OtherBatches)
	}
	var records int64
	for _, k := range s.Types {
		records += k.Records
	}
	if records != n {
		t.Errorf("%d records by type", records)
	}
}

// TestSummaryDamage: a value that is not all there is no tombstone.
func TestSummaryDamage(t *testing.T) {
	if s := summarize(legacyDamage(t), 1); !reflect.DeepEqual(s.Types, []TypeSummary{{Type: unreadableType, Records: 1, Bytes: 3}}) {
		t.Errorf("%v", s.Types)
	}
}

// TestSummaryUnknownBytes: what is not known is not added up.
func TestSummaryUnknownBytes(t *testing.T) {
	for _, sizes := range [][]int64{{-1}, {-1, -1}, {5, -1}, {-1, 5}, {5, 7}} {
		s := &Summary{File: "a/b"}
		for _, size := range sizes {
			s.addFile(size)
		}
		s.take(newSummaryCollector(DecodeNothing))
		json, text := `"fileBytes":null,`, "unknown"
		if !slices.Contains(sizes, -1) {
			json, text = `"fileBytes":12,`, "12"
		}
		line := s.AppendJSON(nil)
		if err := newChecker(t).line(line); err != nil || !bytes.Contains(line, []byte(json)) {
			t.Errorf("%d: %v: %s", sizes, err, line)
		}
		first := s.Sections()[0]
		if !slices.ContainsFunc(first.Rows, func(row []string) bool { return row[0] == "Bytes" && row[1] == text }) || first.Title != "a/b" {
			t.Errorf("%d: %v", sizes, first)
		}
	}
}

// TestSummaryEpochs: they are counted beyond those that are kept.
func TestSummaryEpochs(t *testing.T) {
	add := func(c *summaryCollector, epochs ...int32) {
		for _, e := range epochs {
			c.add(&decode.Batch{Magic: 2, Count: 1, LeaderEpoch: e}, true)
		}
	}
	const n = collectLimit
	for _, piece := range []int{1, 7, 3 * n} {
		c, s := newSummaryCollector(DecodeNothing), new(Summary)
		add(c, -1)
		s.take(c)
		s.take(c) // a chunk without batches changes nothing
		add(c, 0, -1, 0)
		s.take(c)
		if s.EpochCount != 2 || s.MoreEpochs {
			t.Fatalf("%d, %t", s.EpochCount, s.MoreEpochs)
		}
		for i := range int32(n + 50) {
			add(c, i, i)
			if int(i)%piece == 0 {
				s.take(c)
			}
		}
		s.take(c)
		if s.EpochCount != n+51 || s.MoreEpochs {
			t.Errorf("pieces of %d: %d, %t", piece, s.EpochCount, s.MoreEpochs)
		}
		add(c, n+100, n+75) // the last may be one of those that were counted
		s.take(c)
		if s.EpochCount != n+52 || !s.MoreEpochs || s.Sections()[0].Rows[15][1] != "at least "+strconv.Itoa(n+52) {
			t.Errorf("pieces of %d: %d, %t", piece, s.EpochCount, s.MoreEpochs)
		}
	}
}

func TestVarintSize(t *testing.T) {
	for _, v := range []int64{0, -1, 1, 63, 64, -64, -65, 8191, 8192, 1 << 40, -1 << 63, 1<<63 - 1} {
		b := decode.Batch{Magic: 2, LastOffsetDelta: -1}
		r := decode.Record{Timestamp: v, TimestampDelta: v, Key: []byte("k"), Headers: []decode.Header{{Key: []byte("h")}}}
		raw, err := decode.AppendBatch(nil, &b, []decode.Record{r})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := rawRecordSize(&b, &r), int64(len(raw)-decode.BatchHeaderSize); got != want {
			t.Errorf("%d: %d, want %d", v, got, want)
		}
	}
}
