//go:build conformance

package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kraftctl/internal/golden"
)

// askDeadline is longer than Ask.java waits itself.
const askDeadline = 90 * time.Second

// asker is the JVM of java/Ask.java, which asks nodes what they are through
// Kafka's client.
type asker struct {
	in      io.Writer
	ended   chan struct{}
	mu      sync.Mutex
	next    int
	waiting map[string]chan string // by the number of the question
}

func startAsker(t *testing.T, classPath string) *asker {
	t.Helper()
	a := &asker{ended: make(chan struct{}), waiting: map[string]chan string{}}
	cmd := exec.Command("java", "-Xmx256M", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.language=en", log4jOption(t),
		"-cp", classPath, "Ask")
	inGroup(cmd)
	cmd.Cancel = nil // there is no context
	cmd.Env = golden.Environ(nil)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.in = in
	go a.read(out)
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-a.ended
		_ = cmd.Wait()
	})
	return a
}

// read hands answers to those who wait for them.
func (a *asker) read(out io.Reader) {
	defer close(a.ended)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		number, answer, _ := strings.Cut(lines.Text(), "\t")
		a.mu.Lock()
		if c := a.waiting[number]; c != nil {
			c <- answer
			delete(a.waiting, number)
		}
		a.mu.Unlock()
	}
}

// try asks a running node a question and reads the answer into into.
func (a *asker) try(n *server, into any, question ...string) error {
	kind, address := "controller", n.controllerAddress()
	if n.isBroker() {
		kind, address = "broker", n.brokerAddress()
	}
	c := make(chan string, 1)
	a.mu.Lock()
	a.next++
	number := fmt.Sprint(a.next)
	a.waiting[number] = c
	_, err := io.WriteString(a.in, strings.Join(append([]string{number, kind, address, n.clientConfig}, question...), "\t")+"\n")
	a.mu.Unlock()
	if err != nil {
		return err
	}
	var answer string
	select {
	case answer = <-c:
	case <-a.ended:
		return fmt.Errorf("the asker has ended")
	case <-n.done:
		return fmt.Errorf("the server has ended: %v", n.cmd.ProcessState)
	case <-time.After(askDeadline):
		return fmt.Errorf("no answer within %v", askDeadline)
	}
	var failure struct{ Error string }
	if err := json.Unmarshal([]byte(answer), &failure); err != nil {
		return fmt.Errorf("%w in %s", err, answer)
	}
	if failure.Error != "" {
		return fmt.Errorf("%s", failure.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal([]byte(answer), into)
}

// ask is try for a question that must be answered.
func (n *server) ask(t *testing.T, into any, question ...string) {
	t.Helper()
	if err := n.s.ask.try(n, into, question...); err != nil {
		t.Fatalf("%s was asked for %s: %v", n, strings.Join(question, " "), err)
	}
}

// featureLevels is what Ask says about features.
type featureLevels struct {
	Finalized, Supported map[string]int
}

// quorumState is what Ask says about the quorum.
type quorumState struct {
	LeaderID, LeaderEpoch int
	HighWatermark         int64
	Voters, Observers     []replicaState
}

type replicaState struct {
	ID           int
	DirectoryID  string
	LogEndOffset int64
}

// directories gives the directory ids of replicas by their node ids.
func directories(list []replicaState) map[int]string {
	m := map[int]string{}
	for _, r := range list {
		m[r.ID] = r.DirectoryID
	}
	return m
}
