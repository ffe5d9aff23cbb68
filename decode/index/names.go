package index

import (
	"strconv"
	"strings"
)

// Kind says what a file of a log directory is, by its name.
type Kind uint8

// The kinds of files. The first group belongs to segments and is named by an
// offset, the second stands once in a partition directory, the third once in a
// log directory.
const (
	KindUnknown Kind = iota

	KindLog              // OFFSET.log: batches
	KindOffsetIndex      // OFFSET.index
	KindTimeIndex        // OFFSET.timeindex
	KindTxnIndex         // OFFSET.txnindex
	KindProducerSnapshot // OFFSET.snapshot
	KindSnapshot         // OFFSET-EPOCH.checkpoint: a KRaft snapshot

	KindEpochCheckpoint   // leader-epoch-checkpoint
	KindPartitionMetadata // partition.metadata
	KindQuorumState       // quorum-state, in __cluster_metadata-0 only

	KindMetaProperties       // meta.properties
	KindBootstrap            // bootstrap.checkpoint: a KRaft snapshot written by format up to 4.3; fatal in a partition directory
	KindReplicationOffsets   // replication-offset-checkpoint
	KindRecoveryPointOffsets // recovery-point-offset-checkpoint
	KindLogStartOffsets      // log-start-offset-checkpoint
	KindCleanerOffsets       // cleaner-offset-checkpoint
	KindCleanShutdown        // .kafka_cleanshutdown
	KindLock                 // .lock
)

var kindNames = [...]string{
	KindUnknown: "unknown", KindLog: "log", KindOffsetIndex: "offset index", KindTimeIndex: "time index",
	KindTxnIndex: "transaction index", KindProducerSnapshot: "producer snapshot", KindSnapshot: "snapshot",
	KindEpochCheckpoint: "leader epoch checkpoint", KindPartitionMetadata: "partition metadata",
	KindQuorumState: "quorum state", KindMetaProperties: "meta properties", KindBootstrap: "bootstrap snapshot",
	KindReplicationOffsets: "replication offset checkpoint", KindRecoveryPointOffsets: "recovery point offset checkpoint",
	KindLogStartOffsets: "log start offset checkpoint", KindCleanerOffsets: "cleaner offset checkpoint",
	KindCleanShutdown: "clean shutdown marker", KindLock: "lock",
}

// String names the kind in a few words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Segmented reports whether names of this kind start with an offset.
func (k Kind) Segmented() bool { return k >= KindLog && k <= KindSnapshot }

// State says what is going on with a file, by what its name ends in.
type State uint8

// The states of a file.
const (
	StateLive    State = iota
	StateDeleted       // .deleted: is removed a minute later, or at the next start
	StateCleaned       // .cleaned: a result of compaction, not complete
	StateSwap          // .swap: a complete result of compaction, about to replace the live file
	StatePart          // .part: a KRaft snapshot, not complete
	StateTemp          // .tmp: a small file, not complete
)

var stateSuffixes = [...]string{StateLive: "", StateDeleted: ".deleted", StateCleaned: ".cleaned",
	StateSwap: ".swap", StatePart: ".part", StateTemp: ".tmp"}

// Suffix is what the name ends in, "" for a live file.
func (s State) Suffix() string {
	if int(s) < len(stateSuffixes) {
		return stateSuffixes[s]
	}
	return ""
}

// Names of files of a log directory that have one name only.
const (
	MetaPropertiesName = "meta.properties"      // makes the directory a formatted one
	BootstrapName      = "bootstrap.checkpoint" // bootstrap metadata of releases before 4.4
	CleanShutdownName  = ".kafka_cleanshutdown" // left by a broker that stopped in good order
	LockName           = ".lock"                // locked by a running node
)

// The names of segment files behind the offset, and of the files that have one
// name only.
var (
	segmentSuffixes = [...]string{KindLog: ".log", KindOffsetIndex: ".index", KindTimeIndex: ".timeindex",
		KindTxnIndex: ".txnindex", KindProducerSnapshot: ".snapshot", KindSnapshot: ".checkpoint"}
	fixedNames = [...]string{KindEpochCheckpoint: "leader-epoch-checkpoint", KindPartitionMetadata: "partition.metadata",
		KindQuorumState: "quorum-state", KindMetaProperties: MetaPropertiesName, KindBootstrap: BootstrapName,
		KindReplicationOffsets: "replication-offset-checkpoint", KindRecoveryPointOffsets: "recovery-point-offset-checkpoint",
		KindLogStartOffsets: "log-start-offset-checkpoint", KindCleanerOffsets: "cleaner-offset-checkpoint",
		KindCleanShutdown: CleanShutdownName, KindLock: LockName}
)

// The widths of the numbers in names, in digits.
const (
	offsetDigits = 20
	epochDigits  = 10
)

// FileName is the name of a file of a log directory or partition directory.
//
//	00000000000000000042.timeindex.deleted
//	└───── offset ─────┘└─ kind ─┘└ state ┘
//	00000000000000000042-0000000003-8374.checkpoint.part
//	└───── offset ─────┘ └─ epoch ┘ unique └─ kind ─┘└state┘
//	leader-epoch-checkpoint.tmp
//	└───────── kind ──────┘└state┘
type FileName struct {
	Kind  Kind
	State State
	// Offset: of a segment's files the base offset, of a producer snapshot the
	// first offset that is not in it, of a KRaft snapshot its end offset
	// (exclusive).
	Offset int64
	// Epoch of a KRaft snapshot's last record.
	Epoch int32
	// Unique is the random number in the name of an incomplete KRaft snapshot.
	Unique string
}

// String gives the name; "" for KindUnknown.
func (n FileName) String() string {
	var b []byte
	switch {
	case n.Kind.Segmented():
		b = AppendOffsetName(b, n.Offset)
		if n.Kind == KindSnapshot {
			b = append(b, '-')
			b = appendPadded(b, int64(n.Epoch), epochDigits)
			if n.Unique != "" {
				b = append(b, '-')
				b = append(b, n.Unique...)
			}
		}
		b = append(b, segmentSuffixes[n.Kind]...)
	case int(n.Kind) < len(fixedNames):
		b = append(b, fixedNames[n.Kind]...)
	}
	if len(b) == 0 {
		return ""
	}
	return string(append(b, n.State.Suffix()...))
}

// AppendOffsetName adds an offset as it stands in names: at least 20 digits.
func AppendOffsetName(dst []byte, offset int64) []byte {
	return appendPadded(dst, offset, offsetDigits)
}

func appendPadded(dst []byte, n int64, width int) []byte {
	if n < 0 {
		// Java formats -5 as -00000000000000000005; only a damaged name has it.
		dst = append(dst, '-')
	}
	digits := strings.TrimPrefix(strconv.FormatInt(n, 10), "-")
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// ParseFileName tells what a file is. Names that mean nothing to Kafka, which it
// ignores, give KindUnknown and no error. Names that Kafka takes for one of its
// files but cannot read (x.log, a .checkpoint without an offset) are an error:
// it dies of them at the start. Names like 7.log, which it reads and does not
// write, give what it reads; for them String differs from the name.
func ParseFileName(name string) (FileName, error) {
	base, state := name, StateLive
	for s := StateDeleted; s <= StateTemp; s++ {
		if b, ok := strings.CutSuffix(name, s.Suffix()); ok {
			base, state = b, s
			break
		}
	}
	for k, fixed := range fixedNames {
		if fixed != "" && base == fixed && (state == StateLive || state == StateTemp) {
			return FileName{Kind: Kind(k), State: state}, nil
		}
	}
	for k, suffix := range segmentSuffixes {
		if prefix, ok := strings.CutSuffix(base, suffix); ok && suffix != "" && stateFits(Kind(k), state) {
			n := FileName{Kind: Kind(k), State: state}
			var err error
			if n.Kind == KindSnapshot {
				err = n.parseSnapshot(name, prefix)
			} else {
				err = n.parseOffset(name, prefix)
			}
			if err != nil {
				return FileName{}, err
			}
			return n, nil
		}
	}
	return FileName{}, nil
}

// stateFits says which states Kafka gives to which files.
func stateFits(k Kind, s State) bool {
	switch s {
	case StateLive, StateDeleted:
		return true
	case StateCleaned, StateSwap:
		return k != KindSnapshot && k != KindProducerSnapshot
	case StatePart:
		return k == KindSnapshot
	}
	return false
}

// parseOffset reads all before the first dot, as LogFileUtils.offsetFromFileName
// does: 12.34.log starts at 12.
func (n *FileName) parseOffset(name, prefix string) error {
	prefix, _, _ = strings.Cut(prefix, ".")
	offset, ok := parseInt(prefix, 64)
	if !ok {
		return badName(name, "an offset before "+segmentSuffixes[n.Kind], prefix)
	}
	n.Offset = offset
	return nil
}

// parseSnapshot reads 20 digits, one character, 10 digits, as Snapshots.parse
// does; what follows is the random number of an incomplete one.
func (n *FileName) parseSnapshot(name, prefix string) error {
	const end = offsetDigits + 1 + epochDigits
	if len(prefix) >= end {
		offset, ok1 := parseInt(prefix[:offsetDigits], 64)
		epoch, ok2 := parseInt(prefix[offsetDigits+1:end], 32)
		if ok1 && ok2 {
			n.Offset, n.Epoch = offset, int32(epoch)
			n.Unique = strings.TrimPrefix(prefix[end:], "-")
			return nil
		}
	}
	return badName(name, "OFFSET-EPOCH with 20 and 10 digits", prefix)
}

func badName(name, want, got string) error {
	return &CorruptError{File: name, Pos: -1, What: "file name", Want: want, Got: quote(got)}
}
