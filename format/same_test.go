package format

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/feature"
	"kraftctl/internal/vfs"
)

// What was formatted is the same as what is asked for again, in every mode and
// layout, and not the same as what differs in one thing.
func TestDifferences(t *testing.T) {
	everyMode(t, func(t *testing.T, r Request) {
		disk := newDisk(t)
		if err := newPlan(t, disk, r, 1).Apply(disk); err != nil {
			t.Fatal(err)
		}
		r.IgnoreFormatted = true
		differences := func(change func(r *Request)) string {
			t.Helper()
			again := r
			again.SCRAM = slices.Clone(r.SCRAM)
			change(&again)
			list, err := newPlan(t, disk, again, 2).Differences(disk)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(list, "; ")
		}
		if d := differences(func(*Request) {}); d != "" {
			t.Errorf("the same: %s", d)
		}
		if r.Release.Unified && !r.Controller {
			return // a broker keeps nothing that could differ
		}
		if d := differences(func(r *Request) { r.MetadataVersion = feature.V3_9_IV0; r.SCRAM = nil }); r.Release.Name != "3.9" && !strings.Contains(d, "metadata.version is") {
			t.Errorf("another version: %q", d)
		}
		if d := differences(func(r *Request) { r.SCRAM = nil }); d != "SCRAM users are alice (SCRAM-SHA-256), not none" {
			t.Errorf("no users: %q", d)
		}
		if len(r.InitialControllers) > 0 {
			other := slices.Clone(r.InitialControllers)
			other[0].Port++
			if d := differences(func(r *Request) { r.InitialControllers = other }); !strings.HasPrefix(d, "the voters are ") {
				t.Errorf("other voters: %q", d)
			}
		}
		if me, ok := findVoter(r.InitialControllers, r.NodeID); ok {
			me.DirectoryID[0]++
			if d := differences(func(r *Request) { r.InitialControllers = []Voter{me} }); !strings.Contains(d, "--initial-controllers says "+me.DirectoryID.String()) {
				t.Errorf("another directory: %q", d)
			}
			if d := differences(func(r *Request) { r.InitialControllers = []Voter{me}; r.Standalone = true }); strings.Contains(d, "directory.id") {
				t.Errorf("a directory that is made up: %q", d)
			}
		}
		// Once a node has run, features and users may have changed.
		f, err := disk.Create(r.MetadataDir+"/"+index.MetadataLogDir+"/00000000000000000000.log", 0o644)
		if err != nil {
			if err := disk.MkdirAll(r.MetadataDir+"/"+index.MetadataLogDir, 0o755); err != nil {
				t.Fatal(err)
			}
			if f, err = disk.Create(r.MetadataDir+"/"+index.MetadataLogDir+"/00000000000000000000.log", 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if d := differences(func(r *Request) { r.SCRAM = nil }); d != "" {
			t.Errorf("after a run: %q", d)
		}
	})
}

// A snapshot that is damaged is an error, not the same.
func TestDifferencesOfDamage(t *testing.T) {
	r := modes(t, feature.LatestRelease())[0].request
	disk := newDisk(t)
	plan := newPlan(t, disk, r, 1)
	if err := plan.Apply(disk); err != nil {
		t.Fatal(err)
	}
	snapshot := plan.Dirs[0].Files[0]
	r.IgnoreFormatted = true
	for at := range snapshot.Data {
		data := slices.Clone(snapshot.Data)
		data[at] ^= 0x10
		if err := errors.Join(disk.Remove(plan.Dirs[0].path(snapshot.Name)), vfs.WriteFileAtomic(disk, plan.Dirs[0].path(snapshot.Name), data, 0o400)); err != nil {
			t.Fatal(err)
		}
		list, err := newPlan(t, disk, r, 2).Differences(disk)
		if underChecksum := at >= 17 && at < 83; underChecksum && err == nil {
			t.Errorf("byte %d: %v, no error", at, list)
		}
	}
}
