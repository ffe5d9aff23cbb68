package snapfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/snapshot"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/metalog"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

const fixtures = "../../testdata/fixtures/"

// rich is the metadata log of a controller of Kafka 4.4.0.
const rich = fixtures + "meta-4.4.0-rich/c1"

func now() int64 { return 1_700_000_000_000 }

// load copies a fixture's metadata log into memory.
func load(t testing.TB, dir string) vfs.FS {
	t.Helper()
	m := vfs.NewMem()
	to := "/n/" + index.MetadataLogDir
	if err := errors.Join(m.MkdirAll(to, 0o777), m.MkdirAll("/out", 0o777), m.SyncDir("/"), m.SyncDir("/n")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, index.MetadataLogDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, index.MetadataLogDir, e.Name()))
		if err == nil {
			err = vfs.WriteFileAtomic(m, to+"/"+e.Name(), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func state(t testing.TB, fsys vfs.FS, path string, offset int64) *timeline.State {
	t.Helper()
	line, err := timeline.Open(fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := line.At(context.Background(), offset)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func inspect(t testing.TB, fsys vfs.FS, path string) *Report {
	t.Helper()
	r, err := Inspect(context.Background(), fsys, path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWriteFixtures writes snapshots of real metadata at offsets of all kinds, and
// compares all that a snapshot holds with what Kafka wrote at the same offset.
func TestWriteFixtures(t *testing.T) {
	for _, dir := range []string{"meta-4.4.0-rich/c1", "meta-4.4.0-rich/c2", "meta-4.3.1-rich/c1", "meta-4.0.0/c1", "meta-3.9.1/b11"} {
		fsys := load(t, fixtures+dir)
		files, err := metalog.List(fsys, "/n/"+index.MetadataLogDir)
		if err != nil {
			t.Fatal(err)
		}
		for _, real := range files.Snapshots {
			if real.EndOffset == 0 {
				continue
			}
			s := state(t, fsys, "/n", real.EndOffset-1)
			w, err := Write(context.Background(), fsys, "/out", s, WriteOptions{Now: now})
			if err != nil {
				t.Fatalf("%s: %v", real.Path, err)
			}
			if filepath.Base(w.Path) != real.Name {
				t.Errorf("%s is called %s", real.Name, w.Path)
			}
			a, b := inspect(t, fsys, real.Path), inspect(t, fsys, w.Path)
			if len(b.Problems) > 0 || a.State.Image.Hash() != b.State.Image.Hash() || w.Hash != b.State.Image.Hash() ||
				a.HeaderTime != b.HeaderTime || a.State.KRaftVersion != b.State.KRaftVersion {
				t.Errorf("%s: %v, %d and %d, %d and %d", real.Name, b.Problems, a.HeaderTime, b.HeaderTime, a.State.KRaftVersion, b.State.KRaftVersion)
			}
			if counts(a) != counts(b) {
				t.Errorf("%s: records\n%s\n%s", real.Name, counts(a), counts(b))
			}
			if !bytes.Equal(votersJSON(a.State), votersJSON(b.State)) {
				t.Errorf("%s: other voters", real.Name)
			}
			if info, err := fsys.Stat(w.Path); err != nil || info.Mode().Perm() != snapshotMode {
				t.Errorf("%v %v", info.Mode(), err)
			}
		}
	}
}

func votersJSON(s *timeline.State) []byte {
	if s.Voters == nil {
		return nil
	}
	return s.Voters.AppendJSON(nil, 0)
}

// counts lists how many records of each type there are.
func counts(r *Report) string {
	types := slices.Clone(r.Types)
	slices.SortFunc(types, func(a, b TypeCount) int { return strings.Compare(a.Type, b.Type) })
	var b strings.Builder
	for _, c := range types {
		b.WriteString(c.Type + " " + strings.Repeat("i", int(c.Records)) + "\n")
	}
	return b.String()
}

// TestWriteRefuses overwrites nothing, and says what is lost.
func TestWriteRefuses(t *testing.T) {
	ctx := context.Background()
	fsys := load(t, rich)
	s := state(t, fsys, "/n", timeline.Latest)
	o := WriteOptions{Now: now}
	w, err := Write(ctx, fsys, "/out/a", s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/out/a", "/n/" + index.MetadataLogDir + "/leader-epoch-checkpoint"} {
		if _, err := Write(ctx, fsys, path, s, o); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if f, err := fsys.CreateNew("/out/b.part", 0o600); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if _, err := Write(ctx, fsys, "/out/b", s, o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("while somebody else writes: %v", err)
	}
	if _, err := fsys.Stat("/out/b.part"); err != nil {
		t.Error("somebody else's file is gone")
	}
	o.Version = feature.V3_5_IV0
	lost, ok := errors.AsType[*image.LossError](second(Write(ctx, fsys, "/out/c", s, o)))
	if !ok || len(lost.Lost) < 4 {
		t.Errorf("%v", lost)
	}
	o.DropLoss = true
	old, err := Write(ctx, fsys, "/out/c", s, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := inspect(t, fsys, "/out/c"); old.Hash == w.Hash || r.State.Image.Hash() != old.Hash || len(r.Problems) > 0 || len(old.Lost) != len(lost.Lost) {
		t.Errorf("%+v, %v", old, r.Problems)
	}
	o.Version = 99
	if _, ok := errors.AsType[*image.VersionError](second(Write(ctx, fsys, "/out/d", s, o))); !ok {
		t.Error("a version that is not known")
	}
	empty := &timeline.State{Image: image.Empty()}
	if _, err := Write(ctx, fsys, "/out/d", empty, WriteOptions{Now: now}); !errors.Is(err, ErrNoVersion) {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestWriteFails fails each step, and cuts the power after each: there is all of
// the snapshot or nothing of it, and never half of one under its name.
func TestWriteFails(t *testing.T) {
	base := load(t, rich).(*vfs.Mem)
	s := state(t, base, "/n", timeline.Latest)
	broken := errors.New("broken")
	for fail := 0; ; fail++ {
		m := vfs.NewMem()
		if err := errors.Join(m.MkdirAll("/out", 0o777), m.SyncDir("/")); err != nil {
			t.Fatal(err)
		}
		n := 0
		fsys := vfs.Inject(m, func(vfs.Op, string) error {
			if n++; n == fail+1 {
				return broken
			}
			return nil
		})
		_, err := Write(context.Background(), fsys, "/out", s, WriteOptions{Now: now})
		if err == nil && n <= fail {
			break
		}
		for _, after := range []*vfs.Mem{m, m.CrashClone()} {
			path := "/out/" + Name(s.Image.Provenance())
			if _, serr := after.Stat(path); errors.Is(serr, fs.ErrNotExist) {
				if err == nil && after != m {
					t.Errorf("step %d: written, but gone after a crash", fail)
				}
				continue
			}
			if r := inspect(t, after, path); len(r.Problems) > 0 || r.State.Image.Hash() != s.Image.Hash() {
				t.Fatalf("step %d: half a snapshot: %v", fail, r.Problems)
			}
		}
		if fail > 500 {
			t.Fatal("too many steps")
		}
	}
}

// file makes a snapshot with some writer calls.
func file(t *testing.T, h snapshot.Header, records ...interface {
	kbin.Message
	APIKey() int16
}) []byte {
	t.Helper()
	var out bytes.Buffer
	w := snapshot.NewWriter(&out, 1, h, now)
	for _, m := range records {
		_, highest := m.Versions()
		if err := w.Append(m.APIKey(), highest, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestInspectFinds breaks one rule after the other.
func TestInspectFinds(t *testing.T) {
	version := &metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: 33}
	topic := &metadata.TopicRecord{Name: "a", TopicID: kbin.UUID{1}}
	good := file(t, snapshot.Header{}, version, topic)
	first, err := decode.ParseBatch(good, 0)
	if err != nil {
		t.Fatal(err)
	}
	head, rest := good[:first.Size], good[first.Size:]
	for _, c := range []struct {
		name string
		data []byte
		rule string
	}{
		{"sound", good, ""},
		{"two headers", append(slices.Clone(head), good...), "snapshot-header"},
		{"offsets", append(slices.Clone(head), rest[batchSize(t, rest):]...), "snapshot-offsets"},
		{"behind the footer", append(slices.Clone(good), rest...), "snapshot-footer"},
		{"no footer", good[:first.Size+batchSize(t, rest)], "snapshot-malformed"},
		{"a transaction", file(t, snapshot.Header{}, version, &metadata.BeginTransactionRecord{}, &metadata.EndTransactionRecord{}), "snapshot-transaction"},
		{"no version", file(t, snapshot.Header{}, topic), "snapshot-version"},
		{"does not fit", file(t, snapshot.Header{}, version, &metadata.RemoveTopicRecord{}), "metadata-replay"},
		{"a wrong checksum", append(good[:len(good)-1:len(good)-1], 1), "batch-crc"},
	} {
		m := vfs.NewMem()
		path := "/00000000000000000009-0000000001.checkpoint"
		if err := vfs.WriteFileAtomic(m, path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		r := inspect(t, m, path)
		found := slices.ContainsFunc(r.Problems, func(p timeline.Problem) bool { return p.Rule == c.rule })
		if found != (c.rule != "") || c.rule == "" && len(r.Problems) > 0 {
			t.Errorf("%s: %v", c.name, r.Problems)
		}
	}
	m := vfs.NewMem()
	path := "/00000000000000000009-0000000007.checkpoint"
	if err := vfs.WriteFileAtomic(m, path, good, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := inspect(t, m, path); len(r.Problems) != 1 || r.Problems[0].Rule != "snapshot-epoch" {
		t.Errorf("another epoch: %v", r.Problems)
	}
}

func batchSize(t *testing.T, data []byte) int {
	t.Helper()
	b, err := decode.ParseBatch(data[:], 0)
	if err == nil {
		return b.Size
	}
	size := int(uint32(data[8])<<24|uint32(data[9])<<16|uint32(data[10])<<8|uint32(data[11])) + decode.LogOverhead
	return size
}

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
