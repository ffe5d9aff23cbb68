// Package timeline gives the metadata of a cluster as of any offset that the files
// of a node still hold: from a snapshot, a segment, the directory of a metadata
// log or that of a node, also while the node runs.
//
//	snapshot 140 ──────────┐ snapshot 296 ─────┐
//	                       v                   v
//	log        [ 0 ......... 140 ......... 296 ......... 412 ]
//	             └─ all from here on can be reached, since the log begins at 0
//
// To reach an offset, the latest sound snapshot below it is loaded and the log
// behind that is replayed, as a node does at its start. What cannot be read does
// not stop that where a reader is helped by the rest: it is told as Problems.
package timeline
