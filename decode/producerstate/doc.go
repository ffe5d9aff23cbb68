// Package producerstate has the Go type of a producer snapshot, the file
// <offset>.snapshot beside a log segment that holds the state of its
// idempotent and transactional producers.
//
// The file is an int16 version, always 1, and the body, which is not flexible.
// The body starts with a CRC-32C over all that follows it. The type is
// generated from the table in decode/schema.
package producerstate

//go:generate go run kraftctl/cmd/genrecords producerstate
