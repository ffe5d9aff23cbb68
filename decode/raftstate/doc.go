// Package raftstate has the Go type of a KRaft replica's quorum-state file:
// its vote, the leader and epoch it knows and, in version 0, the voters.
//
// On disk the file is one line of JSON: what AppendJSON gives, with the
// version appended as a last field "data_version". The type is generated from
// the table in decode/schema.
package raftstate

//go:generate go run kraftctl/cmd/genrecords raftstate
