package nodeinfo

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/internal/golden"
	"kraftctl/internal/vfs"
)

var updateGoldens = flag.Bool("update", false, "write the golden files of this package anew")

// fixtureInMemory lays out a directory of testdata/fixtures at a place that does
// not depend on the machine.
func fixtureInMemory(t testing.TB, name, at string) *vfs.Mem {
	t.Helper()
	dir := golden.Fixture(t, name)
	m := vfs.NewMem()
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		put(t, m, at+"/"+filepath.ToSlash(rel), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGoldens compares the whole report of real directories, and what tables show.
func TestGoldens(t *testing.T) {
	for _, k := range []struct {
		name, fixture string
		meta          []byte // the fixture has no meta.properties
	}{
		{"controller-4.4.0", "meta-4.4.0-rich/c1", metaText("1", "1", clusterID, "DQqeSkkCTvapPt7wTFE7CQ")},
		{"controller-3.9.1", "meta-3.9.1/c1", nil},
		{"combined-4.4.0", "data-4.4.0", nil},
	} {
		t.Run(k.name, func(t *testing.T) {
			m := fixtureInMemory(t, k.fixture, "/kafka")
			if k.meta != nil {
				put(t, m, "/kafka/meta.properties", k.meta)
			}
			r, err := Collect(t.Context(), readOnly(t, m), Options{Dirs: []string{"/kafka"}, Partitions: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range r.Problems {
				if p.Severity == Error {
					t.Errorf("a sound directory has an error: %s", p.Line())
				}
			}
			compareGolden(t, k.name, r)
		})
	}
}

func compareGolden(t *testing.T, name string, r *Report) {
	t.Helper()
	got, err := json.MarshalIndent(struct {
		Report  *Report `json:"report"`
		Summary []Row   `json:"summary"`
	}{r, r.Summary()}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("testdata", name+".json")
	if *updateGoldens {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(strings.Join(golden.Diff(file, string(want), string(got)), "\n"))
	}
}

// TestDirectoriesOfAllReleases: in what real nodes have left there is no error.
func TestDirectoriesOfAllReleases(t *testing.T) {
	for _, name := range []string{"meta-3.9.1", "meta-4.0.0", "meta-4.3.1-rich", "meta-4.4.0-rich"} {
		dir := golden.Fixture(t, name)
		nodes, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range nodes {
			path := filepath.Join(dir, n.Name())
			r, err := Collect(t.Context(), vfs.OS, Options{Dirs: []string{path}})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range r.Problems {
				// The fixtures of brokers are the metadata log alone.
				if p.Severity == Error && p.ID != dirUnformatted {
					t.Errorf("%s", p.Line())
				}
			}
			if strings.HasPrefix(n.Name(), "c") && (r.Metadata == nil || r.Metadata.Version == nil || r.QuorumState == nil || r.Log == nil) {
				t.Errorf("%s: not all is there: %+v", path, r)
			}
		}
	}
}

// TestCorruptFixtures: files of data directories in the wrong place are foreign,
// and nothing worse happens.
func TestCorruptFixtures(t *testing.T) {
	for _, name := range []string{"corrupt-snapshots", "corrupt", "synth-4.4.0"} {
		r, err := Collect(t.Context(), vfs.OS, Options{Dirs: []string{golden.Fixture(t, name)}, Partitions: true})
		if err != nil || r.Directories[0].State != StateNotFormatted {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}
