package image_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

func change(f func(*metadata.PartitionChangeRecord)) *metadata.PartitionChangeRecord {
	m := metadata.NewPartitionChangeRecord()
	m.TopicID, m.PartitionID = id(1), 0
	f(m)
	return m
}

func registration(f func(*metadata.BrokerRegistrationChangeRecord)) *metadata.BrokerRegistrationChangeRecord {
	m := metadata.NewBrokerRegistrationChangeRecord()
	m.BrokerID, m.BrokerEpoch = 2, 17
	f(m)
	return m
}

func partition(f func(*metadata.PartitionRecord)) *metadata.PartitionRecord {
	m := partitionRecord(id(1), 0)
	f(m)
	return m
}

// TestReplay has a case for each sentence of the replay rules, on the image of
// fullRecords. want are the changes, as "path: text that is in the new value", or
// "- path" for what is gone; fails is what the error has in it.
func TestReplay(t *testing.T) {
	zero := kbin.ZeroUUID.String()
	p0, p1 := "topics byName orders 0", "topics byName orders 1"
	list := func(m ...kbin.Message) []kbin.Message { return m }
	for _, c := range []struct {
		name    string
		records []kbin.Message
		want    []string
		fails   string
	}{
		{name: "0 replaces the whole registration", records: list(&metadata.RegisterBrokerRecord{BrokerID: 2, BrokerEpoch: 1}), want: []string{`cluster brokers 2: "brokerEpoch":1,"endPoints":[],"features":[],"rack":null,"fenced":false`}},
		{name: "0 adds", records: list(&metadata.RegisterBrokerRecord{BrokerID: 3}), want: []string{`cluster brokers 3: "brokerId":3`}},
		{name: "0 the last endpoint of a name counts", records: list(&metadata.RegisterBrokerRecord{BrokerID: 3, EndPoints: []metadata.BrokerEndpoint{{Name: "A", Port: 1}, {Name: "A", Port: 2}}}), want: []string{`cluster brokers 3: "endPoints":[{"name":"A","host":"","port":2`}},
		{name: "0 an unknown security protocol is no error", records: list(&metadata.RegisterBrokerRecord{BrokerID: 3, EndPoints: []metadata.BrokerEndpoint{{Name: "A", SecurityProtocol: 9}}}), want: []string{`cluster brokers 3: "securityProtocol":9`}},
		{name: "1 does not check the epoch", records: list(&metadata.UnregisterBrokerRecord{BrokerID: 2, BrokerEpoch: 99}), want: []string{"- cluster brokers 2"}},
		{name: "1 of none", records: list(&metadata.UnregisterBrokerRecord{BrokerID: 9})},
		{name: "2 has no partitions", records: list(&metadata.TopicRecord{Name: "new", TopicID: id(9)}), want: []string{`topics byName new: "name":"new"`}},
		{name: "2 replaces the same id", records: list(&metadata.TopicRecord{Name: "orders", TopicID: id(1)}), want: []string{"- " + p0, "- " + p1}},
		{name: "2 another id of the name", records: list(&metadata.TopicRecord{Name: "orders", TopicID: id(9)}), fails: "already"},
		{name: "3 overwrites completely", records: list(partition(func(m *metadata.PartitionRecord) { m.Replicas, m.ISR, m.Directories = []int32{9}, nil, nil })), want: []string{p0 + `: "replicas":[9],"isr":[]`}},
		{name: "3 no topic", records: list(partitionRecord(id(9), 0)), fails: "no topic"},
		{name: "3 directories of zeros", records: list(partition(func(m *metadata.PartitionRecord) { m.Directories = make([]kbin.UUID, 7) })), want: []string{p0 + `: "directories":["` + zero + `","` + zero + `","` + zero + `"]`}},
		{name: "3 no directories", records: list(partition(func(m *metadata.PartitionRecord) { m.Directories = nil })), want: []string{p0 + `: "directories":["` + zero + `","` + zero + `","` + zero + `"]`}},
		{name: "3 directories of another length", records: list(partition(func(m *metadata.PartitionRecord) { m.Directories = m.Directories[:2] })), fails: "2 directories"},
		{name: "3 a recovery state that there is not", records: list(partition(func(m *metadata.PartitionRecord) { m.LeaderRecoveryState = 2 })), fails: "recovery state"},
		{name: "4 sets", records: list(&metadata.ConfigRecord{ResourceType: 2, ResourceName: "orders", Name: "a", Value: ptr("")}), want: []string{`configs TOPIC:orders a: "value":""`}},
		{name: "4 null deletes", records: list(&metadata.ConfigRecord{ResourceType: 2, ResourceName: "orders", Name: "retention.ms"}), want: []string{"- configs TOPIC:orders retention.ms"}},
		{name: "4 null of none", records: list(&metadata.ConfigRecord{ResourceType: 2, ResourceName: "x", Name: "y"})},
		{name: "4 an empty name is the default", records: list(&metadata.ConfigRecord{ResourceType: 4, Name: "x", Value: ptr("1")}), want: []string{"configs BROKER x: 1"}},
		{name: "5 unknown partition", records: list(change(func(m *metadata.PartitionChangeRecord) { m.PartitionID = 9 })), fails: "no partition orders-9"},
		{name: "5 unknown topic", records: list(change(func(m *metadata.PartitionChangeRecord) { m.TopicID = id(9) })), fails: "no topic"},
		{name: "1.1 nothing but the partition epoch", records: list(change(func(*metadata.PartitionChangeRecord) {})), want: []string{p0 + `: "leader":1,"leaderEpoch":5,"partitionEpoch":8`}},
		{name: "1.1 isr", records: list(change(func(m *metadata.PartitionChangeRecord) { m.ISR = []int32{} })), want: []string{p0 + `: "replicas":[1,2,3],"isr":[]`}},
		{name: "1.1 the same leader", records: list(change(func(m *metadata.PartitionChangeRecord) { m.Leader = 1 })), want: []string{p0 + `: "leader":1,"leaderEpoch":6,"partitionEpoch":8`}},
		{name: "1.1 no leader", records: list(change(func(m *metadata.PartitionChangeRecord) { m.Leader = -1 })), want: []string{p0 + `: "leader":-1,"leaderEpoch":6,"partitionEpoch":8`}},
		{name: "1.1 recovering", records: list(change(func(m *metadata.PartitionChangeRecord) { m.LeaderRecoveryState = 1 })), want: []string{p0 + `: "leaderRecoveryState":1`}},
		{name: "1.1 recovery state that there is not", records: list(change(func(m *metadata.PartitionChangeRecord) { m.LeaderRecoveryState = 5 })), fails: "recovery state"},
		{name: "1.1 replicas need directories of their number", records: list(change(func(m *metadata.PartitionChangeRecord) { m.Replicas = []int32{1} })), fails: "3 directories"},
		{name: "1.1 replicas and directories", records: list(change(func(m *metadata.PartitionChangeRecord) {
			m.Replicas, m.Directories = []int32{1}, []kbin.UUID{id(5)}
		})), want: []string{p0 + `: "replicas":[1]`}},
		{name: "1.1 replicas and directories of zeros", records: list(change(func(m *metadata.PartitionChangeRecord) {
			m.Replicas, m.Directories = []int32{1}, []kbin.UUID{}
		})), want: []string{p0 + `: "directories":["` + zero + `"]`}},
		{name: "1.1 elr empty clears", records: list(&metadata.PartitionChangeRecord{TopicID: id(1), PartitionID: 1, Leader: -2, LeaderRecoveryState: -1, EligibleLeaderReplicas: []int32{}, LastKnownELR: []int32{1}}), want: []string{p1 + `: "lastKnownElr":[1]`}},
		{name: "1.1 adding and removing", records: list(change(func(m *metadata.PartitionChangeRecord) {
			m.AddingReplicas, m.RemovingReplicas = []int32{3}, []int32{1}
		})), want: []string{p0 + `: "removingReplicas":[1],"addingReplicas":[3]`}},
		{name: "7 fences", records: list(&metadata.FenceBrokerRecord{ID: 2, Epoch: 17}), want: []string{`cluster brokers 2: "fenced":true`}},
		{name: "7 another epoch", records: list(&metadata.FenceBrokerRecord{ID: 2, Epoch: 16}), fails: "epoch 17"},
		{name: "8 no such broker", records: list(&metadata.UnfenceBrokerRecord{ID: 9}), fails: "not registered"},
		{name: "9 with its configuration", records: list(&metadata.RemoveTopicRecord{TopicID: id(1)}), want: []string{"- " + p0, "- " + p1, "- topics byName orders", "- configs TOPIC:orders retention.ms"}},
		{name: "9 unknown", records: list(&metadata.RemoveTopicRecord{TopicID: id(9)}), fails: "no topic"},
		{name: "10 upserts", records: list(&metadata.DelegationTokenRecord{TokenID: "t", Owner: "User:z"}), want: []string{`delegationToken t: "owner":"User:z"`}},
		{name: "11 by mechanism and name", records: list(&metadata.UserScramCredentialRecord{Name: "alice", Mechanism: 2}), want: []string{"scram SCRAM-SHA-512 alice: alice"}},
		{name: "12 metadata.version", records: list(&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: 34}), want: []string{"features metadataVersion: 34"}},
		{name: "12 a version that is not known", records: list(&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: 99}), fails: "not known"},
		{name: "12 kraft.version is ignored", records: list(&metadata.FeatureLevelRecord{Name: feature.KRaftName, FeatureLevel: 1})},
		{name: "12 level 0 removes", records: list(&metadata.FeatureLevelRecord{Name: feature.GroupName}), want: []string{"- features finalized_group.version"}},
		{name: "14 default entities", records: list(&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "ip"}}, Key: "k", Value: 2}), want: []string{"clientQuotas ip(<default>) k: 2.0"}},
		{name: "14 removes; an entity without keys is gone", records: list(&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "client-id"}, {EntityType: "user", EntityName: ptr("u")}}, Key: "k", Remove: true}), want: []string{"- clientQuotas clientId(<default>)_user(u) k"}},
		{name: "15", records: list(&metadata.ProducerIdsRecord{NextProducerID: 6000}), want: []string{`producerIds nextProducerId: "nextProducerId":6000`}},
		{name: "17 unfences", records: list(&metadata.FenceBrokerRecord{ID: 2, Epoch: 17}, registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.Fenced = -1 }))},
		{name: "17 fences", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.Fenced = 1 })), want: []string{`cluster brokers 2: "fenced":true`}},
		{name: "17 another fencing", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.Fenced = 2 })), fails: "fencing"},
		{name: "17 another shutdown", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.InControlledShutdown = -1 })), fails: "shutdown"},
		{name: "17 shutdown is never taken back", records: list(registration(func(*metadata.BrokerRegistrationChangeRecord) {}))},
		{name: "17 log directories replace", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.LogDirs = []kbin.UUID{id(7)} })), want: []string{`cluster brokers 2: "logDirs":["` + id(7).String() + `"]`}},
		{name: "17 none cordoned", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.CordonedLogDirs = []kbin.UUID{} })), want: []string{`cluster brokers 2: "cordonedLogDirs":[]`}},
		{name: "17 another epoch", records: list(registration(func(m *metadata.BrokerRegistrationChangeRecord) { m.BrokerEpoch = 1 })), fails: "epoch"},
		{name: "18 upserts by id", records: list(&metadata.AccessControlEntryRecord{ID: id(50), Host: "h"}), want: []string{"acls byId " + id(50).String() + `: "host":"h"`}},
		{name: "19", records: list(&metadata.RemoveAccessControlEntryRecord{ID: id(50)}), want: []string{"- acls byId " + id(50).String()}},
		{name: "19 unknown", records: list(&metadata.RemoveAccessControlEntryRecord{ID: id(9)}), fails: "no entry"},
		{name: "20", records: list(&metadata.NoOpRecord{})},
		{name: "21", records: list(&metadata.ZkMigrationStateRecord{ZkMigrationState: 2}), want: []string{"features zkMigrationState: 2"}},
		{name: "22", records: list(&metadata.RemoveUserScramCredentialRecord{Name: "alice", Mechanism: 1}), want: []string{"- scram SCRAM-SHA-256 alice"}},
		{name: "22 not found", records: list(&metadata.RemoveUserScramCredentialRecord{Name: "x", Mechanism: 1})},
		{name: "23 is for the loader", records: list(&metadata.BeginTransactionRecord{}), fails: "no place"},
		{name: "26", records: list(&metadata.RemoveDelegationTokenRecord{TokenID: "t"}), want: []string{"- delegationToken t"}},
		{name: "27 replaces", records: list(&metadata.RegisterControllerRecord{ControllerID: 1, ZkMigrationReady: true}), want: []string{`cluster controllers 1: "zkMigrationReady":true,"endPoints":[]`}},
		{name: "27 unknown security protocol", records: list(&metadata.RegisterControllerRecord{EndPoints: []metadata.ControllerEndpoint{{SecurityProtocol: 4}}}), fails: "security protocol 4"},
		{name: "28 all topics", records: list(&metadata.ClearElrRecord{}), want: []string{p1 + `: "partitionEpoch":8`}},
		{name: "28 one topic", records: list(&metadata.ClearElrRecord{TopicName: "orders"}), want: []string{p1 + `: "partitionEpoch":8`}},
		{name: "28 unknown", records: list(&metadata.ClearElrRecord{TopicName: "x"}), fails: `no topic "x"`},
		{name: "29", records: list(&metadata.UnregisterControllerRecord{ControllerID: 1}), want: []string{"- cluster controllers 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := full(t, feature.LatestProduction)
			d := image.NewDelta(base)
			frames := newFrames()
			var err error
			for _, m := range c.records {
				_, highest := m.Versions()
				if err = d.Replay(frames.pass(t, m.(interface{ APIKey() int16 }).APIKey(), highest, m)); err != nil {
					break
				}
			}
			if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Fatalf("error %v, not %q", err, c.fails)
			}
			if refused, ok := errors.AsType[*image.ReplayError](err); err != nil && (!ok || refused.Record != c.records[0].MessageName()) {
				t.Fatalf("%T %v", err, err)
			}
			if err != nil {
				return
			}
			got := d.Image(image.Provenance{})
			var changes []string
			for x := range image.Diff(base, got) {
				path := strings.TrimPrefix(strings.Join(x.Path, " "), "image ")
				if x.After == nil {
					changes = append(changes, "- "+path)
					continue
				}
				_, highest := x.After.Versions()
				changes = append(changes, path+": "+string(x.After.AppendJSON(nil, highest)))
			}
			same := func(got, want string) bool {
				path, part, _ := strings.Cut(want, ": ")
				return strings.HasPrefix(got, path) && strings.Contains(got[len(path):], part)
			}
			if !slices.EqualFunc(changes, c.want, same) {
				t.Fatalf("changes:\n%s\nwant:\n%s", strings.Join(changes, "\n"), strings.Join(c.want, "\n"))
			}
			if (len(changes) == 0) != (got.Hash() == base.Hash()) {
				t.Error("hash and differences do not agree")
			}
			checkBetween(t, base, got)
			checkBetween(t, got, base)
		})
	}
}
