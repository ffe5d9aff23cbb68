//go:build conformance

package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kraftctl/decode/index"
	"kraftctl/internal/golden"
)

const (
	// requests is how many a cluster is asked to change its metadata by.
	requests = 300
	// shellFileCommands is how many random commands are run on a file.
	shellFileCommands = 2
	sessionLines      = 60
)

// TestShellAgainstKafka has real clusters write random metadata, and compares what
// the real shell shows of each snapshot and of the log with what ours shows; our
// image of each snapshot with that of the log up to its end; and our tree of the
// running node with what the cluster tells clients.
func TestShellAgainstKafka(t *testing.T) {
	s := newServerSuite(t, "4.4.0", "4.3.1")
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	for i, release := range []string{"4.4.0", "4.3.1"} {
		t.Run(release, func(t *testing.T) { s.testShell(t, release, seed*2+int64(i)) })
	}
}

// metadataMakers is the cluster that writes metadata: two brokers, one of which is
// the controller as well.
func (s *serverSuite) metadataMakers(t *testing.T, release, dir string) (nodes []*server, sasl string) {
	t.Helper()
	first := s.newServer(t, release, dir, 1, "broker,controller")
	second := s.newServer(t, release, dir, 2, "broker")
	tokens := s.freePort(t)
	cluster := s.newCluster(t)
	for _, n := range []*server{first, second} {
		lines := []string{
			"authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
			"super.users=User:ANONYMOUS;User:alice",
			"delegation.token.secret.key=between-the-nodes",
			// A machine that is busy with other things must not fence brokers.
			"broker.session.timeout.ms=60000",
			"metadata.log.max.record.bytes.between.snapshots=5000",
			"controller.quorum.append.linger.ms=2",
			"group.coordinator.new.enable=true",
		}
		if n == first {
			// Tokens are only for those who have logged in.
			lines = append(lines, fmt.Sprintf("listeners=CLIENT://:%d,TOKENS://:%d,CONTROLLER://:%d", n.broker, tokens, n.controller),
				fmt.Sprintf("advertised.listeners=CLIENT://localhost:%d,TOKENS://localhost:%d,CONTROLLER://localhost:%d", n.broker, tokens, n.controller),
				"listener.security.protocol.map=CLIENT:PLAINTEXT,TOKENS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
				"listener.name.tokens.sasl.enabled.mechanisms=PLAIN",
				`listener.name.tokens.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="alice-secret";`)
		}
		n.configure(t, "1@"+first.controllerAddress(), []string{"--metadata-log-dir", filepath.Join(n.dir, "md")}, lines...)
		// The release of the shell must know the metadata version.
		n.format(t, release, cluster, nil, "--release-version", "4.3")
		nodes = append(nodes, n)
	}
	return nodes, "localhost:" + strconv.Itoa(tokens)
}

func (n *server) metadataDir() string { return filepath.Join(n.dir, "md", index.MetadataLogDir) }

func (s *serverSuite) testShell(t *testing.T, release string, seed int64) {
	s.take(t, 2)
	note := fmt.Sprintf("KRAFTCTL_CONFORMANCE_SEED=%d, %s", seed/2, release)
	dir := serverDir(t, fmt.Sprintf("shell-%d", seed))
	nodes, sasl := s.metadataMakers(t, release, dir)
	for _, n := range nodes {
		n.start(t)
	}
	awaitStart(t, nodes...)
	early, late := filepath.Join(dir, "early"), filepath.Join(dir, "late")
	s.traffic(t, note, nodes, sasl, seed, func() {
		s.kraftctl(t, "", 0, "", "shell", filepath.Join(nodes[0].dir, "md"), "-c", "find /image; tree /")
		copyFiles(t, nodes[0].metadataDir(), early)
	})
	nodes[0].compareTopics(t, note)
	copyFiles(t, nodes[1].metadataDir(), late)
	stop(t, nodes[1], nodes[0])

	var files []string
	snapshots := 0
	for i, d := range []string{early, late, nodes[0].metadataDir(), nodes[1].metadataDir()} {
		for _, pattern := range []string{"*.checkpoint", "*.log"} {
			list, err := filepath.Glob(filepath.Join(d, pattern))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, list...)
		}
		snapshots += checkSnapshots(t, note, d, filepath.Join(dir, "log-only", strconv.Itoa(i)))
	}
	if snapshots < 10 {
		t.Errorf("%s: only %d snapshots", note, snapshots)
	}
	var commands [][]string
	for i, f := range files {
		commands = append(commands, []string{"--snapshot", f, "tree", "/"})
		if !strings.HasPrefix(filepath.Base(f), index.BootstrapName) {
			commands = append(commands, s.newGlobber(t, seed+int64(i), f).oneShots(f, shellFileCommands)...)
		}
	}
	hanging, refused := s.compareShells(t, dir, note, commands)
	if refused > 0 {
		t.Errorf("%s: ours refuses %d files", note, refused)
	}
	for _, f := range []string{files[len(files)-1], files[len(files)-2]} {
		s.compareSession(t, note, f, s.newGlobber(t, seed, f).typed(sessionLines))
	}
	t.Logf("%s: %d snapshots, %d runs of the real shell, which hung in %d", note, snapshots, len(commands), hanging)
}

// traffic has the cluster write metadata. inTheMiddle runs meanwhile.
func (s *serverSuite) traffic(t *testing.T, note string, nodes []*server, sasl string, seed int64, inTheMiddle func()) {
	t.Helper()
	cmd := exec.Command("java", "-Xmx256M", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", log4jOption(t),
		"-cp", os.Getenv("KRAFTCTL_CONFORMANCE_CP"), "Traffic", nodes[0].brokerAddress(), sasl, "1,2", strconv.FormatInt(seed, 10), strconv.Itoa(requests))
	inGroup(cmd)
	cmd.Cancel = nil // there is no context
	cmd.Env = golden.Environ(nil)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil { // the test has ended in the middle
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		}
	})
	accepted := map[string]int{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		w := strings.Split(lines.Text(), "\t")
		if len(w) < 4 {
			inTheMiddle()
			continue
		}
		accepted[w[0]], err = strconv.Atoi(w[1])
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %s: %s accepted, %s refused %s", note, w[0], w[1], w[2], w[3])
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("Traffic: %v\n%s", err, stderr.String())
	}
	for _, kind := range []string{"create topic", "create partitions", "configs of TOPIC", "create ACLs", "SCRAM user", "delegation token", "reassignment"} {
		if accepted[kind] == 0 {
			t.Errorf("%s: nothing came of: %s", note, kind)
		}
	}
}

// partitionState is what a client, and our shell, tell about a partition.
type partitionState struct {
	Leader   int
	Replicas []int
	ISR      []int
}

func (p partitionState) equal(o partitionState) bool {
	return p.Leader == o.Leader && slices.Equal(p.Replicas, o.Replicas) && slices.Equal(p.ISR, o.ISR)
}

// compareTopics compares the topics that our shell shows of a running node with
// those that clients are told of. They may have to settle first.
func (n *server) compareTopics(t *testing.T, note string) {
	t.Helper()
	got := map[string]map[string]partitionState{}
	until(t, note+": the shell's view of the topics is that of clients", startDeadline, func() bool {
		var want map[string]map[string]partitionState
		if err := n.s.ask.try(n, &want, "partitions"); err != nil {
			t.Logf("%s was asked for partitions: %v", n, err)
			return false
		}
		clear(got)
		var nodes map[string]map[string]json.RawMessage
		text := n.s.kraftctl(t, "", 0, "", "shell", filepath.Join(n.dir, "md"), "-c", "export -o json /image/topics/byName")
		if err := json.Unmarshal([]byte(text), &nodes); err != nil {
			t.Fatal(err)
		}
		for name, files := range nodes {
			if strings.HasPrefix(name, "__") {
				continue // clients are not told of internal ones
			}
			got[name] = map[string]partitionState{}
			for key, value := range files {
				if key == "id" || key == "name" {
					continue
				}
				var p partitionState
				if err := json.Unmarshal(value, &p); err != nil {
					t.Fatal(err)
				}
				got[name][key] = p
			}
		}
		same := func(a, b map[string]partitionState) bool { return maps.EqualFunc(a, b, partitionState.equal) }
		return maps.EqualFunc(want, got, same)
	})
	t.Logf("%s: %d topics as clients see them", note, len(got))
}
