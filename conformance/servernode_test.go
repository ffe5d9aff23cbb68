//go:build conformance

package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kraftctl/internal/golden"
)

const (
	// Generous: the machine may be busy with other things.
	startDeadline = 2 * time.Minute
	stopDeadline  = time.Minute
	toolDeadline  = time.Minute
	pollInterval  = 50 * time.Millisecond
	// shownLogLines is how much of a server's log is shown when a test fails.
	shownLogLines = 60
)

// serverSuite is what the tests that start real servers share.
type serverSuite struct {
	bin  string // ours
	tool string // tool.sh
	// classes are the compiled classes of java/.
	classes string
	ask     *asker
	slots   chan struct{} // one for each server that may run
	taking  sync.Mutex    // held while several slots are taken
	ports   map[int]bool  // that were given out
	archive map[string]*classArchive
	mu      sync.Mutex
}

// newServerSuite fetches the releases, one after the other since fetch.sh is not
// made for less, and starts the asker.
func newServerSuite(t *testing.T, releases ...string) *serverSuite {
	t.Helper()
	cp := os.Getenv("KRAFTCTL_CONFORMANCE_CP")
	if cp == "" {
		t.Skip("run conformance/run.sh: it fetches Kafka and compiles the makers")
	}
	s := &serverSuite{slots: make(chan struct{}, maxServers), ports: map[int]bool{}, archive: map[string]*classArchive{}}
	s.classes, _, _ = strings.Cut(cp, ":")
	var err error
	if s.tool, err = filepath.Abs("tool.sh"); err != nil {
		t.Fatal(err)
	}
	s.bin = buildBinary(t)
	if filepath.Base(s.bin) != "kraftctl" { // its name says which tool it is
		link := filepath.Join(t.TempDir(), "kraftctl")
		if err := os.Symlink(s.bin, link); err != nil {
			t.Fatal(err)
		}
		s.bin = link
	}
	for _, r := range releases {
		out, err := exec.Command("./fetch.sh", r).Output()
		if err != nil {
			t.Fatalf("fetch.sh %s: %v", r, err)
		}
		s.archive[r] = newClassArchive(strings.TrimSpace(string(out)), r)
	}
	s.ask = startAsker(t, cp)
	return s
}

// take waits until n more servers may run, and has them counted until the test
// ends.
func (s *serverSuite) take(t *testing.T, n int) {
	s.taking.Lock()
	defer s.taking.Unlock()
	for range n {
		s.slots <- struct{}{}
	}
	t.Cleanup(func() {
		for range n {
			<-s.slots
		}
	})
}

// freePort finds a port that nobody listens on. It is not one of those that the
// kernel gives to listeners without a wish, because it gives the same to
// connections, of which there may be many until the server starts.
func (s *serverSuite) freePort(t *testing.T) int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for range 1000 {
		port := 10000 + rand.IntN(20000)
		if s.ports[port] {
			continue
		}
		if l, err := net.Listen("tcp", ":"+strconv.Itoa(port)); err == nil {
			_ = l.Close()
			s.ports[port] = true
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// result is how a program ended.
type result struct {
	code        int
	out, stderr string
}

// run runs a program to its end.
func run(t *testing.T, dir, stdin string, env map[string]string, argv ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), toolDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	inGroup(cmd)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, golden.Environ(env), strings.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v, %v\n%s%s", strings.Join(argv, " "), err, ctx.Err(), out.String(), stderr.String())
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
}

// inGroup gives a program a process group, so that what it starts ends with it.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = groupAttributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
}

// kraftctl runs our binary, which must end with code.
func (s *serverSuite) kraftctl(t *testing.T, dir string, code int, stdin string, args ...string) string {
	t.Helper()
	r := run(t, dir, stdin, nil, append([]string{s.bin}, args...)...)
	if r.code != code {
		t.Fatalf("kraftctl %s: exit status %d, want %d\n%s%s", strings.Join(args, " "), r.code, code, r.out, r.stderr)
	}
	return r.out
}

// kafka runs a real tool, which must end well.
func (s *serverSuite) kafka(t *testing.T, release string, args ...string) string {
	t.Helper()
	r := run(t, "", "", nil, append([]string{s.tool, release}, args...)...)
	if r.code != 0 {
		t.Fatalf("%s of %s: exit status %d\n%s%s", strings.Join(args, " "), release, r.code, r.out, r.stderr)
	}
	return r.out
}

// server is a node, and its process once it was started.
type server struct {
	s       *serverSuite
	release string // "4.4.0"
	id      int
	roles   string
	dir     string
	// config is the properties file. It, the directories' names and the log are
	// in dir.
	config, log        string
	broker, controller int // ports
	cmd                *exec.Cmd
	done               chan struct{} // closed when the process has ended
	archived           string        // class data archive that it writes at its end
	clientConfig       string        // properties file for clients, empty without
	stdoutFile         string
}

// serverDir is a testDir for servers: in memory where there is some. Servers wait
// for each write to reach the disk; one that is busy with other things keeps them
// waiting for longer than their own timeouts.
func serverDir(t *testing.T, what string) string {
	t.Helper()
	return keptDir(t, memoryDir(), what)
}

// newServer gives a node a directory and ports. Its configuration comes later,
// because it names the ports of others.
func (s *serverSuite) newServer(t *testing.T, release, dir string, id int, roles string) *server {
	t.Helper()
	n := &server{s: s, release: release, id: id, roles: roles, dir: filepath.Join(dir, "node"+strconv.Itoa(id))}
	if err := os.Mkdir(n.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	n.config, n.log, n.stdoutFile = filepath.Join(n.dir, "server.properties"), filepath.Join(n.dir, "server.log"), filepath.Join(n.dir, "stdout")
	n.broker, n.controller = s.freePort(t), s.freePort(t)
	return n
}

func (n *server) controllerAddress() string { return "localhost:" + strconv.Itoa(n.controller) }
func (n *server) brokerAddress() string     { return "localhost:" + strconv.Itoa(n.broker) }
func (n *server) isBroker() bool            { return strings.Contains(n.roles, "broker") }

// adminPassword is what the test fills in in templates.
const adminPassword = "admin-secret"

// configure writes the configuration that our template makes, with more lines
// behind it.
func (n *server) configure(t *testing.T, quorum string, options []string, lines ...string) {
	t.Helper()
	args := []string{"storage", "template", "--target", n.release, "--roles", n.roles, "--node-id", strconv.Itoa(n.id), "--quorum", quorum,
		"--log-dirs", filepath.Join(n.dir, "d1") + "," + filepath.Join(n.dir, "d2"),
		"--broker-port", strconv.Itoa(n.broker), "--controller-port", strconv.Itoa(n.controller)}
	text := n.s.kraftctl(t, n.dir, 0, "", append(args, options...)...)
	text = strings.ReplaceAll(text, "CHANGE-ME", adminPassword)
	text += strings.Join(append([]string{"# of the test"}, lines...), "\n") + "\n"
	if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// format formats the node's directories with our command, as users give it
// SCRAM users: on standard input.
func (n *server) format(t *testing.T, target, cluster string, users []string, args ...string) {
	t.Helper()
	argv := []string{"storage", "format", "--target", target, "-t", cluster, "-c", n.config}
	if len(users) > 0 {
		argv = append(argv, "--add-scram-file", "-")
	}
	n.s.kraftctl(t, n.dir, 0, strings.Join(users, "\n")+"\n", append(argv, args...)...)
}

// start starts the server of a release, which may be another one than it was
// formatted for.
func (n *server) start(t *testing.T) {
	t.Helper()
	java := "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128M "
	if n.isBroker() {
		java += "-Xmx256M " // the log cleaner alone takes 128 MB
	}
	options, archived := n.s.archive[n.release].options()
	n.archived = archived
	n.cmd = exec.Command(n.s.tool, n.release, "server", n.config)
	inGroup(n.cmd)
	n.cmd.Cancel = nil // there is no context
	n.cmd.Dir = n.dir
	n.cmd.Env = golden.Environ(map[string]string{"ORACLE_JAVA_OPTS": java + options, "ORACLE_LOG_LEVEL": "info", "ORACLE_LOG_FILE": n.log})
	out, err := os.Create(n.stdoutFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	n.cmd.Stdout, n.cmd.Stderr = out, out
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd, done := n.cmd, make(chan struct{})
	n.done = done
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	t.Cleanup(func() {
		if n.running() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-done
		}
		if n.archived != "" {
			_ = os.Remove(n.archived)
		}
		if t.Failed() {
			t.Logf("%s, the end of its output:\n%s", n, n.tail())
		}
	})
}

// String names the node.
func (n *server) String() string {
	return fmt.Sprintf("node %d (%s, Kafka %s, %s)", n.id, n.roles, n.release, n.log)
}

func (n *server) running() bool {
	select {
	case <-n.done:
		return false
	default:
		return true
	}
}

// tail is the end of the log, and all that went to standard output and error.
func (n *server) tail() string {
	var list []string
	for _, file := range []string{n.log, n.stdoutFile} {
		b, err := os.ReadFile(file)
		if err != nil {
			b = []byte(err.Error())
		}
		list = append(list, strings.Split(strings.TrimSpace(string(b)), "\n")...)
	}
	return strings.Join(list[max(0, len(list)-shownLogLines):], "\n")
}

// logged reports whether the log holds a text.
func (n *server) logged(text string) bool {
	b, err := os.ReadFile(n.log)
	return err == nil && bytes.Contains(b, []byte(text))
}

// startedMessage is what every release logs when a node is up: a controller has
// a leader then, a broker is registered with it.
const startedMessage = "Kafka Server started"

// brokerStoppedMessage is logged when the broker of a node has stopped. The
// controller of the same node goes on a little.
const brokerStoppedMessage = "shut down completed (kafka.server.BrokerServer)"

// awaitStart waits until the nodes are up.
func awaitStart(t *testing.T, nodes ...*server) {
	t.Helper()
	for _, n := range nodes {
		until(t, n.String()+" starts", startDeadline, func() bool {
			if !n.running() {
				t.Fatalf("%s ended: %v", n, n.cmd.ProcessState)
			}
			return n.logged(startedMessage)
		})
	}
}

// until waits for something to become true.
func until(t *testing.T, what string, limit time.Duration, is func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(pollInterval) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// stop stops nodes in good order: brokers first, which need a majority of the
// controllers for it; then all controllers at once, because one that is left
// without a majority waits five seconds for it.
func stop(t *testing.T, nodes ...*server) {
	t.Helper()
	signal := func(n *server) {
		if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatalf("%s: %v", n, err)
		}
	}
	for _, n := range nodes {
		if n.isBroker() {
			signal(n)
			until(t, n.String()+" stops its broker", stopDeadline, func() bool { return n.logged(brokerStoppedMessage) || !n.running() })
		}
	}
	for _, n := range nodes {
		if !n.isBroker() {
			signal(n)
		}
	}
	for _, n := range nodes {
		until(t, n.String()+" stops", stopDeadline, func() bool { return !n.running() })
		// 143: the JVM's exit code after SIGTERM.
		if code := n.cmd.ProcessState.ExitCode(); code != 143 && code != 0 {
			t.Fatalf("%s ended with %v", n, n.cmd.ProcessState)
		}
		if n.archived != "" {
			n.s.archive[n.release].keep(n.archived)
			n.archived = ""
		}
	}
}
