package dumplog

import (
	"slices"
	"strconv"

	"kraftctl/decode"
	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/remotelog"
)

// remotePrinter prints records of __remote_log_metadata (KIP-405) the way the
// Java objects behind them print themselves.
type remotePrinter struct{ decoder *decode.FrameDecoder }

func (p *remotePrinter) appendContents(dst []byte, r *decode.Record, sep string) ([]byte, error) {
	dst = append(dst, sep...)
	dst = append(dst, payloadLabel...)
	start := len(dst)
	failed := func() []byte {
		dst = append(dst[:start], "Error at offset "...)
		dst = jsonw.AppendInt(dst, r.Offset)
		return append(dst, ", skipping. "...)
	}
	if r.Damage != nil {
		return append(failed(), asException(r.Damage).Message...), nil
	}
	if r.Value == nil {
		return append(failed(), `Cannot invoke "java.nio.ByteBuffer.remaining()" because the return value of "org.apache.kafka.common.record.internal.Record.value()" is null`...), nil
	}
	f, err := p.decoder.Decode(r.Value)
	if err != nil {
		return appendFrameError(failed(), err), nil
	}
	var problem string
	if dst, problem = appendRemote(dst, f.Message); problem != "" {
		return append(failed(), problem...), nil
	}
	return dst, nil
}

var (
	segmentStates   = [...]string{"COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED", "DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED"}
	partitionStates = [...]string{"DELETE_PARTITION_MARKED", "DELETE_PARTITION_STARTED", "DELETE_PARTITION_FINISHED"}
)

const (
	noState  = "state can not be null"
	noEpochs = "segmentLeaderEpochs can not be null or empty"
)

// appendRemote prints the object, or says why Kafka refuses to make it.
func appendRemote(dst []byte, m kbin.Message) (out []byte, problem string) {
	switch m := m.(type) {
	case *remotelog.RemoteLogSegmentMetadataRecord:
		return appendRemoteSegment(dst, m)
	case *remotelog.RemoteLogSegmentMetadataUpdateRecord:
		state, ok := stateName(segmentStates[:], m.RemoteLogSegmentState)
		if !ok {
			return dst, noState
		}
		dst = append(dst, "RemoteLogSegmentMetadataUpdate{remoteLogSegmentId=RemoteLogSegmentId{topicIdPartition="...)
		p := &m.RemoteLogSegmentID.TopicIDPartition
		dst = appendTopicIDPartition(dst, p.ID, p.Name, p.Partition)
		dst = append(dst, ", id="...)
		dst = appendID(dst, m.RemoteLogSegmentID.ID)
		dst = append(dst, "}, customMetadata="...)
		dst = appendCustom(dst, m.CustomMetadata)
		dst = append(dst, ", state="...)
		dst = append(dst, state...)
		dst = appendLabeled(dst, ", eventTimestampMs=", m.EventTimestampMs)
		dst = appendLabeled(dst, ", brokerId=", int64(m.BrokerID))
		return append(dst, '}'), ""
	case *remotelog.RemotePartitionDeleteMetadataRecord:
		state, ok := stateName(partitionStates[:], m.RemotePartitionDeleteState)
		if !ok {
			return dst, "null"
		}
		dst = append(dst, "RemotePartitionDeleteMetadata{topicPartition="...)
		p := &m.TopicIDPartition
		dst = appendTopicIDPartition(dst, p.ID, p.Name, p.Partition)
		dst = append(dst, ", state="...)
		dst = append(dst, state...)
		dst = appendLabeled(dst, ", eventTimestampMs=", m.EventTimestampMs)
		dst = appendLabeled(dst, ", brokerId=", int64(m.BrokerID))
		return append(dst, '}'), ""
	case *remotelog.RemoteLogSegmentMetadataSnapshotRecord:
		return appendRemoteSnapshot(dst, m)
	}
	return dst, "null"
}

func appendRemoteSegment(dst []byte, m *remotelog.RemoteLogSegmentMetadataRecord) ([]byte, string) {
	switch {
	case m.StartOffset < 0:
		return dst, "Unexpected start offset = " + itoa(m.StartOffset) + ". StartOffset for a remote segment cannot be negative"
	case m.EndOffset < m.StartOffset:
		return dst, "Unexpected end offset = " + itoa(m.EndOffset) + ". EndOffset for a remote segment cannot be less than startOffset = " + itoa(m.StartOffset)
	case len(m.SegmentLeaderEpochs) == 0:
		return dst, noEpochs
	}
	state, ok := stateName(segmentStates[:], m.RemoteLogSegmentState)
	if !ok {
		return dst, noState
	}
	dst = append(dst, "RemoteLogSegmentMetadata{remoteLogSegmentId=RemoteLogSegmentId{topicIdPartition="...)
	p := &m.RemoteLogSegmentID.TopicIDPartition
	dst = appendTopicIDPartition(dst, p.ID, p.Name, p.Partition)
	dst = append(dst, ", id="...)
	dst = appendID(dst, m.RemoteLogSegmentID.ID)
	dst = appendLabeled(dst, "}, startOffset=", m.StartOffset)
	dst = appendLabeled(dst, ", endOffset=", m.EndOffset)
	dst = appendLabeled(dst, ", brokerId=", int64(m.BrokerID))
	dst = appendLabeled(dst, ", maxTimestampMs=", m.MaxTimestampMs)
	dst = appendLabeled(dst, ", eventTimestampMs=", m.EventTimestampMs)
	epochs := make([]epochStart, len(m.SegmentLeaderEpochs))
	for i, e := range m.SegmentLeaderEpochs {
		epochs[i] = epochStart{e.LeaderEpoch, e.Offset}
	}
	dst = appendEpochs(dst, epochs)
	dst = appendLabeled(dst, ", segmentSizeInBytes=", int64(m.SegmentSizeInBytes))
	dst = append(dst, ", customMetadata="...)
	dst = appendCustom(dst, m.CustomMetadata)
	dst = append(dst, ", state="...)
	dst = append(dst, state...)
	dst = append(dst, ", txnIdxEmpty="...)
	dst = strconv.AppendBool(dst, m.TxnIndexEmpty)
	return append(dst, '}'), ""
}

func appendRemoteSnapshot(dst []byte, m *remotelog.RemoteLogSegmentMetadataSnapshotRecord) ([]byte, string) {
	state, ok := stateName(segmentStates[:], m.RemoteLogSegmentState)
	if !ok {
		return dst, noState
	}
	if len(m.SegmentLeaderEpochs) == 0 {
		return dst, noEpochs
	}
	dst = append(dst, "RemoteLogSegmentMetadataSnapshot{segmentId="...)
	dst = appendID(dst, m.SegmentID)
	dst = appendLabeled(dst, ", startOffset=", m.StartOffset)
	dst = appendLabeled(dst, ", endOffset=", m.EndOffset)
	dst = appendLabeled(dst, ", maxTimestampMs=", m.MaxTimestampMs)
	epochs := make([]epochStart, len(m.SegmentLeaderEpochs))
	for i, e := range m.SegmentLeaderEpochs {
		epochs[i] = epochStart{e.LeaderEpoch, e.Offset}
	}
	dst = appendEpochs(dst, epochs)
	dst = appendLabeled(dst, ", segmentSizeInBytes=", int64(m.SegmentSizeInBytes))
	dst = append(dst, ", customMetadata="...)
	dst = appendCustom(dst, m.CustomMetadata)
	dst = append(dst, ", state="...)
	dst = append(dst, state...)
	dst = append(dst, ", txnIdxEmpty="...)
	dst = strconv.AppendBool(dst, m.TxnIndexEmpty)
	return append(dst, '}'), ""
}

type epochStart struct {
	epoch  int32
	offset int64
}

// appendEpochs prints the leader epochs as a sorted map: of an epoch that is
// there twice, the last offset counts.
func appendEpochs(dst []byte, epochs []epochStart) []byte {
	slices.SortStableFunc(epochs, func(a, b epochStart) int { return int(int64(a.epoch) - int64(b.epoch)) })
	dst = append(dst, ", segmentLeaderEpochs={"...)
	first := true
	for i, e := range epochs {
		if i+1 < len(epochs) && epochs[i+1].epoch == e.epoch {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = jsonw.AppendInt(dst, int64(e.epoch))
		dst = append(dst, '=')
		dst = jsonw.AppendInt(dst, e.offset)
	}
	return append(dst, '}')
}

func appendTopicIDPartition(dst []byte, id kbin.UUID, topic string, partition int32) []byte {
	dst = appendID(dst, id)
	dst = append(dst, ':')
	dst = jsonw.AppendJavaUTF8String(dst, topic)
	dst = append(dst, '-')
	return jsonw.AppendInt(dst, int64(partition))
}

func appendCustom(dst, custom []byte) []byte {
	if custom == nil {
		return append(dst, "Optional.empty"...)
	}
	dst = append(dst, "Optional[CustomMetadata{"...)
	dst = strconv.AppendInt(dst, int64(len(custom)), 10)
	return append(dst, " bytes}]"...)
}

func stateName(names []string, state int8) (string, bool) {
	if state < 0 || int(state) >= len(names) {
		return "", false
	}
	return names[state], true
}

// appendID prints an id as 22 characters.
func appendID(dst []byte, id kbin.UUID) []byte {
	dst, _ = id.AppendText(dst) // never fails
	return dst
}

func itoa(v int64) string { return strconv.FormatInt(v, 10) }

func appendLabeled(dst []byte, label string, v int64) []byte {
	return jsonw.AppendInt(append(dst, label...), v)
}
