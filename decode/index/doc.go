// Package index reads and writes the small files that stand around the segments
// of a Kafka log: the indexes, the producer snapshots, the text checkpoints,
// meta.properties, and the names that all of them have. The batches themselves
// are package decode's business.
//
//	log.dir/                                  one "log directory" of a node
//	├── meta.properties                       MetaProperties
//	├── .kafka_cleanshutdown                  CleanShutdown
//	├── recovery-point-offset-checkpoint      OffsetCheckpoint...
//	├── replication-offset-checkpoint
//	├── log-start-offset-checkpoint
//	├── cleaner-offset-checkpoint
//	└── topic-0/                              ParseDirName
//	    ├── 00000000000000000000.log          ParseFileName
//	    ├── 00000000000000000000.index        OffsetIndex
//	    ├── 00000000000000000000.timeindex    TimeIndex
//	    ├── 00000000000000000000.txnindex     TxnReader
//	    ├── 00000000000000000042.snapshot     ProducerReader
//	    ├── leader-epoch-checkpoint           EpochCheckpoint...
//	    └── partition.metadata                PartitionMetadata
//
// # Reading
//
// The binary formats are read with constant memory: readers over an io.Reader
// give one entry at a time, views over an io.ReaderAt find one entry in a file.
// The text formats are small and taken as a []byte. Readers accept what Kafka
// 4.4.0 accepts and give what it would see; nothing is corrected.
//
// # Checking
//
// SanityCheck functions are the checks of a starting broker, which are weak (a
// file of zeros passes). Verify functions check everything that holds for a file
// written by a sound broker.
//
// # Errors
//
// Damage is a *CorruptError (of package corrupt): file, byte position, what is
// wrong there, what was expected and what found. Its cause, where there is one,
// is one of the errors of this package, so that callers can tell the kinds of
// damage apart with errors.Is and errors.As. Errors of the underlying reader are
// passed on as they are.
//
// # Writing
//
// Append functions add the encoding of a value to a slice and give the bytes
// that Kafka 4.4.0 writes for it.
package index
