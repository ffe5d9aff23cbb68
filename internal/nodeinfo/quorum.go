package nodeinfo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"kraftctl/decode/quorumstate"
	"kraftctl/internal/vfs"
)

// readQuorumState reads quorum-state and explains it.
func (c *collector) readQuorumState(path string) {
	data, err := vfs.ReadFile(c.fs, path, maxQuorumState)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // a running node replaces it
	case err != nil:
		c.add(quorumUnreadable, path, "it cannot be read: %s", vfs.Cause(err))
		return
	}
	s, err := quorumstate.Parse(data, path)
	if err != nil {
		c.add(quorumDamaged, path, "%s", damageText(err))
		return
	}
	if s.LeaderEpoch < 0 || s.LeaderID < quorumstate.None || s.VotedID < quorumstate.None {
		c.add(quorumDamaged, path, "leader %d, epoch %d and vote %d cannot be", s.LeaderID, s.LeaderEpoch, s.VotedID)
		return
	}
	q := &QuorumState{Version: s.Version, LeaderID: s.LeaderID, LeaderEpoch: s.LeaderEpoch, VotedID: s.VotedID,
		VotedDirectoryID: uuidText(s.VotedDirectoryID)}
	for _, v := range s.Voters {
		q.Voters = append(q.Voters, v.ID)
	}
	slices.Sort(q.Voters)
	e := explainer{q: q, s: s, id: c.thisID, dir: c.thisDir, lastEpoch: c.lastEpoch()}
	q.Fields, q.Start = e.fields(), e.start()
	c.report.QuorumState = q
	c.checkQuorumState(path, q)
}

// lastEpoch is the epoch of the last record on this disk, 0 if there is none.
func (c *collector) lastEpoch() int32 {
	last := int32(0)
	for _, x := range c.report.Snapshots {
		if x.State == SnapshotComplete {
			last = max(last, x.Epoch)
		}
	}
	if l := c.report.Log; l != nil {
		last = max(last, l.LastEpoch)
	}
	return last
}

// checkQuorumState holds the file against the log and the directory.
func (c *collector) checkQuorumState(path string, q *QuorumState) {
	if last := c.lastEpoch(); q.LeaderEpoch < last {
		c.add(quorumBehind, path, "the epoch is %d, the log has records of epoch %d", q.LeaderEpoch, last)
	}
	if c.thisID != nil && q.VotedID == *c.thisID && q.VotedDirectoryID != "" && c.thisDir != "" && q.VotedDirectoryID != c.thisDir {
		c.add(quorumOtherID, path, "the node voted for itself with directory id %s, and has %s now", q.VotedDirectoryID, c.thisDir)
	}
	if s := c.replayed; s.kraft >= 0 && s.kraft != q.Version && (s.kraft <= 1) {
		c.add(quorumOtherVersion, path, "the file has version %d, kraft.version is %d", q.Version, s.kraft)
	}
}

// explainer puts a quorum-state into words.
type explainer struct {
	q         *QuorumState
	s         *quorumstate.State
	id        *int32 // of this node, nil if not known
	dir       string // the directory id of this node
	lastEpoch int32  // of the log
}

// node names a node.
func (e *explainer) node(id int32) string {
	if e.id != nil && *e.id == id {
		return fmt.Sprintf("this node (%d)", id)
	}
	return fmt.Sprintf("node %d", id)
}

// fields are the fields of the file with what they mean, in the order of the
// most important.
func (e *explainer) fields() []ExplainedField {
	q := e.q
	var out []ExplainedField
	add := func(name, value, format string, args ...any) {
		out = append(out, ExplainedField{name, value, fmt.Sprintf(format, args...)})
	}
	add("leaderEpoch", itoa(q.LeaderEpoch), "the latest election that this node took part in or heard of; its votes and records of earlier epochs are refused")
	if q.LeaderID == quorumstate.None {
		add("leaderId", itoa(q.LeaderID), "no leader of epoch %d was known", q.LeaderEpoch)
	} else {
		add("leaderId", itoa(q.LeaderID), "%s was the leader of epoch %d", e.node(q.LeaderID), q.LeaderEpoch)
	}
	if q.VotedID == quorumstate.None {
		add("votedId", itoa(q.VotedID), "no vote in epoch %d is recorded", q.LeaderEpoch)
	} else {
		add("votedId", itoa(q.VotedID), "this node voted for %s in epoch %d, and must not vote for another one in it", e.candidate(), q.LeaderEpoch)
	}
	if q.Version > 0 {
		switch {
		case q.VotedDirectoryID != "":
			add("votedDirectoryId", q.VotedDirectoryID, "the directory id of the candidate that it voted for")
		case q.VotedID == quorumstate.None:
			add("votedDirectoryId", e.s.VotedDirectoryID.String(), "no vote")
		default:
			add("votedDirectoryId", e.s.VotedDirectoryID.String(), "the candidate did not tell its directory id")
		}
	} else {
		add("currentVoters", idList(q.Voters), "controller.quorum.voters when the file was written")
		add("clusterId", e.s.ClusterID, "not used: Kafka leaves it empty")
		add("appliedOffset", strconv.FormatInt(e.s.AppliedOffset, 10), "not used: Kafka leaves it 0")
	}
	meaning := "the layout for dynamic quorums (kraft.version 1)"
	if q.Version == 0 {
		meaning = "the layout for static quorums (kraft.version 0)"
	}
	add("data_version", itoa(q.Version), "%s", meaning)
	return out
}

// candidate names the node that got the vote.
func (e *explainer) candidate() string {
	if e.id != nil && *e.id == e.q.VotedID {
		return "itself"
	}
	return e.node(e.q.VotedID)
}

// start says as what the node begins.
func (e *explainer) start() string {
	q := e.q
	self := func(id int32) bool { return e.id != nil && *e.id == id }
	switch {
	case q.LeaderEpoch < e.lastEpoch:
		return fmt.Sprintf("without a leader or a vote in epoch %d, which the log knows and this file does not", e.lastEpoch)
	case self(q.LeaderID):
		return fmt.Sprintf("resigned leader of epoch %d: it does not go on with what it led before, and a new election follows", q.LeaderEpoch)
	case self(q.VotedID) && (q.VotedDirectoryID == "" || q.VotedDirectoryID == e.dir):
		return fmt.Sprintf("candidate in epoch %d: its election was not decided", q.LeaderEpoch)
	case q.LeaderID != quorumstate.None:
		return fmt.Sprintf("follower of %s in epoch %d (or looking for it, if its address is not known)", e.node(q.LeaderID), q.LeaderEpoch)
	case q.VotedID != quorumstate.None:
		return fmt.Sprintf("without a leader in epoch %d, bound to its vote for %s", q.LeaderEpoch, e.candidate())
	}
	return fmt.Sprintf("without a leader in epoch %d", q.LeaderEpoch)
}

func itoa[T ~int | ~int16 | ~int32](n T) string { return strconv.FormatInt(int64(n), 10) }
