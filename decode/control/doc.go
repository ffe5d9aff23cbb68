// Package control has Go types for the structures that Kafka's log and Raft
// layers write themselves: the values of control records (leader change,
// snapshot header and footer, KRaft version, voters, end of transaction),
// their key, entries of the transaction index, and the principal that
// forwarded requests carry.
//
// A control record's key is an int16 version and a [ControlRecordTypeSchema].
// The value of a KRaft control record starts with its body at once, in the
// flexible encoding of version 0; the body's own first field is a version
// number, which Kafka writes as 0. An [EndTxnMarker] and an [AbortedTxn] are
// preceded by an int16 version and are not flexible.
//
// The types are generated from the tables in decode/schema.
package control

//go:generate go run kraftctl/cmd/genrecords control
