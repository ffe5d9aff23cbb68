// Package remotelog has Go types for the records of tiered storage's metadata
// topic, __remote_log_metadata (KIP-405): what was copied to the remote store,
// updates of it, and deletions of whole partitions.
//
// A record's value is framed as in the metadata log: uvarint frame version
// (1), uvarint api key, uvarint version, then the body in the flexible
// encoding. The types are generated from the tables in decode/schema.
package remotelog

//go:generate go run kraftctl/cmd/genrecords remotelog
