// Package feature is the one table of what Kafka can do at which version: the
// metadata versions with the record and RPC versions that they permit, the
// other features with their levels, defaults and dependencies, and which
// release knows which of them (KIP-584, KIP-1022).
//
//	metadata.version   7 (3.3-IV3) ... 33 (4.4-IV2), 34 (4.5-IV0) not yet stable
//	                        │
//	                        └─> default level of every other feature:
//	kraft.version           1 from 3.9-IV0     (set by the kind of quorum, not by this table)
//	transaction.version     2 from 4.0-IV2
//	group.version           1 from 4.0-IV0
//	eligible.leader.replicas.version 1 from 4.1-IV0, needs metadata.version >= 23
//	share.version           1 from 4.2-IV0, 2 from 4.4-IV0
//	streams.version         1 from 4.2-IV1
//
// Formatting, snapshots and the controller all decide by this table. Error texts
// are those of Kafka 4.4.0.
package feature
