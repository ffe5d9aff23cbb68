// Package coordinator has Go types for the records of Kafka's coordinators:
// consumer, share and streams groups (topic __consumer_offsets), transactions
// (__transaction_state) and share-group state (__share_group_state).
//
// A record's key starts with an int16 record type, its value with an int16
// version; the rest is the key at version 0, respectively the value at that
// version:
//
//	key    int16 type    | key body
//	value  int16 version | value body
//
// The three logs number their types independently, so each has a [Registry]:
//
//	key := coordinator.Group.Key(recordType)
//	if key == nil {
//		return fmt.Errorf("unknown record type %d", recordType)
//	}
//	err := key.Read(r, 0)
//
// The types are generated from the tables in decode/schema.
package coordinator

//go:generate go run kraftctl/cmd/genrecords coordinator
