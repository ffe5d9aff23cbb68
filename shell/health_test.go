package shell

import (
	"fmt"
	"strings"
	"testing"

	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
)

// cluster makes records of a small healthy cluster; a case changes one thing.
type cluster struct {
	brokers     []*metadata.RegisterBrokerRecord
	partitions  []*metadata.PartitionRecord
	more        []message
	controllers []int32
	voters      []int32
}

// healthy are three brokers in three racks with a topic of three partitions.
func healthy() *cluster {
	c := &cluster{controllers: []int32{11}, voters: []int32{11}}
	for id := int32(1); id <= 3; id++ {
		c.brokers = append(c.brokers, &metadata.RegisterBrokerRecord{BrokerID: id, Rack: ptr(fmt.Sprint("rack-", id)), LogDirs: []kbin.UUID{{1}}})
	}
	for n := range int32(3) {
		c.partitions = append(c.partitions, partitionOf(n, 1+n, 1+(n+1)%3, 1+(n+2)%3))
	}
	return c
}

func partitionOf(n int32, replicas ...int32) *metadata.PartitionRecord {
	return &metadata.PartitionRecord{PartitionID: n, TopicID: kbin.UUID{9}, Replicas: replicas, ISR: replicas, Leader: replicas[0], Directories: make([]kbin.UUID, len(replicas))}
}

func (c *cluster) state(t *testing.T) *timeline.State {
	records := []message{&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}}
	for _, b := range c.brokers {
		records = append(records, b)
	}
	records = append(records, &metadata.TopicRecord{Name: "t", TopicID: kbin.UUID{9}})
	for _, p := range c.partitions {
		records = append(records, p)
	}
	for _, id := range c.controllers {
		records = append(records, &metadata.RegisterControllerRecord{ControllerID: id})
	}
	state := &timeline.State{Image: imageOf(t, append(records, c.more...)...)}
	if c.voters != nil {
		state.Voters = &control.VotersRecord{}
		for _, id := range c.voters {
			state.Voters.Voters = append(state.Voters.Voters, control.Voter{VoterID: id})
		}
	}
	return state
}

func minISR(topic, n string) message {
	kind := image.TopicResource
	if topic == "" {
		kind = image.BrokerResource
	}
	return &metadata.ConfigRecord{ResourceType: int8(kind), ResourceName: topic, Name: "min.insync.replicas", Value: &n}
}

func TestHealth(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(c *cluster)
		want   string // check, ! for an error, what it is about
	}{
		{"healthy", func(*cluster) {}, ""},
		{"a fenced broker", func(c *cluster) { c.brokers[2].Fenced = true }, "fenced brokers/3"},
		{"a broker that shuts down", func(c *cluster) { c.brokers[0].InControlledShutdown = true }, "controlled-shutdown brokers/1"},
		{"a cordoned directory", func(c *cluster) { c.brokers[0].CordonedLogDirs = []kbin.UUID{{1}} }, "cordoned brokers/1"},
		{"one without a rack", func(c *cluster) { c.brokers[1].Rack = nil }, "no-rack brokers/2"},
		{"no racks at all", func(c *cluster) { c.brokers[0].Rack, c.brokers[1].Rack, c.brokers[2].Rack = nil, nil, nil }, ""},
		{"no leader, one in sync", func(c *cluster) { c.partitions[0].Leader, c.partitions[0].ISR = -1, []int32{2} }, "offline! t/0; under-replicated t/0"},
		{"no leader, an ELR", func(c *cluster) {
			p := c.partitions[0]
			p.Leader, p.ISR, p.EligibleLeaderReplicas = -1, nil, []int32{2}
		}, "offline! t/0; under-replicated t/0"},
		{"no leader to be had", func(c *cluster) { c.partitions[0].Leader, c.partitions[0].ISR = -1, nil }, "no-safe-leader! t/0; under-replicated t/0"},
		{"recovering", func(c *cluster) { c.partitions[1].LeaderRecoveryState = 1 }, "recovering t/1"},
		{"below min.insync.replicas", func(c *cluster) {
			c.partitions[2].ISR, c.more = []int32{3}, []message{minISR("t", "2")}
		}, "under-min-isr! t/2; under-replicated t/2"},
		{"below that of the cluster", func(c *cluster) {
			c.partitions[2].ISR, c.more = []int32{3}, []message{minISR("", "2")}
		}, "under-min-isr! t/2; under-replicated t/2"},
		{"that of the topic counts first", func(c *cluster) {
			c.partitions[2].ISR, c.more = []int32{3, 1}, []message{minISR("", "3"), minISR("t", "1")}
		}, "under-replicated t/2"},
		{"a number that is none", func(c *cluster) { c.more = []message{minISR("t", "many")} }, ""},
		{"just min.insync.replicas", func(c *cluster) {
			c.partitions[2].ISR, c.more = []int32{3, 1}, []message{minISR("t", "2")}
		}, "under-replicated t/2; at-min-isr t/2"},
		{"as many as there are", func(c *cluster) { c.more = []message{minISR("t", "3")} }, ""},
		{"one replica", func(c *cluster) { c.partitions[0] = partitionOf(0, 1) }, "single-replica t/0"},
		{"another leader", func(c *cluster) { c.partitions[0].Leader = 2 }, "leader-not-preferred t/0"},
		{"a reassignment", func(c *cluster) { c.partitions[0].AddingReplicas = []int32{3} }, "reassigning t/0"},
		{"an unknown broker", func(c *cluster) { c.partitions[0] = partitionOf(0, 1, 2, 7) }, "unknown-broker! t/0"},
		{"two in a rack", func(c *cluster) {
			c.brokers[1].Rack = ptr("rack-1")
			c.partitions = []*metadata.PartitionRecord{partitionOf(0, 1, 2), partitionOf(1, 1, 3)}
		}, "rack-spread t/0"},
		{"more of everything", func(c *cluster) {
			c.partitions = nil
			for n := range int32(15) {
				c.partitions = append(c.partitions, partitionOf(n, 1, 2+n%2))
			}
		}, "preferred-leader-skew brokers/1; leader-skew brokers/1; replica-skew brokers/1"},
		{"a voter that is not registered", func(c *cluster) { c.voters = []int32{11, 12} }, "voter-not-registered voters/12"},
		{"a controller that is no voter", func(c *cluster) { c.controllers = []int32{11, 13} }, "ghost-controller controllers/13"},
		{"a static quorum", func(c *cluster) { c.voters, c.controllers = nil, []int32{13} }, ""},
		{"a broker that is too old", func(c *cluster) {
			c.brokers[0].Features = []metadata.BrokerFeature{{Name: feature.MetadataName, MinSupportedVersion: 1, MaxSupportedVersion: 7}}
		}, "unsupported-feature! brokers/1"},
		{"errors come first", func(c *cluster) { c.brokers[2].Fenced, c.partitions[0] = true, partitionOf(0, 1, 2, 7) }, "unknown-broker! t/0; fenced brokers/3"},
	} {
		t.Run(c.what, func(t *testing.T) {
			x := healthy()
			c.change(x)
			var got []string
			for _, f := range Health(x.state(t)) {
				kind := f.Check
				if f.Error {
					kind += "!"
				}
				if f.Count != len(f.Paths) || f.Text == "" {
					t.Errorf("%+v", f)
				}
				for _, p := range f.Paths {
					parts := strings.Split(p, "/")
					got = append(got, kind+" "+strings.Join(parts[len(parts)-2:], "/"))
				}
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}
