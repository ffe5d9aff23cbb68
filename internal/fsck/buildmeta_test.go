package fsck

import (
	"path"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/control"
	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/decode/quorumstate"
	"kraftctl/internal/vfs"
)

// controlRecord encodes a control record of the KRaft protocol.
func controlRecord(kind decode.ControlType, m kbin.Message) decode.Record {
	return decode.Record{Key: []byte{0, 0, 0, byte(kind)}, Value: must(m.Append(nil, 0))}
}

func topicRecord(name string) decode.Record {
	m := metadata.NewTopicRecord()
	m.Name, m.TopicID = name, kbin.UUID{1: 7}
	return decode.Record{Value: must(decode.AppendFrame(nil, m.APIKey(), 0, m))}
}

// metadataBatch encodes a batch of the metadata log or of a snapshot.
func metadataBatch(dst []byte, base int64, epoch int32, isControl bool, records ...decode.Record) []byte {
	h := decode.NewBatch(base, epoch, 1_700_000_000_000)
	if isControl {
		h.Attributes = 0x20
	}
	for i := range records {
		records[i].Offset, records[i].Timestamp = base+int64(i), h.BaseTimestamp
	}
	return must(decode.AppendBatch(dst, &h, records))
}

func leaderChange(leader int32) decode.Record {
	m := control.NewLeaderChangeMessage()
	m.LeaderID = leader
	return controlRecord(decode.LeaderChange, m)
}

// snapshotBytes is a snapshot with two records.
func snapshotBytes(epoch int32) []byte {
	b := metadataBatch(nil, 0, epoch, true, controlRecord(decode.SnapshotHeader, control.NewSnapshotHeaderRecord()))
	b = metadataBatch(b, 1, epoch, false, topicRecord("orders"), topicRecord("payments"))
	return metadataBatch(b, 3, epoch, true, controlRecord(decode.SnapshotFooter, control.NewSnapshotFooterRecord()))
}

const (
	metadataDir      = "/n/d1/__cluster_metadata-0"
	metadataSnapshot = metadataDir + "/00000000000000000005-0000000001.checkpoint"
)

// saveMetadataLog writes a metadata log: epoch 1 at offsets 0 to 5, epoch 2
// from 6 on, two segments, and a snapshot of the first five records. Its
// indexes are padded, as KRaft leaves them.
func saveMetadataLog(t testing.TB, fsys vfs.FS, dir string) {
	t.Helper()
	mkdir(t, fsys, dir)
	first := metadataBatch(nil, 0, 1, true, leaderChange(1))
	first = metadataBatch(first, 1, 1, false, topicRecord("orders"), topicRecord("a"), topicRecord("b"), topicRecord("c"))
	second := metadataBatch(nil, 5, 1, false, topicRecord("d"))
	second = metadataBatch(second, 6, 2, true, leaderChange(2))
	second = metadataBatch(second, 7, 2, false, topicRecord("e"), topicRecord("f"))
	put(t, fsys, path.Join(dir, "00000000000000000000.log"), first)
	put(t, fsys, path.Join(dir, "00000000000000000000.index"), nil)
	put(t, fsys, path.Join(dir, "00000000000000000000.timeindex"), must(index.AppendTimeEntry(nil, 0, index.TimeEntry{Timestamp: 1_700_000_000_000, Offset: 0})))
	put(t, fsys, path.Join(dir, "00000000000000000005.log"), second)
	put(t, fsys, path.Join(dir, "00000000000000000005.index"), make([]byte, 80))
	put(t, fsys, path.Join(dir, "00000000000000000005.timeindex"), make([]byte, 120))
	put(t, fsys, path.Join(dir, "00000000000000000005.snapshot"), index.AppendProducerSnapshot(nil, nil))
	put(t, fsys, path.Join(dir, "00000000000000000005-0000000001.checkpoint"), snapshotBytes(1))
	put(t, fsys, path.Join(dir, "leader-epoch-checkpoint"), index.AppendEpochCheckpoint(nil, []index.EpochEntry{{Epoch: 1, StartOffset: 0}, {Epoch: 2, StartOffset: 6}}))
	put(t, fsys, path.Join(dir, "partition.metadata"), index.AppendPartitionMetadata(nil, index.PartitionMetadata{TopicID: metadataTopicID}))
	q := quorumstate.State{Version: 1, LeaderID: 2, LeaderEpoch: 2, VotedID: quorumstate.None}
	put(t, fsys, path.Join(dir, quorumstate.FileName), q.Append(nil))
}
