//go:build conformance

package conformance

import (
	"path/filepath"
	"strings"
	"testing"
)

// maxServers is how many servers run at a time, but for the tests that need more.
const maxServers = 2

// serverReleases are the releases that are started.
var serverReleases = []string{"4.4.0", "4.3.1", "4.0.0", "3.9.1"}

// TestServers starts real servers of each release on what we format, in every
// mode, and asks them, through Kafka's client and tools, for what was asked for
// when formatting.
func TestServers(t *testing.T) {
	s := newServerSuite(t, serverReleases...)
	t.Run("few", func(t *testing.T) { // at a time
		for _, release := range serverReleases {
			t.Run(release+" joins", func(t *testing.T) { s.testJoin(t, release) })
			t.Run(release+" static", func(t *testing.T) { s.testStatic(t, release) })
		}
		for _, c := range otherCases {
			t.Run(c.release+" on the layout of "+c.target, func(t *testing.T) { s.testOther(t, c) })
		}
		t.Run(skippedCase.release+" skips the layout of "+skippedCase.target, s.testSkipped)
		t.Run(outgrownCase.release+" outgrows the layout of "+outgrownCase.target, s.testOutgrown)
		for _, c := range refusedCases {
			t.Run(c.release+" refuses "+c.target, func(t *testing.T) { s.testRefused(t, c) })
		}
		t.Run("password", s.testPassword)
	})
	for _, release := range serverReleases {
		t.Run(release+" three", func(t *testing.T) { s.testThree(t, release) })
	}
}

// newCluster makes up a cluster id.
func (s *serverSuite) newCluster(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(s.kraftctl(t, "", 0, "", "storage", "random-uuid"))
}

// staticCase is how a node with a static quorum is formatted.
type staticCase struct {
	// kafkaName formats by Kafka's name of the command.
	kafkaName bool
	args      []string
	// levels are those that differ from the release's own.
	levels map[string]int
}

// staticCases also ask for older metadata versions and for features.
var staticCases = map[string]staticCase{
	"4.4.0": {kafkaName: true},
	"4.3.1": {args: []string{"--release-version", "4.1", "--feature", "transaction.version=1"},
		levels: map[string]int{"metadata.version": 27, "transaction.version": 1, "share.version": 0, "streams.version": 0}},
	"4.0.0": {args: []string{"--release-version", "4.0-IV1", "--feature", "eligible.leader.replicas.version=1"},
		levels: map[string]int{"metadata.version": 23, "transaction.version": 0, "eligible.leader.replicas.version": 1}},
	"3.9.1": {},
}

// testStatic: a node that is broker and controller, with controller.quorum.voters
// and a metadata directory of its own.
func (s *serverSuite) testStatic(t *testing.T, release string) {
	t.Parallel()
	c := staticCases[release]
	s.take(t, 1)
	n := s.newServer(t, release, serverDir(t, "servers"), 1, "broker,controller")
	n.configure(t, "1@"+n.controllerAddress(), []string{"--metadata-log-dir", filepath.Join(n.dir, "md")})
	want := &asked{cluster: s.newCluster(t), users: scramUsers, voters: map[int]string{1: noDirectory}, levels: static(defaultLevels[release])}
	for name, level := range c.levels {
		want.levels[name] = level
		if level == 0 {
			delete(want.levels, name)
		}
	}
	if c.kafkaName {
		argv := []string{"kafka-storage", "format", "-t", want.cluster, "-c", n.config}
		for _, line := range scramLines {
			if !strings.HasPrefix(line, "#") {
				argv = append(argv, "--add-scram", line)
			}
		}
		s.kraftctl(t, n.dir, 0, "", append(argv, c.args...)...)
	} else {
		n.format(t, release, want.cluster, scramLines, c.args...)
	}
	n.check(t)
	n.start(t)
	awaitStart(t, n)
	n.verify(t, want)
	n.verifyWithTools(t, want)
	n.verifyStorage(t, want)
	stop(t, n)
	n.verifyStorage(t, want)
}
