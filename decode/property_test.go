package decode_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/compress"
)

// field draws a key or value: null, empty or some bytes.
func field(t *rapid.T, name string) []byte {
	if rapid.IntRange(0, 4).Draw(t, name+" null") == 0 {
		return nil
	}
	return append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, name)...)
}

func drawBatch(t *rapid.T, codec compress.Codec) (decode.Batch, []decode.Record) {
	b := decode.NewBatch(rapid.Int64Range(0, 1<<50).Draw(t, "base"), rapid.Int32().Draw(t, "epoch"), rapid.Int64Range(-1, 1<<45).Draw(t, "time"))
	b.Attributes = int16(codec)
	if rapid.Bool().Draw(t, "append time") {
		b.Attributes |= 0x08
	}
	if rapid.Bool().Draw(t, "producer") {
		b.ProducerID, b.ProducerEpoch = rapid.Int64().Draw(t, "pid"), rapid.Int16().Draw(t, "pepoch")
		b.BaseSequence = rapid.Int32Min(0).Draw(t, "sequence")
	}
	b.MaxTimestamp = rapid.Int64().Draw(t, "max time")
	n := rapid.IntRange(1, 12).Draw(t, "records")
	offset := b.BaseOffset
	records := make([]decode.Record, n)
	for i := range records {
		offset += rapid.Int64Range(0, 3).Draw(t, "step") + min(int64(i), 1)
		delta := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "delta")
		r := decode.Record{Offset: offset, LeaderEpoch: b.LeaderEpoch, ControlType: decode.NotControl,
			Key: field(t, "key"), Value: field(t, "value"),
			Timestamp: b.BaseTimestamp + delta, TimestampDelta: delta, TimestampType: b.TimestampType(),
			Sequence: -1, ProducerID: b.ProducerID, ProducerEpoch: b.ProducerEpoch}
		if b.TimestampType() == decode.LogAppendTime {
			r.Timestamp = b.MaxTimestamp
		}
		if b.BaseSequence >= 0 {
			r.Sequence = decode.IncrementSequence(b.BaseSequence, int32(offset-b.BaseOffset))
		}
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			r.Headers = append(r.Headers, decode.Header{Key: append([]byte{}, field(t, "hkey")...), Value: field(t, "hvalue")})
		}
		records[i] = r
	}
	return b, records
}

// What is written is read again: with every codec, and without one to the same bytes.
func TestBatchRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		codec := compress.Codec(rapid.IntRange(0, 4).Draw(t, "codec"))
		b, records := drawBatch(t, codec)
		raw, err := decode.AppendBatch(nil, &b, records)
		if err != nil {
			t.Fatal(err)
		}
		read, err := decode.ParseBatch(raw, 0)
		if err != nil || !read.Valid() {
			t.Fatalf("valid %v, %v", read.Valid(), err)
		}
		if read.LastOffset() != records[len(records)-1].Offset {
			t.Fatalf("last offset %d, want %d", read.LastOffset(), records[len(records)-1].Offset)
		}
		got, err := readRecords(&read)
		if err != nil || len(got) != len(records) {
			t.Fatalf("%d records of %d, %v", len(got), len(records), err)
		}
		for i := range got {
			if !sameRecord(got[i], records[i]) {
				t.Fatalf("record %d: got %+v, want %+v", i, got[i], records[i])
			}
		}
		if codec != compress.None {
			return
		}
		again, err := decode.AppendBatch(nil, &read, got)
		if err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("again: %x, %v, want %x", again, err, raw)
		}
	})
}

// The same for message sets of magic 0 and 1.
func TestMessageSetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		magic := int8(rapid.IntRange(0, 1).Draw(t, "magic"))
		codec := compress.Codec(rapid.IntRange(0, 3).Draw(t, "codec"))
		n := 1
		if codec != compress.None {
			n = rapid.IntRange(1, 8).Draw(t, "records")
		}
		base := rapid.Int64Range(1, 1<<50).Draw(t, "base")
		b := decode.Batch{Magic: magic, Attributes: int16(codec), MaxTimestamp: rapid.Int64().Draw(t, "time")}
		records := make([]decode.Record, n)
		for i := range records {
			records[i] = decode.Record{Offset: base + int64(i), LeaderEpoch: -1, ControlType: decode.NotControl, Key: field(t, "key"), Value: field(t, "value"),
				Timestamp: -1, TimestampType: decode.NoTimestamp, Sequence: -1, ProducerID: -1, ProducerEpoch: -1}
			if magic == 1 {
				records[i].Timestamp, records[i].TimestampType = rapid.Int64().Draw(t, "rtime"), decode.CreateTime
			}
		}
		raw, err := decode.AppendBatch(nil, &b, records)
		if err != nil {
			t.Fatal(err)
		}
		read, err := decode.ParseBatch(raw, 0)
		if err != nil || !read.Valid() || read.LastOffset() != base+int64(n-1) {
			t.Fatalf("valid %v, last offset %d, %v", read.Valid(), read.LastOffset(), err)
		}
		got, err := readRecords(&read)
		if err != nil || len(got) != n {
			t.Fatalf("%d records of %d, %v", len(got), n, err)
		}
		for i := range got {
			if !sameRecord(got[i], records[i]) || !got[i].Valid {
				t.Fatalf("record %d: got %+v, want %+v", i, got[i], records[i])
			}
		}
	})
}
