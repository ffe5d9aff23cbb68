package fsck

// Rules about indexes. Those with index- are about offset indexes, or hold for
// offset and time indexes.
const (
	indexMissing  ID = "index-missing"
	indexOrphan   ID = "index-orphan"
	indexLength   ID = "index-length"
	indexPadded   ID = "index-padded"
	indexEmpty    ID = "index-empty"
	indexOrder    ID = "index-order"
	indexPosition ID = "index-position"
	indexOffset   ID = "index-offset"
	indexPastEnd  ID = "index-past-end"
	indexAppend   ID = "index-append"

	timeOrder     ID = "timeindex-order"
	timeOffset    ID = "timeindex-offset"
	timeTimestamp ID = "timeindex-timestamp"
	timeNotMax    ID = "timeindex-not-latest"
	timePastEnd   ID = "timeindex-past-end"
	timeInner     ID = "timeindex-inner"

	txnBad      ID = "txnindex-malformed"
	txnOrder    ID = "txnindex-order"
	txnMarker   ID = "txnindex-marker"
	txnFirst    ID = "txnindex-first-offset"
	txnStable   ID = "txnindex-stable-offset"
	txnUnlisted ID = "txnindex-missing"
)

const (
	rebuild    = "Stop the broker, delete the index file and start it: it builds the index from the log."
	rebuildTxn = "Stop the broker, delete the .index of this segment (not only the .txnindex) and start it: it recovers the segment and builds all its indexes again. Or let the replica be fetched again."
	wholeLog   = "If the log is whole, stop the broker, delete the index file and start it: it builds the index from the log."
)

var indexRules = []Rule{
	{indexMissing, Info, "a segment has no index",
		"The broker builds it when it loads the segment, which takes time for a large one.", "Nothing."},
	{indexOrphan, Warning, "an index without its log",
		"The segment is gone and its index is still there: a deletion was interrupted, or the .log file was lost. The broker deletes the index at its next start.",
		"Check that the offsets of this segment are not missing from the partition."},
	{indexLength, Error, "length of an index is not a multiple of its entries",
		"The file was cut or something was added. A recovering broker deletes and rebuilds such an index; one that was shut down cleanly reads it.", rebuild},
	{indexPadded, Warning, "index of a closed segment is padded with zeros",
		"The broker crashed before it could cut the index to its length. Looking up offsets or times in it goes wrong until it is rebuilt.", rebuild},
	{indexEmpty, Info, "index without entries",
		"The segment is longer than the usual distance of entries (4096 bytes). Normal with a large index.interval.bytes and in releases before 4.0; it makes reading slower and nothing else.",
		"Nothing, or delete the index while the broker is stopped: it is built again."},
	{indexOrder, Error, "entries of an offset index do not grow",
		"The index was damaged. Looking up offsets in it finds the wrong place or none.", rebuild},
	{indexPosition, Error, "index entry points to no batch",
		"At the position there is the middle of a batch. A consumer that starts there gets a corrupt message error. If there are many, and no damage of the log is reported, the index belongs to another log.", rebuild},
	{indexOffset, Error, "index entry has a wrong offset",
		"The batch at the position does not end with the entry's offset. Looking up offsets may skip records or fail.", rebuild},
	{indexPastEnd, Error, "index entry points behind the end of the log",
		"The index belongs to another segment, or the log lost its end after the index was written.",
		wholeLog},
	{indexAppend, Info, "index entry for several batches",
		"The offset is that of a later batch than the one at the position. Brokers before 4.0 write one entry for all batches that they append at once; looking up offsets works.", "Nothing."},
	{timeOrder, Error, "entries of a time index do not grow",
		"The index was damaged. Looking up times in it finds the wrong offset.", rebuild},
	{timeOffset, Error, "time index entry has an offset that is in no batch",
		"Either the index is damaged, or the log lost a batch there: compaction, which removes batches, writes the indexes anew. Looking up times may start at a wrong offset.",
		"Compare the offsets around it with the other replicas. If nothing is missing: stop the broker, delete the index file and start it."},
	{timeTimestamp, Error, "time index entry has a wrong timestamp",
		"It is not that of the batch with the entry's offset. Looking up times may skip records, and retention may delete the segment too early or too late.", rebuild},
	{timeNotMax, Error, "time index entry overlooks later records",
		"Before the entry's offset there are records with a greater timestamp. Looking up times skips them.", rebuild},
	{timePastEnd, Error, "time index entry behind the end of the log",
		"The index belongs to another segment, or the log lost its end after the index was written.",
		wholeLog},
	{timeInner, Info, "time index entry for a record inside a batch",
		"Some releases before 4.0 note the offset of the record and not that of the end of its batch; looking up times works.", "Nothing."},
	{txnBad, Error, "transaction index cannot be read",
		"Consumers with read_committed fail, or see records of aborted transactions.", rebuildTxn},
	{txnOrder, Error, "entries of a transaction index out of order",
		"The offsets of aborted transactions do not grow, or a transaction ends before it starts. Consumers with read_committed may see aborted records.", rebuildTxn},
	{txnMarker, Error, "transaction index entry without an abort marker",
		"There is no abort marker of this producer at the entry's last offset. Consumers with read_committed may skip records that were committed.", rebuildTxn},
	{txnFirst, Error, "transaction index entry has a wrong first offset",
		"Consumers with read_committed may see aborted records, or skip sound ones.", rebuildTxn},
	{txnStable, Warning, "transaction index entry has a strange last stable offset",
		"It is neither the end of the transaction nor the start of another one. Searching the index may end too early.", rebuildTxn},
	{txnUnlisted, Error, "aborted transaction that is not in the transaction index",
		"Consumers with read_committed see its records.", rebuildTxn},
}

// Rules about producer snapshots.
const (
	producerBad     ID = "producer-snapshot-malformed"
	producerExtra   ID = "producer-snapshot-trailing"
	producerOffsets ID = "producer-snapshot-offsets"
	producerState   ID = "producer-snapshot-state"
	producerBeyond  ID = "producer-snapshot-beyond-end"
)

const dropSnapshot = "Stop the broker, delete the .snapshot and start it: it takes an older one, or builds the state from the log."

var producerRules = []Rule{
	{producerBad, Warning, "producer snapshot cannot be read",
		"The broker ignores it and takes an older one, then reads more of the log at its start.", dropSnapshot},
	{producerExtra, Info, "bytes after the entries of a producer snapshot",
		"Kafka ignores them. A longer file was once overwritten by a shorter one.", "Nothing."},
	{producerOffsets, Warning, "producer snapshot speaks of later records",
		"It should hold the state before the offset in its name only. Producers may be told that they repeat or skip records.", dropSnapshot},
	{producerState, Warning, "producer snapshot does not fit the log",
		"The log has no such last batch of the producer. Idempotent producers may be refused, or duplicates accepted.", dropSnapshot},
	{producerBeyond, Warning, "producer snapshot behind the end of the log",
		"It was written when the log was longer: records were lost since, by a crash or an incomplete copy. The broker deletes it at its next start.",
		"Compare the log end offset with the other replicas."},
}

// Rules about leader epochs.
const (
	epochBad      ID = "epoch-checkpoint-malformed"
	epochNoFile   ID = "epoch-checkpoint-missing"
	epochOrder    ID = "epoch-checkpoint-order"
	epochStartBad ID = "epoch-start"
	epochUnlisted ID = "epoch-missing"
	epochBeyond   ID = "epoch-beyond-end"
)

const followTruncation = "As follower or leader this replica may truncate at the wrong offset. If others are in sync, let it be fetched again."

var epochRules = []Rule{
	{epochBad, Error, "leader-epoch-checkpoint cannot be read",
		"The broker takes the log directory offline when it loads the partition.",
		"Stop the broker, delete the file and the .index of every segment, and start it: it recovers the segments and notes their epochs again. Or let the replica be fetched again."},
	{epochNoFile, Info, "no leader-epoch-checkpoint",
		"The broker has no history of leader epochs for the partition and truncates by the high watermark.", "Nothing."},
	{epochOrder, Error, "entries of leader-epoch-checkpoint do not grow", followTruncation, refetch},
	{epochStartBad, Error, "start offset of a leader epoch is wrong",
		"The batches change to this epoch elsewhere. " + followTruncation, refetch},
	{epochUnlisted, Error, "leader epoch that is not in leader-epoch-checkpoint",
		"There are batches of an epoch that the file does not know. " + followTruncation, refetch},
	{epochBeyond, Warning, "leader epoch starts behind the end of the log",
		"The log was longer when the file was written: records were lost since, by a crash or an incomplete copy.",
		"Compare the log end offset with the other replicas."},
}
