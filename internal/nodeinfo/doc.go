// Package nodeinfo looks at the storage of a Kafka node and says what is there
// and what is wrong with it: the log directories, who they belong to, how they
// were formatted, the metadata version and the features, the voters, what
// quorum-state remembers, and every problem with its remedy. [Collect] is behind
// kraftctl storage info, [Check] behind kraftctl storage check.
//
//	report, err := nodeinfo.Collect(ctx, vfs.OS, nodeinfo.Options{Dirs: []string{"/var/lib/kafka"}})
//	for _, p := range report.Problems {
//		fmt.Println(p.Line())
//	}
//
// # What is read
//
//	meta.properties ─────────────┐ of every directory
//	names, owners, modes, .lock ─┤
//	                             ├─> Report
//	latest snapshot ─> log ──────┤ of the metadata directory, streamed
//	quorum-state ────────────────┤
//	bootstrap.checkpoint ────────┘
//
// Nothing is written, locked or mapped, and files are opened for reading only, so
// that a running node is not disturbed. Of the metadata log only what lies behind
// the latest snapshot is read. A file that is damaged is a problem in the report,
// never an error.
//
// # What "now" means
//
// Which records of the log are committed is not known without the other voters:
// versions, features and voters are those after the last record that is on this
// disk (see Metadata.AsOf). The same holds for the voters, with which Kafka
// itself does it so.
//
// # Severities
//
// An error keeps the node from starting, from ever being elected, or loses data.
// A warning is something that a person should look at; a note is worth knowing
// and needs nobody. [Catalogue] has all problems. What keeps a node from starting
// was tried with the servers of 3.9.1, 4.0.0, 4.3.1 and 4.4.0.
//
// # JSON
//
// The types of this package marshal to the documented shape, with names like
// those of Kafka's own JSON (clusterId, leaderEpoch). Fields may be added;
// existing ones keep their names and meaning. Lists are never null where the
// field is not optional. Secrets are not in it: of SCRAM credentials there are
// the names and mechanisms, of the configuration there are keys and no values.
//
//	{
//	  "target": "4.4",                     the release that shall start here
//	  "clusterId": "...", "nodeId": 1, "roles": ["broker","controller"],
//	  "running": {"held": false, "pid": 0},
//	  "directories": [{"path": ..., "kind": "metadata", "state": "formatted", "meta": {...}, ...}],
//	  "layout": {"name": "unified", "quorum": "dynamic", "text": ...},
//	  "metadata": {"version": {"level": 33, "name": "4.4-IV2"}, "features": [...], "source": ..., "asOf": 27, "scram": [...]},
//	  "voters": {"source": ..., "thisNode": "voter", "voters": [{"id": 1, "directoryId": ..., "endpoints": [...], "thisNode": true}]},
//	  "quorumState": {"version": 1, "leaderId": 1, ..., "fields": [{"name": "leaderId", "value": "1", "meaning": ...}], "start": ...},
//	  "log": {"segments": 1, "startOffset": 0, "endOffset": 27, "lastEpoch": 1, "bytes": 1526},
//	  "snapshots": [{"name": ..., "endOffset": 0, "epoch": 0, "bytes": 494, "state": "complete"}],
//	  "problems": [{"severity": "error", "id": "directory-not-formatted", "path": ..., "what": ..., "remedy": ...}]
//	}
package nodeinfo
