// Package zookeeper shows the metadata of a KRaft cluster as the tree of znodes that
// it would be in ZooKeeper mode, with the JSON documents of Kafka 3.9, byte for byte
// where they can be equal: for eyes and scripts that know zkCli.
//
//	/
//	├─ admin/delete_topics
//	├─ brokers
//	│  ├─ ids/1                            {"features":{},"listener_security_...
//	│  ├─ seqid
//	│  └─ topics/orders                    {"partitions":{"0":[1,2]},"topic_id":...
//	│     └─ partitions/0/state            {"controller_epoch":1,"leader":1,...
//	├─ cluster/id                          {"version":"1","id":"..."}
//	├─ config
//	│  ├─ brokers/<default>                {"version":1,"config":{...}}
//	│  ├─ changes
//	│  ├─ clients/c1   ips/127.0.0.9
//	│  ├─ topics/orders
//	│  └─ users/alice/clients/c1
//	├─ consumers
//	├─ controller                          {"version":2,"brokerid":1,...
//	├─ controller_epoch                    7
//	├─ delegation_token/token_changes  tokens/ID
//	├─ feature
//	├─ isr_change_notification
//	├─ kafka-acl/Topic/orders              {"acls":[...],"version":1}
//	├─ kafka-acl-changes
//	├─ kafka-acl-extended/prefixed/Topic/pay
//	├─ kafka-acl-extended-changes
//	├─ latest_producer_id_block
//	└─ log_dir_event_notification
//
// Nodes are made when somebody asks for them, and forgotten: a tree of a million
// partitions costs nothing until it is walked.
//
// # Documents
//
// They are UTF-8 JSON without blanks. Their keys are in the order of the maps that
// Kafka kept them in (package javahash), which for documents with fixed keys is
// simply the order that the code here writes; a test holds each against its map. A
// directory has no data at all, which zkCli prints as null, and the root has empty
// data. Where brokers in ZooKeeper mode and the dual writes of a migrating
// controller (KIP-866) differ, the tree is that of the brokers. Man tells what has
// no counterpart in KRaft.
//
// # Names
//
// Names of topics, ACL resources and tokens are as they are, ids are decimal. Users,
// clients and IP addresses are encoded as Kafka's Sanitizer does. A name that
// ZooKeeper would refuse or cut in two, such as one with a slash, exists in KRaft
// only: it is one component all the same, see EscapeName.
package zookeeper
