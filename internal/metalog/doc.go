// Package metalog knows the metadata log as it lies on a node's disk: which files
// there are, what they stand for, how to read them while the node writes them, and
// how to write them.
//
//	METADATA_DIR/__cluster_metadata-0/
//	    00000000000000000000.log                        a segment: base offset
//	    00000000000000000000.index .timeindex           its sparse indexes
//	    00000000000000000171.log                        the active one: its end may be torn
//	    00000000000000000140-0000000001.checkpoint      a snapshot: end offset and epoch
//	    00000000000000000296-0000000001-7.checkpoint.part one that is being written
//	    00000000000000000171.snapshot                   producers: there are none
//	    leader-epoch-checkpoint                         where each leader epoch starts
//	    partition.metadata                              the topic id
//	    quorum-state                                    the last election
//
// A snapshot at end offset 140 stands for all records below 140.
//
// # Reading
//
// List and BatchFile open for reading only and lock nothing, so that they are safe
// on the directory of a running node.
//
// # Writing
//
// A Log is the log of a replica in this process. Kafka's controller can start on
// what it writes, and it on what Kafka's controller wrote.
//
//	Append ──> bytes of the active segment ──> index entries
//	Flush  ──> fsync of the active segment: all that was appended before it
//	Read   ──> whole batches, by offset
//
// The batches are the truth. Indexes and leader-epoch-checkpoint follow from them,
// and are compared and built again by OpenLog, as Kafka does at each start; so
// the indexes are never synced. What holds after a power failure at any moment,
// and by which order:
//
//   - Everything below the offset that Flush returned is there, byte for byte.
//     The active segment is all there is to sync, because a segment's name is made
//     only after all bytes of the one before it were synced, and the directory
//     is synced before anything is written to the new one. One sync is under way
//     at a time, and none is tried after one has failed.
//   - So a segment proves that all before it are whole, and only the last one
//     can be torn. Anything else is rot, and OpenLog refuses it.
//   - An epoch is in the checkpoint, durably, before a batch of it is written.
//   - Truncating takes segments from the end, each name gone durably before the
//     next one goes, and syncs the file that it cut before anything is appended.
//     Moving the start takes them from the front in the same way, and snapshots
//     last. What is left on the way is a log without a hole, with a snapshot at its
//     start or later.
//   - A snapshot is synced, read once more, made read-only, renamed, and its
//     directory synced. Only then is the log that it replaces taken away; if the
//     power fails in between, OpenLog does that, because the snapshot is newer.
//   - An error of the file system while the log is changed ends all changes: what
//     is on disk is not known, and a second fsync may succeed without having
//     written what the first one lost. OpenLog finds out.
//
// The log starts anew where its latest snapshot ends if that is newer than the
// log: flushed batches below it are not needed any more.
package metalog
