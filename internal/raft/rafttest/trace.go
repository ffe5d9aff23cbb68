package rafttest

import (
	"fmt"
	"strings"

	"kraftctl/internal/raft"
)

// control describes the control records of a batch, when it is printed.
type control []raft.Control

// String describes the records.
func (list control) String() string {
	var s strings.Builder
	for _, c := range list {
		switch c.Type {
		case raft.ControlLeaderChange:
			fmt.Fprintf(&s, " LeaderChange(%d)", c.Leader)
		case raft.ControlVersion:
			fmt.Fprintf(&s, " KRaftVersion(%d)", c.Level)
		case raft.ControlVoters:
			fmt.Fprintf(&s, " KRaftVoters%v", c.Voters)
		}
	}
	return s.String()
}

// brief describes a message, without what is the same in all of them, when it is
// printed.
type brief struct{ message any }

// String describes the message.
func (v brief) String() string {
	switch m := v.message.(type) {
	case *raft.VoteRequest:
		return fmt.Sprintf("Vote{epoch %d from %v to %v last %v pre %v}", m.Epoch, m.From, m.Voter, m.Last, m.PreVote)
	case *raft.VoteResponse:
		return fmt.Sprintf("Vote{%v epoch %d leader %d granted %v}", both(m.TopError, m.Error), m.Epoch, m.LeaderID, m.Granted)
	case *raft.BeginQuorumEpochRequest:
		return fmt.Sprintf("BeginQuorumEpoch{epoch %d leader %d}", m.Epoch, m.Leader)
	case *raft.EndQuorumEpochRequest:
		return fmt.Sprintf("EndQuorumEpoch{epoch %d leader %d candidates %v}", m.Epoch, m.Leader, m.Candidates)
	case *raft.QuorumEpochResponse:
		return fmt.Sprintf("QuorumEpoch{%v epoch %d leader %d}", both(m.TopError, m.Error), m.Epoch, m.LeaderID)
	case *raft.FetchRequest:
		return fmt.Sprintf("Fetch{epoch %d from %v at %d/%d hw %d}", m.Epoch, m.From, m.Offset, m.LastEpoch, m.HighWatermark)
	case *raft.FetchResponse:
		s := fmt.Sprintf("Fetch{%v epoch %d leader %d hw %d", both(m.TopError, m.Error), m.Epoch, m.LeaderID, m.HighWatermark)
		if m.Diverging != nil {
			s += fmt.Sprintf(" diverging %v", *m.Diverging)
		}
		if m.Snapshot != nil {
			s += fmt.Sprintf(" snapshot %v", *m.Snapshot)
		}
		for i := range m.Batches {
			s += fmt.Sprintf(" %d-%d@%d", m.Batches[i].Base, m.Batches[i].End()-1, m.Batches[i].Epoch)
		}
		return s + "}"
	case *raft.FetchSnapshotRequest:
		return fmt.Sprintf("FetchSnapshot{epoch %d from %v %v at %d}", m.Epoch, m.From, m.ID, m.Position)
	case *raft.FetchSnapshotResponse:
		return fmt.Sprintf("FetchSnapshot{%v epoch %d %v at %d of %d: %d bytes}", both(m.TopError, m.Error), m.Epoch, m.ID, m.Position, m.Size, len(m.Data))
	case *raft.AddVoterRequest:
		return fmt.Sprintf("AddRaftVoter{%v}", m.Voter)
	case *raft.RemoveVoterRequest:
		return fmt.Sprintf("RemoveRaftVoter{%v}", m.Voter)
	case *raft.UpdateVoterRequest:
		return fmt.Sprintf("UpdateRaftVoter{epoch %d %v}", m.Epoch, m.Voter.Key)
	case *raft.VoterResponse:
		return fmt.Sprintf("Voter{%v %s epoch %d leader %d}", m.Error, m.Message, m.Epoch, m.LeaderID)
	case *raft.VersionsRequest:
		return "ApiVersions{}"
	case *raft.DescribeQuorumRequest:
		return "DescribeQuorum{}"
	case *raft.DescribeQuorumResponse:
		s := fmt.Sprintf("Quorum{%v epoch %d leader %d hw %d voters", m.Error, m.Epoch, m.LeaderID, m.HighWatermark)
		for _, r := range m.Voters {
			s += fmt.Sprintf(" %v:%d", r.Key, r.EndOffset)
		}
		s += " observers"
		for _, r := range m.Observers {
			s += fmt.Sprintf(" %v:%d", r.Key, r.EndOffset)
		}
		return s + "}"
	case raft.Status:
		return fmt.Sprintf("%s epoch %d leader %d vote %v log %d-%d/%d hw %d voters %v", m.State, m.Epoch, m.LeaderID, m.Voted, m.LogStart, m.LogEnd, m.LastEpoch, m.HighWatermark, m.Voters)
	}
	return fmt.Sprintf("%+v", v.message)
}

// both is the error of an answer: that of the whole, or of its partition.
func both(top, partition raft.ErrorCode) raft.ErrorCode {
	if top != raft.ErrNone {
		return top
	}
	return partition
}
