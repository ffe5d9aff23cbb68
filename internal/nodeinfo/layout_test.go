package nodeinfo

import (
	"testing"

	"kraftctl/decode/kbin"
)

// TestLayouts tells what each release's format has written, and what is left of it.
func TestLayouts(t *testing.T) {
	control := snapshotOf(0, kraftVersion(1), voters(1, dirID1))
	later := logDir + "00000000000000000003-0000000001.checkpoint"
	pure := all(set("process.roles", "broker"), set("listeners", "PLAINTEXT://localhost:9092"))
	for _, k := range []struct {
		name   string
		static bool
		do     func(*scene)
		layout string
		quorum string
		text   string
	}{
		{"4.4 standalone", false, drop(segment0, quorum), LayoutUnified, QuorumDynamic, "all in one snapshot, as Kafka 4.4 writes it; dynamic quorum"},
		{"4.4 static", true, all(drop(boot, segment0, quorum), file(first, snapshotOf(0, nil, nil, features(33)))), LayoutUnified, QuorumStatic,
			"all in one snapshot, as Kafka 4.4 writes it; static quorum"},
		{"4.4 broker", false, all(pure, drop(first, segment0, quorum)), LayoutNone, QuorumUnknown, "meta.properties only, as Kafka 4.4 writes it for a broker"},
		{"4.3 standalone", false, all(drop(segment0, quorum), file(first, control), file(boot, snapshotOf(0, nil, nil, features(30)))), LayoutBootstrap, QuorumDynamic,
			"bootstrap.checkpoint, as Kafka 3.9 to 4.3 write it; dynamic quorum"},
		{"4.3 to join", false, all(drop(first, segment0, quorum), file(boot, snapshotOf(0, nil, nil, features(30)))), LayoutBootstrap, QuorumDynamic,
			"bootstrap.checkpoint, as Kafka 3.9 to 4.3 write it; dynamic quorum"},
		{"4.3 static", true, drop(segment0, quorum), LayoutBootstrap, QuorumStatic, "bootstrap.checkpoint, as Kafka 3.9 to 4.3 write it; static quorum"},
		{"4.3 broker", false, all(pure, drop(first, segment0, quorum), file(boot, snapshotOf(0, nil, nil, features(30)))), LayoutBootstrap, QuorumUnknown,
			"bootstrap.checkpoint, as Kafka 3.9 to 4.3 write it"},
		{"4.4 after some time", false, all(drop(first), file(later, snapshotOf(1, kraftVersion(1), voters(1, dirID1), features(33)))), LayoutNone, QuorumDynamic,
			"a metadata log; what format wrote is not there any more; dynamic quorum"},
		{"4.4 with a later snapshot", false, file(later, snapshotOf(1, kraftVersion(1), voters(1, dirID1), features(33))), LayoutUnified, QuorumDynamic,
			"all in one snapshot, as Kafka 4.4 writes it; dynamic quorum"},
		{"only meta.properties", false, drop(first, segment0, quorum), LayoutNone, QuorumDynamic,
			"meta.properties only, without what format writes for a controller; dynamic quorum"},
		{"meta.properties lost", false, drop(meta1), LayoutUnified, QuorumDynamic, "not formatted, but there is all in one snapshot, as Kafka 4.4 writes it; dynamic quorum"},
		{"nothing", false, drop(meta1, first, segment0, quorum), LayoutNone, QuorumUnknown, "not formatted"},
		{"meta.properties damaged", false, all(drop(first, segment0, quorum), text(meta1, "version=7")), LayoutNone, QuorumUnknown, "not known: meta.properties cannot be read"},
		{"damage", false, text(first, "garbage garbage garbage"), LayoutNone, QuorumUnknown, "a metadata log; what format wrote is not there any more"},
	} {
		s := dynamicScene()
		if k.static {
			s = staticScene()
		}
		k.do(s)
		l := s.collect(t).Layout
		if l.Name != k.layout || l.Quorum != k.quorum || l.Text != k.text {
			t.Errorf("%s: %s, %s, %q", k.name, l.Name, l.Quorum, l.Text)
		}
	}
}

// TestWithoutMetaProperties: what the metadata log knows is told all the same,
// for a person who has to write the file again.
func TestWithoutMetaProperties(t *testing.T) {
	s := dynamicScene()
	delete(s.files, meta1)
	r := s.collect(t)
	if r.Voters == nil || r.Voters.ThisNode != "" || r.Voters.Voters[0].DirectoryID != dirID1.String() || r.QuorumState == nil || r.Metadata.Version.Level != 33 {
		t.Errorf("%+v", r)
	}
}

// TestWhichIsMetadata finds the metadata directory without a configuration.
func TestWhichIsMetadata(t *testing.T) {
	for _, k := range []struct {
		name string
		do   func(*scene)
		want string
	}{
		{"the one with the log", func(*scene) {}, "/d1"},
		{"the first with bootstrap.checkpoint", all(drop(first, segment0, quorum), file("/d2/bootstrap.checkpoint", snapshotOf(0, nil, nil, features(30)))), "/d2"},
		{"nobody knows", drop(first, segment0, quorum), ""},
	} {
		s := dynamicScene()
		s.config, s.o.Dirs = nil, []string{"/d1", "/d2"}
		k.do(s)
		got := ""
		for _, d := range s.collect(t).Directories {
			if d.Kind == KindMetadata {
				got = d.Path
			}
		}
		if got != k.want {
			t.Errorf("%s: %q, want %q", k.name, got, k.want)
		}
	}
}

func TestUUIDText(t *testing.T) {
	if uuidText(kbin.UUID{}) != "" || uuidText(dirID1) != dirID1.String() {
		t.Error("zero is no id")
	}
}
