package fsck

// Rules about the bytes and batches of segments and KRaft snapshots.
const (
	batchCRC        ID = "batch-crc"
	batchMagic      ID = "batch-magic"
	batchHeader     ID = "batch-header"
	batchCodec      ID = "batch-codec"
	batchAttributes ID = "batch-attributes"
	batchOldFormat  ID = "batch-old-format"
	logHole         ID = "log-hole"
	tailTorn        ID = "tail-torn"
	tailTornActive  ID = "tail-torn-active"
	tailZeros       ID = "tail-zeros"
	tailZerosActive ID = "tail-zeros-active"
	tailAllocated   ID = "tail-preallocated"
	tailGarbage     ID = "tail-garbage"
	offsetOrder     ID = "offset-order"
	offsetGap       ID = "offset-gap"
	epochDecreasing ID = "epoch-decreasing"
	controlBad      ID = "control-malformed"
	controlUnknown  ID = "control-unknown"
)

// What to do about damage in a log, by far the most frequent advice.
const (
	refetch = "Do not copy this replica. If other replicas are in sync, stop the broker, move the partition's directory away and start it: it fetches the partition again. If this is the only replica, dump-log --resync shows what can still be read."
	recut   = "Start the broker: after a crash it cuts the log there by itself. With other replicas in sync nothing is lost; otherwise dump-log shows what the last bytes hold."
)

var logRules = []Rule{
	{batchCRC, Error, "checksum of a batch is wrong",
		"Bytes of the batch were changed after they were written: a bad disk, bad memory, or a write that a power failure cut short. Consumers and followers fail at this offset, and a broker that recovers the log cuts it off here.",
		refetch},
	{batchMagic, Error, "batch of an unknown format",
		"The magic byte is none of 0, 1 and 2. No release of Kafka reads the batch.", refetch},
	{batchHeader, Error, "batch header contradicts itself",
		"The checksum is right but the offsets, the size or the record count cannot be: whatever wrote the batch was broken.", refetch},
	{batchCodec, Error, "batch with an unknown compression codec",
		"The records cannot be decompressed by any release of Kafka.", refetch},
	{batchAttributes, Info, "batch with unknown attribute bits",
		"Bits are set that Kafka 4.4 does not use. A later release may have written the batch.",
		"Nothing, if a later release did; otherwise look at the batch with dump-log."},
	{batchOldFormat, Info, "messages of format 0 or 1",
		"Kafka 4 still reads these formats but no longer writes them; old versions of clients may have produced them before the upgrade.",
		"Nothing. They go away with retention or compaction."},
	{logHole, Error, "bytes between the batches that are no batch",
		"A part of the file was overwritten or its length fields damaged; sound batches follow. A broker that recovers the log cuts off all of them, too.", refetch},
	{tailTorn, Error, "a closed segment ends in the middle of a batch",
		"The end of the file is missing, and the records in it: the segment was cut short after it was rolled, by the file system or by an incomplete copy.", refetch},
	{tailTornActive, Info, "the active segment ends in the middle of a batch",
		"Either the batch is being written at this moment, or a crash interrupted it.",
		"Nothing. A broker that was not shut down cleanly cuts it off at its next start."},
	{tailZeros, Error, "a closed segment ends in zeros",
		"The file system lost bytes that were written, which happens when the power fails before they are flushed.", refetch},
	{tailZerosActive, Warning, "the active segment ends in zeros",
		"After a power failure the length of the file survived and its last bytes did not.", recut},
	{tailAllocated, Info, "the active segment is preallocated",
		"The zeros at its end are room for records to come: log.preallocate is on.", "Nothing."},
	{tailGarbage, Error, "bytes after the last batch that are no batch",
		"Something other than a broker wrote to the file, or a crash left foreign blocks at its end. The broker cannot read on from there.", recut},
	{offsetOrder, Error, "offsets of the batches do not grow",
		"A batch starts at or below the offset where the one before it ended: batches were written twice, or an offset was changed (it is not covered by the checksum). Consumers may see records twice or skip some.", refetch},
	{offsetGap, Info, "offsets are missing between the batches",
		"Normal in a compacted topic, and in a replica of one. In a topic that was never compacted, records are missing.",
		"If the topic is not compacted, compare with the other replicas."},
	{epochDecreasing, Error, "leader epochs of the batches decrease",
		"Epochs only grow along a log. Either the field was changed (it is not covered by the checksum) or this replica kept records that it should have truncated when the leader changed.", refetch},
	{controlBad, Error, "control record that cannot be read",
		"A transaction marker or a record of the KRaft protocol is malformed. Brokers fail when they meet it.", refetch},
	{controlUnknown, Info, "control record of an unknown type",
		"A later release of Kafka may have written it. Kafka skips such records.", "Nothing, if a later release did."},
}

// Rules about records, which need Deep but for the first.
const (
	recordsDecompress ID = "records-decompress"
	recordsBad        ID = "records-malformed"
	recordsOffsets    ID = "records-offsets"
	metadataRecord    ID = "metadata-record"
	metadataUnknown   ID = "metadata-record-unknown"
	coordinatorRecord ID = "coordinator-record"
)

var recordRules = []Rule{
	{recordsDecompress, Error, "records cannot be decompressed",
		"The checksum of the batch is right, so the records were compressed wrongly by the producer, or grow beyond --max-decompressed. Consumers fail at this offset.",
		"If it is the limit, raise it. Otherwise consumers must seek beyond the batch, and the client that produced it should be found."},
	{recordsBad, Error, "records that cannot be read",
		"The checksum of the batch is right but its records are malformed: the producer wrote them so. Consumers fail at this offset.",
		"Consumers must seek beyond the batch; find the client that produced it."},
	{recordsOffsets, Error, "offsets of the records do not fit their batch",
		"The offsets inside the batch do not grow or leave its range. Consumers may see wrong offsets or stop.", refetch},
	{metadataRecord, Error, "metadata record that cannot be read",
		"Controllers and brokers stop when they replay this record.",
		"Do not restart other controllers before the cause is known. A controller whose log is sound can lead; copy nothing from this one."},
	{metadataUnknown, Warning, "metadata record of an unknown type or version",
		"A later release of Kafka wrote it, or it is damaged. Releases that do not know it stop when they replay it.",
		"Check that no node runs an older release than the metadata version asks for."},
	{coordinatorRecord, Warning, "coordinator record that cannot be read",
		"A record of __consumer_offsets, __transaction_state or __share_group_state is unknown or malformed. A coordinator skips it or fails to load the partition.",
		"Look at it with dump-log --print-data-log; check for brokers of mixed releases."},
}

// Rules about the segments and files of one partition.
const (
	segmentBase      ID = "segment-base"
	segmentOverlap   ID = "segment-overlap"
	segmentGap       ID = "segment-gap"
	metadataGap      ID = "metadata-gap"
	txnOpen          ID = "txn-open"
	fileName         ID = "file-name"
	fileNameOdd      ID = "file-name-odd"
	bootstrapInside  ID = "bootstrap-in-partition"
	topicIDBad       ID = "partition-metadata-malformed"
	topicIDMissing   ID = "partition-metadata-missing"
	topicIDMetadata  ID = "metadata-topic-id"
	topicIDMismatch  ID = "topic-id-mismatch"
	partitionTwice   ID = "partition-duplicate"
	metadataLogTwice ID = "metadata-log-twice"
)

var partitionRules = []Rule{
	{segmentBase, Error, "a segment starts below the offset in its name",
		"The file was renamed or its first batch damaged. The broker looks for these records in the wrong segment.", refetch},
	{segmentOverlap, Error, "segments overlap",
		"A segment has offsets that belong to the next one. Compaction was interrupted, or a file was copied from elsewhere; consumers may see records twice.", refetch},
	{segmentGap, Warning, "offsets are missing between two segments",
		"A segment file is missing, or lost its end. (No gap is reported for logs that show signs of compaction.)",
		"Compare with the other replicas. If they have the offsets, let this one be fetched again."},
	{metadataGap, Error, "offsets are missing in the metadata log",
		"The metadata log is never compacted: records are lost, and the state that is built from it is wrong.",
		"Do not let this node lead. If the other voters are sound, move its metadata directory away and let it fetch everything again."},
	{txnOpen, Info, "transaction without an end",
		"At the end of the log the transaction was still open. Consumers with read_committed do not read past it until it ends.",
		"Normal while the producer runs. If it hangs for longer than transaction.max.timeout.ms: kafka-transactions.sh find-hanging."},
	{fileName, Error, "file name that stops Kafka",
		"Kafka takes the file for one of its own but cannot read the offset in its name, and fails at its start.",
		"Move the file out of the directory."},
	{fileNameOdd, Warning, "file name that Kafka reads and does not write",
		"Kafka finds the file in a listing and then looks for it, or for its indexes, under another name.",
		"Rename it to the usual 20 digits if it belongs here; otherwise move it away."},
	{bootstrapInside, Error, "bootstrap.checkpoint in a partition directory",
		"It belongs one directory further up. In the directory of the metadata log its name stops the node at the start.",
		"Move it up into the log directory."},
	{topicIDBad, Error, "partition.metadata cannot be read",
		"The broker takes the partition's log directory offline, or fails to start.",
		"Write the file anew with the topic's id, as kafka-topics --describe shows it."},
	{topicIDMissing, Info, "no partition.metadata",
		"The directory is older than topic ids (Kafka 2.8), or its creation was interrupted. The broker writes the file when it learns the id.", "Nothing."},
	{topicIDMetadata, Error, "partition.metadata of the metadata log has a foreign topic id",
		"The id of __cluster_metadata is always AAAAAAAAAAAAAAAAAAAAAQ. A node that finds another one ends at its start (InconsistentTopicIdException).",
		"Find out where the directory came from. If the log is this node's, move partition.metadata away: the node writes it again."},
	{topicIDMismatch, Error, "directories of one topic have different topic ids",
		"The topic was deleted and created again while this broker or disk was away: one of the directories belongs to the old one. The broker fails on it or treats it as stray.",
		"Compare with kafka-topics --describe, and move the directory with the wrong id away."},
	{partitionTwice, Error, "a partition is in two log directories",
		"A broker that finds a partition twice does not start.",
		"Keep the one with the greater log end offset, move the other away."},
	{metadataLogTwice, Error, "the metadata log is in two log directories",
		"It belongs into metadata.log.dir, by default the first of log.dirs. A node that finds it in another one does not start.",
		"Find out which one was used last (the greater end offset), and move the other away."},
}
