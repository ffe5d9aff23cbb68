//go:build conformance

package conformance

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// snapshotRelease is the release that loads the snapshots.
const snapshotRelease = "4.4.0"

// TestSnapshotsOnServers starts real servers on snapshots that we wrote, without a
// log before them, and asks them through Kafka's tools for the topics and
// configurations in them: one that snapshot write wrote out of a log, and one that
// a node was formatted with.
func TestSnapshotsOnServers(t *testing.T) {
	s := newServerSuite(t, snapshotRelease)
	t.Run("written", func(t *testing.T) {
		t.Parallel()
		s.take(t, 1)
		n := s.newServer(t, snapshotRelease, serverDir(t, "snapshots"), 1, "broker,controller")
		n.configure(t, n.controllerAddress(), nil)
		directory := kbin.UUID{0x55, 15: 1}
		voter := "1@" + n.controllerAddress() + ":" + directory.String()
		n.format(t, snapshotRelease, s.newCluster(t), nil, "--initial-controllers", voter)
		source := writeSource(t, n, 1, directory)
		log := filepath.Join(n.dir, "d1", index.MetadataLogDir)
		if err := os.Remove(filepath.Join(log, "00000000000000000000-0000000000.checkpoint")); err != nil {
			t.Fatal(err)
		}
		s.kraftctl(t, n.dir, 0, "", "snapshot", "write", source, "--out", log)
		s.serves(t, n, 1)
	})
	t.Run("from", func(t *testing.T) {
		t.Parallel()
		s.take(t, 1)
		n := s.newServer(t, snapshotRelease, serverDir(t, "snapshots"), 7, "broker,controller")
		n.configure(t, n.controllerAddress(), nil)
		source := writeSource(t, n, 1, kbin.UUID{0x55, 15: 1})
		n.format(t, snapshotRelease, s.newCluster(t), []string{"SCRAM-SHA-256=[name=bob,password=secret]"}, "--standalone", "--from", source, "--map-broker", "1=7")
		n.check(t)
		s.serves(t, n, 7)
	})
}

// writeSource writes the metadata log of another cluster, whose topics are on one
// broker.
func writeSource(t *testing.T, n *server, broker int32, directory kbin.UUID) string {
	t.Helper()
	dir := filepath.Join(n.dir, "source", index.MetadataLogDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const epoch, now = 3, 1_700_000_000_000
	var log []byte
	next := int64(0)
	add := func(attributes int16, records ...decode.Record) {
		b := decode.NewBatch(next, epoch, now)
		b.Attributes = attributes
		for i := range records {
			records[i].Offset, records[i].Timestamp = next+int64(i), now
		}
		var err error
		if log, err = decode.AppendBatch(log, &b, records); err != nil {
			t.Fatal(err)
		}
		next += int64(len(records))
	}
	quorum := func(kind decode.ControlType, m kbin.Message) decode.Record {
		value, err := m.Append(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		return decode.Record{Key: binary.BigEndian.AppendUint16([]byte{0, 0}, uint16(kind)), Value: value}
	}
	add(0x20, quorum(decode.LeaderChange, &control.LeaderChangeMessage{LeaderID: 1}),
		quorum(decode.KRaftVersion, &control.KRaftVersionRecord{KRaftVersion: 1}),
		quorum(decode.KRaftVoters, &control.VotersRecord{Voters: []control.Voter{{VoterID: 1, VoterDirectoryID: directory,
			Endpoints:           []control.Endpoint{{Name: "CONTROLLER", Host: "localhost", Port: uint16(n.controller)}},
			KRaftVersionFeature: control.KRaftVersionFeature{MaxSupportedVersion: 1}}}}))
	value := func(s string) *string { return &s }
	level := func(name string, level int16) kbin.Message {
		return &metadata.FeatureLevelRecord{Name: name, FeatureLevel: level}
	}
	records := []kbin.Message{
		level(feature.MetadataName, int16(feature.V4_3_IV0)), level(feature.GroupName, 1), level(feature.TransactionName, 2), level(feature.ELRName, 1),
		&metadata.ConfigRecord{ResourceType: 4, Name: "min.insync.replicas", Value: value("1")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: strconv.Itoa(int(broker)), Name: "log.cleaner.threads", Value: value("2")},
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: "orders", Name: "retention.ms", Value: value("3600001")},
		&metadata.UserScramCredentialRecord{Name: "alice", Mechanism: 1, Salt: []byte("salt"), StoredKey: make([]byte, 32), ServerKey: make([]byte, 32), Iterations: 4096},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: value("alice")}}, Key: "producer_byte_rate", Value: 1024},
		&metadata.ProducerIdsRecord{BrokerID: broker, BrokerEpoch: 1, NextProducerID: 5000},
	}
	for i, name := range []string{"orders", "payments"} {
		id := kbin.UUID{1, 15: byte(i + 1)}
		records = append(records, &metadata.TopicRecord{Name: name, TopicID: id})
		for p := range int32(3) {
			m := metadata.NewPartitionRecord()
			m.PartitionID, m.TopicID, m.Replicas, m.ISR, m.Leader, m.LeaderEpoch, m.PartitionEpoch = p, id, []int32{broker}, []int32{broker}, broker, 4, 9
			m.Directories = []kbin.UUID{kbin.OneUUID}
			records = append(records, m)
		}
	}
	for _, m := range records {
		_, version := m.Versions()
		frame, err := decode.AppendFrame(nil, m.(interface{ APIKey() int16 }).APIKey(), version, m)
		if err != nil {
			t.Fatal(err)
		}
		add(0, decode.Record{Value: frame})
	}
	if err := os.WriteFile(filepath.Join(dir, "00000000000000000000.log"), log, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(n.dir, "source")
}

// serves starts a server and compares what Kafka's tools say about it with the
// metadata of writeSource.
func (s *serverSuite) serves(t *testing.T, n *server, broker int) {
	t.Helper()
	source := filepath.Join(n.dir, "source")
	n.start(t)
	awaitStart(t, n)
	id := strconv.Itoa(broker)
	has := func(what, out string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), w) {
				t.Errorf("%s has no %q:\n%s", what, w, out)
			}
		}
	}
	partition := func(p string) string {
		return "Partition: " + p + " Leader: " + id + " Replicas: " + id + " Isr: " + id
	}
	var topics string
	until(t, n.String()+" leads all partitions", startDeadline, func() bool {
		topics = s.kafka(t, n.release, "topics", "--bootstrap-server", n.brokerAddress(), "--describe")
		return !strings.Contains(topics, "Leader: none")
	})
	has("topics", topics, "Topic: orders TopicId: AQAAAAAAAAAAAAAAAAAAAQ PartitionCount: 3 ReplicationFactor: 1", "retention.ms=3600001",
		"Topic: payments TopicId: AQAAAAAAAAAAAAAAAAAAAg", partition("0"), partition("1"), partition("2"))
	has("configs of broker "+id, s.kafka(t, n.release, "configs", "--bootstrap-server", n.brokerAddress(), "--describe", "--entity-type", "brokers", "--entity-name", id),
		"log.cleaner.threads=2")
	has("configs of users", s.kafka(t, n.release, "configs", "--bootstrap-server", n.brokerAddress(), "--describe", "--entity-type", "users"),
		"alice", "producer_byte_rate=1024", "SCRAM-SHA-256=iterations=4096")
	has("features", s.kafka(t, n.release, "features", "--bootstrap-server", n.brokerAddress(), "describe"),
		"metadata.version SupportedMinVersion: 3.3-IV3 SupportedMaxVersion: 4.4-IV2 FinalizedVersionLevel: 4.3-IV0",
		"transaction.version SupportedMinVersion: 0 SupportedMaxVersion: 2 FinalizedVersionLevel: 2")
	if n.logged("ERROR") || n.logged("metadata publishing fault") {
		t.Errorf("%s logged an error", n)
	}
	stop(t, n)
	// The log goes on behind the snapshot, and what we read of it is sound.
	s.kraftctl(t, n.dir, 0, "", "snapshot", "info", filepath.Join(n.dir, "d1"))
	changes := s.kraftctl(t, n.dir, 1, "", "snapshot", "diff", source, filepath.Join(n.dir, "d1"))
	for line := range strings.Lines(changes) {
		if strings.HasPrefix(line, "/image/topics/") || strings.HasPrefix(line, "/image/cluster/") || strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") ||
			strings.HasPrefix(line, "/image/configs/BROKER:") || strings.HasPrefix(line, "/image/scram/SCRAM-SHA-256/bob") {
			continue
		}
		t.Errorf("%s has changed: %s", n, line)
	}
}
