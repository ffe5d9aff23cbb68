package fsck

// Rules about KRaft snapshots, the quorum state and how they fit the metadata log.
const (
	snapshotHeader    ID = "snapshot-header"
	snapshotFooter    ID = "snapshot-footer"
	snapshotOffsets   ID = "snapshot-offsets"
	snapshotEpoch     ID = "snapshot-epoch"
	snapshotTruncated ID = "snapshot-truncated"
	snapshotLogEpoch  ID = "snapshot-log-epoch"
	snapshotBeyond    ID = "snapshot-beyond-log"
	snapshotBelow     ID = "snapshot-below-start"
	snapshotMissing   ID = "snapshot-missing"
	quorumBad         ID = "quorum-state-malformed"
	quorumMissing     ID = "quorum-state-missing"
	quorumBehind      ID = "quorum-state-behind"
)

const otherSnapshot = "Do not let this node lead. If another voter is sound, move the metadata directory of this one away and let it fetch the snapshot again; an older snapshot with all of the log behind it does, too."

var metadataRules = []Rule{
	{snapshotHeader, Error, "snapshot does not start with its header",
		"The first batch of a snapshot is a control batch that starts with a snapshot header. A node that loads the file fails.", otherSnapshot},
	{snapshotFooter, Error, "snapshot does not end with its footer",
		"The snapshot is not complete, although its name says that it is: the state that is built from it is not, either.", otherSnapshot},
	{snapshotOffsets, Error, "offsets in a snapshot are not contiguous",
		"Offsets in a snapshot start with 0 and leave nothing out. Batches are missing, or there twice.", otherSnapshot},
	{snapshotEpoch, Error, "batches of a snapshot have another epoch than its name",
		"The file was renamed, or the field damaged (it is not covered by the checksum).", otherSnapshot},
	{snapshotTruncated, Error, "snapshot ends in the middle of a batch",
		"The file was cut after it was complete, by the file system or by an incomplete copy.", otherSnapshot},
	{snapshotLogEpoch, Error, "snapshot and log disagree about the epoch",
		"The last record in the snapshot has another leader epoch in the log: one of them comes from another history of the cluster.",
		"Do not let this node lead; compare with the other voters and keep what the majority has."},
	{snapshotBeyond, Warning, "snapshot behind the end of the log",
		"The log ends before the snapshot. A node that starts so throws its log away and goes on from the snapshot.",
		"Normal for a moment while a follower catches up. Otherwise compare the log with the other voters before you start the node."},
	{snapshotBelow, Info, "snapshot before the start of the log",
		"The log goes on from a later snapshot; this one is deleted at the next start.", "Nothing."},
	{snapshotMissing, Error, "the metadata log starts where no snapshot ends",
		"The records before the log's start are in no snapshot: the state of the cluster cannot be built from this directory.", otherSnapshot},
	{quorumBad, Error, "quorum-state cannot be read",
		"The node does not start.",
		"If the other voters are a majority, remove the file with the whole metadata directory, so that this node cannot vote twice in an epoch, and let it fetch everything again."},
	{quorumMissing, Warning, "no quorum-state although there is a metadata log",
		"The node has forgotten in which epoch it was and for whom it voted, and could vote twice.",
		"Find out who removed the file. If the other voters are a majority, let this node fetch everything again."},
	{quorumBehind, Warning, "quorum-state is older than the metadata log",
		"The log has records of a later epoch than the file knows. The file was restored from a backup or lost its last write.",
		"The node takes the epoch from the log and starts. Find out where the file came from."},
}

// Rules about log directories and how they belong together.
const (
	dirName            ID = "dir-name"
	topicName          ID = "topic-name"
	leftoverFile       ID = "leftover-file"
	leftoverDir        ID = "leftover-dir"
	checkpointBad      ID = "checkpoint-malformed"
	checkpointUnknown  ID = "checkpoint-unknown-partition"
	highWatermark      ID = "high-watermark-beyond-end"
	recoveryPoint      ID = "recovery-point-beyond-end"
	logStart           ID = "log-start-beyond-end"
	cleanerOffset      ID = "cleaner-offset-beyond-end"
	cleanShutdownBad   ID = "clean-shutdown-malformed"
	metaBad            ID = "meta-properties-malformed"
	metaMissing        ID = "meta-properties-missing"
	metaVersion        ID = "meta-properties-version"
	metaNoDirectoryID  ID = "directory-id-missing"
	directoryReserved  ID = "directory-id-reserved"
	directoryDuplicate ID = "directory-id-duplicate"
	clusterMismatch    ID = "cluster-id-mismatch"
	nodeMismatch       ID = "node-id-mismatch"
)

var directoryRules = []Rule{
	{dirName, Error, "directory name that stops a broker",
		"A broker takes every directory in a log directory for a partition, and does not start when it meets another name. (lost+found is the classic: the log directory is the root of a file system. A node that is only a controller does not mind.)",
		"Move it away, or make a directory below the mount point the log directory."},
	{topicName, Info, "directory of an impossible topic",
		"The broker loads it, but no topic can have this name.", "Find out where it came from."},
	{leftoverFile, Info, "file that is about to go, or was never finished",
		"A deletion, a compaction or a snapshot is under way, or was interrupted. A broker cleans up at its start.", "Nothing."},
	{leftoverDir, Info, "partition directory that is no live replica",
		"-delete is removed a minute later or at the next start, -future is being filled and will replace a replica in another log directory, -stray was not assigned to this broker when it started.",
		"Nothing for the first two. A stray directory stays: delete it when the topic is sound elsewhere."},
	{checkpointBad, Error, "checkpoint of a log directory cannot be read",
		"Depending on the file, the broker starts from 0 for all partitions (and reads or deletes more than it should), or takes the directory offline.",
		"With the broker stopped, delete the file: it is written again. High watermarks then come from the leaders."},
	{checkpointUnknown, Info, "checkpoint names a partition that is not there",
		"The partition was deleted or moved, and the file was not written since.", "Nothing, if you know where the partition went."},
	{highWatermark, Error, "high watermark behind the end of the log",
		"Records up to the high watermark were committed, and this replica does not have all of them any more.",
		"If it is not the leader, it fetches them again. Do not let it become leader by an unclean election."},
	{recoveryPoint, Error, "recovery point behind the end of the log",
		"All up to the recovery point was flushed to the disk, and is not there any more: the disk or the file system lost it, or files were removed.",
		"Check the disk. Let the replica be fetched again."},
	{logStart, Error, "log start offset behind the end of the log",
		"Records after the start were lost. The broker throws the rest of the log away and goes on from the start offset.",
		"Compare with the other replicas before you start the broker."},
	{cleanerOffset, Warning, "cleaner offset behind the end of the log",
		"The log was longer when the cleaner last ran. The broker starts cleaning from the beginning.",
		"Compare the log end offset with the other replicas."},
	{cleanShutdownBad, Info, ".kafka_cleanshutdown cannot be read",
		"Releases before 3.7 leave it empty. The broker does not know its last epoch, and is not taken back into in-sync sets as fast.", "Nothing."},
	{metaBad, Error, "meta.properties cannot be read",
		"The broker takes the directory offline; a controller does not start.",
		"Write it anew from that of another log directory of the node, with a directory.id of its own."},
	{metaMissing, Info, "no meta.properties",
		"The directory is not formatted, or is only a part of a log directory. A node that has it in log.dirs does not start, even if its other directories are formatted.",
		"If it should be one, format it with kraftctl storage format --if-needed."},
	{metaVersion, Info, "meta.properties of a ZooKeeper cluster",
		"Version 0 belongs to the time before KRaft.", "Format the directory or migrate with a bridge release (3.9) first."},
	{metaNoDirectoryID, Info, "meta.properties without directory.id",
		"Kafka before 3.7 wrote the file. Later releases add the id at their start.", "Nothing."},
	{directoryReserved, Error, "directory.id is reserved",
		"The ids 0 to 99 have a meaning of their own (migrating, unassigned, lost). The node does not start.",
		"Give the directory an id of its own: kafka-storage random-uuid."},
	{directoryDuplicate, Error, "two log directories have the same directory.id",
		"One was copied from the other. The node does not start.",
		"Find out which is the copy, and give it an id of its own, or leave it out of log.dirs."},
	{clusterMismatch, Error, "log directories belong to different clusters",
		"The cluster.id differs: a disk of another cluster was attached. The node does not start.",
		"Leave the directory out of log.dirs."},
	{nodeMismatch, Error, "log directories belong to different nodes",
		"The node.id differs: a disk of another node was attached. The node does not start.",
		"Attach the right disk. (One run of this check is about one node.)"},
}

// Rules about what could not be looked at.
const (
	fileUnreadable ID = "file-unreadable"
	nothingFound   ID = "nothing-found"
)

var generalRules = []Rule{
	{fileUnreadable, Error, "file or directory cannot be read",
		"The operating system gave an error: permissions, or a failing disk. A broker that meets it takes the log directory offline.",
		"Run as the user of the broker. If it is an I/O error, look at the kernel's log and replace the disk."},
	{nothingFound, Warning, "nothing of Kafka's in here",
		"The directory holds no file that a node writes. Is it the right one?",
		"Name the directory that log.dirs or metadata.log.dir names."},
}
