package image

import (
	"bytes"
	"cmp"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
	"kraftctl/internal/feature"
	"kraftctl/internal/javatext"
)

// Provenance is how far into the log an image goes.
type Provenance struct {
	Offset int64 // of the last record; -1 before the first
	Epoch  int32 // of the leader that wrote it; -1 before the first
	Time   int64 // append time of its batch in milliseconds; -1 unknown
}

// Image is the metadata of a cluster at an offset.
type Image struct {
	provenance Provenance

	features    cow.Map[string, int16]
	version     int16 // metadata.version, 0 if there is none
	brokers     cow.Map[int32, *Broker]
	controllers cow.Map[int32, *Controller]
	topics      cow.Map[kbin.UUID, *Topic]
	topicIDs    cow.Map[string, kbin.UUID]
	partitions  int
	configs     cow.Map[Resource, *Config]
	quotas      cow.Map[string, *Quota]
	producerIDs ProducerIDs
	acls        cow.Map[kbin.UUID, *ACL]
	scram       cow.Map[ScramUser, *ScramCredential]
	tokens      cow.Map[string, *Token]
	zkMigration *int8
}

// Kinds of metadata whose values are their last records. Fields that a later record
// changes are changed in a copy.
type (
	// Broker is a broker's registration.
	Broker = metadata.RegisterBrokerRecord
	// Controller is a controller's registration (KIP-919).
	Controller = metadata.RegisterControllerRecord
	// ProducerIDs tells which block of producer ids was given out last.
	ProducerIDs = metadata.ProducerIdsRecord
	// ACL is one access control entry.
	ACL = metadata.AccessControlEntryRecord
	// ScramCredential is what a password became (KIP-84).
	ScramCredential = metadata.UserScramCredentialRecord
	// Token is a delegation token, without its secret, which is never in the log
	// (KIP-48).
	Token = metadata.DelegationTokenRecord
)

func compareUUID(a, b kbin.UUID) int { return bytes.Compare(a[:], b[:]) }

// Empty is the metadata before the first record.
func Empty() *Image {
	return &Image{
		provenance:  Provenance{-1, -1, -1},
		features:    cow.New[string, int16](javatext.Compare),
		brokers:     cow.New[int32, *Broker](cmp.Compare[int32]),
		controllers: cow.New[int32, *Controller](cmp.Compare[int32]),
		topics:      cow.New[kbin.UUID, *Topic](compareUUID),
		topicIDs:    cow.New[string, kbin.UUID](javatext.Compare),
		configs:     cow.New[Resource, *Config](compareResources),
		quotas:      cow.New[string, *Quota](strings.Compare),
		producerIDs: ProducerIDs{BrokerID: -1, BrokerEpoch: -1, NextProducerID: -1},
		acls:        cow.New[kbin.UUID, *ACL](compareUUID),
		scram:       cow.New[ScramUser, *ScramCredential](compareScramUsers),
		tokens:      cow.New[string, *Token](javatext.Compare),
	}
}

// Provenance tells how far into the log the image goes.
func (i *Image) Provenance() Provenance { return i.provenance }

// MetadataVersion is the level of metadata.version; ok is false before it is set.
func (i *Image) MetadataVersion() (v feature.MetadataVersion, ok bool) {
	return feature.MetadataVersion(i.version), i.version != 0
}

// Features are the levels of the features that are finalized, without
// metadata.version. kraft.version is not among them: it is a control record.
func (i *Image) Features() cow.Map[string, int16] { return i.features }

// Brokers are the registered brokers by id.
func (i *Image) Brokers() cow.Map[int32, *Broker] { return i.brokers }

// Controllers are the registered controllers by id.
func (i *Image) Controllers() cow.Map[int32, *Controller] { return i.controllers }

// Topics are the topics by id.
func (i *Image) Topics() cow.Map[kbin.UUID, *Topic] { return i.topics }

// TopicIDs are the ids of the topics by name, in the order of Java's strings.
func (i *Image) TopicIDs() cow.Map[string, kbin.UUID] { return i.topicIDs }

// Topic finds a topic by name.
func (i *Image) Topic(name string) (*Topic, bool) {
	id, ok := i.topicIDs.Get(name)
	if !ok {
		return nil, false
	}
	return i.topics.Get(id)
}

// PartitionCount is the number of partitions of all topics.
func (i *Image) PartitionCount() int { return i.partitions }

// Configs are the dynamic configurations.
func (i *Image) Configs() cow.Map[Resource, *Config] { return i.configs }

// Config finds the dynamic configuration of a resource; nil if it has none.
func (i *Image) Config(r Resource) *Config {
	c, _ := i.configs.Get(r)
	return c
}

// Quotas are the client quotas by the key of their entity.
func (i *Image) Quotas() cow.Map[string, *Quota] { return i.quotas }

// ProducerIDs is the last block of producer ids that was given out;
// NextProducerID is -1 if there was none.
func (i *Image) ProducerIDs() ProducerIDs { return i.producerIDs }

// ACLs are the access control entries by id.
func (i *Image) ACLs() cow.Map[kbin.UUID, *ACL] { return i.acls }

// Scram are the SCRAM credentials.
func (i *Image) Scram() cow.Map[ScramUser, *ScramCredential] { return i.scram }

// Tokens are the delegation tokens by id.
func (i *Image) Tokens() cow.Map[string, *Token] { return i.tokens }

// ZKMigration is the state of the migration from ZooKeeper (KIP-866), which Kafka
// up to 3.9 writes; ok is false if there is no record of it.
func (i *Image) ZKMigration() (state int8, ok bool) {
	if i.zkMigration == nil {
		return 0, false
	}
	return *i.zkMigration, true
}
