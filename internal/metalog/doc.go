// Package metalog knows the metadata log as it lies on a node's disk: which files
// there are, what they stand for, and how to read them while the node writes
// them. It opens for reading only and locks nothing.
//
//	METADATA_DIR/__cluster_metadata-0/
//	    00000000000000000000.log                        a segment: base offset
//	    00000000000000000171.log                        the active one: its end may be torn
//	    00000000000000000140-0000000001.checkpoint      a snapshot: end offset and epoch
//	    00000000000000000296-0000000001.checkpoint.part one that is being written
//
// A snapshot at end offset 140 stands for all records below 140.
package metalog
