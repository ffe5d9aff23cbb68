package rafttest

import (
	"strings"
	"testing"
)

// TestCoverage: what the simulation is there for does happen in it.
func TestCoverage(t *testing.T) {
	want := map[string]int{
		"installs snapshot": 0, "truncates to": 0, "cleans its log": 0, "writes snapshot": 0, "crashes;": 0, "has a new disk": 0,
		"EndQuorumEpoch{": 0, "BeginQuorumEpoch{": 0, "FetchSnapshot{epoch": 0, " diverging ": 0, "pre true": 0, "pre false": 0,
		"-> n1: AddRaftVoter": 0, "-> n1: RemoveRaftVoter": 0, "-> n1: UpdateRaftVoter": 0, "ApiVersions{}": 0, "INVALID_VOTER_KEY": 0,
		"UNKNOWN_LEADER_EPOCH": 0, "FENCED_LEADER_EPOCH": 0, "NOT_LEADER_OR_FOLLOWER": 0, "starts: candidate": 0, "starts: resigned": 0,
		"starts: follower": 0, "starts: observer": 0, "upgraded": 0,
	}
	for seed := uint64(1); seed <= 250; seed++ {
		s := NewSchedule(seed)
		Run(s, Options{Trace: func(line string) {
			for what := range want {
				if strings.Contains(line, what) {
					want[what]++
				}
			}
			if s.Level == 0 && strings.Contains(line, " appends ") && strings.Contains(line, "KRaftVersion(1)") {
				want["upgraded"]++
			}
		}})
	}
	for what, n := range want {
		t.Logf("%7d  %s", n, what)
		if n == 0 {
			t.Errorf("%q never happens", what)
		}
	}
}
