package fsck

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/golden"
	"kraftctl/internal/vfs"
)

// check runs Check, which must be able to read the paths.
func check(t testing.TB, fsys vfs.FS, o Options, paths ...string) *Report {
	t.Helper()
	r, err := Check(context.Background(), fsys, paths, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rulesOf gives the rules of findings, each once, sorted.
func rulesOf(findings []Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Rule))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

func showAll(t testing.TB, findings []Finding) {
	t.Helper()
	for _, f := range findings {
		t.Logf("%v %s %s at byte %d, offset %d: %s (want %q, got %q, %d more)",
			f.Severity(), f.Rule, f.File, f.Position, f.Offset, f.Message, f.Want, f.Got, f.More)
	}
}

// What sound nodes of all releases leave behind raises no alarm: whole
// directories, the log directories in them, and every file by itself.
func TestSoundFixtures(t *testing.T) {
	infos := map[string]string{
		"data-4.4.0":      "offset-gap txn-open",
		"data-4.4.0-live": "meta-properties-missing offset-gap txn-open",
		// Only the metadata log of these was kept, and not all files around it.
		"meta-4.4.0-rich": "meta-properties-missing",
		"meta-4.3.1-rich": "meta-properties-missing",
		"meta-4.0.0":      "meta-properties-missing",
		"meta-3.9.1":      "meta-properties-missing",
	}
	for name, want := range infos {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := golden.WorkDir(t, golden.Root(), name)
			for _, o := range []Options{{}, {Deep: true, Workers: 1}} {
				r := check(t, vfs.OS, o, dir)
				if r.Errors+r.Warnings != 0 || rulesOf(r.Findings) != want {
					showAll(t, r.Findings)
					t.Errorf("deep %v: rules %q, want %q", o.Deep, rulesOf(r.Findings), want)
				}
			}
			err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
				if err != nil || path == dir {
					return err
				}
				r := check(t, vfs.OS, Options{}, path)
				if r.Errors+r.Warnings != 0 {
					showAll(t, r.Findings)
					t.Errorf("%s alone: %s", path, rulesOf(r.Findings))
				}
				if f := CheckIndex(vfs.OS, path); !d.IsDir() && rulesOf(f) != "" {
					t.Errorf("%s as index: %s", path, rulesOf(f))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// damaged says which rules a damaged segment triggers, by the name of its
// directory. Those of corrupt-compressed trigger the same.
var damaged = map[string]string{
	"duplicate-batch":               "index-append offset-order",
	"flip-attributes-codec":         "batch-crc",
	"flip-attributes-codec-unknown": "batch-crc",
	"flip-attributes-control":       "batch-crc",
	"flip-base-offset":              "index-offset offset-gap offset-order timeindex-offset",
	"flip-count":                    "batch-crc",
	"flip-count-more":               "batch-crc",
	"flip-crc":                      "batch-crc",
	"flip-length-huge":              "log-hole",
	"flip-length-negative":          "log-hole",
	"flip-length-small":             "log-hole",
	"flip-length-zero":              "log-hole",
	// The last two directories have names like those of partitions.
	"flip-magic-0":              "batch-crc epoch-checkpoint-missing partition-metadata-missing",
	"flip-magic-3":              "batch-magic epoch-checkpoint-missing partition-metadata-missing",
	"flip-magic-negative":       "batch-magic",
	"flip-payload":              "batch-crc",
	"flip-record-length":        "batch-crc",
	"garbage-tail":              "tail-garbage",
	"index-not-increasing":      "index-order",
	"index-not-multiple":        "index-length",
	"index-position-past-end":   "index-past-end",
	"index-wrong-offset":        "index-offset",
	"index-wrong-position":      "index-position",
	"index-zero-entries":        "", // as any index that is written to
	"intact":                    "",
	"missing-batch":             "index-offset index-past-end offset-gap timeindex-offset",
	"names":                     "bootstrap-in-partition epoch-checkpoint-malformed file-name file-name-odd index-missing leftover-file segment-base snapshot-header",
	"no-index":                  "index-missing",
	"no-log":                    "index-orphan",
	"small-tail":                "tail-torn-active",
	"timeindex-not-multiple":    "index-length",
	"timeindex-offset-past-end": "timeindex-past-end",
	"timeindex-out-of-order":    "timeindex-order",
	"timeindex-wrong-offset":    "timeindex-inner", // the offset is in the right batch
	"timeindex-wrong-timestamp": "timeindex-timestamp",
	"timeindex-zero-entries":    "", // as any index that is written to
	"truncated-in-header":       "index-past-end tail-torn-active timeindex-past-end",
	"truncated-in-overhead":     "index-past-end tail-torn-active timeindex-past-end",
	"truncated-last-byte":       "index-past-end tail-torn-active timeindex-past-end",
	"truncated-mid-batch":       "index-past-end tail-torn-active timeindex-past-end",
	"zero-length":               "",
	"zero-length-log-only":      "index-past-end timeindex-past-end",
	"zero-tail":                 "tail-zeros-active",
	"zero-tail-in-place":        "index-past-end tail-zeros-active timeindex-past-end",
}

func TestDamagedFixtures(t *testing.T) {
	for _, suite := range []string{"corrupt", "corrupt-compressed"} {
		root := golden.WorkDir(t, golden.Root(), suite)
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			t.Run(suite+"/"+e.Name(), func(t *testing.T) {
				want, ok := damaged[e.Name()]
				if !ok {
					t.Fatal("the table says nothing about this directory")
				}
				for _, deep := range []bool{false, true} {
					r := check(t, vfs.OS, Options{Deep: deep}, filepath.Join(root, e.Name()))
					if got := rulesOf(r.Findings); got != want {
						showAll(t, r.Findings)
						t.Errorf("deep %v: rules %q, want %q", deep, got, want)
					}
				}
			})
		}
	}
}

// Producer snapshots and transaction indexes without a log.
func TestDamagedSnapshotFixtures(t *testing.T) {
	root := golden.WorkDir(t, golden.Root(), "corrupt-snapshots")
	for name, want := range map[string]string{
		// The intact ones stand under names that do not fit their content.
		"00000000000000000000.snapshot": "producer-snapshot-offsets",
		"00000000000000000001.snapshot": "producer-snapshot-malformed",
		"00000000000000000002.snapshot": "producer-snapshot-malformed",
		"00000000000000000003.snapshot": "producer-snapshot-malformed",
		"00000000000000000004.snapshot": "producer-snapshot-malformed",
		"00000000000000000005.snapshot": "producer-snapshot-malformed",
		"00000000000000000006.snapshot": "producer-snapshot-malformed",
		"00000000000000000000.txnindex": "index-orphan",
		"00000000000000000001.txnindex": "index-orphan txnindex-malformed",
		"00000000000000000002.txnindex": "index-orphan",
		"00000000000000000003.txnindex": "index-orphan txnindex-malformed",
		"00000000000000000004.txnindex": "index-orphan txnindex-order",
		"00000000000000000005.txnindex": "index-orphan txnindex-order",
	} {
		r := check(t, vfs.OS, Options{}, filepath.Join(root, name))
		if got := rulesOf(r.Findings); got != want {
			showAll(t, r.Findings)
			t.Errorf("%s: rules %q, want %q", name, got, want)
		}
	}
}

func TestSyntheticFixtures(t *testing.T) {
	root := golden.WorkDir(t, golden.Root(), "synth-4.4.0")
	for name, want := range map[string]string{
		"control":     "control-unknown index-missing snapshot-header",
		"magic0-gzip": "batch-old-format index-missing",
		"magic1-lz4":  "batch-old-format index-missing",
		"magic2-zstd": "index-missing offset-gap",
		"group":       "index-missing",
		"odd":         "epoch-decreasing index-missing offset-gap txn-open",
	} {
		r := check(t, vfs.OS, Options{Deep: true}, filepath.Join(root, name))
		if got := rulesOf(r.Findings); got != want {
			showAll(t, r.Findings)
			t.Errorf("%s: rules %q, want %q", name, got, want)
		}
	}
}
