package format

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// sourceImage is a cluster of two brokers.
func sourceImage(t *testing.T) *image.Image {
	t.Helper()
	value := func(s string) *string { return &s }
	d := image.NewDelta(image.Empty())
	partition := metadata.NewPartitionRecord()
	partition.TopicID, partition.PartitionID = kbin.UUID{1}, 0
	partition.Replicas, partition.ISR, partition.Leader, partition.LeaderEpoch, partition.PartitionEpoch = []int32{1, 2}, []int32{2}, 2, 4, 9
	partition.EligibleLeaderReplicas = []int32{1}
	partition.Directories = []kbin.UUID{{8}, {9}}
	for _, m := range []kbin.Message{
		&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.V4_3_IV0)},
		&metadata.FeatureLevelRecord{Name: feature.ELRName, FeatureLevel: 1},
		&metadata.ZkMigrationStateRecord{ZkMigrationState: 3},
		&metadata.RegisterBrokerRecord{BrokerID: 1, BrokerEpoch: 5, LogDirs: []kbin.UUID{{8}}},
		&metadata.RegisterBrokerRecord{BrokerID: 2, BrokerEpoch: 6, LogDirs: []kbin.UUID{{9}}, InControlledShutdown: true},
		&metadata.RegisterControllerRecord{ControllerID: 3},
		&metadata.TopicRecord{Name: "a", TopicID: kbin.UUID{1}}, partition,
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: "a", Name: "retention.ms", Value: value("1")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "1", Name: "log.cleaner.threads", Value: value("1")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "2", Name: "log.cleaner.threads", Value: value("2")},
		&metadata.ConfigRecord{ResourceType: 4, ResourceName: "2", Name: "ssl.key.password", Value: value("hunter2")},
		&metadata.UserScramCredentialRecord{Name: "u", Mechanism: 1},
		&metadata.DelegationTokenRecord{TokenID: "t"},
		&metadata.ProducerIdsRecord{NextProducerID: 1000},
	} {
		if err := d.Replay(m); err != nil {
			t.Fatal(err)
		}
	}
	return d.Image(image.Provenance{Offset: 99, Epoch: 7, Time: 123})
}

// adopted lists what differs in the new cluster.
func adopted(t *testing.T, s *Source, v feature.MetadataVersion, elr bool) string {
	t.Helper()
	before := s.Image.Hash()
	img, err := s.adopt(v, elr)
	if err != nil {
		t.Fatal(err)
	}
	if s.Image.Hash() != before {
		t.Error("the source has changed")
	}
	var b strings.Builder
	for c := range image.Diff(s.Image, img) {
		b.WriteString(strings.Join(c.Path[1:], "/"))
		if c.After == nil {
			b.WriteString(" gone\n")
			continue
		}
		_, highest := c.After.Versions()
		b.WriteString(" " + string(c.After.AppendJSON(nil, highest)) + "\n")
	}
	return b.String()
}

const one = "AAAAAAAAAAAAAAAAAAAAAQ"

func TestAdopt(t *testing.T) {
	img := sourceImage(t)
	partition := func(replicas, isr, leader, elr, last, directory string) string {
		return `topics/byName/a/0 {"partitionId":0,"topicId":"AQAAAAAAAAAAAAAAAAAAAA","replicas":[` + replicas + `],"isr":[` + isr + `],"removingReplicas":[],"addingReplicas":[],"leader":` +
			leader + `,"partitionEpoch":10,"directories":["` + directory + `","` + directory + `"]` + elr + last + "}\n"
	}
	for name, c := range map[string]struct {
		s    Source
		v    feature.MetadataVersion
		elr  bool
		want string
	}{
		"by default": {Source{}, feature.V4_3_IV0, true,
			"features/zkMigrationState {\"zkMigrationState\":0}\ncluster/brokers/1 gone\ncluster/brokers/2 gone\ncluster/controllers/3 gone\n" +
				partition("1,2", "2", `-1,"leaderEpoch":5`, `,"eligibleLeaderReplicas":[1]`, `,"lastKnownElr":[2]`, one)},
		"all kept": {Source{KeepBrokers: true, KeepLeaders: true}, feature.V4_3_IV0, true,
			"features/zkMigrationState {\"zkMigrationState\":0}\n" +
				`cluster/brokers/1 {"brokerId":1,"isMigratingZkBroker":false,"incarnationId":"AAAAAAAAAAAAAAAAAAAAAA","brokerEpoch":5,"endPoints":[],"features":[],"rack":null,"fenced":true,"inControlledShutdown":false}` + "\n" +
				`cluster/brokers/2 {"brokerId":2,"isMigratingZkBroker":false,"incarnationId":"AAAAAAAAAAAAAAAAAAAAAA","brokerEpoch":6,"endPoints":[],"features":[],"rack":null,"fenced":true,"inControlledShutdown":false}` + "\n" +
				"cluster/controllers/3 gone\n" + partition("1,2", "2", `2,"leaderEpoch":4`, `,"eligibleLeaderReplicas":[1]`, ``, one)},
		"swapped, without secrets": {Source{Brokers: map[int32]int32{1: 2, 2: 1}, DropSecrets: true}, feature.V3_6_IV0, false,
			"features/zkMigrationState {\"zkMigrationState\":0}\ncluster/brokers/1 gone\ncluster/brokers/2 gone\ncluster/controllers/3 gone\n" +
				partition("2,1", "1", `-1,"leaderEpoch":5`, ``, ``, "AAAAAAAAAAAAAAAAAAAAAA") +
				`configs/BROKER:1/log.cleaner.threads {"resourceType":4,"resourceName":"1","name":"log.cleaner.threads","value":"2"}` + "\n" +
				`configs/BROKER:2/log.cleaner.threads {"resourceType":4,"resourceName":"2","name":"log.cleaner.threads","value":"1"}` + "\n" +
				"configs/BROKER:2/ssl.key.password gone\nscram/SCRAM-SHA-256/u gone\ndelegationToken/t gone\n"},
	} {
		c.s.Image = img
		if got := adopted(t, &c.s, c.v, c.elr); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestAdoptRefuses(t *testing.T) {
	for _, c := range []struct {
		ids  map[int32]int32
		want string
	}{
		{map[int32]int32{1: 2}, "brokers 1 and 2 would both be 2"},
		{map[int32]int32{1: 5, 2: 5}, "brokers 1 and 2 would both be 5"},
		{map[int32]int32{7: 8}, "there is no broker 7"},
	} {
		s := &Source{Image: sourceImage(t), Brokers: c.ids}
		_, err := s.adopt(feature.LatestProduction, true)
		if _, ok := errors.AsType[*BrokerMapError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.ids, err)
		}
	}
}

// TestSourceLayouts: the snapshot is where every release looks for it.
func TestSourceLayouts(t *testing.T) {
	for _, release := range feature.Releases {
		fsys := newDisk(t)
		r := modes(t, &release)[2].request // standalone
		r.Source = &Source{Image: sourceImage(t), DropLoss: true}
		p, err := NewPlan(fsys, r, testEnv(1))
		if err != nil {
			t.Fatalf("%s: %v", release.Name, err)
		}
		for _, d := range p.Dirs {
			var names []string
			for _, f := range d.Files {
				names = append(names, filepath.Base(f.Name))
			}
			want := []string{"meta.properties"}
			if !release.Unified {
				want = []string{"bootstrap.checkpoint", "meta.properties"}
			}
			if d.Path == r.MetadataDir {
				want = append([]string{"00000000000000000100-0000000007.checkpoint"}, want...)
			}
			if !slices.Equal(names, want) {
				t.Errorf("%s: %s has %v", release.Name, d.Path, names)
			}
		}
	}
}
