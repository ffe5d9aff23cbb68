// Package kbin reads and writes the primitives of Kafka's binary message
// format: big-endian integers, varints, UUIDs, strings, byte fields, arrays
// and tagged sections (KIP-482). Every generated record type of the sibling
// packages is built from it, and so are the batch and frame readers.
//
// A message comes in two encodings, chosen by its version:
//
//	            non-flexible               flexible (KIP-482)
//	string      int16 length, -1 = null    uvarint length+1, 0 = null
//	bytes       int32 length, -1 = null    uvarint length+1, 0 = null
//	array       int32 count,  -1 = null    uvarint count+1,  0 = null
//	struct      the fields                 the fields, then the tagged section
//
// A tagged section is a uvarint count, then for each tag in ascending order a
// uvarint tag number, a uvarint size in bytes and that many bytes.
//
// Reading never allocates more than the input can justify, never panics, and
// reports damage as an [*Error] that also knows the words Kafka's own classes
// use for it. Reading is as lenient as Kafka is (tag order, repeated tags and
// the declared size of known tags are not checked); writing is strict.
package kbin
