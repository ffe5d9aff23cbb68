// Package conformance compares our kafka-dump-log and kafka-storage with the real
// ones of Apache Kafka on files, nodes and command lines that neither has seen
// before, and starts real servers on what we format.
//
//	conformance/run.sh                              needs Java 17 or newer, and Maven for the first run
//	KRAFTCTL_CONFORMANCE_SEED=7 conformance/run.sh  other files (or "random")
//	KRAFTCTL_CONFORMANCE_CASES=20000 conformance/run.sh
//
// java/Make.java writes random files with Kafka's own classes: segments of all
// three formats and all codecs, every record of every topic that has a decoder,
// snapshots, indexes, producer states; and copies of them with flipped bits, cut
// ends, zeroed ranges, spliced bytes and awkward field values, checksums set
// right again or not. java/Odd.java and java/Indexes.java write byte by byte what
// Kafka's classes refuse to: batches, messages, control records and index entries
// that break one rule at a time. java/Oracle.java then runs Kafka's DumpLogSegments on all
// of them in one JVM. The test in this package (build tag conformance) runs our
// binary on the same files and compares exit status and standard output, byte
// for byte; and standard error where the real one has no Java stack trace.
//
// It also goes the other way: batches that our own encoders have compressed are
// given to Kafka to read.
//
// TestStorageAgainstKafka draws nodes with their directories in all kinds of
// states, and command lines, and compares output, exit codes and files of both
// storage tools; TestTargetsAgainstKafka does it for storage format --target with
// the tool of every release. TestConfig has both load thousands of
// configurations with a few things wrong, and compares what they object to;
// TestTemplatesAgainstKafka has Kafka load ours.
//
// TestServers starts real servers of 4.4.0, 4.3.1, 4.0.0 and 3.9.1 on what we
// format, with configurations of our template: one node with a static quorum,
// one with a dynamic quorum that another controller joins, three controllers
// that begin together; and each on the layouts of other releases, also where the
// server must refuse them. java/Ask.java asks the running nodes, all from one
// JVM, for what was asked for when formatting: features, SCRAM users, voters;
// Kafka's command line tools are asked once for each release. Our storage info
// and check must say the same of the node, running and stopped. The first run
// puts a class data archive for each release next to its jars. At most two
// servers run at a time, but for the three controllers. TestStorageInfo goes the
// other way: directories that Kafka's tools have formatted are looked at by
// ours, and ours by theirs.
//
// TestSnapshotsOnServers starts 4.4.0 on snapshots that kraftctl snapshot write and
// storage format --from wrote, with no log before them, and asks Kafka's tools for
// what is in them.
//
//	conformance/run.sh -run 'TestServers/few/4.0.0'  what is started of 4.0.0, without three controllers
//
// A failure names the seed and the case, shows a diff, and leaves all files.
//
// The folder fixtures/ has the makers of testdata/fixtures, and regolden.sh
// runs the real tools again for testdata/golden.
package conformance
