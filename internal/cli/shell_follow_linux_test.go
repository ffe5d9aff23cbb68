package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"kraftctl/decode"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/ptytest"
)

// nodeLog is the metadata log of a node that is running.
type nodeLog struct {
	t    *testing.T
	dir  string
	name string // of the last segment
	next int64
	size int64 // as it was found
}

// copyLog copies the directory of a node.
func copyLog(t *testing.T) *nodeLog {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "node")
	if err := os.CopyFS(dir, os.DirFS(rich())); err != nil {
		t.Fatal(err)
	}
	l := &nodeLog{t: t, dir: dir, name: filepath.Join(dir, "__cluster_metadata-0", "00000000000000000396.log"), next: 654}
	info, err := os.Stat(l.name)
	if err != nil {
		t.Fatal(err)
	}
	l.size = info.Size()
	return l
}

// topic appends a batch with a topic.
func (l *nodeLog) topic(epoch int32, name string) {
	l.t.Helper()
	m := &metadata.TopicRecord{Name: name, TopicID: kbin.UUID{byte(l.next >> 8), byte(l.next), 1}}
	_, version := m.Versions()
	value, err := decode.AppendFrame(nil, m.APIKey(), version, m)
	if err != nil {
		l.t.Fatal(err)
	}
	now := time.Now().UnixMilli()
	b := decode.NewBatch(l.next, epoch, now)
	data, err := decode.AppendBatch(nil, &b, []decode.Record{{Offset: l.next, Timestamp: now, Value: value}})
	if err != nil {
		l.t.Fatal(err)
	}
	f, err := os.OpenFile(l.name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
	l.next++
}

// cut takes back all that was appended, as a node does that has followed a leader
// which lost an election.
func (l *nodeLog) cut() {
	l.t.Helper()
	if err := os.Truncate(l.name, l.size); err != nil {
		l.t.Fatal(err)
	}
	l.next = 654
}

// prompted waits for a last row that matches.
func prompted(s *ptytest.Session, row string) {
	pattern := regexp.MustCompile("^" + row + "$")
	s.Wait("a prompt like "+row, func(e *ptytest.Screen) bool { return e.Paste && pattern.MatchString(lastRow(e)) })
}

func TestShellAt(t *testing.T) {
	t.Parallel()
	s := openShell(t, 80, 24, terminal(t), rich())
	runs(s, "at 200", "offset 200, epoch 1, 2026-11-29T12:56:10.57Z")
	prompted(s, "@200 />")
	runs(s, "cd /image/topics/byName/s-orders; ls", "0  1  2  3  4  id  name")
	prompted(s, "@200 /image/topics/byName/s-orders>")
	runs(s, "at 20", "offset 20, epoch 1, 2026-11-29T12:55:25.604Z")
	prompted(s, "@20 /image/topics/byName>") // it is not there yet
	runs(s, "at latest; pwd", "(the end)\n/image/topics/byName")
	prompted(s, "/image/topics/byName>")
	leave(s)
	s = openShell(t, 80, 24, terminal(t), rich(), "--at", "300")
	prompted(s, "@300 />")
	leave(s)
}

func TestShellFollow(t *testing.T) {
	t.Parallel()
	l := copyLog(t)
	s := openShell(t, 80, 24, terminal(t), l.dir, "--follow")
	prompted(s, `@653 \d+[smhd] />`)
	s.Send("half")
	prompted(s, `@653 \d+[smhd] /> half`)
	l.topic(7, "a-new-one")
	prompted(s, `@654 \d+s /> half`)
	s.Send("\x15")
	runs(s, "ls /image/topics/byName/a-new-one", "id  name")

	// An earlier offset stays, whatever comes.
	runs(s, "at 100", "offset 100, epoch 1, 2026-11-29T12:55:39.564Z")
	prompted(s, "@100 />")
	l.topic(7, "another")
	runs(s, "count /image/topics/byName/another", "count: /image/topics/byName/another: there is no such node")
	runs(s, "at latest | cut -c 1-10", "offset 655")
	prompted(s, `@655 \d+s />`)

	// The log is cut, and goes on with something else.
	l.cut()
	l.topic(8, "after-all")
	prompted(s, `@654 \d+s />`)
	runs(s, "ls -d /image/topics/byName/a*", "after-all/")
	l.cut()
	prompted(s, `@653 \d+[smhd] />`)
	runs(s, "ls -d /image/topics/byName/a*", "ls: /image/topics/byName/a*: there is no such node")
	l.topic(9, "at-last")
	prompted(s, `@654 \d+s />`)

	// The directory is gone for a while.
	away := l.dir + "-away"
	if err := os.Rename(l.dir, away); err != nil {
		t.Fatal(err)
	}
	press(s, "pwd\r")
	s.Shows("follow: open ")
	if err := os.Rename(away, l.dir); err != nil {
		t.Fatal(err)
	}
	l.topic(9, "back-again")
	prompted(s, `@655 \d+s />`)
	s.Send(ctrlD)
	s.End(ptytest.Fine)
}

func TestShellWatch(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		args []string
		line string
		want string
	}{
		"following":         {[]string{"--follow"}, "watch -n 1 /image/topics", "  + /image/topics/byName/watched-"},
		"not following":     {nil, "watch -n 1 /image/topics", "  + /image/topics/byName/watched-"},
		"at another offset": {[]string{"--at", "300"}, "watch -n 1", "  + /image/topics/byName/watched-"},
		"a command":         {nil, "watch -n 1 -o json /image -- cut -d: -f1", "{\"offset\"\n"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			l := copyLog(t)
			s := openShell(t, 80, 24, terminal(t), append([]string{l.dir}, c.args...)...)
			s.Send("\x0c" + c.line + "\r")
			s.Cooked()
			s.Until("a change and the prompt", func(e *ptytest.Screen) bool {
				return strings.Contains(e.String(), c.want) && e.Paste && strings.HasSuffix(lastRow(e), "/>")
			}, func() { l.topic(7, fmt.Sprint("watched-", l.next)) })
			if what == "at another offset" {
				prompted(s, "@300 />")
			}
			s.Send(ctrlD)
			s.End(ptytest.Fine)
			if n := strings.Count(s.Sent(), c.want); n > 1 {
				t.Errorf("%d changes", n)
			}
		})
	}
	// A command that leaves the terminal raw would leave no way out.
	t.Run("a command that changes the terminal", func(t *testing.T) {
		t.Parallel()
		l := copyLog(t)
		s := openShell(t, 80, 24, terminal(t), l.dir)
		s.Send("watch /image -- 'stty raw -echo </dev/tty; echo SEEN$((6*7))'\r")
		s.Cooked()
		s.Until("a change", func(e *ptytest.Screen) bool { return strings.Contains(e.String(), "SEEN42") }, func() { l.topic(7, fmt.Sprint("watched-", l.next)) })
		s.Cooked()
		press(s, ctrlC)
		leave(s)
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		s := openShell(t, 80, 24, terminal(t), copyLog(t).dir, "--follow")
		s.Send("watch\r")
		s.Cooked()
		s.Signal(syscall.SIGHUP)
		s.End(ptytest.Killed(syscall.SIGHUP))
	})
	t.Run("a file", func(t *testing.T) {
		t.Parallel()
		s := openShell(t, 80, 24, terminal(t), filepath.Join(rich(), "__cluster_metadata-0", "00000000000000000519-0000000001.checkpoint"))
		runs(s, "watch", "watch: a single file cannot be followed: name the directory of the node")
		leave(s)
	})
}
