package feature

import (
	"errors"
	"testing"

	"kraftctl/internal/javaerr"
)

// The names of all levels, and what the table says about some of them.
func TestMetadataVersions(t *testing.T) {
	names := map[MetadataVersion]string{7: "3.3-IV3", 8: "3.4-IV0", 11: "3.5-IV2", 14: "3.6-IV2", 19: "3.7-IV4", 20: "3.8-IV0", 21: "3.9-IV0", 23: "4.0-IV1",
		25: "4.0-IV3", 27: "4.1-IV1", 29: "4.2-IV1", 30: "4.3-IV0", 33: "4.4-IV2", 34: "4.5-IV0", 6: "UNKNOWN 6", 35: "UNKNOWN 35", 0: "UNKNOWN 0", -1: "UNKNOWN -1"}
	for v, want := range names {
		if v.String() != want {
			t.Errorf("level %d: %s, want %s", v, v, want)
		}
	}
	for _, c := range []struct {
		v                                MetadataVersion
		fetch, list, register, partition int16
	}{
		{V3_3_IV3, 13, 7, 1, 0}, {V3_5_IV1, 15, 8, 2, 0}, {V3_7_IV2, 15, 8, 3, 1}, {V3_9_IV0, 17, 9, 3, 1}, {V4_0_IV1, 17, 9, 3, 2}, {V4_2_IV1, 18, 11, 3, 2}, {V4_4_IV2, 18, 11, 4, 2},
		{99, 18, 11, 4, 2}, {0, 13, 7, 1, 0},
	} {
		if c.v.FetchVersion() != c.fetch || c.v.ListOffsetsVersion() != c.list || c.v.RegisterBrokerRecordVersion() != c.register || c.v.PartitionRecordVersion() != c.partition {
			t.Errorf("%s: %d %d %d %d", c.v, c.v.FetchVersion(), c.v.ListOffsetsVersion(), c.v.RegisterBrokerRecordVersion(), c.v.PartitionRecordVersion())
		}
	}
	if V4_4_IV2.Stable() != true || V4_5_IV0.Stable() {
		t.Error("4.4-IV2 is the latest stable version")
	}
}

// The downgrades that are possible and those that are not (records.md, section 4).
func TestMetadataChanged(t *testing.T) {
	for _, c := range []struct {
		from, to MetadataVersion
		changed  bool
	}{
		{27, 24, false}, {30, 29, true}, {33, 32, true}, {33, 7, true}, {25, 23, false}, {23, 22, true}, {24, 23, false}, {22, 21, false}, {17, 16, true}, {34, 33, false}, {9, 8, false}, {8, 7, true}, {20, 20, false},
	} {
		if MetadataChanged(c.from, c.to) != c.changed || MetadataChanged(c.to, c.from) != c.changed {
			t.Errorf("%s to %s: changed %v", c.from, c.to, !c.changed)
		}
	}
}

func TestNamesAndLevels(t *testing.T) {
	for v := MinimumMetadataVersion; v <= LatestTesting; v++ {
		if got, err := ByName(v.String(), LatestProduction, LatestTesting); err != nil || got != v {
			t.Errorf("%s: %s, %v", v, got, err)
		}
		if got, err := ByLevel(int16(v)); err != nil || got != v {
			t.Errorf("%d: %s, %v", v, got, err)
		}
	}
	for _, text := range []string{"4.4.", "4.4..", "4.4-IV1.", "", ".", "4", "4.4 "} {
		if got, err := ByName(text, LatestProduction, LatestTesting); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got, err := ByName("4.4.1.", LatestProduction, LatestTesting); err != nil || got != V4_4_IV2 {
		t.Errorf("%s, %v", got, err)
	}
	var unknown *UnknownVersionError
	if _, err := ByName("4.5-IV0", LatestProduction, LatestProduction); !errors.As(err, &unknown) || len(unknown.Supported) != 27 {
		t.Errorf("an unstable version: %v", err)
	}
	var exception *javaerr.Exception
	if _, err := ByLevel(6); !errors.As(err, &exception) || exception.Message != "No MetadataVersion with feature level 6. Valid feature levels are from 7 to 34." {
		t.Errorf("%v", err)
	}
}

// The default levels of every metadata version (records.md, section 5), in the
// order kraft, transaction, group, elr, share, streams.
func TestDefaults(t *testing.T) {
	for v := MinimumMetadataVersion; v <= LatestTesting; v++ {
		var want [6]int16
		switch {
		case v <= 20:
		case v == 21:
			want = [6]int16{1, 0, 0, 0, 0, 0}
		case v <= 23:
			want = [6]int16{1, 0, 1, 0, 0, 0}
		case v <= 25:
			want = [6]int16{1, 2, 1, 0, 0, 0}
		case v <= 27:
			want = [6]int16{1, 2, 1, 1, 0, 0}
		case v == 28:
			want = [6]int16{1, 2, 1, 1, 1, 0}
		case v <= 30:
			want = [6]int16{1, 2, 1, 1, 1, 1}
		default:
			want = [6]int16{1, 2, 1, 1, 2, 1}
		}
		for i := range Features {
			if got := Features[i].Default(v); got != want[i] {
				t.Errorf("%s of %s: %d, want %d", Features[i].Name, v, got, want[i])
			}
		}
	}
}

func TestDependencies(t *testing.T) {
	elr := ByFeatureName(ELRName)
	if err := elr.Validate(1, map[string]int16{MetadataName: 22}); err == nil || err.Error() !=
		"java.lang.IllegalArgumentException: eligible.leader.replicas.version could not be set to 1 because it depends on metadata.version level 23" {
		t.Errorf("%v", err)
	}
	if err := errors.Join(elr.Validate(1, map[string]int16{MetadataName: 23}), elr.Validate(0, nil)); err != nil {
		t.Error(err)
	}
	if err := elr.Validate(2, map[string]int16{MetadataName: 33}); err == nil {
		t.Error("there is no level 2")
	}
	if ByFeatureName("nope") != nil || ByReleaseName("4.9") != nil || ByReleaseName("4.0") == nil {
		t.Error("names")
	}
	if got := (Dependency{MetadataName, 23}).String(); got != "metadata.version=23 (4.0-IV1)" {
		t.Error(got)
	}
}
