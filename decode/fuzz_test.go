package decode_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
)

// fuzzLimit keeps decompression small, so that a fuzzer sees many inputs.
const fuzzLimit = 1 << 20

// seed adds the batches of the representatives, and the whole small ones.
func seed(f *testing.F) {
	for _, path := range representatives {
		raw := readFile(f, fixtures+"/"+path)
		batches, err := readBatches(raw)
		if err != nil {
			f.Fatal(err)
		}
		for i, b := range batches {
			if i < 3 && b.Size < 4096 {
				f.Add(b.Raw)
			}
		}
		if len(raw) < 4096 {
			f.Add(raw)
		}
	}
}

// FuzzReader: no input panics or hangs; batches come in ascending positions
// without overlap and lie inside the input; a stream and a file give the same;
// a valid uncompressed batch encodes to its own bytes.
func FuzzReader(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		it := decode.NewRecords(fuzzLimit)
		r := decode.NewReaderAt(bytes.NewReader(raw), int64(len(raw)), "f")
		stream := decode.NewReader(bytes.NewReader(raw), "f")
		end := int64(0)
		for {
			b, err := r.Next()
			sb, serr := stream.Next()
			if (err == nil) != (serr == nil) || err == nil && !sameHeader(*b, *sb) {
				t.Fatalf("file: %v, %v; stream: %v, %v", b, err, sb, serr)
			}
			if err != nil {
				if errors.Is(err, io.EOF) && r.Tail() != stream.Tail() {
					t.Fatalf("tail %d of a file, %d of a stream", r.Tail(), stream.Tail())
				}
				return
			}
			if b.Position != end || len(b.Raw) != b.Size {
				t.Fatalf("batch at %d of %d bytes, the one before ended at %d", b.Position, b.Size, end)
			}
			if end += int64(b.Size); end > int64(len(raw)) {
				t.Fatalf("batch ends at %d of %d", end, len(raw))
			}
			var records []decode.Record
			size := 0
			for it.Reset(b); it.Next(); {
				records = append(records, cloneRecord(it.Record))
				if size += len(it.Record.Key) + len(it.Record.Value); size > fuzzLimit+len(raw) {
					t.Fatal("more bytes in records than may be")
				}
			}
			codec, err := b.Codec()
			if it.Err() != nil || err != nil || codec != compress.None || !b.Valid() || b.Magic > 2 {
				continue
			}
			if int(b.Count) == len(records) || b.Magic < 2 {
				again, err := decode.AppendBatch(nil, b, records)
				// A varint can be written longer than needed; then the bytes differ in length.
				if err == nil && len(again) == b.Size && !bytes.Equal(again, b.Raw) && b.Magic == 2 {
					t.Fatalf("encodes to %x, not %x", again, b.Raw)
				}
			}
		}
	})
}

// FuzzResync: no input panics or hangs; what is found has the right checksum or
// stands between batches that have; holes and batches cover the input in order.
func FuzzResync(f *testing.F) {
	seed(f)
	f.Add(append([]byte("garbage"), makeSegment(f, 3, 5)...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := decode.NewScanner(bytes.NewReader(raw), int64(len(raw)), decode.ScanOptions{Resync: true})
		var c decode.Chunk
		var b decode.Batch
		end := int64(0)
		for s.Next(&c) {
			if err := c.Load(); err != nil {
				t.Fatal(err)
			}
			if c.Skipped[1] > 0 {
				if c.Skipped[0] != end || c.Skipped[1] <= end {
					t.Fatalf("hole %v behind %d", c.Skipped, end)
				}
				end = c.Skipped[1]
			}
			for i := range c.Len() {
				if err := c.Batch(i, &b); err != nil {
					t.Fatal(err)
				}
				if b.Position != end {
					t.Fatalf("batch at %d, expected at %d", b.Position, end)
				}
				end += int64(b.Size)
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		if end+s.Tail() != int64(len(raw)) {
			t.Fatalf("batches end at %d, tail %d, of %d", end, s.Tail(), len(raw))
		}
	})
}

// FuzzFrame: no value panics a decoder; a record that decodes encodes to the
// same bytes when nothing in it was written longer than needed.
func FuzzFrame(f *testing.F) {
	for _, path := range []string{"synth-4.4.0/metadata/00000000000000000000.log", "synth-4.4.0/remote/00000000000000000000.log", "synth-4.4.0/metadata-errors/00000000000000000000.log"} {
		batches, err := readBatches(readFile(f, fixtures+"/"+path))
		if err != nil {
			f.Fatal(err)
		}
		for i := range batches {
			records, err := readRecords(&batches[i])
			if err != nil {
				f.Fatal(err)
			}
			for _, r := range records {
				f.Add(r.Value)
			}
		}
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		for _, d := range []*decode.FrameDecoder{decode.NewMetadataDecoder(), decode.NewRemoteLogDecoder()} {
			frame, err := d.Decode(value)
			if err != nil {
				continue
			}
			frame.Message.AppendJSON(nil, frame.Version)
			if _, highest := frame.Message.Versions(); frame.Version > highest {
				continue // read as far as it is known
			}
			again, err := decode.AppendFrame(nil, frame.APIKey, frame.Version, frame.Message)
			if err == nil && len(again) > len(value) {
				t.Fatalf("%x became %x", value, again)
			}
		}
	})
}

// addRecords adds the key and value of every record of a fixture to the corpus.
func addRecords(f *testing.F, path string) {
	f.Helper()
	batches, err := readBatches(readFile(f, fixtures+"/"+path))
	if err != nil {
		f.Fatal(err)
	}
	for i := range batches {
		records, err := readRecords(&batches[i])
		if err != nil {
			f.Fatal(err)
		}
		for _, r := range records {
			f.Add(r.Key, r.Value)
		}
	}
}

// FuzzCoordinator: no key and value panic a decoder, and what is decoded can be shown.
func FuzzCoordinator(f *testing.F) {
	for _, path := range []string{"synth-4.4.0/group/00000000000000000000.log", "synth-4.4.0/txn/00000000000000000000.log", "synth-4.4.0/share/00000000000000000000.log"} {
		addRecords(f, path)
	}
	f.Fuzz(func(t *testing.T, key, value []byte) {
		for _, d := range []*decode.CoordinatorDecoder{decode.NewOffsetsDecoder(), decode.NewTransactionDecoder(), decode.NewShareDecoder()} {
			c, err := d.Decode(&decode.Record{Key: key, Value: value})
			if err != nil {
				if err.Error() == "" {
					t.Fatal("an error without a text")
				}
				continue
			}
			c.Key.AppendJSON(nil, 0)
			if c.Value != nil {
				c.Value.AppendJSON(nil, c.ValueVersion)
			}
		}
	})
}

// FuzzControl: no control record panics, and a known type has its message or an error.
func FuzzControl(f *testing.F) {
	addRecords(f, "synth-4.4.0/control/00000000000000000000.log")
	f.Fuzz(func(t *testing.T, key, value []byte) {
		c, err := decode.DecodeControl(&decode.Record{Key: key, Value: value})
		if err == nil && c.Type >= decode.LeaderChange && c.Message == nil {
			t.Fatalf("type %v without a message", c.Type)
		}
		if c.Message != nil {
			c.Message.AppendJSON(nil, c.Version)
		}
	})
}
