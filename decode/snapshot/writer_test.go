package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
)

// Write a snapshot of one topic at offset 7, epoch 2.
func Example() {
	var file bytes.Buffer
	w := snapshot.NewWriter(&file, 2, snapshot.Header{LastContainedLogTimestamp: 1700000000000}, func() int64 { return 1700000001000 })
	topic := &metadata.TopicRecord{Name: "orders"}
	if err := errors.Join(w.Append(topic.APIKey(), 0, topic), w.Close()); err != nil {
		fmt.Println(err)
		return
	}
	r := decode.NewReader(&file, "00000000000000000007-0000000002.checkpoint")
	for {
		batch, err := r.Next()
		if err != nil {
			break
		}
		fmt.Println(batch.BaseOffset, batch.LeaderEpoch, batch.IsControl(), batch.Valid())
	}
	// Output:
	// 0 2 true true
	// 1 2 false true
	// 2 2 true true
}

// read gives the batches of a snapshot, and its users with the lengths of their salts.
func read(t interface{ Fatal(...any) }, raw []byte) (batches []decode.Batch, users []string) {
	r := decode.NewReader(bytes.NewReader(raw), "test")
	frames := decode.NewMetadataDecoder()
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			if r.Tail() != 0 {
				t.Fatal("bytes are left behind the last batch")
			}
			return batches, users
		}
		if err != nil || !b.Valid() {
			t.Fatal(err, b)
		}
		c := *b
		c.Raw = nil
		batches = append(batches, c)
		if b.IsControl() {
			continue
		}
		for record, err := range r.Records() {
			if err != nil {
				t.Fatal(err)
			}
			frame, err := frames.Decode(record.Value)
			if err != nil {
				t.Fatal(err)
			}
			m := frame.Message.(*metadata.UserScramCredentialRecord)
			users = append(users, fmt.Sprint(m.Name, len(m.Salt)))
		}
	}
}

// What is written is read again: all records in order, offsets without holes, no
// batch beyond the limit, a header first and a footer last.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epoch := rapid.Int32Min(0).Draw(t, "epoch")
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(1<<20, 3<<20)), 0, 12).Draw(t, "sizes")
		var out bytes.Buffer
		h := snapshot.Header{LastContainedLogTimestamp: 5}
		if rapid.Bool().Draw(t, "dynamic") {
			h.KRaftVersion = 1
			h.Voters = &control.VotersRecord{Voters: []control.Voter{{VoterID: 1, Endpoints: []control.Endpoint{{Name: "C", Host: "h", Port: 1}}}}}
		}
		w := snapshot.NewWriter(&out, epoch, h, func() int64 { return 7 })
		var want []string
		for i, n := range sizes {
			m := &metadata.UserScramCredentialRecord{Name: fmt.Sprint("u", i, "-"), Salt: make([]byte, n)}
			want = append(want, fmt.Sprint(m.Name, n))
			if err := w.Append(m.APIKey(), 0, m); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		batches, users := read(t, out.Bytes())
		if strings.Join(users, ",") != strings.Join(want, ",") {
			t.Fatalf("users %v, want %v", users, want)
		}
		next := int64(0)
		for i, b := range batches {
			if b.BaseOffset != next || b.LeaderEpoch != epoch || b.Size > decode.MaxBatchSize || b.IsControl() != (i == 0 || i == len(batches)-1) {
				t.Fatalf("batch %d: %+v, want offset %d", i, b, next)
			}
			next = b.NextOffset()
		}
	})
}

// failingWriter takes n bytes.
type failingWriter struct{ n int }

var errFull = errors.New("full")

func (f *failingWriter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// An error stays: nothing after it makes the snapshot look complete.
func TestErrorsStay(t *testing.T) {
	for n := 0; ; n += 20 {
		w := snapshot.NewWriter(&failingWriter{n}, 0, snapshot.Header{}, func() int64 { return 1 })
		m := &metadata.TopicRecord{Name: "a"}
		_ = w.Append(m.APIKey(), 0, m)
		err := w.Close()
		if err == nil {
			if n < 200 {
				t.Errorf("a snapshot in %d bytes", n)
			}
			return
		}
		if !errors.Is(err, errFull) || !errors.Is(w.Append(m.APIKey(), 0, m), errFull) || !errors.Is(w.Close(), errFull) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

func TestVotersNeedKRaftVersion(t *testing.T) {
	w := snapshot.NewWriter(io.Discard, 0, snapshot.Header{Voters: &control.VotersRecord{}}, func() int64 { return 1 })
	if err := w.Close(); err == nil {
		t.Error("a voter set without kraft.version 1")
	}
}
