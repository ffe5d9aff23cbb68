// Package rafttest runs replicas of package raft, the very code that ships, in a world
// that is made up: its time, network and disks come from one seed, so that a run can
// be repeated event by event.
//
// A [Schedule] says how many replicas there are and what happens to them:
//
//	network   loss, duplication, reordering, delay; partitions, also one way only
//	processes crashes between any two actions, pauses, orderly stops, moves to
//	          another address; clocks that drift and jump
//	disks     what was not synced is lost or cut, full and slow disks, wiped ones,
//	          rotten ones
//	quorum    voters are added and removed, leaders are asked to resign,
//	          kraft.version is raised, snapshots are made and the log is cleaned
//
// After every action the invariants of invariants.go are checked; they look at the
// disks of all replicas at once, as no replica can. When the faults are over the
// quorum has to get going again: a leader, and a commit that reaches all voters.
//
// # What Raft cannot survive
//
// A disk is wiped, or rots, only if a majority of every voter set that any log knows
// keeps its own, and never at kraft.version 0, where a voter that has lost its log
// cannot be told from one that has it. A rotten disk is expected to be noticed when the
// log is opened, which is metalog's business: the replica comes back without it. While
// a change of the voters is under way one disk can be too many: those who are left may
// go by different sets, and the longest log may belong to one that is no voter by it.
// A schedule that ends so is not asked to go on; [Stats] counts these. One in which no
// disk was lost always is.
//
// [Break] runs schedules with a rule broken, to see that the invariants notice.
package rafttest
