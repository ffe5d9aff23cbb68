//go:build conformance

package conformance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kraftctl/internal/golden"
)

// formatMode is a kind of node, and how it is formatted.
type formatMode struct {
	name, roles, quorum string
	template, args      []string
}

const (
	staticQuorum  = "1@localhost:9093,2@localhost:9094"
	dynamicQuorum = "localhost:9093,localhost:9094"
	// Kafka draws salts of different lengths.
	salted    = `SCRAM-SHA-256=[name=alice,salt="MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=",password=alice-secret]`
	twoVoters = "1@localhost:9093:JEXY6aqzQY-32P5TStzaFg,2@localhost:9094:MvDxzVmcRsaTz33bUuRU6A"
)

var formatModes = []formatMode{
	{name: "static", roles: "broker,controller", quorum: staticQuorum},
	{name: "static-apart", roles: "controller", quorum: staticQuorum, template: []string{"--metadata-log-dir", "MODE/md"}},
	{name: "static-broker", roles: "broker", quorum: staticQuorum},
	{name: "standalone", roles: "broker,controller", quorum: dynamicQuorum, args: []string{"--standalone"}},
	{name: "initial", roles: "controller", quorum: dynamicQuorum, args: []string{"--initial-controllers", twoVoters}},
	{name: "no-initial", roles: "controller", quorum: dynamicQuorum, args: []string{"--no-initial-controllers"}},
	{name: "broker", roles: "broker", quorum: dynamicQuorum},
	{name: "users", roles: "controller", quorum: dynamicQuorum, args: []string{"--standalone", "--add-scram", salted, "--add-scram", scramLines[3]}},
	{name: "older", roles: "broker,controller", quorum: staticQuorum, args: []string{"--release-version", "3.7"}},
}

// TestStorageInfo formats nodes of each kind with each release's own tool and
// with ours, and has both looked at: by that tool, and by our info and check.
func TestStorageInfo(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "kraftctl")
	built, err := filepath.Abs(buildBinary(t))
	if err == nil {
		err = os.Symlink(built, bin)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, release := range serverReleases {
		t.Run(release, func(t *testing.T) { testStorageInfo(t, bin, release) })
	}
}

func testStorageInfo(t *testing.T, bin, release string) {
	root := t.TempDir()
	must := func(args ...string) string {
		t.Helper()
		r := run(t, root, "", nil, append([]string{bin}, args...)...)
		if r.code != 0 {
			t.Fatalf("kraftctl %s: exit status %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.stderr)
		}
		return r.out
	}
	var cases []storageCase
	for i := range formatModes {
		m := &formatModes[i]
		for _, who := range []string{"theirs-", "ours-"} {
			id := who + m.name
			config := id + "/server.properties"
			args := append([]string{"-c", config, "-t", theCluster}, m.args...)
			c := storageCase{id: id, files: map[string]string{config: must(m.templateArgs(id, release)...)}, args: append([]string{"format"}, args...)}
			if who == "theirs-" {
				cases = append(cases, c)
			} else {
				c.write(t, root)
				must(append([]string{"storage", "format", "--target", release}, args...)...)
			}
			cases = append(cases, storageCase{id: id + "-info", args: []string{"info", "-c", config}})
		}
	}
	runStorage(t, root, classPathOf(t, release), cases)
	kafka := func(id, ext string) string {
		b, err := os.ReadFile(filepath.Join(root, "expected", id+ext))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for i := range formatModes {
		name := formatModes[i].name
		theirs, ours := "theirs-"+name, "ours-"+name
		if rc := kafka(theirs, ".rc"); rc != "0" {
			t.Errorf("%s: Kafka's format ends with %s\n%s", name, rc, kafka(theirs, ".err"))
			continue
		}
		var reports []string
		for _, id := range []string{theirs, ours} {
			config := id + "/server.properties"
			r := run(t, root, "", nil, bin, "kafka-storage", "info", "-c", config)
			if want := kafka(id+"-info", ".out"); r.code != 0 || kafka(id+"-info", ".rc") != "0" || r.out != want {
				t.Errorf("%s: kafka-storage info ends with %d, Kafka's with %s\n%s", id, r.code, kafka(id+"-info", ".rc"), strings.Join(golden.Diff("stdout", want, r.out), "\n"))
			}
			reports = append(reports, maskNode(must("storage", "info", "-c", config, "--target", release, "-o", "json"), id))
			if out := must("storage", "check", "-c", config, "--target", release); !strings.HasPrefix(out, "nothing speaks against a start") {
				t.Errorf("%s: storage check says\n%s", id, out)
			}
		}
		if want, got := maskNode(kafka(theirs+"-info", ".out"), theirs), maskNode(kafka(ours+"-info", ".out"), ours); want != got {
			t.Errorf("%s: Kafka's info differs between Kafka's directories and ours\n%s", name, strings.Join(golden.Diff("stdout", want, got), "\n"))
		}
		if reports[0] != reports[1] {
			t.Errorf("%s: storage info differs between Kafka's directories and ours\n%s", name, strings.Join(golden.Diff("report", reports[0], reports[1]), "\n"))
		}
	}
}

// templateArgs is the command line for a node of the mode in the directory id.
func (m *formatMode) templateArgs(id, release string) []string {
	args := []string{"storage", "template", "--target", release, "--roles", m.roles, "--quorum", m.quorum, "--log-dirs", id + "/d1," + id + "/d2"}
	node := "1"
	if m.roles == "broker" {
		node = "5"
	}
	args = append(args, "--node-id", node)
	for _, a := range m.template {
		args = append(args, strings.Replace(a, "MODE", id, 1))
	}
	return args
}

var randomID = regexp.MustCompile(`[A-Za-z0-9_-]{22}`)

// maskNode replaces what is another one in each directory: its name and ids.
func maskNode(text, id string) string {
	text = strings.ReplaceAll(text, id, "NODE")
	return randomID.ReplaceAllStringFunc(text, func(s string) string {
		if s == theCluster || s == noDirectory || strings.Contains(twoVoters, s) {
			return s
		}
		return "DIRECTORY-ID"
	})
}
