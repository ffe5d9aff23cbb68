//go:build conformance

package conformance

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// autoJoin are the releases whose controllers can become voters by themselves.
// In the others somebody must ask for it.
var autoJoin = map[string]bool{"4.4.0": true, "4.3.1": true}

// testJoin: a node that begins as the only voter of a dynamic quorum
// (--standalone), and a controller that joins it later
// (--no-initial-controllers): first as an observer, then as a voter.
func (s *serverSuite) testJoin(t *testing.T, release string) {
	t.Parallel()
	s.take(t, 2)
	dir := serverDir(t, "servers")
	first, second := s.newServer(t, release, dir, 1, "broker,controller"), s.newServer(t, release, dir, 2, "controller")
	first.configure(t, first.controllerAddress(), nil)
	want := &asked{cluster: s.newCluster(t), users: scramUsers, levels: defaultLevels[release]}
	first.format(t, release, want.cluster, scramLines, "--standalone")
	want.voters = map[int]string{1: first.directoryID(t, release)}
	first.check(t)
	first.start(t)
	awaitStart(t, first)
	first.verify(t, want)

	var lines []string
	if autoJoin[release] {
		lines = []string{"controller.quorum.auto.join.enable=true"}
	}
	second.configure(t, first.controllerAddress(), nil, lines...)
	// The users of one that joins count for nothing.
	second.format(t, release, want.cluster, []string{"SCRAM-SHA-256=[name=carol,password=carol-secret]"}, "--no-initial-controllers")
	second.check(t)
	second.start(t)
	awaitStart(t, second)
	joiner := second.directoryID(t, release)
	if !autoJoin[release] {
		q := first.quorum(t)
		if directories(q.Observers)[2] != joiner || len(q.Voters) != 1 {
			t.Errorf("node 2 is not an observer with directory %s: %+v", joiner, q)
		}
		s.kafka(t, release, "quorum", "--bootstrap-controller", first.controllerAddress(), "--command-config", second.config, "add-controller")
	}
	want.voters[2] = joiner
	until(t, second.String()+" becomes a voter", startDeadline, func() bool { return maps.Equal(directories(first.quorum(t).Voters), want.voters) })
	first.verifyStorage(t, want)
	// Both are needed for a majority. The broker goes first, while there is one.
	stop(t, first, second)
	first.verifyStorage(t, want)
	second.verifyStorage(t, want)
}

func (n *server) quorum(t *testing.T) (q quorumState) {
	t.Helper()
	n.ask(t, &q, "quorum")
	return q
}

// threeCase is how three controllers are formatted.
type threeCase struct {
	// apart: the broker is a node of its own. Else one of the controllers is a
	// broker as well.
	apart bool
	// sasl: nodes and clients log in.
	sasl   bool
	args   []string
	levels map[string]int
}

var threeCases = map[string]threeCase{
	"4.4.0": {apart: true, args: []string{"--release-version", "4.1", "--feature", "group.version=0"},
		levels: map[string]int{"metadata.version": 27, "kraft.version": 1, "transaction.version": 2, "eligible.leader.replicas.version": 1}},
	"4.3.1": {sasl: true, levels: defaultLevels["4.3.1"]},
	"4.0.0": {levels: defaultLevels["4.0.0"]},
	"3.9.1": {apart: true, levels: defaultLevels["3.9.1"]},
}

// testThree: three controllers that start together (--initial-controllers). It
// runs alone, because it needs three or four servers.
func (s *serverSuite) testThree(t *testing.T, release string) {
	c, dir := threeCases[release], serverDir(t, "servers")
	want := &asked{cluster: s.newCluster(t), users: scramUsers, levels: c.levels, voters: map[int]string{}}
	var nodes []*server
	var quorum, initial []string
	for id := 1; id <= 3; id++ {
		roles := "controller"
		if id == 3 && !c.apart {
			roles = "broker,controller"
		}
		n := s.newServer(t, release, dir, id, roles)
		nodes = append(nodes, n)
		quorum = append(quorum, n.controllerAddress())
		want.voters[id] = strings.TrimSpace(s.kraftctl(t, "", 0, "", "storage", "random-uuid"))
		initial = append(initial, fmt.Sprintf("%d@%s:%s", id, n.controllerAddress(), want.voters[id]))
	}
	if c.apart {
		nodes = append(nodes, s.newServer(t, release, dir, 4, "broker"))
	}
	users, template := scramLines, []string(nil)
	if c.sasl {
		users, template, want.users = append([]string{adminLine}, scramLines...), saslTemplate, withAdmin()
	}
	for _, n := range nodes {
		n.configure(t, strings.Join(quorum, ","), template)
		if n.roles == "broker" {
			n.format(t, release, want.cluster, nil)
		} else {
			n.format(t, release, want.cluster, users, append([]string{"--initial-controllers", strings.Join(initial, ",")}, c.args...)...)
		}
		n.check(t)
	}
	for _, n := range nodes {
		n.start(t)
	}
	awaitStart(t, nodes...)
	broker := nodes[len(nodes)-1]
	if c.sasl {
		broker.login(t, "admin", adminPassword)
	}
	broker.verify(t, want)
	broker.verifyStorage(t, want)
	stop(t, nodes...)
	for _, n := range nodes {
		n.verifyStorage(t, want)
	}
}
