package metalog

import (
	"path/filepath"
	"slices"

	"kraftctl/decode"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// epochFile is the path of the checkpoint of leader epochs.
func epochFile(dir string) string {
	return filepath.Join(dir, index.FileName{Kind: index.KindEpochCheckpoint}.String())
}

// writeEpochs replaces the checkpoint of leader epochs. The log is what counts:
// the file is written again when it says something else.
func writeEpochs(fsys vfs.FS, dir string, epochs []index.EpochEntry) error {
	return vfs.WriteFileAtomic(fsys, epochFile(dir), index.AppendEpochCheckpoint(nil, epochs), filePerm)
}

// withBatch adds the epoch of a batch if it is a new one. An epoch whose last record
// is below the start of the log stands at the start, and gives way there.
func withBatch(epochs []index.EpochEntry, b *decode.Batch) []index.EpochEntry {
	if n := len(epochs); n > 0 && epochs[n-1].Epoch == b.LeaderEpoch {
		return epochs
	}
	return append(epochsBelow(epochs, b.BaseOffset), index.EpochEntry{Epoch: b.LeaderEpoch, StartOffset: b.BaseOffset})
}

// epochsFrom are the epochs of a log that starts at an offset: the one that holds
// it starts there.
func epochsFrom(epochs []index.EpochEntry, start int64) []index.EpochEntry {
	n := 0
	for n+1 < len(epochs) && epochs[n+1].StartOffset <= start {
		n++
	}
	epochs = slices.Clone(epochs[n:])
	if len(epochs) > 0 {
		epochs[0].StartOffset = max(epochs[0].StartOffset, start)
	}
	return epochs
}

// epochAt is the epoch of the record at an offset of the log.
func epochAt(epochs []index.EpochEntry, offset int64) (epoch int32, ok bool) {
	for _, e := range slices.Backward(epochs) {
		if e.StartOffset <= offset {
			return e.Epoch, true
		}
	}
	return 0, false
}

// lastEpoch is the epoch of the last record of a log with the given epochs, or of
// the snapshot that it starts with if it has no record.
func lastEpoch(epochs []index.EpochEntry, snapshots []Snapshot, start int64) int32 {
	if n := len(epochs); n > 0 {
		return epochs[n-1].Epoch
	}
	for _, s := range slices.Backward(snapshots) {
		if s.EndOffset == start {
			return s.Epoch
		}
	}
	return 0
}

// epochsBelow are the entries of epochs that begin below an offset.
func epochsBelow(epochs []index.EpochEntry, offset int64) []index.EpochEntry {
	n := len(epochs)
	for n > 0 && epochs[n-1].StartOffset >= offset {
		n--
	}
	return slices.Clip(epochs[:n])
}
