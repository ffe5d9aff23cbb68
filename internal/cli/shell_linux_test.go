package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/ptytest"
)

func TestShellTyping(t *testing.T) {
	t.Parallel()
	s := openShell(t, 100, 30, terminal(t), rich())
	s.Shows("19 topics, 63 partitions, 2 brokers at offset 653, cluster wM3ojkQ_TkqlDZMyGTYirg.")
	runs(s, "cd /image/topics/byName; pwd", "/image/topics/byName")
	runs(s, "ls s-o*", "0  1  2  3  4  id  name")
	runs(s, "cat s-orders/id", "K5XYz5faS1SHOIga_bWL2g")
	runs(s, "cat nope", "cat: nope: there is no such node")
	runs(s, "nope", "nope: there is no such command; help lists them")
	runs(s, "ls \"", "a quotation mark is not closed")
	runs(s, "cat ../byName/s-orders/name # a comment", "s-orders")
	runs(s, "", "/image/topics/byName>")
	s.Send("xit\x01e\r") // Ctrl-A
	s.End(ptytest.Fine)
}

func TestShellCompletion(t *testing.T) {
	t.Parallel()
	s := openShell(t, 100, 40, terminal(t), rich())
	typed := func(keys, line string) {
		t.Helper()
		s.Send(keys)
		s.Wait("the line "+line, func(e *ptytest.Screen) bool {
			rows := strings.Split(e.String(), "\n")
			return e.Paste && e.Y < len(rows) && rows[e.Y] == strings.TrimRight(line, " ") && e.X == len(line)
		})
	}
	fresh := func() { typed("\x07\x15\x0c", "/> ") }
	fresh()
	typed("pw\t", "/> pwd ")
	typed("\x15c\t", "/> c")
	s.Shows("cat    Show the content of nodes.\ncd     Go to a directory, or to the root.\ncount  Count the nodes in directories, and all below.")
	typed("\t\t", "/> cd")
	fresh()
	typed("ls --l\t", "/> ls --long ")
	typed("/im\t", "/> ls --long /image/")
	typed("top\tb\t", "/> ls --long /image/topics/by")
	s.Shows("byId/     byName/") // no room is lost for what needs no description
	fresh()
	typed("find --\t", "/> find --")
	s.Shows("--where   only nodes whose fields fulfil the condition")
	typed("wh\t", "/> find --where ")
	typed("'lead\t", "/> find --where 'leader")
	s.Shows("leaderEpoch  of partition")
	typed("E\t > 1 && isr\t", "/> find --where 'leaderEpoch > 1 && isr")
	fresh()
	typed("export -o k\t", "/> export -o kafka-commands ")
	fresh()
	typed("help wa\t", "/> help watch ")
	fresh()
	typed("cat /image/configs/BROKER:11/listener.name.external.ssl.keyst\t", "/> cat /image/configs/BROKER:11/listener.name.external.ssl.keystore.password ")
	fresh()
	typed("ls | so\t", "/> ls | so")

	// Names that have to be escaped, and what is typed in quotation marks.
	fresh()
	typed("cat /image/clientQuotas/clientId(app/\t", "/> cat /image/clientQuotas/clientId(app/")
	typed("\x15cat /image/clientQuotas/clientId(app?2\t", `/> cat /image/clientQuotas/clientId(app?2\ %x)/`)
	typed("\t", `/> cat /image/clientQuotas/clientId(app?2\ %x)/controller_mutation_rate `)
	runs(s, "", "3.25")

	// Relative to a directory.
	press(s, "cd /image/topics/byName\r")
	s.Send("\x0c")
	typed("", "/image/topics/byName> ")
	typed("ls s-or\t", "/image/topics/byName> ls s-orders/")
	typed("\x15ls ../byI\t", "/image/topics/byName> ls ../byId/")
	typed("\x15", "/image/topics/byName> ")
	leave(s)
}

// TestShellOddNames: what Tab makes of names leads to them.
func TestShellOddNames(t *testing.T) {
	t.Parallel()
	names := []string{"a b", "it's", `q"q`, "x*y", "semi;colon|bar", "#hash", "-dash", `back\slash`, "größe", "two\nlines"}
	records := []message{&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)}}
	for i, n := range names {
		records = append(records, &metadata.UserScramCredentialRecord{Name: n, Mechanism: 1, Iterations: int32(5000 + i)})
	}
	s := openShell(t, 100, 40, terminal(t), writeSnapshot(t, records...))
	press(s, "cd /image/scram/SCRAM-SHA-256\r")
	for i, typed := range []string{"a", "it", "q", "x", "semi", `\#`, "./-d", "back", "gr", "two"} {
		press(s, "cat "+typed+"\t\r")
		s.Shows("iterations  " + string(rune('0'+5)) + "00" + string(rune('0'+i)))
	}
	leave(s)
}

func TestShellHistory(t *testing.T) {
	t.Parallel()
	env := terminal(t)
	s := openShell(t, 80, 24, env, rich())
	runs(s, "cd /image", "/> cd /image")
	runs(s, "cat features/metadataVersion", "Optional[4.3-IV0]")
	s.Typed(up, "/image> cat features/metadataVersion")
	s.Typed(up, "/image> cd /image")
	s.Typed("\x1b[B\x1b[B", "/image>")
	s.Typed("\x12cd", "/image> cd /image\nbck-i-search: cd_")
	s.Typed("\x07", "/image>")
	runs(s, " cat features/finalized_group.version", "1") // a blank in front: not remembered
	press(s, "half a line"+ctrlC)
	leave(s)

	file := filepath.Join(strings.TrimPrefix(env[3], "XDG_STATE_HOME="), "kraftctl", "history")
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "cd /image\ncat features/metadataVersion\n" {
		t.Errorf("the history is %q, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	s = openShell(t, 80, 24, env, rich())
	s.Typed(up+up, "/> cd /image")
	s.Typed("\x1b[B\x1b[B\x12feat", "/> cat features/metadataVersion\nbck-i-search: feat_")
	s.Typed("\r", "cat: features/metadataVersion: there is no such node\n/>")
	leave(s)

	// None is kept if it is not to be.
	s = openShell(t, 80, 24, env, rich(), "--history", "none")
	s.Typed(up+"x", "/> x")
	s.Typed("\x15pwd\r", "/> pwd\n/\n/>")
	leave(s)
	if again, err := os.ReadFile(file); err != nil || string(again) != string(data) && !strings.HasPrefix(string(again), string(data)) || strings.Contains(string(again), "pwd") {
		t.Errorf("the history is %q, %v", again, err)
	}
}
