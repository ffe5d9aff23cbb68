package image_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// frames sends records through their bytes, as a log does.
type frames struct {
	decoder *decode.FrameDecoder
	buf     []byte
}

func newFrames() *frames { return &frames{decoder: decode.NewMetadataDecoder()} }

// pass encodes and decodes a record. The bytes are overwritten by the next one, so
// that an image that keeps any of them shows.
func (f *frames) pass(t fataler, apiKey, version int16, m kbin.Message) kbin.Message {
	t.Helper()
	clear(f.buf)
	var err error
	if f.buf, err = decode.AppendFrame(f.buf[:0], apiKey, version, m); err != nil {
		t.Fatalf("%s version %d: %v", m.MessageName(), version, err)
	}
	frame, err := f.decoder.Decode(f.buf)
	if err != nil {
		t.Fatalf("%s version %d: %v", m.MessageName(), version, err)
	}
	return frame.Message
}

// id is a UUID that is not reserved.
func id(n int) (u kbin.UUID) {
	u[0] = 1
	binary.BigEndian.PutUint32(u[12:], uint32(n))
	return u
}

func ptr[T any](v T) *T { return &v }

func partitionRecord(topic kbin.UUID, n int32) *metadata.PartitionRecord {
	m := metadata.NewPartitionRecord()
	m.TopicID, m.PartitionID = topic, n
	m.Replicas, m.ISR, m.Leader, m.LeaderEpoch, m.PartitionEpoch = []int32{1, 2, 3}, []int32{1, 2}, 1, 5, 7
	m.Directories = []kbin.UUID{id(1001), id(1002), id(1003)}
	return m
}

func partitionChange(topic kbin.UUID, n int32) *metadata.PartitionChangeRecord {
	m := metadata.NewPartitionChangeRecord()
	m.TopicID, m.PartitionID = topic, n
	m.ISR = []int32{2}
	return m
}

// largeImage has topics with ids from 0 on.
func largeImage(topics, partitions int) *image.Image {
	d := image.NewDelta(image.Empty())
	_ = d.Replay(&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)})
	for t := range topics {
		_ = d.Replay(&metadata.TopicRecord{Name: "topic-" + strings.Repeat("x", t%7) + string(rune('a'+t%26)) + id(t).String(), TopicID: id(t)})
		for p := range partitions {
			m := partitionRecord(id(t), int32(p))
			m.Leader = int32(p % 3)
			_ = d.Replay(m)
		}
	}
	return d.Image(image.Provenance{})
}

// full is an image with something of everything.
func full(t testing.TB, v feature.MetadataVersion) *image.Image {
	t.Helper()
	d := image.NewDelta(image.Empty())
	for _, m := range fullRecords(v) {
		if err := d.Replay(m); err != nil {
			t.Fatal(err)
		}
	}
	return d.Image(image.Provenance{Offset: 99, Epoch: 3, Time: 1_700_000_000_000})
}

func fullRecords(v feature.MetadataVersion) []kbin.Message {
	elr := partitionRecord(id(1), 1)
	elr.EligibleLeaderReplicas, elr.LastKnownELR = []int32{3}, []int32{2}
	return []kbin.Message{
		&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(v)},
		&metadata.FeatureLevelRecord{Name: feature.ELRName, FeatureLevel: 1},
		&metadata.FeatureLevelRecord{Name: feature.GroupName, FeatureLevel: 1},
		&metadata.RegisterBrokerRecord{BrokerID: 2, BrokerEpoch: 17, IncarnationID: id(2), Rack: ptr("r1"), LogDirs: []kbin.UUID{id(1002)},
			CordonedLogDirs: []kbin.UUID{id(1002)}, IsMigratingZkBroker: true, InControlledShutdown: true,
			EndPoints: []metadata.BrokerEndpoint{{Name: "EXT", Host: "h", Port: 40000, SecurityProtocol: 3}, {Name: "INT", Host: "i", Port: 1}},
			Features:  []metadata.BrokerFeature{{Name: feature.MetadataName, MinSupportedVersion: 7, MaxSupportedVersion: 33}}},
		&metadata.RegisterControllerRecord{ControllerID: 1, IncarnationID: id(3), EndPoints: []metadata.ControllerEndpoint{{Name: "C", Host: "c", Port: 9093}}},
		&metadata.TopicRecord{Name: "orders", TopicID: id(1)},
		partitionRecord(id(1), 0), elr,
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: "orders", Name: "retention.ms", Value: ptr("1")},
		&metadata.ConfigRecord{ResourceType: 4, Name: "log.cleaner.threads", Value: ptr("")},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: ptr("u")}, {EntityType: "client-id"}}, Key: "k", Value: 1.5},
		&metadata.ProducerIdsRecord{BrokerID: 2, BrokerEpoch: 17, NextProducerID: 5000},
		&metadata.AccessControlEntryRecord{ID: id(50), ResourceType: 2, ResourceName: "orders", PatternType: 3, Principal: "User:a", Host: "10.0.0.0/8", Operation: 3, PermissionType: 3},
		&metadata.AccessControlEntryRecord{ID: id(51), ResourceType: 2, ResourceName: "orders", PatternType: 3, Principal: "User:b", Host: "*", Operation: 3, PermissionType: 2},
		&metadata.UserScramCredentialRecord{Name: "alice", Mechanism: 1, Salt: []byte{1}, StoredKey: []byte{2}, ServerKey: []byte{3}, Iterations: 4096},
		&metadata.DelegationTokenRecord{TokenID: "t", Owner: "User:a", Requester: "User:b", Renewers: []string{"User:c"}, IssueTimestamp: 1, MaxTimestamp: 2, ExpirationTimestamp: 3},
	}
}

// names gives the kinds of records in their order, equal neighbours once.
func names(t testing.TB, records func(image.Emit) error) string {
	t.Helper()
	var list []string
	if err := records(func(_, _ int16, m kbin.Message) error {
		name := strings.TrimSuffix(m.MessageName(), "Record")
		if len(list) == 0 || list[len(list)-1] != name {
			list = append(list, name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " ")
}

// TestOrder is that of 1.4.
func TestOrder(t *testing.T) {
	v := feature.LatestProduction
	got := names(t, func(e image.Emit) error { return full(t, v).Records(v, e) })
	want := "FeatureLevel RegisterBroker RegisterController Topic Partition Config ClientQuota ProducerIds AccessControlEntry UserScramCredential DelegationToken"
	if got != want {
		t.Errorf("order %s", got)
	}
	first := true
	_ = full(t, v).Records(v, func(_, _ int16, m kbin.Message) error {
		if f, ok := m.(*metadata.FeatureLevelRecord); first && (!ok || f.Name != feature.MetadataName) {
			t.Error("metadata.version does not come first")
		}
		first = false
		return nil
	})
}

// TestLoss is "which metadata.version permits what" (records.md 3): what an older
// version cannot express is refused by name, and left out if that is wanted.
func TestLoss(t *testing.T) {
	all := map[string]feature.MetadataVersion{
		"features":                                       feature.ELRSince,
		"registrations of ZooKeeper brokers":             feature.V3_4_IV0,
		"log directories of brokers":                     feature.DirectoryAssignmentSince,
		"cordoned log directories of brokers":            feature.CordonedDirectoriesSince,
		"registrations of controllers":                   feature.ControllerRegistrationFrom,
		"directories of partitions":                      feature.DirectoryAssignmentSince,
		"eligible leader replicas of partitions":         feature.ELRSince,
		"access control entries for ranges of addresses": feature.CIDRAccessControlSince,
		"SCRAM credentials":                              feature.SCRAMSince,
		"delegation tokens":                              feature.DelegationTokensSince,
	}
	img := full(t, feature.LatestProduction)
	for v := feature.MinimumMetadataVersion; v <= feature.LatestTesting; v++ {
		want := 0
		for _, since := range all {
			if v < since {
				want++
			}
		}
		records := 0
		count := func(apiKey, version int16, m kbin.Message) error {
			records++
			newFrames().pass(t, apiKey, version, m) // the version has all that is set
			return nil
		}
		err := img.Records(v, count)
		lost, refused := errors.AsType[*image.LossError](err)
		switch {
		case refused != (want > 0) || err != nil && !refused:
			t.Fatalf("%s: %v", v, err)
		case refused && records > 0:
			t.Errorf("%s: %d records before the refusal", v, records)
		case refused:
			if len(lost.Lost) != want {
				t.Errorf("%s: %d losses, not %d: %v", v, len(lost.Lost), want, err)
			}
			for _, l := range lost.Lost {
				if since, ok := all[l.What]; !ok || l.Needs != since || l.First == "" || l.Count < 1 {
					t.Errorf("%s: %+v", v, l)
				}
			}
		}
		if err := img.RecordsWithLoss(v, count); err != nil {
			t.Errorf("%s: %v", v, err)
		}
		left := replayed(t, image.Empty(), func(e image.Emit) error { return img.RecordsWithLoss(v, e) })
		if list := left.Losses(v); list != nil {
			t.Errorf("%s: still lost: %v", v, list)
		}
		if got, _ := left.MetadataVersion(); got != v {
			t.Errorf("%s: written as %s", v, got)
		}
	}
	if err := img.Records(99, nil); err == nil {
		t.Error("records of a version that is not known")
	}
}

// TestELRWithoutFeature: ELR fields are for the feature only (1.4).
func TestELRWithoutFeature(t *testing.T) {
	d := image.NewDelta(full(t, feature.LatestProduction))
	if err := d.Replay(&metadata.FeatureLevelRecord{Name: feature.ELRName}); err != nil {
		t.Fatal(err)
	}
	img := d.Image(image.Provenance{})
	lost, ok := errors.AsType[*image.LossError](img.Records(feature.LatestProduction, nil))
	if !ok || len(lost.Lost) != 1 || lost.Lost[0].Needs != 0 || lost.Lost[0].First != "orders-1" {
		t.Fatalf("%+v", lost)
	}
	if !strings.Contains(lost.Error(), "eligible.leader.replicas.version 1") {
		t.Error(lost)
	}
	err := img.RecordsWithLoss(feature.LatestProduction, func(_, _ int16, m kbin.Message) error {
		if p, ok := m.(*metadata.PartitionRecord); ok && (p.EligibleLeaderReplicas != nil || p.LastKnownELR != nil) {
			t.Error("eligible leader replicas are written")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestMigrationState: 3.x needs the record (21), and its hash is that of none if
// it is NONE.
func TestMigrationState(t *testing.T) {
	base := full(t, feature.LatestProduction)
	d := image.NewDelta(base)
	_ = d.Replay(&metadata.ZkMigrationStateRecord{})
	if none := d.Image(image.Provenance{}); none.Hash() != base.Hash() {
		t.Error("a state of NONE is not as none")
	}
	_ = d.Replay(&metadata.ZkMigrationStateRecord{ZkMigrationState: 3})
	img := d.Image(image.Provenance{})
	again := replayed(t, image.Empty(), func(e image.Emit) error { return img.Records(feature.LatestProduction, e) })
	if state, ok := again.ZKMigration(); !ok || state != 3 || again.Hash() != img.Hash() || img.Hash() == base.Hash() {
		t.Error(state, ok)
	}
}

// TestEmitError stops at the first error.
func TestEmitError(t *testing.T) {
	stop := errors.New("stop")
	v := feature.LatestProduction
	img := full(t, v)
	total := 0
	_ = img.Records(v, func(int16, int16, kbin.Message) error { total++; return nil })
	for at := range total {
		n := 0
		emit := func(int16, int16, kbin.Message) error {
			if n == at {
				return stop
			}
			n++
			return nil
		}
		if err := img.Records(v, emit); !errors.Is(err, stop) {
			t.Fatalf("record %d: %v", at, err)
		}
		n = 0
		if err := image.RecordsBetween(image.Empty(), img, emit); !errors.Is(err, stop) {
			t.Fatalf("record %d between: %v", at, err)
		}
	}
}
