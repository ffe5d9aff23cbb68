package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated files in the tree are what the generator makes today.
func TestFresh(t *testing.T) {
	for _, p := range packages {
		dir := filepath.Join("..", "..", "decode", p.name)
		files, err := generate(p.name)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not up to date (%v): run go generate ./decode/...", p.name, name, err)
			}
		}
		tree, err := filepath.Glob(filepath.Join(dir, "z_*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range tree {
			if files[filepath.Base(path)] == nil {
				t.Errorf("%s is not generated any more", path)
			}
		}
	}
}

// run replaces the generated files of a directory and leaves others alone.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"z_old.go", "doc.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir, "raftstate"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"z_old.go": false, "doc.go": true, "z_registry.go": true, "z_quorum_state_data.go": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := run(dir, "nosuch"); err == nil {
		t.Error("generated nosuch")
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"PartitionId": "PartitionID", "partitionIds": "PartitionIDs", "Isr": "ISR", "LastKnownElr": "LastKnownELR",
		"KRaftVersion": "KRaftVersion", "Crc": "CRC", "offset": "Offset", "VoterDirectoryId": "VoterDirectoryID",
		"IsMigratingZkBroker": "IsMigratingZkBroker", "Idle": "Idle",
	} {
		if got := goName(in); got != want {
			t.Errorf("goName(%s) = %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"NoOpRecord": "no_op_record", "KRaftVersionRecord": "kraft_version_record", "ZkMigrationStateRecord": "zk_migration_state_record"} {
		if got := snake(in); got != want {
			t.Errorf("snake(%s) = %s, want %s", in, got, want)
		}
	}
}
