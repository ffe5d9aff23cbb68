package nodeinfo

import (
	"fmt"
	"strings"
	"testing"
)

// TestQuorumStateInWords reads quorum-state files as node 1 with directory id
// dirID1 and a log whose last epoch is 1.
func TestQuorumStateInWords(t *testing.T) {
	v1 := func(leader, epoch, voted int, dir string) string {
		return fmt.Sprintf(`{"leaderId":%d,"leaderEpoch":%d,"votedId":%d,"votedDirectoryId":"%s","data_version":1}`, leader, epoch, voted, dir)
	}
	const zero = "AAAAAAAAAAAAAAAAAAAAAA"
	for _, k := range []struct {
		file, start string
		words       []string
	}{
		{v1(2, 3, -1, zero), "follower of node 2 in epoch 3",
			[]string{"leaderId 2: node 2 was the leader of epoch 3", "votedId -1: no vote in epoch 3 is recorded", "votedDirectoryId " + zero + ": no vote",
				"data_version 1: the layout for dynamic quorums (kraft.version 1)"}},
		{v1(1, 3, -1, zero), "resigned leader of epoch 3", []string{"leaderId 1: this node (1) was the leader of epoch 3"}},
		{v1(-1, 3, 1, dirID1.String()), "candidate in epoch 3", []string{"votedId 1: this node voted for itself in epoch 3, and must not vote for another one in it",
			"leaderId -1: no leader of epoch 3 was known", "votedDirectoryId " + dirID1.String() + ": the directory id of the candidate"}},
		{v1(-1, 3, 1, otherID.String()), "without a leader in epoch 3, bound to its vote for itself", nil},
		{v1(-1, 3, 2, zero), "without a leader in epoch 3, bound to its vote for node 2", []string{"votedId 2: this node voted for node 2 in epoch 3",
			"the candidate did not tell its directory id"}},
		{v1(-1, 3, -1, zero), "without a leader in epoch 3", nil},
		{v1(1, 0, -1, zero), "without a leader or a vote in epoch 1, which the log knows and this file does not", nil},
		{`{"clusterId":"","leaderId":2,"leaderEpoch":7,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":3},{"voterId":1}],"data_version":0}`,
			"follower of node 2 in epoch 7", []string{"currentVoters 1,3: controller.quorum.voters when the file was written",
				"appliedOffset 0: not used", "clusterId : not used", "data_version 0: the layout for static quorums (kraft.version 0)"}},
	} {
		s := dynamicScene()
		s.files[quorum] = []byte(k.file)
		q := s.collect(t).QuorumState
		if q == nil {
			t.Errorf("%s: not read", k.file)
			continue
		}
		if !strings.HasPrefix(q.Start, k.start) {
			t.Errorf("%s: starts %q, want %q", k.file, q.Start, k.start)
		}
		var lines []string
		for _, f := range q.Fields {
			lines = append(lines, f.Name+" "+f.Value+": "+f.Meaning)
		}
		all := strings.Join(lines, "\n")
		for _, w := range k.words {
			if !strings.Contains(all, w) {
				t.Errorf("%s: %q is not in\n%s", k.file, w, all)
			}
		}
		if n := strings.Count(k.file, `":`) - strings.Count(k.file, `"voterId":`); n != len(q.Fields) {
			t.Errorf("%s: %d of %d fields explained", k.file, len(q.Fields), n)
		}
	}
}
