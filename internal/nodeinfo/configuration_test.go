package nodeinfo

import (
	"slices"
	"strings"
	"testing"

	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
)

func TestDistance(t *testing.T) {
	for _, k := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"log.dirs", "log.dris", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"same", "same", 0}} {
		if got := distance(k.a, k.b); got != k.want {
			t.Errorf("%q to %q: %d, want %d", k.a, k.b, got, k.want)
		}
		if got := distance(k.b, k.a); got != k.want {
			t.Errorf("%q to %q: %d, want %d", k.b, k.a, got, k.want)
		}
	}
}

func TestNearest(t *testing.T) {
	all := kafkaconfig.Definitions()
	for key, want := range map[string]string{
		"log.dri":                           "log.dir",
		"lgo.dirs":                          "log.dirs",
		"controller.quorum.voter":           "controller.quorum.voters",
		"num.netwrok.threads":               "num.network.threads",
		"x":                                 "",
		"com.example.plugin.setting":        "",
		strings.Repeat("log.dirs", 100_000): "",
	} {
		if got := nearest(key, all); got != want {
			t.Errorf("%.40s: %q, want %q", key, got, want)
		}
	}
}

func TestKnows(t *testing.T) {
	only := func(names ...string) (r kafkaconfig.Releases) {
		for i, n := range kafkaconfig.ReleaseNames() {
			if slices.Contains(names, n) {
				r |= 1 << i
			}
		}
		return r
	}
	for _, k := range []struct {
		target string
		known  kafkaconfig.Releases
		want   bool
	}{
		{"3.9", only("3.9.1"), true}, {"4.0", only("3.9.1"), false}, {"4.4", only("4.3.1"), false}, {"4.4", only("4.4.0"), true},
		{"4.3", only("4.4.0"), false}, {"4.1", only("4.0.0"), true}, {"4.1", only("4.3.1"), true}, {"4.2", only("4.4.0"), false}, {"4.2", only("3.9.1"), false},
	} {
		if got := knows(k.target, k.known); got != k.want {
			t.Errorf("%s knows what %v know: %v", k.target, k.known.Names(), got)
		}
	}
	for _, r := range feature.Releases {
		if !knows(r.Name, only(kafkaconfig.ReleaseNames()...)) {
			t.Errorf("%s knows nothing", r.Name)
		}
	}
}

func TestManyUnknownKeys(t *testing.T) {
	s := dynamicScene()
	for i := range 10_000 {
		s.config["log.dirs"+itoa(int32(i))] = "x"
	}
	r := s.collect(t)
	if n := len(r.Problems); n > maxSuggestions+1 {
		t.Errorf("%d problems", n)
	}
}

// TestNoRoles: kafkaconfig may give a configuration without roles.
func TestNoRoles(t *testing.T) {
	r, err := Collect(t.Context(), dynamicScene().write(t), Options{Config: &kafkaconfig.Config{NodeID: 1, LogDirs: []string{"/d1", "/d2"}, MetadataLogDir: "/d1"}})
	if err != nil || !slices.Contains(ids(r), configRolesMissing) {
		t.Errorf("%v, %v", ids(r), err)
	}
}
