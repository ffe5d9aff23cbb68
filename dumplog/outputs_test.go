package dumplog

import (
	"bytes"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
)

var updateGoldens = flag.Bool("update", false, "write the golden files of this package anew")

const fixtureDir = "../testdata/fixtures"

// fixture is a segment or snapshot that a real node, or Kafka's classes, wrote,
// or a damaged copy of one.
type fixture struct {
	path    string // below fixtureDir
	data    []byte
	decoder Decoder
}

// fixtures gives all but the largest files, which hold nothing new.
func fixtures(t testing.TB) []fixture {
	const tooLarge = 10 << 10
	var all []fixture
	seen := map[string]bool{} // many are copies
	err := filepath.WalkDir(fixtureDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if ext := filepath.Ext(path); ext != ".log" && ext != ".checkpoint" {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > tooLarge {
			return err
		}
		data, err := os.ReadFile(path)
		if seen[string(data)] {
			return err
		}
		seen[string(data)] = true
		rel, _ := filepath.Rel(fixtureDir, path)
		rel = filepath.ToSlash(rel)
		all = append(all, fixture{rel, data, fixtureDecoder(rel)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("%d fixtures", len(all))
	}
	return all
}

func fixtureDecoder(path string) Decoder {
	for part, d := range map[string]Decoder{
		"__cluster_metadata": DecodeMetadata, "bootstrap.checkpoint": DecodeMetadata, "/metadata": DecodeMetadata,
		"__consumer_offsets": DecodeOffsets, "/group": DecodeOffsets,
		"__transaction_state": DecodeTransactions, "/txn/": DecodeTransactions,
		"__share_group_state": DecodeShareGroupState, "/share/": DecodeShareGroupState,
		"/remote": DecodeRemoteLog,
	} {
		if strings.Contains(path, part) && !strings.Contains(path, "corrupt") {
			return d
		}
	}
	return DecodeNothing
}

// readFixture reads one file below fixtureDir.
func readFixture(t testing.TB, path string) fixture {
	data, err := os.ReadFile(filepath.Join(fixtureDir, path))
	if err != nil {
		t.Fatal(err)
	}
	return fixture{path, data, fixtureDecoder(path)}
}

// eachBatch gives the batches of a file; broken ones with an error.
func eachBatch(data []byte, see func(b *decode.Batch, err error)) {
	scan := decode.NewScanner(bytes.NewReader(data), int64(len(data)), decode.ScanOptions{})
	var c decode.Chunk
	var b decode.Batch
	for scan.Next(&c) {
		if c.Load() != nil {
			return
		}
		for i := range c.Len() {
			err := c.Batch(i, &b)
			see(&b, err)
		}
	}
}

// format does what a worker of a dump does.
func format(f formatter, data []byte) []byte {
	var out []byte
	recs := decode.NewRecords(16 << 20)
	eachBatch(data, func(b *decode.Batch, err error) {
		if err != nil {
			out = f.broken(out, b)
			return
		}
		if out, err = f.batch(out, b, b.Valid()); err != nil {
			return
		}
		for recs.Reset(b); recs.Next(); {
			out, _ = f.record(out, b, &recs.Record)
		}
	})
	return out
}

// checkGolden compares with a file in testdata.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *updateGoldens {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := strings.SplitAfter(string(got), "\n"), strings.SplitAfter(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			line := "(end)"
			if i < len(w) {
				line = w[i]
			}
			t.Fatalf("%s, line %d:\n got %s\nwant %s", name, i+1, g[i], line)
		}
	}
	t.Fatalf("%s: %d lines, want %d", name, len(g), len(w))
}

// goldenFiles are small and have, together, every kind of batch and record.
func goldenFiles(t testing.TB) map[string]fixture {
	files := map[string]fixture{"secrets": {"secrets.log", secretBatch(t), DecodeMetadata}}
	for name, path := range map[string]string{
		"control":     "synth-4.4.0/control/00000000000000000000.log",
		"magic0":      "synth-4.4.0/magic0-gzip/00000000000000001000.log",
		"magic1":      "synth-4.4.0/magic1-snappy/00000000000000001000.log",
		"magic1-none": "synth-4.4.0/magic1-none/00000000000000001000.log",
		"magic2":      "synth-4.4.0/magic2-zstd/00000000000000001000.log",
		"odd":         "synth-4.4.0/odd/00000000000000000000.log",
		"metadata":    "meta-4.4.0-rich/c1/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
		"errors":      "synth-4.4.0/metadata-errors/00000000000000000000.log",
		"share":       "synth-4.4.0/share/00000000000000000000.log",
		"group-error": "synth-4.4.0/group-errors/00000000000000000000.log",
		"transaction": "data-4.4.0-live/u-txn-0/00000000000000000000.log",
	} {
		files[name] = readFixture(t, path)
	}
	return files
}

// secretBatch is a metadata batch with a SCRAM credential and configs.
func secretBatch(t testing.TB) []byte {
	t.Helper()
	text := func(s string) *string { return &s }
	var records []decode.Record
	add := func(key int16, m kbin.Message) {
		value, err := decode.AppendFrame(nil, key, 0, m)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, decode.Record{Offset: int64(len(records)), Timestamp: 1700000000000, Value: value})
	}
	add(metadata.KeyUserScramCredentialRecord, &metadata.UserScramCredentialRecord{Name: "alice", Mechanism: 1,
		Salt: []byte("salt-secret"), StoredKey: []byte("stored-secret"), ServerKey: []byte("server-secret"), Iterations: 4096})
	add(metadata.KeyConfigRecord, &metadata.ConfigRecord{ResourceType: 4, ResourceName: "1", Name: "ssl.keystore.password", Value: text("config-secret")})
	add(metadata.KeyConfigRecord, &metadata.ConfigRecord{ResourceType: 4, ResourceName: "1", Name: "log.retention.ms", Value: text("1000")})
	add(metadata.KeyConfigRecord, &metadata.ConfigRecord{ResourceType: 4, ResourceName: "1", Name: "ssl.keystore.password"})
	// A credential with a byte too many, and a value whose kind is lost.
	broken := records[0]
	broken.Value = append(bytes.Clone(broken.Value), 0)
	broken.Offset = int64(len(records))
	lost := records[0]
	lost.Value = bytes.Clone(lost.Value)
	lost.Value[0] = 7
	lost.Offset = broken.Offset + 1
	records = append(records, broken, lost)
	batch := decode.Batch{LeaderEpoch: 3, Magic: 2, LastOffsetDelta: -1, BaseTimestamp: 1700000000000, MaxTimestamp: 1700000000000,
		ProducerID: -1, ProducerEpoch: -1, BaseSequence: -1}
	raw, err := decode.AppendBatch(nil, &batch, records)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// legacyDamage is a message of magic 1 whose value runs past its end.
func legacyDamage(t testing.TB) fixture {
	t.Helper()
	batch := decode.Batch{Magic: 1, BaseOffset: 7, LastOffsetDelta: -1}
	data, err := decode.AppendBatch(nil, &batch, []decode.Record{{Offset: 7, Key: []byte("key"), Value: []byte("value")}})
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-len("value")-1] = 77
	return fixture{"damage.log", data, DecodeNothing}
}

// mutate damages a copy of a file in a few places.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) == 0 {
		return data
	}
	for range 1 + r.IntN(4) {
		i := r.IntN(len(data))
		switch r.IntN(4) {
		case 0:
			data[i] ^= 1 << r.IntN(8)
		case 1:
			data[i] = byte(r.Uint32())
		case 2:
			for j := i; j < len(data) && j < i+8; j++ {
				data[j] = 0xff
			}
		case 3:
			if r.IntN(4) == 0 {
				data = append(data[:i], data[min(len(data), i+r.IntN(40)):]...)
			}
		}
		if len(data) == 0 {
			break
		}
	}
	return data
}

// TestNoPanic gives all outputs damaged files. Hex must still show every byte.
func TestNoPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range fixtures(t) {
		if len(f.data) > 4<<10 {
			continue
		}
		for range 3 {
			data := mutate(r, f.data)
			for _, line := range bytes.Split(format(newJSONFormatter(jsonOptions{file: f.path, decoder: f.decoder}), data), []byte("\n")) {
				if len(line) > 0 && !validJSON(line) {
					t.Fatalf("%s: %s", f.path, line)
				}
			}
			format(newTableFormatter(new(tableState), f.decoder, false), data)
			collector := newSummaryCollector(f.decoder)
			format(collector, data)
			new(Summary).take(collector)
			checkHex(t, f.path, f.decoder, data)
		}
	}
}
