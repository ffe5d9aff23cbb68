//go:build conformance

package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/nodeinfo"
)

// asked is what was asked for when nodes were formatted: a cluster that runs on
// them must be exactly that.
type asked struct {
	cluster string
	// levels are the finalized features without those of level 0, by name.
	levels map[string]int
	// users have iterations by mechanism.
	users map[string]map[string]int
	// voters have directory ids by node id; in static quorums noDirectory.
	voters map[int]string
}

// noDirectory is how Kafka shows that a voter has no directory id.
const noDirectory = "AAAAAAAAAAAAAAAAAAAAAA"

// scramLines are arguments of --add-scram, and scramUsers what they ask for.
var (
	scramLines = []string{
		"# two users, one of them with two passwords",
		"SCRAM-SHA-256=[name=alice,iterations=8192,password=alice-secret]",
		"SCRAM-SHA-512=[name=alice,password=alice-other-secret]",
		`SCRAM-SHA-512=[name=bob,iterations=4097,salt="MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=",password=bob-secret]`,
	}
	scramUsers = map[string]map[string]int{
		"alice": {"SCRAM-SHA-256": 8192, "SCRAM-SHA-512": 4096},
		"bob":   {"SCRAM-SHA-512": 4097},
	}
)

// defaultLevels are the features of each release by its own words (its storage
// tool's version-mapping; 3.9.1 has none), on a dynamic quorum.
var defaultLevels = map[string]map[string]int{
	"4.4.0": {"metadata.version": 33, "kraft.version": 1, "transaction.version": 2, "group.version": 1,
		"eligible.leader.replicas.version": 1, "share.version": 2, "streams.version": 1},
	"4.3.1": {"metadata.version": 30, "kraft.version": 1, "transaction.version": 2, "group.version": 1,
		"eligible.leader.replicas.version": 1, "share.version": 1, "streams.version": 1},
	"4.0.0": {"metadata.version": 25, "kraft.version": 1, "transaction.version": 2, "group.version": 1},
	"3.9.1": {"metadata.version": 21, "kraft.version": 1},
}

// static is the same without a dynamic quorum.
func static(levels map[string]int) map[string]int {
	m := maps.Clone(levels)
	delete(m, "kraft.version")
	return m
}

// verify compares a running cluster, asked through one of its brokers, with what
// was asked for, and makes a topic in it.
func (n *server) verify(t *testing.T, want *asked) {
	t.Helper()
	var q quorumState
	n.ask(t, &q, "quorum")
	if got := directories(q.Voters); !maps.Equal(got, want.voters) {
		t.Errorf("%s: voters %v, want %v", n, got, want.voters)
	}
	if _, ok := want.voters[q.LeaderID]; !ok || q.LeaderEpoch < 1 || q.HighWatermark < 1 {
		t.Errorf("%s: the quorum is not in order: %+v", n, q)
	}
	var f featureLevels
	n.ask(t, &f, "features")
	maps.DeleteFunc(f.Finalized, func(_ string, level int) bool { return level == 0 })
	if !maps.Equal(f.Finalized, want.levels) {
		t.Errorf("%s: features\n%v, want\n%v", n, f.Finalized, want.levels)
	}
	var users map[string]map[string]int
	n.ask(t, &users, "users")
	if !maps.EqualFunc(users, want.users, maps.Equal) {
		t.Errorf("%s: SCRAM users %v, want %v", n, users, want.users)
	}
	n.makeTopic(t)
}

// makeTopic makes a topic, and waits until its partitions have leaders.
func (n *server) makeTopic(t *testing.T) {
	t.Helper()
	n.ask(t, nil, "create-topic", "made-by-test", "3", "1")
	until(t, n.String()+" has leaders for a new topic", startDeadline, func() bool {
		var topics map[string][]int
		n.ask(t, &topics, "topics")
		leaders := topics["made-by-test"]
		return len(leaders) == 3 && !slices.Contains(leaders, -1)
	})
}

// verifyWithTools is verify with the command line tools of the node's own
// release, as people would do it.
func (n *server) verifyWithTools(t *testing.T, want *asked) {
	t.Helper()
	server := []string{"--bootstrap-server", n.brokerAddress()}
	tool := func(args ...string) string {
		return n.s.kafka(t, n.release, append([]string{args[0]}, append(server, args[1:]...)...)...)
	}
	has := func(out string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(out, text) {
				t.Errorf("%s: not in the tool's output: %s\n%s", n, text, out)
			}
		}
	}
	users := tool("configs", "--describe", "--entity-type", "users")
	for name, credentials := range want.users {
		_, line, _ := strings.Cut(users, "SCRAM credential configs for user-principal '"+name+"' are ")
		line, _, _ = strings.Cut(line, "\n")
		for mechanism, iterations := range credentials {
			has(line, fmt.Sprintf("%s=iterations=%d", mechanism, iterations))
		}
	}
	levels := finalizedLevels(tool("features", "describe"))
	for name, got := range levels {
		level := fmt.Sprint(want.levels[name])
		if name == "metadata.version" {
			level = metadataVersionNames[want.levels[name]]
		}
		if got != level {
			t.Errorf("%s: %s is %s by the tool, want %s", n, name, got, level)
		}
	}
	for name := range want.levels {
		if levels[name] == "" {
			t.Errorf("%s: the tool does not show %s", n, name)
		}
	}
	has(tool("topics", "--describe", "--topic", "made-by-test"), "PartitionCount: 3", fmt.Sprintf("Leader: %d", n.id))
	quorum := tool("quorum", "describe", "--status")
	has(quorum, "ClusterId:              "+want.cluster+"\n")
	for id, directory := range want.voters {
		has(quorum, fmt.Sprintf(`"id": %d`, id))
		if directory != noDirectory {
			has(quorum, fmt.Sprintf(`"directoryId": "%s"`, directory))
		}
	}
}

// finalizedLevels reads the output of the features tool: words, with spaces or
// tabs between them.
func finalizedLevels(out string) map[string]string {
	levels := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		words := strings.Fields(line)
		if i := slices.Index(words, "FinalizedVersionLevel:"); i > 1 && words[0] == "Feature:" {
			levels[words[1]] = words[i+1]
		}
	}
	return levels
}

// metadataVersionNames are the names of the levels that the tests ask for.
var metadataVersionNames = map[int]string{21: "3.9-IV0", 23: "4.0-IV1", 25: "4.0-IV3", 27: "4.1-IV1", 30: "4.3-IV0", 33: "4.4-IV2"}

// info is what kraftctl storage info says about the node's storage. There may be
// nothing in it that keeps the node from starting.
func (n *server) info(t *testing.T) *nodeinfo.Report {
	t.Helper()
	return n.infoFor(t, n.release)
}

func (n *server) infoFor(t *testing.T, target string) *nodeinfo.Report {
	t.Helper()
	var r nodeinfo.Report
	out := n.s.kraftctl(t, n.dir, 0, "", "storage", "info", "-c", n.config, "--target", target, "-o", "json")
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// directoryID is the id of the metadata directory of a node that was formatted
// for a release.
func (n *server) directoryID(t *testing.T, target string) string {
	t.Helper()
	for _, d := range n.infoFor(t, target).Directories {
		if d.Kind != nodeinfo.KindData && d.Meta != nil {
			return d.Meta.DirectoryID
		}
	}
	t.Fatalf("%s has no metadata directory", n)
	return ""
}

// check has kraftctl storage check say that the node will start. There may be no
// reason against it, not even a warning.
func (n *server) check(t *testing.T) {
	t.Helper()
	var v nodeinfo.Verdict
	out := n.s.kraftctl(t, n.dir, 0, "", "storage", "check", "-c", n.config, "--target", n.release, "-o", "json")
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	for _, r := range v.Reasons {
		t.Errorf("%s, storage check: %s", n, r.Line())
	}
}

// verifyStorage compares what our commands say about the storage of a node that
// has run, or is running, with what was asked for.
func (n *server) verifyStorage(t *testing.T, want *asked) {
	t.Helper()
	n.check(t)
	r := n.info(t)
	wrong := func(what string, got, want any) { t.Errorf("%s, storage info: %s is %v, want %v", n, what, got, want) }
	if r.ClusterID != want.cluster {
		wrong("the cluster id", r.ClusterID, want.cluster)
	}
	if r.NodeID == nil || int(*r.NodeID) != n.id {
		wrong("the node id", r.NodeID, n.id)
	}
	if r.Running.Held != n.running() {
		wrong("running", r.Running.Held, n.running())
	}
	if r.Metadata == nil || r.Metadata.Version == nil || r.Voters == nil || r.Log == nil || r.QuorumState == nil {
		t.Errorf("%s, storage info leaves something out: %+v", n, r)
		return
	}
	levels := map[string]int{"metadata.version": int(r.Metadata.Version.Level)}
	for _, f := range r.Metadata.Features {
		levels[f.Name] = int(f.Level)
	}
	if k := r.Layout.KRaftVersion; k != nil && *k != 0 {
		levels["kraft.version"] = int(*k)
	}
	if !maps.Equal(levels, want.levels) {
		wrong("features", levels, want.levels)
	}
	users := map[string]int{}
	for _, u := range r.Metadata.SCRAM {
		users[u.Name] = len(u.Mechanisms)
	}
	mechanisms := map[string]int{}
	for name, credentials := range want.users {
		mechanisms[name] = len(credentials)
	}
	if !maps.Equal(users, mechanisms) {
		wrong("SCRAM users with their mechanisms", users, mechanisms)
	}
	voters := map[int]string{}
	for _, v := range r.Voters.Voters {
		voters[int(v.ID)] = v.DirectoryID
		if v.DirectoryID == "" {
			voters[int(v.ID)] = noDirectory
		}
	}
	if !maps.Equal(voters, want.voters) {
		wrong("the voters", voters, want.voters)
	}
	if r.Log.EndOffset < 1 || r.QuorumState.LeaderEpoch < 1 {
		t.Errorf("%s, storage info: log %+v, quorum-state %+v", n, r.Log, r.QuorumState)
	}
	// A leader that stops resigns, and does not write down who comes after.
	if _, voter := want.voters[int(r.QuorumState.LeaderID)]; !voter && r.QuorumState.LeaderID != -1 {
		wrong("the leader", r.QuorumState.LeaderID, "a voter")
	}
	for _, d := range r.Directories {
		if n.isBroker() && !n.running() && d.CleanShutdown == nil && slices.Contains([]string{nodeinfo.KindData, nodeinfo.KindBoth}, d.Kind) {
			t.Errorf("%s, storage info: %s has no mark of a clean shutdown", n, d.Path)
		}
	}
}
