package dumplog

import (
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strconv"

	"kraftctl/decode/kbin"
	"kraftctl/decode/producerstate"
	"kraftctl/internal/vfs"
)

// producerEntriesOffset is where the part of a producer snapshot starts that
// its checksum covers: behind the version and the checksum.
const producerEntriesOffset = 6

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// producerSnapshot dumps a .snapshot file. A damaged one is reported and does
// not end the run.
func (k *kafkaRun) producerSnapshot(path string) error {
	data, err := vfs.ReadInput(k.fs, path, math.MaxInt32)
	if err != nil {
		return err
	}
	snapshot, problem := readProducerSnapshot(data)
	if problem != "" {
		_, err := io.WriteString(k.errOut, problem+"\n")
		return err
	}
	var line []byte
	for i := range snapshot.ProducerEntries {
		line = append(appendProducer(line, &snapshot.ProducerEntries[i]), '\n')
	}
	_, err = k.out.Write(line)
	return err
}

// readProducerSnapshot reads a snapshot, or says what is wrong in Kafka's words.
func readProducerSnapshot(data []byte) (*producerstate.ProducerSnapshot, string) {
	const invalid = "Snapshot failed schema validation: "
	r := kbin.Reader{Src: data}
	version := r.Int16()
	snapshot := new(producerstate.ProducerSnapshot)
	if lowest, highest := snapshot.Versions(); r.OK() && (version < lowest || version > highest) {
		return nil, invalid + "Snapshot contained an unknown file version " + strconv.Itoa(int(version))
	}
	if r.OK() {
		_ = snapshot.Read(&r, version) // the reader keeps the error
	}
	var bad *kbin.Error
	if errors.As(r.Err(), &bad) {
		return nil, invalid + bad.Kafka()
	}
	if computed := crc32.Checksum(data[producerEntriesOffset:], castagnoli); computed != snapshot.CRC {
		return nil, "Snapshot is corrupt (CRC is no longer valid). Stored crc: " + strconv.FormatUint(uint64(snapshot.CRC), 10) +
			". Computed crc: " + strconv.FormatUint(uint64(computed), 10)
	}
	return snapshot, ""
}

// appendProducer prints one producer's state.
func appendProducer(dst []byte, e *producerstate.ProducerEntry) []byte {
	dst = appendLabeled(dst, "producerId: ", e.ProducerID)
	dst = appendLabeled(dst, " producerEpoch: ", int64(e.Epoch))
	dst = appendLabeled(dst, " coordinatorEpoch: ", int64(e.CoordinatorEpoch))
	dst = append(dst, " currentTxnFirstOffset: "...)
	dst = appendOptionalLong(dst, e.CurrentTxnFirstOffset, e.CurrentTxnFirstOffset >= 0)
	dst = appendLabeled(dst, " lastTimestamp: ", e.Timestamp)
	if e.LastOffset < 0 {
		return dst // no batch is known
	}
	dst = appendLabeled(dst, " firstSequence: ", int64(decrementSequence(e.LastSequence, e.OffsetDelta)))
	dst = appendLabeled(dst, " lastSequence: ", int64(e.LastSequence))
	dst = appendLabeled(dst, " lastOffset: ", e.LastOffset)
	dst = appendLabeled(dst, " offsetDelta: ", int64(e.OffsetDelta))
	return appendLabeled(dst, " timestamp: ", e.Timestamp)
}

// decrementSequence goes back from a sequence, which wraps from 0 to 2^31-1.
func decrementSequence(sequence, decrement int32) int32 {
	if sequence < decrement {
		return math.MaxInt32 - (decrement - sequence) + 1
	}
	return sequence - decrement
}
