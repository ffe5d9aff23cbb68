package shell

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
)

// evil would colour, ring, turn and retitle a terminal.
const evil = "x\x1b]0;pwned\a\x1b[31m\u202ey\u009b2J\r\nz"

// evilRecords have it wherever the text of others may be.
func evilRecords() []message {
	id, topic := kbin.UUID{8}, kbin.UUID{9}
	return append(oddRecords(evil),
		&metadata.RegisterBrokerRecord{BrokerID: 1, Rack: ptr(evil), EndPoints: []metadata.BrokerEndpoint{{Name: evil, Host: evil, Port: 1}}, Features: []metadata.BrokerFeature{{Name: evil}}},
		&metadata.RegisterControllerRecord{ControllerID: 2, EndPoints: []metadata.ControllerEndpoint{{Name: evil, Host: evil, Port: 1}}},
		&metadata.TopicRecord{Name: "t" + evil, TopicID: topic},
		&metadata.PartitionRecord{TopicID: topic, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1, Directories: make([]kbin.UUID, 1)},
		&metadata.ConfigRecord{ResourceType: int8(image.TopicResource), ResourceName: "t" + evil, Name: "k" + evil, Value: ptr("v" + evil)},
		&metadata.ConfigRecord{ResourceType: int8(image.GroupResource), ResourceName: evil, Name: "k" + evil, Value: ptr("v" + evil)},
		&metadata.AccessControlEntryRecord{ID: id, ResourceType: 2, ResourceName: evil, PatternType: 3, Principal: "User:" + evil, Host: evil, Operation: 3, PermissionType: 3},
		&metadata.DelegationTokenRecord{Owner: "User:" + evil, Requester: "User:" + evil, Renewers: []string{"User:" + evil}, TokenID: "token" + evil},
	)
}

// TestNothingRawOnATerminal: whatever the command, names and values of others do
// nothing to the terminal.
func TestNothingRawOnATerminal(t *testing.T) {
	s := openShell(t, func(x *Terminal, o *Options) {
		x.Clean, o.ShowSecrets, o.ClusterID = true, true, evil
		o.DiffTo = func(w io.Writer, _ string, _, _ *image.Image, _ bool) (bool, error) {
			_, err := io.WriteString(w, `{"a":"`+"\u009b\u202e"+`"}`+"\n")
			return true, err
		}
	}, evilRecords()...)
	lines := []string{"history", "problems", "at", "health -a", "health -o json", "offsets", "help", "man /zookeeper", "snapshot", "snapshot /zookeeper/config", "diff -o json 0", "pwd",
		"cat /nope" + evil, "ls -Z" + evil, "nope" + evil, "find --where " + evil, "at " + evil, "man " + evil, "ls /image -o " + evil, "grep ( /", "log /local" + evil, "log -n 3 /image", "cd /nope" + evil, "'" + evil,
		"diff " + evil, "stat /nope" + evil, "count /nope" + evil}
	for _, path := range []string{"/image/topics/byName/*", "/image/configs/*", "/image/clientQuotas/*", "/image/scram/*/*", "/image/acls/byId/*", "/image/cluster/*/*", "/image/delegationToken/*", "/image", "/", "/local/*",
		"/zookeeper", "/zookeeper/config/*", "/zookeeper/config/*/*", "/zookeeper/kafka-acl/*/*", "/zookeeper/brokers/*/*"} {
		for _, verb := range []string{"ls", "ls -l", "ls -d", "ls -R", "ls -ld", "ls -R -o json", "cat", "cat --raw", "cat -o json", "get", "get -s", "tree", "find", "find -l", "find -o json", "grep .", "grep -l x", "stat", "stat -o json",
			"du", "count", "log", "log -o json", "export -o json", "export -o yaml", "export -o csv", "export -o kafka-commands", "getAllChildrenNumber", "cd /; cd", "watch"} {
			lines = append(lines, verb+" "+path)
		}
	}
	s.t = t
	for _, line := range lines {
		out, _ := s.run(line)
		if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && harmful(r) }); i >= 0 {
			t.Errorf("%.60q prints %.120q", line, out[max(0, i-40):])
		}
	}
	// A prompt has the directory, which is cleaned where it is shown.
	if _, err := s.run("cd /image/topics/byName/t*"); err != nil || !strings.Contains(s.Dir(), "\x1b") {
		t.Errorf("%q, %v", s.Dir(), err)
	}
}

// TestRawIntoAPipe: programs get names as they are.
func TestRawIntoAPipe(t *testing.T) {
	s := openShell(t, nil, evilRecords()...)
	out, err := s.run("ls /image/topics/byName")
	if err != nil || out != "t"+evil+"\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestJSONIsJSON: what is cleaned is still the document.
func TestJSONIsJSON(t *testing.T) {
	for _, clean := range []bool{false, true} {
		s := openShell(t, func(x *Terminal, _ *Options) { x.Clean = clean }, evilRecords()...)
		for _, line := range []string{"export /image", "ls -R -o json /", "find -o json /image", "health -o json", "snapshot", "stat -o json /image/topics", "cat -o json /image/topics/byName/*/0", "export /image/acls /image/scram"} {
			out, err := s.run(line)
			if err != nil && s.errs.Len() > 0 {
				t.Errorf("%s: %v", line, err)
			}
			if !json.Valid([]byte(out)) {
				t.Errorf("%s: no JSON: %.200q", line, out)
			}
		}
	}
}

// TestCancelled: what prints, counts or gathers a lot ends when it is to.
func TestCancelled(t *testing.T) {
	s := openShell(t, nil, evilRecords()...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, line := range []string{"find /image", "tree /image", "ls -R /image", "grep . /image", "count /image", "du /image", "stat /image", "log /image", "export -o csv /image", "export /image", "cat /image/topics/byName/*/0"} {
		s.out.Reset()
		if err := s.Run(ctx, line); err != context.Canceled {
			t.Errorf("%s: %v", line, err)
		}
		if s.out.Len() > 0 {
			t.Errorf("%s prints %.80q", line, s.out.String())
		}
	}
}

// TestNamesWithASlash are found by what asks the log, and from inside.
func TestNamesWithASlash(t *testing.T) {
	s := openShell(t, nil, oddRecords("app/2 %x")...)
	for _, line := range []string{"stat /image/clientQuotas/user(app*", "cd /image/clientQuotas/user(app*; stat .", "log ."} {
		out, err := s.run(line)
		if err != nil || !strings.Contains(out, "changes") && !strings.Contains(out, "ClientQuotaRecord") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	out, err := s.run("cat request_percentage; ls; pwd")
	if err != nil || out != "1.0\nrequest_percentage\n/image/clientQuotas/user(app/2 %x)\n" {
		t.Errorf("%q, %v", out, err)
	}
	below := openShell(t, func(_ *Terminal, o *Options) { o.Root = "/image/clientQuotas" }, oddRecords("app/2 %x")...)
	for _, line := range []string{"stat user*", "log user*"} {
		out, err := below.run(line)
		if err != nil || !strings.Contains(out, "changes") && !strings.Contains(out, "ClientQuotaRecord") {
			t.Errorf("below the quotas, %s: %v\n%s", line, err, out)
		}
	}
}

// TestNoBlankRows: the last column of a table on a screen has nothing behind it.
func TestNoBlankRows(t *testing.T) {
	s := openShell(t, func(x *Terminal, _ *Options) {
		x.Width = func() int { return 40 }
		x.Table = func(w io.Writer, _ []string, rows [][]string, _ []bool) error {
			var b bytes.Buffer
			for _, r := range rows {
				b.WriteString(strings.Join(r, "  ") + strings.Repeat(" ", 80) + "\n")
			}
			_, err := w.Write(b.Bytes())
			return err
		}
	}, oddRecords("a")...)
	for _, line := range []string{"ls -l /image/scram/SCRAM-SHA-256", "cat /image/scram/SCRAM-SHA-256/a", "du /image", "help"} {
		out, err := s.run(line)
		if err != nil || out == "" || strings.Contains(out, " \n") {
			t.Errorf("%s: %v\n%q", line, err, out)
		}
	}
}
