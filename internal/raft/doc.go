// Package raft is a replica of a KRaft quorum as a pure state machine: Kafka's
// dialect of Raft (KIP-595, 630, 853, 996, 1166, 1186), in which followers pull
// (Fetch), elections begin with a pre-vote, and the voters of a quorum stand in
// its own log.
//
// There is no clock, goroutine, file or socket in here. What happens comes in by
// calls that say when it happened; what is to be done comes out as a list:
//
//	                      ┌────────────────────────────┐
//	Step(now, Request)    │ unattached  prospective    │   SaveElection, Append, Flush,
//	Step(now, Response)   │ candidate   follower       │   Truncate, InstallSnapshot
//	Step(now, Flushed) ──>│ leader      resigned       │──> Send, Reply
//	Propose(now, values)  │ log offsets, epochs, voters│   Commit, LeaderChanged, Stopped
//	                      └────────────────────────────┘
//	                         Ready(now) []Action, Deadline()
//
// The caller carries out the actions of Ready in their order, and calls Ready again
// after each Step and when Deadline has come. Several Steps may come before one
// Ready: that is how many proposals become one write.
//
// # What must be durable before what
//
// Actions are carried out one after the other. [SaveElection], [Truncate] and
// [InstallSnapshot] are durable when they end: whatever stands behind them in the
// list, a granted vote for example, may rely on it. [Append] only writes. [Flush]
// makes all that was appended before it durable while the replica goes on, and is
// answered by the event [Flushed]; until then a follower does not fetch again (its
// fetch offset is its acknowledgement) and a leader does not count its own log.
// So one fsync serves all that came while the one before it ran.
//
// # States
//
//	             election timeout              pre-vote won             vote won
//	Unattached ───────────────────> Prospective ───────────> Candidate ───────────> Leader
//	    ^  │ leader known   ^            │ lost, leader known    │ timeout            │ resigns
//	    │  v                │ fetch      v                       └─> Prospective      v
//	    │ Follower ─────────┘ timeout  Follower                                    Resigned
//	    └── a higher epoch, from anywhere; Resigned: epoch + 1 after its timeout ─────┘
//
// There is a file for each state, named after it, and one for each request, named
// by its number in the protocol and its name. An observer is a replica that is not
// in the voter set: it is Unattached or Follower, and observer.go has what differs.
//
// # The rules of the literature
//
// Each stands in the code under its name, and [Rule] can break it, for the
// simulation of package rafttest to show that it would notice:
//
//	one vote per epoch                        52_vote.go, mayVote
//	the log of the candidate is up to date    52_vote.go, upToDate
//	leader completeness                       follows from these two and majorities (voters.go)
//	a majority acknowledges                   high_watermark.go, majorityEnd
//	only an entry of the own epoch is
//	counted (the case of figure 8)            high_watermark.go, advance
//	log matching                              01_fetch.go, checkPosition
//	truncation spares what is committed       01_fetch_response.go, truncate
//	one voter change at a time                voter_change.go, mayChange
//	a voter set counts when it is appended    voter_history.go
//
// Numbers of sections in comments are those of the specification of the replica
// that the tests in testdata are named after.
package raft
