// Package fsck checks the directories of a Kafka node against everything that
// is known about what a sound node leaves on disk: one pass over each file, a
// catalogue of rules, and for every finding the file, the byte, the offset, what
// it means and what to do.
//
//	report, err := fsck.Check(ctx, vfs.OS, []string{"/var/lib/kafka"}, fsck.Options{})
//	for _, f := range report.Findings {
//		fmt.Println(f.Severity(), f.Rule, f.File, f.Position, f.Message)
//	}
//
// What may be given is a log directory, several log directories of one node, a
// directory that holds log directories, the directory of one partition, or
// single files.
//
// # How it works
//
//	Check ── classify ─> log directories ─> partitions ─> tasks, one per file ─> workers
//	                                                        │
//	          a segment: walker ──batches──> visitors:  offsets  epochs  transactions
//	                     (one pass)                     .index  .timeindex  .txnindex
//	                                                    producer snapshots  records (Deep)
//	                                                        │
//	          findings <── what belongs together: segments of a partition, its epochs and
//	                       snapshots, checkpoints of a directory, directories of a node
//
// A segment is read once, from its first byte to its last, whatever the number
// of files that are held against it: an index is merged with the batches, never
// searched. No more is kept than a chunk of batches, the open transactions and
// the leader epochs, all bounded. Damage in the log is not reported again for
// every index entry that points into it.
//
// # A running node
//
// Nothing is written, locked or mapped, so a running node is not disturbed; but
// it changes what is being looked at. Therefore
//
//   - a file that is not there any more is no finding, and neither are those
//     that were made with it;
//   - indexes are opened before their log, and checkpoints are read before the
//     logs they speak of: these always lag behind, in this order;
//   - the segment that is written to may end in a part of a batch, and its
//     indexes in zeros;
//   - what would be an alarm in files that may be changing is looked at a second
//     time, and only what is found twice is reported.
//
// # Severities
//
// An error is damage: records are lost, cannot be read, or are not found by
// their offset or time. A warning is something that a sound node does not leave
// behind, and that a person should look at. Information is worth knowing and
// needs nobody. False alarms are worse than misses: where releases of Kafka
// differ, or where a state is normal for some topics (gaps in a compacted log),
// a rule gives at most information.
package fsck
