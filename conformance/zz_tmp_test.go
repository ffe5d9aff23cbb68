//go:build conformance

package conformance

import "testing"

func TestTmpOlder(t *testing.T) {
	s := newServerSuite(t, "4.3.1", "4.2.0", "4.1.1", "4.1.0", "4.0.0", "3.9.1")
	defaultLevels["4.2.0"] = map[string]int{"metadata.version": 29, "kraft.version": 1, "transaction.version": 2, "group.version": 1,
		"eligible.leader.replicas.version": 1, "share.version": 1, "streams.version": 1}
	defaultLevels["4.1.1"] = map[string]int{"metadata.version": 27, "kraft.version": 1, "transaction.version": 2, "group.version": 1,
		"eligible.leader.replicas.version": 1}
	defaultLevels["4.1.0"] = defaultLevels["4.1.1"]
	for _, d := range []bool{true, false} {
		for _, r := range [][2]string{{"4.3.1", "4.3"}, {"4.2.0", "4.2"}, {"4.1.1", "4.1"}, {"4.1.0", "4.1"}, {"4.0.0", "4.0"}, {"3.9.1", "3.9"}} {
			name := r[0] + " static"
			if d {
				name = r[0] + " dynamic"
			}
			t.Run(name, func(t *testing.T) {
				s.testOlder(t, layoutCase{release: r[0], target: "4.4", args: []string{"--release-version", r[1]}, dynamic: d})
			})
		}
	}
}
