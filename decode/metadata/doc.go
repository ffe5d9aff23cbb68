// Package metadata has a Go type for every record kind of a KRaft cluster's
// metadata log, the topic __cluster_metadata, in all versions that Kafka 3.3
// to 4.4 write.
//
// A record's value in the log is a frame around the body that these types
// read and write:
//
//	uvarint frame version (1) | uvarint api key | uvarint version | body
//
// The body is always in the flexible encoding. A reader that sees many records
// keeps one value per kind and reads into it again and again:
//
//	var p metadata.PartitionRecord
//	r := kbin.Reader{Src: body, Alias: true}
//	if err := p.Read(&r, version); err != nil {
//		return err
//	}
//	line = p.AppendJSON(line[:0], version)
//
// The types are generated from the tables in decode/schema.
package metadata

//go:generate go run kraftctl/cmd/genrecords metadata
