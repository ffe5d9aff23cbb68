//go:build conformance

package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exported are the parts of the tree that Kafka's tools can make again.
var exported = []string{"topics/byName", "configs", "clientQuotas", "acls"}

// commandClasses are the tools that the export names.
var commandClasses = map[string]string{
	"kafka-topics.sh":   "org.apache.kafka.tools.TopicCommand",
	"kafka-configs.sh":  "org.apache.kafka.tools.ConfigCommand",
	"kafka-acls.sh":     "org.apache.kafka.tools.AclCommand",
	"kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
}

// TestExportedCommands has Kafka's tools run what our shell exports of a cluster
// against a new one: what they make must be exported as the same.
func TestExportedCommands(t *testing.T) {
	const release = "4.4.0"
	s := newServerSuite(t, release)
	s.take(t, 2)
	seed := setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed)
	note := fmt.Sprintf("KRAFTCTL_CONFORMANCE_SEED=%d", seed)
	dir := serverDir(t, fmt.Sprintf("export-%d", seed))
	sub := func(name string) string {
		d := filepath.Join(dir, name)
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
		return d
	}
	start := func(name string) ([]*server, string) {
		nodes, sasl := s.metadataMakers(t, release, sub(name))
		for _, n := range nodes {
			n.start(t)
		}
		awaitStart(t, nodes...)
		return nodes, sasl
	}
	nodes, sasl := start("old")
	s.traffic(t, note, nodes, sasl, seed*3+1, func() {})
	stop(t, nodes[1], nodes[0])
	script := nodes[0].export(t, "/image")
	if err := os.WriteFile(filepath.Join(dir, "export.sh"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	want := nodes[0].exports(t)

	nodes, _ = start("new")
	commands := s.commandLines(t, sub("bin"), nodes[0].brokerAddress(), script)
	for i, r := range s.kafkaCommands(t, sub("run"), commands) {
		if r.rc != "0" && commands[i][0] != commandClasses["kafka-features.sh"] { // they may be at that level
			t.Errorf("%s: %q ends with %s\n%s%s", note, r.args, r.rc, r.out, r.err)
		}
	}
	got := nodes[0].exports(t)
	for i, part := range exported {
		missing, extra := lineDifference(want[i], got[i])
		if len(missing)+len(extra) > 0 {
			t.Errorf("%s: /image/%s of the new cluster differs\n- %s\n+ %s", note, part, strings.Join(missing, "\n- "), strings.Join(extra, "\n+ "))
		}
	}
	t.Logf("%s: %d commands", note, len(commands))
}

// export is what our shell exports of a node, stopped or running.
func (n *server) export(t *testing.T, path string) string {
	t.Helper()
	return n.s.kraftctl(t, "", 0, "", "shell", filepath.Join(n.dir, "md"), "--show-secrets", "-c", "export -o kafka-commands "+path)
}

// exports are the commands for each part, without what only the log can have:
// comments.
func (n *server) exports(t *testing.T) (list []string) {
	t.Helper()
	for _, part := range exported {
		var lines []string
		for _, l := range strings.Split(n.export(t, "/image/"+part), "\n") {
			if !strings.HasPrefix(l, "#") {
				lines = append(lines, l)
			}
		}
		list = append(list, strings.Join(lines, "\n"))
	}
	return list
}

// lineDifference compares lines in any order: that of access control entries is
// that of their ids, which are drawn.
func lineDifference(a, b string) (onlyA, onlyB []string) {
	count := map[string]int{}
	for _, l := range strings.Split(a, "\n") {
		count[l]++
	}
	for _, l := range strings.Split(b, "\n") {
		if count[l]--; count[l] < 0 {
			onlyB = append(onlyB, l)
		}
	}
	for l, n := range count {
		if n > 0 {
			onlyA = append(onlyA, l)
		}
	}
	return onlyA, onlyB
}

// commandLines has sh read a script, with programs in place of Kafka's that note
// how they were called: class and arguments.
func (s *serverSuite) commandLines(t *testing.T, bin, bootstrap, script string) (list [][]string) {
	t.Helper()
	notes := filepath.Join(bin, "notes")
	for name, class := range commandClasses {
		text := "#!/bin/sh\n{ printf '" + class + `\0'; printf '%s\0' "$@"; printf '\n\0'; } >>'` + notes + "'\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := run(t, bin, script, map[string]string{"PATH": bin + ":" + os.Getenv("PATH"), "BOOTSTRAP": bootstrap}, "sh", "-u")
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("sh ends with %d\n%s", r.code, r.stderr)
	}
	b, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Split(strings.TrimSuffix(string(b), "\x00\n\x00"), "\x00\n\x00") {
		list = append(list, strings.Split(c, "\x00"))
	}
	return list
}

// kafkaCommands runs tools of Kafka, one after the other in one JVM.
func (s *serverSuite) kafkaCommands(t *testing.T, dir string, commands [][]string) (results []testCase) {
	t.Helper()
	results = writeCases(t, dir, commands)
	java(t, dir, "Oracle", "-", "cases.tsv", "results")
	for i := range results {
		results[i].read(t, filepath.Join(dir, "results"))
	}
	return results
}
