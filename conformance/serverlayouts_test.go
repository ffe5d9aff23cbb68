//go:build conformance

package conformance

import (
	"strconv"
	"strings"
	"testing"
)

// layoutCase starts a release on what was formatted for another one.
type layoutCase struct {
	release, target string
	args            []string // of format
	dynamic         bool
	// levels names the release whose default levels come out.
	levels string
	// level is the metadata version that is too new.
	level int
}

// otherCases: the layout is that of another release, but the metadata version is
// one that the release knows. Kafka promises nothing here.
var otherCases = []layoutCase{
	{release: "4.0.0", target: "4.4", args: []string{"--release-version", "4.0"}, dynamic: true, levels: "4.0.0"},
	{release: "3.9.1", target: "4.4", args: []string{"--release-version", "3.9"}, levels: "3.9.1"},
	{release: "4.4.0", target: "3.9", dynamic: true, levels: "3.9.1"},
}

// skippedCase: 4.3 starts on the layout of 4.4, but makes nothing of it.
var skippedCase = layoutCase{release: "4.3.1", target: "4.4", args: []string{"--release-version", "4.2"}}

// refusedCases: the metadata version is too new, in each of the layouts.
var refusedCases = []layoutCase{
	{release: "4.0.0", target: "4.4", dynamic: true, level: 33},
	{release: "3.9.1", target: "4.3", level: 30},
}

// format makes a node that is broker and controller.
func (c layoutCase) format(t *testing.T, s *serverSuite) (*server, *asked) {
	t.Helper()
	n := s.newServer(t, c.release, serverDir(t, "servers"), 1, "broker,controller")
	want := &asked{cluster: s.newCluster(t), users: scramUsers}
	if c.dynamic {
		n.configure(t, n.controllerAddress(), nil)
		n.format(t, c.target, want.cluster, scramLines, append([]string{"--standalone"}, c.args...)...)
		want.voters, want.levels = map[int]string{1: n.directoryID(t, c.target)}, defaultLevels[c.levels]
	} else {
		n.configure(t, "1@"+n.controllerAddress(), nil)
		n.format(t, c.target, want.cluster, scramLines, c.args...)
		want.voters, want.levels = map[int]string{1: noDirectory}, static(defaultLevels[c.levels])
	}
	return n, want
}

// mustRefuse has storage check say that the node will not start, or not as it
// should, for a reason.
func (n *server) mustRefuse(t *testing.T, reason string) {
	t.Helper()
	out := n.s.kraftctl(t, n.dir, 1, "", "storage", "check", "-c", n.config, "--target", n.release)
	if !strings.Contains(out, "["+reason+"]") {
		t.Errorf("%s: storage check does not name %s:\n%s", n, reason, out)
	}
}

func (s *serverSuite) testOther(t *testing.T, c layoutCase) {
	t.Parallel()
	s.take(t, 1)
	n, want := c.format(t, s)
	n.check(t)
	n.start(t)
	awaitStart(t, n)
	n.verify(t, want)
	stop(t, n)
	n.verifyStorage(t, want)
}

// testSkipped: of all that was asked for nothing is there, and there is no error
// in the server's log. Our check says so before.
func (s *serverSuite) testSkipped(t *testing.T) {
	t.Parallel()
	s.take(t, 1)
	n, want := skippedCase.format(t, s)
	n.mustRefuse(t, "layout-skipped")
	n.start(t)
	awaitStart(t, n)
	want.users, want.levels = nil, map[string]int{"metadata.version": defaultLevels["4.3.1"]["metadata.version"]}
	n.verify(t, want)
	stop(t, n)
	n.verifyStorage(t, want)
}

// outgrownCase is the newest layout for a release before 4.3.
var outgrownCase = layoutCase{release: "4.0.0", target: "4.4", args: []string{"--release-version", "4.0"}, dynamic: true, levels: "4.0.0"}

// testOutgrown: after a run of such a release, a later one does not start, since
// it looks for the metadata version in the log.
func (s *serverSuite) testOutgrown(t *testing.T) {
	t.Parallel()
	s.take(t, 1)
	n, want := outgrownCase.format(t, s)
	n.start(t)
	awaitStart(t, n)
	stop(t, n)
	n.verifyStorage(t, want)
	n.release = serverReleases[0]
	n.mustRefuse(t, "layout-outgrown")
	n.start(t)
	n.awaitFailure(t)
}

// awaitFailure waits until a server ends because of what it has met.
func (n *server) awaitFailure(t *testing.T) {
	t.Helper()
	until(t, n.String()+" refuses to go on", startDeadline, func() bool { return !n.running() })
	if code := n.cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("%s ended with %v, want exit status 1", n, n.cmd.ProcessState)
	}
}

// testRefused: the server ends, and our check says so before.
func (s *serverSuite) testRefused(t *testing.T, c layoutCase) {
	t.Parallel()
	s.take(t, 1)
	n, _ := c.format(t, s)
	n.mustRefuse(t, "metadata-version-too-new")
	n.start(t)
	n.awaitFailure(t)
	// The metadata loader and the controller both end the process, in no order.
	level := strconv.Itoa(c.level)
	if n.logged(startedMessage) || !n.logged("No MetadataVersion with feature level "+level) && !n.logged("featureLevel="+level) {
		t.Errorf("%s gives another reason", n)
	}
}
