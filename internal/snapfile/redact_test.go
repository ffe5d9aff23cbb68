package snapfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// TestRedact compares a redacted log batch by batch with the original.
func TestRedact(t *testing.T) {
	fsys := load(t, rich)
	done, err := RedactDir(context.Background(), fsys, "/n", "/red")
	if err != nil {
		t.Fatal(err)
	}
	secrets, rewritten := int64(0), int64(0)
	for _, d := range done {
		secrets += d.Secrets
		a := batches(t, fsys, "/n/"+index.MetadataLogDir+"/"+filepath.Base(d.Path))
		b := batches(t, fsys, d.Path)
		if len(a) != len(b) || int64(len(a)) != d.Batches {
			t.Fatalf("%s: %d batches, not %d", d.Path, len(b), len(a))
		}
		for i := range a {
			if bytes.Equal(a[i].Raw, b[i].Raw) {
				continue
			}
			rewritten++
			x, y := a[i], b[i]
			x.Raw, y.Raw, x.CRC, y.CRC, x.Size, y.Size, x.Position, y.Position = nil, nil, 0, 0, 0, 0, 0, 0
			if x.BaseOffset != y.BaseOffset || x.Count != y.Count || x.Attributes != y.Attributes || x.BaseTimestamp != y.BaseTimestamp ||
				x.MaxTimestamp != y.MaxTimestamp || x.LastOffsetDelta != y.LastOffsetDelta || x.LeaderEpoch != y.LeaderEpoch {
				t.Errorf("%s: batch %d is another one", d.Path, i)
			}
		}
		rewritten -= d.Rewritten
	}
	if secrets == 0 || rewritten != 0 {
		t.Errorf("%d secrets, %d batches more rewritten than told", secrets, rewritten)
	}
	a, b := state(t, fsys, "/n", timeline.Latest), state(t, fsys, "/red", timeline.Latest)
	if len(b.Problems) > 0 || a.End != b.End {
		t.Errorf("%v, end %d", b.Problems, b.End)
	}
	changed := 0
	for c := range image.Diff(a.Image, b.Image) {
		changed++
		if c.Kind != image.KindScram && c.Kind != image.KindConfig || c.Before == nil || c.After == nil {
			t.Errorf("%v has changed", c.Path)
		}
	}
	if changed == 0 {
		t.Error("nothing was redacted")
	}
	// No credential of the original is in any byte of the copy.
	for _, credential := range a.Image.Scram().All() {
		for _, d := range done {
			data, err := vfs.ReadFile(fsys, d.Path, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range [][]byte{credential.Salt, credential.StoredKey, credential.ServerKey} {
				if bytes.Contains(data, secret) {
					t.Errorf("%s has a secret of %s", d.Path, credential.Name)
				}
			}
		}
	}
	if _, err := RedactDir(context.Background(), fsys, "/n", "/red"); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

func batches(t *testing.T, fsys vfs.FS, path string) (list []decode.Batch) {
	t.Helper()
	f, err := metalog.OpenBatches(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		b, err := f.Next()
		if err != nil {
			return list
		}
		b.Raw = bytes.Clone(b.Raw)
		list = append(list, b)
	}
}

// TestRedactDirFails leaves nothing of a copy that is not complete.
func TestRedactDirFails(t *testing.T) {
	base := load(t, rich)
	broken := errors.New("broken")
	for fail := 0; ; fail++ {
		fsys := load(t, rich)
		n := 0
		_, err := RedactDir(context.Background(), vfs.Inject(fsys, func(op vfs.Op, path string) error {
			if !op.Changes() {
				return nil
			}
			if n++; n == fail+1 {
				return broken
			}
			return nil
		}), "/n", "/out")
		if err == nil {
			if fail < 30 {
				t.Errorf("%d steps", fail)
			}
			break
		}
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if entries, err := fsys.ReadDir("/out"); err != nil || len(entries) > 1 || len(entries) == 1 && !leftAlone(fsys) {
			t.Fatalf("step %d: %v is left, %v", fail, entries, err)
		}
	}
	damaged := "/n/" + index.MetadataLogDir + "/00000000000000000385.log"
	data, err := vfs.ReadFile(base, damaged, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := vfs.WriteFileAtomic(base, damaged, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := RedactDir(context.Background(), base, "/n", "/out"); err == nil {
		t.Error("a damaged log was copied")
	}
	if entries, err := base.ReadDir("/out"); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// leftAlone reports whether no file with content has a final name in what is left
// when even removing failed.
func leftAlone(fsys vfs.FS) bool {
	entries, err := fsys.ReadDir("/out/" + index.MetadataLogDir)
	return err == nil && len(entries) == 0
}

// TestRedactUnreadable replaces what may be a secret and cannot be read, and keeps
// what is none.
func TestRedactUnreadable(t *testing.T) {
	b := decode.NewBatch(5, 1, now())
	secret := []byte("hunter2")
	var records []decode.Record
	for i, value := range [][]byte{
		append([]byte{1, byte(metadata.KeyUserScramCredentialRecord), 0}, secret...), // does not decode
		append([]byte{1, 0x7e, 0}, "newer"...),                                       // a type that is not known
		append([]byte{9, 9}, secret...),                                              // no frame
		{1, byte(metadata.KeyNoOpRecord), 0, 0},
	} {
		records = append(records, decode.Record{Offset: 5 + int64(i), Timestamp: now(), Value: value})
	}
	raw, err := decode.AppendBatch(nil, &b, records)
	if err != nil {
		t.Fatal(err)
	}
	m := vfs.NewMem()
	if err := vfs.WriteFileAtomic(m, "/a.log", append(raw, raw[:20]...), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Redact(context.Background(), m, "/a.log", "/b.log")
	if err != nil || r.Unreadable != 2 || r.Secrets != 0 || r.Rewritten != 1 || r.TornBytes != 20 {
		t.Fatalf("%+v %v", r, err)
	}
	out, err := vfs.ReadFile(m, "/b.log", 1<<20)
	if err != nil || bytes.Contains(out, secret) || !bytes.Contains(out, []byte("newer")) {
		t.Errorf("%q %v", out, err)
	}
	if err := vfs.WriteFileAtomic(m, "/c.log", append(raw[:len(raw)-1:len(raw)-1], 0xee), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Redact(context.Background(), m, "/c.log", "/d.log"); err == nil {
		t.Error("a damaged file was copied")
	}
	if _, err := m.Stat("/d.log.tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a temporary file is left")
	}
}

// TestRedactAnything redacts logs with secrets in records of any shape: nothing of a
// secret is left, all else is as it was.
func TestRedactAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var raw []byte
		var kept [][]byte
		secret := "s3cr3t-" + rapid.StringMatching(`[a-z]{8}`).Draw(t, "secret")
		next := int64(rapid.IntRange(0, 1000).Draw(t, "base"))
		for range rapid.IntRange(1, 6).Draw(t, "batches") {
			b := decode.NewBatch(next, int32(rapid.IntRange(0, 9).Draw(t, "epoch")), now()+next)
			b.Attributes = int16(rapid.SampledFrom([]int{0, 1, 2, 3, 4}).Draw(t, "codec"))
			var records []decode.Record
			hidden := false
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				var m interface {
					kbin.Message
					APIKey() int16
				}
				switch rapid.IntRange(0, 3).Draw(t, "kind") {
				case 0:
					m, hidden = &metadata.UserScramCredentialRecord{Name: "u", Salt: []byte(secret), StoredKey: []byte(secret), ServerKey: []byte(secret)}, true
				case 1:
					m, hidden = &metadata.ConfigRecord{ResourceType: 4, Name: "ssl.key.password", Value: &secret}, true
				case 2:
					m = &metadata.ConfigRecord{ResourceType: 2, ResourceName: "t", Name: "ssl.key.password"} // a removal
				default:
					m = &metadata.TopicRecord{Name: "t"}
				}
				value, err := decode.AppendFrame(nil, m.APIKey(), 0, m)
				if err != nil {
					t.Fatal(err)
				}
				records = append(records, decode.Record{Offset: next, Timestamp: now() + next, Value: value})
				next += int64(rapid.IntRange(1, 3).Draw(t, "gap"))
			}
			b.LastOffsetDelta = int32(next - 1 - b.BaseOffset)
			one, err := decode.AppendBatch(nil, &b, records)
			if err != nil {
				t.Fatal(err)
			}
			raw = append(raw, one...)
			if hidden {
				one = nil
			}
			kept = append(kept, one)
		}
		m := vfs.NewMem()
		if err := vfs.WriteFileAtomic(m, "/a", raw, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Redact(context.Background(), m, "/a", "/b"); err != nil {
			t.Fatal(err)
		}
		s := newScanner(m)
		var offsets [2][]int64
		for i, path := range [...]string{"/a", "/b"} {
			if err := s.file(context.Background(), path, 0, func(r *Record) error {
				offsets[i] = append(offsets[i], r.Record.Offset, r.Record.Timestamp, int64(r.Batch.Attributes), r.Batch.LastOffset())
				if r.Err != nil || i == 1 && bytes.Contains(r.Record.Value, []byte(secret)) {
					t.Fatalf("offset %d: %q %v", r.Record.Offset, r.Record.Value, r.Err)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(offsets[0], offsets[1]) {
			t.Fatalf("offsets and times %v, not %v", offsets[1], offsets[0])
		}
		out, err := vfs.ReadFile(m, "/b", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range kept {
			if one != nil && !bytes.Contains(out, one) {
				t.Fatalf("batch %d has no secrets and is not there as it was", i)
			}
		}
	})
}
