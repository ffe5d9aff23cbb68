// Package decode reads and writes the records of Apache Kafka's logs: topic
// segments, the KRaft metadata log and its snapshots. Everything else in this
// module stands on it, and it stands alone: no Kafka, no JVM, no network.
//
// # Files of batches
//
// A segment (OFFSET.log) or snapshot (OFFSET-EPOCH.checkpoint) is batches one
// after the other, with nothing before, between or behind them. All integers
// are big-endian. A batch of magic 2, the only format since Kafka 0.11:
//
//	 0        8        12       16      17       21           23                27
//	┌────────┬────────┬────────┬───────┬────────┬────────────┬─────────────────┐
//	│ base   │ length │ leader │ magic │ crc    │ attributes │ lastOffsetDelta │
//	│ Offset │ int32  │ Epoch  │ int8  │ uint32 │ int16      │ int32           │
//	│ int64  │        │ int32  │ 2     │        │            │                 │
//	└────────┴────────┴────────┴───────┴────────┴────────────┴─────────────────┘
//	         └ bytes that follow          └ CRC-32C of all that follows it
//
//	 27              35             43           51              53             57           61
//	┌───────────────┬──────────────┬────────────┬───────────────┬──────────────┬────────────┬─────────┐
//	│ baseTimestamp │ maxTimestamp │ producerId │ producerEpoch │ baseSequence │ recordCount│ records │
//	│ int64         │ int64        │ int64      │ int16         │ int32        │ int32      │ ...     │
//	└───────────────┴──────────────┴────────────┴───────────────┴──────────────┴────────────┴─────────┘
//
//	attributes  bits 0-2 codec, 3 log append time, 4 transactional, 5 control, 6 delete horizon
//
// and a record in it; var is a zig-zag variable-length integer:
//
//	┌────────┬────────────┬────────────────┬─────────────┬───────────┬─────┬─────────────┬───────┬─────────────┬─────────┐
//	│ length │ attributes │ timestampDelta │ offsetDelta │ keyLength │ key │ valueLength │ value │ headerCount │ headers │
//	│ var    │ int8 0     │ var            │ var         │ var, -1   │     │ var, -1     │       │ var         │         │
//	└────────┴────────────┴────────────────┴─────────────┴───────────┴─────┴─────────────┴───────┴─────────────┴─────────┘
//
// If the codec is not none, all the records are one compressed stream. Magic 0
// and 1 have messages instead; a compressed one holds other messages:
//
//	┌────────┬───────┬────────┬───────┬────────────┬────────────────┬───────────┬─────┬─────────────┬───────┐
//	│ offset │ size  │ crc    │ magic │ attributes │ timestamp      │ keyLength │ key │ valueLength │ value │
//	│ int64  │ int32 │ uint32 │ int8  │ int8       │ int64, magic 1 │ int32, -1 │     │ int32, -1   │       │
//	└────────┴───────┴────────┴───────┴────────────┴────────────────┴───────────┴─────┴─────────────┴───────┘
//
// # Reading
//
// [Reader] gives batch after batch and the records of each. [Process] does the
// same on several cores and keeps the order of the file; both hold no more than
// a few batches, whatever the file's size, and copy no uncompressed bytes.
// [FindBatch] finds the next good batch behind damage, and a [Scanner] with
// Resync reads on from there.
//
// What the records mean is told by [FrameDecoder] (metadata and remote log
// metadata), [CoordinatorDecoder] (consumer offsets, transactions, share groups)
// and [DecodeControl]. They give the generated types of the packages metadata,
// remotelog, coordinator and control.
//
// # Writing
//
// [AppendBatch] encodes a batch and [AppendFrame] the value of a metadata
// record. An uncompressed batch that was read encodes to the same bytes.
//
// # Errors
//
// Damage is a [kraftctl/decode/corrupt.Error] with file, position, what was
// expected and what was found. Its cause is a [Fault], which names the rule that
// was broken; a [FrameError] or [CoordinatorError] where the records are sound
// and only their content is not. No input makes this package panic, loop, or
// allocate what the input's size does not justify; what compressed batches may
// grow to is bounded by an option.
package decode
