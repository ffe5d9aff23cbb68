package format

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/vfs"
)

// Every release begins a cluster with the levels that its own tool chose for the
// same arguments, and refuses what that refused: testdata/levels.txt.
func TestLevelsOfEveryRelease(t *testing.T) {
	text, err := os.ReadFile("testdata/levels.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 900 {
		t.Fatalf("only %d lines", len(lines))
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		asked, want, _ := strings.Cut(line, " => ")
		words := strings.Fields(asked)
		got := levelsOf(t, words[0], words[1], words[2], words[3:])
		if words[0] == "3.9" && strings.Contains(asked, "3.3-IV0") {
			want = "refused" // with what no later release knows, we do not begin
		}
		if words[0] != "4.4" && strings.HasPrefix(got, "refused") {
			got = "refused"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
}

// levelsOf makes a plan and shows the levels in it.
func levelsOf(t *testing.T, release, quorum, stability string, args []string) string {
	t.Helper()
	voters := "controller.quorum.bootstrap.servers=localhost:9093"
	if quorum == "static" {
		voters = "controller.quorum.voters=1@localhost:9093"
	}
	config, err := kafkaconfig.Load([]byte("process.roles=controller\nnode.id=1\n"+voters+"\nlisteners=CONTROLLER://localhost:9093\n"+
		"controller.listener.names=CONTROLLER\nlog.dirs=/data\nunstable.feature.versions.enable="+strconv.FormatBool(stability == "unstable")+"\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Release: feature.ByReleaseName(release), ClusterID: clusterID, Standalone: quorum == "dynamic", AsKafka: true}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == "-r" {
			o.ReleaseVersion = &args[i+1]
		} else {
			o.Features = append(o.Features, args[i+1])
		}
	}
	request, err := o.Request(config, testEnv(1))
	var plan *Plan
	if err == nil {
		plan, err = NewPlan(vfs.NewMem(), request, testEnv(1))
	}
	if err != nil {
		_, text, _ := strings.Cut("x: "+err.Error(), ": ")
		return "refused: " + strings.TrimPrefix(text, "java.lang.IllegalArgumentException: ")
	}
	var list []string
	for _, f := range plan.Bootstrap.Features {
		list = append(list, f.Name+"="+strconv.Itoa(int(f.FeatureLevel)))
	}
	return strings.Join(list, ",")
}
