package nodeinfo

import (
	"context"

	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/props"
	"kraftctl/internal/vfs"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Ids of the scene.
var (
	clusterID = "XcZZOzUqS4yHOjhMQB6JLQ"
	dirID1    = must(kbin.ParseUUID("j3Dhkz9zTyGDpKGdR5xC4Q"))
	dirID2    = must(kbin.ParseUUID("W1YjkfGjQU6Ht3WDPRnZ1Q"))
	otherID   = must(kbin.ParseUUID("qB7dmLE2RDmoiBbglEDL1w"))
)

// scene is a node in memory: two directories of a combined node, of which the
// first is the metadata directory. It is written by build, after a test has
// changed what it wants.
type scene struct {
	config map[string]string
	files  map[string][]byte // "" with a name that ends in a slash: a directory
	drop   []string
	after  func(m *vfs.Mem)
	o      Options
}

const (
	meta1    = "/d1/meta.properties"
	meta2    = "/d2/meta.properties"
	logDir   = "/d1/__cluster_metadata-0/"
	first    = logDir + "00000000000000000000-0000000000.checkpoint"
	segment0 = logDir + "00000000000000000000.log"
	quorum   = logDir + "quorum-state"
	boot     = "/d1/bootstrap.checkpoint"
)

// dynamicScene is what a node of 4.4 leaves that was formatted with --standalone
// and stopped in good order.
func dynamicScene() *scene {
	return &scene{
		config: map[string]string{
			"process.roles": "broker,controller", "node.id": "1", "controller.quorum.bootstrap.servers": "localhost:9093",
			"listeners": "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093", "controller.listener.names": "CONTROLLER", "log.dirs": "/d1,/d2",
		},
		files: map[string][]byte{
			meta1:    metaText("1", "1", clusterID, dirID1.String()),
			meta2:    metaText("1", "1", clusterID, dirID2.String()),
			first:    snapshotOf(0, kraftVersion(1), voters(1, dirID1, 2, otherID), features(33, "group.version", 1)),
			segment0: startLog(1),
			quorum:   []byte(`{"leaderId":1,"leaderEpoch":1,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}`),
		},
	}
}

// staticScene is the same with controller.quorum.voters, formatted by 4.3.
func staticScene() *scene {
	s := dynamicScene()
	delete(s.config, "controller.quorum.bootstrap.servers")
	s.config["controller.quorum.voters"] = "1@localhost:9093,2@localhost:9094"
	delete(s.files, first)
	s.files[boot] = snapshotOf(0, nil, nil, features(30, "group.version", 1))
	s.files[segment0] = batches(0, 1, leaderChange(1), features(30, "group.version", 1))
	s.files[quorum] = []byte(`{"clusterId":"","leaderId":2,"leaderEpoch":1,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":2},{"voterId":1}],"data_version":0}`)
	return s
}

// startLog is the log of a leader that has just begun.
func startLog(epoch int32) []byte {
	return batches(0, epoch, leaderChange(1), features(33, "group.version", 1, "share.version", 2))
}

func metaText(version, node, cluster, dir string) []byte {
	var b strings.Builder
	for _, p := range [][2]string{{"version", version}, {"node.id", node}, {"cluster.id", cluster}, {"directory.id", dir}} {
		if p[1] != "" {
			b.WriteString(p[0] + "=" + p[1] + "\n")
		}
	}
	return []byte(b.String())
}

// controlRecords and dataRecords are the content of one batch.
type (
	controlRecords []decode.Record
	dataRecords    []decode.Record
)

func controlRecord(kind decode.ControlType, m kbin.Message) decode.Record {
	return decode.Record{Key: []byte{0, 0, 0, byte(kind)}, Value: must(m.Append(nil, 0))}
}

func dataRecord(key int16, m kbin.Message) decode.Record {
	return decode.Record{Value: must(decode.AppendFrame(nil, key, 0, m))}
}

func leaderChange(leader int32) controlRecords {
	m := control.NewLeaderChangeMessage()
	m.LeaderID = leader
	return controlRecords{controlRecord(decode.LeaderChange, m)}
}

func kraftVersion(n int16) controlRecords {
	m := control.NewKRaftVersionRecord()
	m.KRaftVersion = n
	return controlRecords{controlRecord(decode.KRaftVersion, m)}
}

// voters makes a voter set of pairs of an id and a directory id.
func voters(list ...any) controlRecords {
	m := control.NewVotersRecord()
	for i := 0; i < len(list); i += 2 {
		id := int32(list[i].(int))
		m.Voters = append(m.Voters, control.Voter{VoterID: id, VoterDirectoryID: list[i+1].(kbin.UUID),
			Endpoints: []control.Endpoint{{Name: "CONTROLLER", Host: "localhost", Port: uint16(9092 + id)}}})
	}
	return controlRecords{controlRecord(decode.KRaftVoters, m)}
}

func featureRecord(name string, level int) decode.Record {
	m := metadata.NewFeatureLevelRecord()
	m.Name, m.FeatureLevel = name, int16(level)
	return dataRecord(m.APIKey(), m)
}

// features makes a metadata version and other features.
func features(version int, more ...any) dataRecords {
	out := dataRecords{featureRecord(feature.MetadataName, version)}
	for i := 0; i < len(more); i += 2 {
		out = append(out, featureRecord(more[i].(string), more[i+1].(int)))
	}
	return out
}

func scramRecord(name string, mechanism int8) decode.Record {
	m := metadata.NewUserScramCredentialRecord()
	m.Name, m.Mechanism, m.Iterations = name, mechanism, 4096
	m.Salt, m.StoredKey, m.ServerKey = []byte("SALTSALT"), []byte("STOREDSTORED"), []byte("SERVERSERVER")
	return dataRecord(m.APIKey(), m)
}

// batches encodes batches one after the other.
func batches(base int64, epoch int32, contents ...any) (b []byte) {
	for _, x := range contents {
		h := decode.NewBatch(base, epoch, 1_700_000_000_000)
		var list []decode.Record
		switch x := x.(type) {
		case controlRecords:
			list, h.Attributes = x, 0x20
		case dataRecords:
			list = x
		}
		for i := range list {
			list[i].Offset, list[i].Timestamp = base+int64(i), h.BaseTimestamp
		}
		b = must(decode.AppendBatch(b, &h, list))
		base += int64(len(list))
	}
	return b
}

// snapshotOf is a snapshot: the control records of its first batch behind the
// header, then data.
func snapshotOf(epoch int32, version, set controlRecords, contents ...dataRecords) []byte {
	head := controlRecords{controlRecord(decode.SnapshotHeader, control.NewSnapshotHeaderRecord())}
	all := []any{append(append(head, version...), set...)}
	for _, x := range contents {
		if len(x) > 0 {
			all = append(all, x)
		}
	}
	all = append(all, controlRecords{controlRecord(decode.SnapshotFooter, control.NewSnapshotFooterRecord())})
	return batches(0, epoch, all...)
}

// write puts a scene into memory.
func (s *scene) write(t testing.TB) *vfs.Mem {
	t.Helper()
	m := vfs.NewMem()
	for _, d := range []string{"/d1", "/d2"} {
		if err := m.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range s.files {
		if strings.HasSuffix(name, "/") {
			if err := m.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		put(t, m, name, data)
	}
	for _, name := range s.drop {
		if err := m.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if s.after != nil {
		s.after(m)
	}
	return m
}

func put(t testing.TB, m vfs.FS, name string, data []byte) {
	t.Helper()
	if err := m.MkdirAll(path.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := m.Create(name, 0o644)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// options reads the configuration of the scene.
func (s *scene) options() Options {
	o := s.o
	if s.config == nil {
		return o
	}
	var list []props.Property
	for _, k := range sortedKeys(s.config) {
		list = append(list, props.Property{Key: k, Value: s.config[k]})
	}
	o.ConfigFile = "node.properties"
	o.Config, o.ConfigErr = kafkaconfig.New(list)
	return o
}

func sortedKeys(m map[string]string) []string {
	return slices.Sorted(maps.Keys(m))
}

// collect looks at a scene through a file system on which nothing may be changed.
func (s *scene) collect(t testing.TB) *Report {
	t.Helper()
	r, err := Collect(context.Background(), readOnly(t, s.write(t)), s.options())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// readOnly fails the test on every operation that changes something or locks.
func readOnly(t testing.TB, fsys vfs.FS) vfs.FS {
	return vfs.Inject(fsys, func(op vfs.Op, path string) error {
		if op.Changes() || op == vfs.OpLock {
			t.Errorf("%s of %s", op, path)
		}
		return nil
	})
}

func ids(r *Report) []string {
	var list []string
	for _, p := range r.Problems {
		list = append(list, p.ID)
	}
	return list
}
