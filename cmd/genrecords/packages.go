package main

// pkg says which tables make up a package and what its registry looks like.
type pkg struct {
	name     string
	folders  []string // folders of decode/schema
	files    []string // single tables
	without  []string // tables of folders that belong elsewhere
	registry registry
	// what a message is, for its comment; %d is the api key
	noun string
	// rename gives struct names where the rule of structName is not good
	// enough, by "Message.Struct".
	rename map[string]string
}

type registry int

const (
	plain       registry = iota // only the list of messages
	keyed                       // by api key and type name
	coordinator                 // by record type, keys and values
)

var packages = []pkg{
	{name: "metadata", folders: []string{"metadata"}, registry: keyed, noun: "metadata record %d"},
	{
		name: "control", folders: []string{"control"}, noun: "a control structure",
		without: []string{"control/ConsumerProtocolSubscription.json", "control/ConsumerProtocolAssignment.json"},
		rename:  map[string]string{"VotersRecord.Voter": "Voter", "LeaderChangeMessage.Voter": "LeaderChangeVoter"},
	},
	{
		name: "coordinator", folders: []string{"group", "share", "transaction"}, registry: coordinator, noun: "a coordinator record",
		files: []string{"control/ConsumerProtocolSubscription.json", "control/ConsumerProtocolAssignment.json"},
		rename: map[string]string{
			"TransactionLogValue.PartitionsSchema":     "TransactionPartitions",
			"GroupMetadataValue.MemberMetadata":        "GroupMemberMetadata",
			"StreamsGroupMemberMetadataValue.Endpoint": "StreamsGroupEndpoint",
			"StreamsGroupMemberMetadataValue.KeyValue": "StreamsGroupClientTag",
		},
	},
	{name: "raftstate", files: []string{"raft/QuorumStateData.json"}, noun: "a file of the Raft layer"},
	{
		name: "remotelog", folders: []string{"storage"}, registry: keyed, noun: "remote log metadata record %d",
		without: []string{"storage/ProducerSnapshot.json"},
	},
	{name: "producerstate", files: []string{"storage/ProducerSnapshot.json"}, noun: "a file of the log layer"},
}
