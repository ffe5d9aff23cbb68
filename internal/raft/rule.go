package raft

// Rule is a rule that a test can break, to see that it is noticed. A replica that
// serves anybody breaks none.
type Rule uint8

// Rules is a set of rules.
type Rules uint64

// RulesOf makes a set.
func RulesOf(list ...Rule) (set Rules) {
	for _, r := range list {
		set |= 1 << r
	}
	return set
}

// The rules, by what is done instead of keeping them.
const (
	// BreakSyncVote answers a vote request before the vote is durable.
	BreakSyncVote Rule = iota
	// BreakOneVote grants votes to several candidates of an epoch.
	BreakOneVote
	// BreakUpToDate grants votes whatever the candidate's log is.
	BreakUpToDate
	// BreakOwnEpoch lets the high watermark reach entries of older epochs by counting.
	BreakOwnEpoch
	// BreakMajority counts one replica less than a majority.
	BreakMajority
	// BreakTruncation truncates to where the log begins, whatever is committed.
	BreakTruncation
	// BreakOneChange appends a change of the voters while another is not committed.
	BreakOneChange
	// BreakFirstCommit changes voters before an entry of the leader's epoch is committed.
	BreakFirstCommit
	// BreakSnapshotVoters keeps the voters that were, when a snapshot is installed.
	BreakSnapshotVoters
	// BreakTruncatedVoters keeps voters whose record was truncated.
	BreakTruncatedVoters
	// BreakVotersAtAppend lets a voter set count only when it is committed.
	BreakVotersAtAppend
	// BreakSyncAck fetches, and so acknowledges, before the log is durable.
	BreakSyncAck
	// BreakSyncLeader counts the leader's own log before it is durable.
	BreakSyncLeader
	// BreakFetchEpoch serves and counts fetches of other epochs, and takes what leaders
	// of older epochs send.
	BreakFetchEpoch
	// BreakLogMatching serves fetches without comparing the epoch of the last record.
	BreakLogMatching
	// BreakNewEpoch campaigns in the epoch that is known, not in one above it.
	BreakNewEpoch
	// BreakPreVote takes a majority of pre-votes for votes.
	BreakPreVote
	// BreakStaleVotes counts votes of an older epoch.
	BreakStaleVotes
	// BreakDirectory counts replicas by their id alone.
	BreakDirectory
	// BreakRemovedLeader counts the log of a leader that is no voter.
	BreakRemovedLeader
	// BreakCommitted delivers, at followers, all that is in the log as committed.
	BreakCommitted
	// BreakResign leads on in the same epoch after a restart.
	BreakResign

	ruleCount
)

var ruleNames = [ruleCount]string{
	BreakSyncVote: "sync-vote", BreakOneVote: "one-vote", BreakUpToDate: "up-to-date", BreakOwnEpoch: "own-epoch", BreakMajority: "majority",
	BreakTruncation: "truncation", BreakOneChange: "one-change", BreakFirstCommit: "first-commit", BreakSnapshotVoters: "snapshot-voters",
	BreakTruncatedVoters: "truncated-voters", BreakVotersAtAppend: "voters-at-append", BreakSyncAck: "sync-ack", BreakSyncLeader: "sync-leader",
	BreakFetchEpoch: "fetch-epoch", BreakLogMatching: "log-matching", BreakNewEpoch: "new-epoch", BreakPreVote: "pre-vote",
	BreakStaleVotes: "stale-votes", BreakDirectory: "directory", BreakRemovedLeader: "removed-leader", BreakCommitted: "committed", BreakResign: "resign",
}

// String is the rule's name.
func (r Rule) String() string { return ruleNames[r] }

// AllRules lists the rules.
func AllRules() []Rule {
	list := make([]Rule, ruleCount)
	for i := range list {
		list[i] = Rule(i)
	}
	return list
}

// broken reports whether a test broke a rule of this replica.
func (r *Raft) broken(rule Rule) bool { return r.cfg.Break&(1<<rule) != 0 }
