// Package format makes the log directories of a node, so that Kafka starts on
// them: what kafka-storage format does, for every release from 3.9 to 4.4, in
// one go or not at all.
//
//	Request ──NewPlan──> Plan ──Preflight──> Apply
//	 what is    features,   what would be     temporary files, synced;
//	 asked for  SCRAM,      refused           renames, meta.properties last
//	            directories
//
// What is written depends on the release:
//
//	                        3.9 - 4.3                       4.4
//	every directory         meta.properties                 meta.properties
//	                        bootstrap.checkpoint
//	metadata directory      __cluster_metadata-0/0-0.checkpoint
//	                        of voters and dynamic quorums,  of every controller, with
//	                        control records only            the bootstrap records as well
//
// where 0-0.checkpoint stands for 00000000000000000000-0000000000.checkpoint.
//
// A directory counts as formatted once meta.properties is there; it comes last,
// after everything else is durable. A crash leaves each directory formatted or
// not, never in between, and an error takes back what was done.
//
// Nothing here reads the clock, the file system or random numbers but through
// Env and the file system that is passed in.
package format
