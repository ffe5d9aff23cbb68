package nodeinfo

// Problems of the metadata log and its snapshots.
const (
	metadataMisplaced  = "metadata-log-misplaced"
	metadataTwice      = "metadata-log-twice"
	metadataGap        = "metadata-log-gap"
	metadataDamaged    = "metadata-log-damaged"
	metadataUnreadable = "metadata-log-unreadable"
	metadataTorn       = "metadata-log-torn"
	metadataReplay     = "metadata-replay"
	snapshotDamaged    = "snapshot-damaged"
	snapshotIncomplete = "snapshot-incomplete"
	snapshotName       = "snapshot-name"
	bootstrapInside    = "bootstrap-in-metadata-log"
	bootstrapDamaged   = "bootstrap-damaged"
	bootstrapMissing   = "bootstrap-missing"
	layoutNewer        = "layout-newer"
	layoutSkipped      = "layout-skipped"
	layoutOutgrown     = "layout-outgrown"
)

// recopy is the advice for a metadata log that cannot be used.
const recopy = "If the other voters are a majority, move __cluster_metadata-0 away and let the node fetch it again; if this is the only controller, see kraftctl fsck for what is left"

var metadataKinds = []KindOfProblem{
	{metadataMisplaced, Error, "The metadata log may be in the metadata directory only: the node does not start. The metadata directory was changed (metadata.log.dir, or the first of log.dirs), or the wrong disk is mounted.",
		"Name the directory that has the metadata log in metadata.log.dir. If the log in it is old and not wanted, move it away"},
	{metadataTwice, Error, "Only one of the directories can be the metadata directory, and a node that finds the metadata log in another one does not start.",
		"Find out which one metadata.log.dir names, and move the other log away"},
	{metadataGap, Error, "Records before the start of the log are in no snapshot: the state of the cluster cannot be built from this directory.", recopy},
	{metadataDamaged, Error, "Kafka checks the metadata log at every start, also after one in good order, and cuts it off there with no more than a warning in its own log: all records behind the damage are lost, committed or not. A quorum of one goes on without them.",
		"Do not start the node before the directory is copied. " + recopy},
	{metadataUnreadable, Error, "The node cannot read it, either, if it runs as the same user.",
		"Run this as the user of the node; give the files to that user, or look at the kernel's log if it is an I/O error. If something else than a file has the name, move it away"},
	{metadataTorn, Note, "The last batch was being written when the node was stopped, or is being written now. The next start cuts it off.", "Nothing to do"},
	{metadataReplay, Error, "Kafka's nodes end when they replay a record that does not fit, such as a change of a partition that is not there. Only \"check\" looks for it: it replays all of the metadata.",
		"Compare with the other controllers: kraftctl snapshot diff. If they are sound, and a majority, move __cluster_metadata-0 away and let the node fetch it again"},
	{snapshotDamaged, Error, "The node does not start, since it loads the latest snapshot first.",
		"If the records in it are all in the log, or an older snapshot is there, move the file away. " + recopy},
	{snapshotIncomplete, Error, "The last batch of a snapshot is its footer, and it is not there: Kafka does not notice, and goes on with a part of the cluster's state.",
		"Move the file away if an older snapshot is there. " + recopy},
	{snapshotName, Error, "Kafka takes every file that ends in .checkpoint for a snapshot, and does not start when it cannot read the offset and epoch in the name.",
		"Move the file away"},
	{bootstrapInside, Error, "Kafka takes it for a snapshot and does not start, since there is no offset in its name.",
		"Move it up into the log directory"},
	{bootstrapDamaged, Error, "Kafka reads the file at every start, and ends if there is no metadata version in it.",
		"Copy the file from another controller; or move it away if the metadata log has records, which is all that counts then"},
	{bootstrapMissing, Warning, "The node was formatted and has its voters, but neither bootstrap.checkpoint nor a snapshot says with which metadata version and users: a controller that becomes leader begins with the defaults of its release.",
		"Format again if the cluster is new (move meta.properties away first), or ignore it if the defaults are fine"},
	{layoutNewer, Note, "The target does not write this layout itself (all in one snapshot, KIP-1170) but starts on it, as was tried with 3.9.1, 4.0.0, 4.1.0, 4.1.1 and 4.2.0.",
		"Nothing to do. To have the layout of the target, format with --target"},
	{layoutSkipped, Error, "Kafka 4.3 starts, but passes over what format wrote, and begins the cluster with nothing but its latest metadata version: without the one that was asked for, without other features, without SCRAM users.",
		"Move what is in the directories away, and format again with --target 4.3"},
	{layoutOutgrown, Error, "The node was formatted in the layout of 4.4 and then run by a release before 4.3, to which the snapshot 0-0 is the beginning of the cluster's metadata. Releases from 4.3 on do not read it, miss the metadata version, and end.",
		"Run the release of before until it has written a snapshot (after an hour, or metadata.log.max.snapshot.interval.ms), and upgrade then"},
}

// Problems of metadata versions and features.
const (
	versionTooNew   = "metadata-version-too-new"
	versionUnstable = "metadata-version-unstable"
	versionTooOld   = "metadata-version-too-old"
	versionUnknown  = "metadata-version-unknown"
	featureUnknown  = "feature-unknown"
	featureTooNew   = "feature-level-too-new"
	migrationOpen   = "zookeeper-migration"
	recordUnknown   = "metadata-record-unknown"
)

var featureKinds = []KindOfProblem{
	{versionTooNew, Error, "The release ends as soon as it meets a metadata version that it does not know.",
		"Start a release that knows the version. The version of a running cluster can be lowered with kafka-features downgrade, while it runs on the newer release"},
	{versionUnstable, Error, "The version is not meant for production, and the release refuses it.",
		"Set unstable.feature.versions.enable=true for a test cluster, or start a later release"},
	{versionTooOld, Error, "Kafka 4 needs metadata.version 3.3-IV3 or later.",
		"Upgrade the metadata version with Kafka 3.9 first: kafka-features upgrade --release-version 3.9"},
	{versionUnknown, Note, "Neither a snapshot nor the log nor bootstrap.checkpoint names a metadata version: a broker, or a controller that joins, learns it from the leader.",
		"Nothing to do"},
	{featureUnknown, Warning, "The release does not know the feature and goes on without it.",
		"Start a release that knows it, or disable it with kafka-features before the downgrade"},
	{featureTooNew, Warning, "The release knows only lower levels of the feature: 4.3.1 starts with share.version 2 and does what level 1 does. A broker that joins a quorum of a newer release is refused.",
		"Start a release that knows the level, or lower it with kafka-features downgrade before"},
	{migrationOpen, Warning, "The migration from ZooKeeper was not completed. Kafka 4 cannot go on with it.",
		"Complete the migration with Kafka 3.9, or roll it back"},
	{recordUnknown, Warning, "A record of the metadata log cannot be read here: a later release wrote it, or it is damaged. A release that does not know it ends when it replays it.",
		"Start the release that wrote it; kraftctl dump-log shows the record"},
}

// Problems of voters and of quorum-state.
const (
	voterNone          = "voters-none"
	voterAlone         = "voters-alone"
	voterLost          = "voters-lost"
	voterNot           = "voter-not"
	voterDirectory     = "voter-directory-id"
	voterNoController  = "voter-not-controller"
	staticIgnored      = "voters-config-ignored"
	staticMissing      = "voters-config-missing"
	staticDiffer       = "voters-config-differ"
	quorumDamaged      = "quorum-state-damaged"
	quorumUnreadable   = "quorum-state-unreadable"
	quorumMissing      = "quorum-state-missing"
	quorumOtherVersion = "quorum-state-version"
	quorumBehind       = "quorum-state-behind"
	quorumOtherID      = "quorum-state-vote-directory"
)

var quorumKinds = []KindOfProblem{
	{voterNone, Note, "No voter set is known: the node was formatted to join (--no-initial-controllers), and asks controller.quorum.bootstrap.servers for the leader.",
		"Once it runs and has caught up, make it a voter: kafka-metadata-quorum add-controller"},
	{voterAlone, Error, "A controller that knows no voters cannot be elected; it asks controller.quorum.bootstrap.servers for the leader, and finds nobody but itself: it runs, and never has a leader.",
		"If the cluster is new, move meta.properties and __cluster_metadata-0 away, and format again with --standalone or --initial-controllers. If there is a cluster, name its controllers in controller.quorum.bootstrap.servers. If this was its only controller, what was in __cluster_metadata-0 must come from a backup"},
	{voterLost, Warning, "Every release's format writes a snapshot or bootstrap.checkpoint for a controller of a dynamic quorum, and they are gone, with the voters and all votes of this node. It cannot be elected; it joins, and fetches all again, if a leader answers at controller.quorum.bootstrap.servers. If the other voters have lost theirs as well, or were never started, there will be none.",
		"If the cluster is new, move meta.properties away and format again. If the other voters are a majority and have a leader, nothing to do: let the node fetch all again"},
	{voterNot, Note, "The controller follows the quorum without a vote.",
		"If it should be a voter: kafka-metadata-quorum add-controller"},
	{voterDirectory, Error, "To the quorum this is not the voter, whose disk is lost, but an observer of the same id: it can neither vote nor be elected, and a quorum of one never has a leader again.",
		"If the other voters are a majority: kafka-metadata-quorum remove-controller with the old directory id, then add-controller. If this is the only one, put the old directory.id back into meta.properties"},
	{voterNoController, Warning, "The voter set has the id of this node, which is configured as a broker only: the quorum has a voter that never answers.",
		"Add controller to process.roles, or kafka-metadata-quorum remove-controller"},
	{staticIgnored, Note, "With kraft.version 1 the voters in the log count; controller.quorum.voters only helps to find them, as controller.quorum.bootstrap.servers would.",
		"Nothing to do; better name controller.quorum.bootstrap.servers"},
	{staticMissing, Error, "With kraft.version 0 the voters are those of controller.quorum.voters, which is not set: the controller never has a leader.",
		"Set controller.quorum.voters as it was (kraft.version can be raised afterwards, with kafka-features, while the quorum runs)"},
	{staticDiffer, Warning, "The voters in the configuration are not those of the last start. Static quorums must not be changed member by member: two majorities can come about.",
		"Check that all controllers have the same controller.quorum.voters"},
	{quorumDamaged, Error, "The node does not start.",
		"If the other voters are a majority, move __cluster_metadata-0 away, so that this node cannot vote twice in an epoch, and let it fetch all again"},
	{quorumUnreadable, Error, "The node cannot read it, either, if it runs as the same user.", "Run this as the user of the node, or give the file to that user. If something else than a file has the name, move it away"},
	{quorumMissing, Warning, "The node starts, but has forgotten for whom it voted, and could vote twice in one epoch.",
		"Find out who removed the file. If the other voters are a majority, let this node fetch all again"},
	{quorumOtherVersion, Note, "The version of the file follows kraft.version; Kafka reads both, and writes the right one at its next start.", "Nothing to do"},
	{quorumBehind, Warning, "The log has records of a later epoch than the file: it was restored from a backup, or lost its last write. The node takes the epoch from the log.",
		"Find out where the file came from"},
	{quorumOtherID, Warning, "The node voted under another directory id: meta.properties or quorum-state come from another disk.",
		"Find out where the files came from before you start the node"},
}
