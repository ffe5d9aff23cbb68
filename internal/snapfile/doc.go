// Package snapfile works on the files that hold a cluster's metadata as a whole:
// it verifies KRaft snapshots, writes them out of a snapshot and the log behind
// it, and takes the secrets out of files that shall be shared.
//
//	snapshot 140 + log [140 ... 411]  ──Write at 411──>  00000000000000000412-0000000003.checkpoint
//
// A file that is written is complete, synced and read back before it takes its
// name; one that is there is never overwritten.
package snapfile
