// Package snapshot writes KRaft snapshots, the files of a metadata log that hold
// all of its state at an offset (KIP-630), as Kafka's nodes and tools write them.
//
//	00000000000000000023-0000000005.checkpoint       end offset and epoch
//	┌──────────────────────────────────────────────────────────────────┐
//	│ control batch  SnapshotHeader [, KRaftVersion [, KRaftVoters]]    │
//	│ data batch     records, up to 8 MiB                               │
//	│ ...                                                               │
//	│ control batch  SnapshotFooter                                     │
//	└──────────────────────────────────────────────────────────────────┘
//
// Offsets inside count from 0 without holes; the leader epoch of every batch is
// that of the file's name. bootstrap.checkpoint of releases up to 4.3 is the same
// format at offset 0.
//
// Reading is what decode.Reader does.
package snapshot
