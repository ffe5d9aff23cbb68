package nodeinfo

// Problems of the configuration.
const (
	configInvalid      = "config-invalid"
	configKeyUnknown   = "config-key-unknown"
	configKeyForeign   = "config-key-foreign"
	configKeyOther     = "config-key-other-release"
	configZooKeeper    = "config-zookeeper"
	configNoDirs       = "config-no-directories"
	configRolesMissing = "config-no-roles"
	controllerSCRAM    = "controller-scram"
	controllerSCRAMRun = "controller-scram-restart"
)

// betweenControllers is the advice for controllers that cannot know each other.
const betweenControllers = "Use another mechanism between controllers: sasl.mechanism.controller.protocol=PLAIN (with TLS, as passwords can be read on the way), or SSL with client certificates for the controller listener; see kraftctl storage template"

var configKinds = []KindOfProblem{
	{configInvalid, Error, "Kafka reads the configuration before anything else, and ends.",
		"Correct the configuration"},
	{configKeyUnknown, Warning, "No release of Kafka knows the key, and it looks like one that Kafka knows: the value has no effect.",
		"Correct the name of the key"},
	{configKeyForeign, Note, "Kafka itself does not know the key. It hands all keys to plugins, which may.",
		"Nothing to do, if it belongs to a plugin"},
	{configKeyOther, Warning, "The target release does not know the key any more, or not yet: the value has no effect.",
		"Remove the key, or read the upgrade notes for what took its place"},
	{configZooKeeper, Warning, "Kafka 4 has no ZooKeeper; in 3.9 the key is for a migration.",
		"Remove the key once the migration is over"},
	{configNoDirs, Error, "There is nothing to look at.", "Set log.dirs"},
	{configRolesMissing, Error, "Without process.roles the node is none of KRaft: Kafka 4 refuses it, 3.9 starts it for ZooKeeper.",
		"Set process.roles to broker, controller, or both"},
	{controllerSCRAM, Error, "The users of SCRAM are in the metadata, and a controller reads that only once there is a leader. To elect one, the controllers must log in to each other, and none knows the users yet, not even those that were given to format: every login is refused, and there is never a leader.",
		betweenControllers},
	{controllerSCRAMRun, Warning, "The users of SCRAM are in the metadata, which a controller reads only while there is a leader. A controller can join, and controllers can be restarted one by one; but once all are down, they refuse each other when they come back, and there is never a leader again (tried with three of 4.4.0).",
		betweenControllers},
}

// Problems of directories as such.
const (
	dirMissing     = "directory-missing"
	dirNoDirectory = "directory-not-a-directory"
	dirUnreadable  = "directory-unreadable"
	dirUnformatted = "directory-not-formatted"
	dirNotWritable = "directory-not-writable"
	dirLink        = "directory-link"
	ownerDiffers   = "owner-differs"
	ownerDirs      = "owner-differs-between-directories"
	modeWrong      = "mode"
	nodeRunning    = "node-running"
	lockLeft       = "lock-left"
	lockDirectory  = "lock-is-a-directory"
	uncleanStop    = "unclean-shutdown"
)

var directoryKinds = []KindOfProblem{
	{dirMissing, Error, "A node does not start when one of its directories is missing: it looks for meta.properties in each.",
		"Mount the disk that belongs there. If it is a new one, create it with kraftctl storage format --if-needed"},
	{dirNoDirectory, Error, "A node does not start if this is the metadata directory; otherwise a broker starts without the directory, and its partitions are offline. (A node that is only a controller does not mind.)",
		"Move the file away and mount or format the directory, or name another one in log.dirs"},
	{dirUnreadable, Error, "Nothing is known about the directory. If the node runs as the same user, it cannot read it, either.",
		"Run this as the user of the node; give the directory to that user, or look at the kernel's log if it is an I/O error"},
	{dirUnformatted, Error, "A node does not start as long as one of its directories has no meta.properties (all releases from 3.9 to 4.4).",
		"If the disk is the right one and new, format it: kraftctl storage format --if-needed, with the cluster id of the other directories. If it was in use, the wrong disk is mounted"},
	{dirNotWritable, Error, "A node that cannot write to a directory does not start, or takes the directory offline.",
		"Run this as the user of the node; mount the file system for writing, or give the directory to that user"},
	{dirLink, Note, "Kafka follows the link. What it points to may change under a running node.", "Nothing to do"},
	{ownerDiffers, Warning, "The node runs as one user. Files of another one (often root, who ran the format) it cannot read or replace: snapshots have mode 0400.",
		"Give all files to the user of the node: chown -R USER:GROUP DIRECTORY"},
	{ownerDirs, Warning, "The node runs as one user, and cannot write to directories of another one.",
		"Give all directories to the user of the node: chown -R USER:GROUP DIRECTORY"},
	{modeWrong, Warning, "Not even the owner may read or write what a node reads and writes; it fails, unless it runs as root.",
		"chmod u+rwX; snapshots need u+r only"},
	{nodeRunning, Note, "A process holds the lock. What is reported may change while it is read; a second node on the same directories does not start.",
		"Nothing to do. To see what the next start finds, stop the node first"},
	{lockLeft, Note, "A node that stops in good order removes the file; this one was killed. The lock itself went with the process.", "Nothing to do"},
	{lockDirectory, Error, "A node locks the file .lock in each of its directories, and ends when it cannot open it.",
		"Remove the directory; the node creates the file"},
	{uncleanStop, Note, "The broker did not stop in good order, or was never started: it reads its logs again at the next start (recovery), and its replicas rejoin the in-sync set later.",
		"Nothing to do"},
}

// Problems of meta.properties.
const (
	metaUnreadable     = "meta-properties-unreadable"
	metaZooKeeper      = "meta-properties-zookeeper"
	metaExtra          = "meta-properties-extra"
	metaLink           = "meta-properties-link"
	clusterMismatch    = "cluster-id-mismatch"
	nodeMismatch       = "node-id-mismatch"
	nodeConfig         = "node-id-config"
	directoryNone      = "directory-id-missing"
	directoryReserved  = "directory-id-reserved"
	directoryDuplicate = "directory-id-duplicate"
)

var metaKinds = []KindOfProblem{
	{metaUnreadable, Error, "A node does not start if this is the metadata directory; otherwise a broker starts without the directory, and its partitions are offline. (A node that is only a controller does not mind.)",
		"Write the file anew: the cluster.id and node.id of another directory of the node, and its own directory.id (kraftctl storage random-uuid if it is lost). If something else than a file has its name, move that away before"},
	{metaZooKeeper, Warning, "Version 0 is of a ZooKeeper cluster. Kafka starts on it, but its metadata is still in ZooKeeper: to a new KRaft cluster all partitions in the directory are unknown, and are set aside.",
		"If the directory has data, migrate the cluster with Kafka 3.9 first; else empty the directory and format it"},
	{metaExtra, Note, "Kafka does not know the keys and drops them when it writes the file again.", "Nothing to do"},
	{metaLink, Note, "Kafka follows the link. What it leads to does not move with the disk, and when Kafka writes the file anew, a file takes the place of the link.", "Nothing to do; better put the file itself there"},
	{clusterMismatch, Error, "A disk of another cluster was attached. The node does not start.",
		"Attach the right disk, or leave the directory out of log.dirs"},
	{nodeMismatch, Error, "A disk of another node was attached. The node does not start.",
		"Attach the right disk, or leave the directory out of log.dirs"},
	{nodeConfig, Error, "The directories are those of another node, or node.id was changed. The node does not start.",
		"Set node.id to the id in meta.properties, or attach the disks of this node"},
	{directoryNone, Note, "Written by Kafka before 3.7, or the key was lost. Kafka adds a random one at its start.", "Nothing to do"},
	{directoryReserved, Error, "The ids 0 to 99 have a meaning of their own (migrating, unassigned, lost). The node does not start.",
		"Give the directory an id of its own: kraftctl storage random-uuid"},
	{directoryDuplicate, Error, "One directory was copied from the other, or both paths lead to the same place. The node does not start.",
		"Find out which is the copy; give it an id of its own, or leave it out of log.dirs"},
}

// Things that are left over.
const (
	leftTemp      = "leftover-temporary-file"
	leftPart      = "leftover-snapshot-part"
	leftDeleted   = "leftover-deleted-file"
	leftCleaned   = "leftover-compaction"
	leftPartition = "leftover-deleted-partition"
	leftFuture    = "future-partition"
	leftStray     = "stray-partition"
	foreignDir    = "foreign-directory"
	foreignDirOK  = "foreign-directory-ignored"
	foreignFile   = "foreign-file"
)

var leftoverKinds = []KindOfProblem{
	{leftTemp, Note, "A small file was not completed when the node or the tool was stopped. Kafka never reads it, and overwrites it the next time.",
		"Nothing to do; it may be deleted while the node is stopped"},
	{leftPart, Note, "A snapshot was not completed. Kafka deletes it at its start.", "Nothing to do"},
	{leftDeleted, Note, "The file is about to be deleted: a minute later, or at the next start.", "Nothing to do"},
	{leftCleaned, Note, "A compaction was under way. Kafka completes or drops it at its start.", "Nothing to do"},
	{leftPartition, Note, "The partition was deleted; its directory goes a minute later, or after the next start.", "Nothing to do"},
	{leftFuture, Note, "A replica is moving to this directory. If the one that it replaces is gone, the broker sets it aside as stray.", "Nothing to do"},
	{leftStray, Warning, "The controller had not assigned the partition to this broker. The directory stays for ever.",
		"Delete it when the topic is sound elsewhere, or was deleted"},
	{foreignDir, Error, "A broker takes every directory for a partition, and does not start when it meets another name. (lost+found: the log directory is the root of a file system.)",
		"Move it away, or make a directory below the mount point the log directory"},
	{foreignDirOK, Note, "Kafka leaves it alone, since the node is only a controller.", "Nothing to do; a broker would not start on it"},
	{foreignFile, Note, "Kafka leaves it alone.", "Nothing to do"},
}
