package image

import (
	"fmt"
	"slices"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
)

// ReplayError is a record that does not fit what was there before it. The image
// is as if the record did not exist.
type ReplayError struct {
	Record string // kind of the record
	Reason string
	// UnknownTopic: the record changes a partition of a topic that there is not. In
	// Kafka the batch that it is in does not count then.
	UnknownTopic bool
}

// Error is one line.
func (e *ReplayError) Error() string { return e.Record + ": " + e.Reason }

// Delta is an image that is being changed. It is not safe for concurrent use.
type Delta struct {
	img   Image
	owner *cow.Owner

	topic   *Topic // of the last partition record
	packed  []byte // memory for packing a partition
	interns [1024]string
	scratch Partition
}

// NewDelta starts with a copy of an image.
func NewDelta(base *Image) *Delta {
	return &Delta{img: *base, owner: new(cow.Owner)}
}

// Image gives the state as a value, and goes on from there.
func (d *Delta) Image(p Provenance) *Image {
	out := d.img
	out.provenance = p
	d.owner, d.topic = new(cow.Owner), nil // all that was made belongs to the image now
	return &out
}

// reset goes back to an image.
func (d *Delta) reset(base *Image) {
	d.img, d.owner, d.topic = *base, new(cow.Owner), nil
}

// refuse makes the error for a record that does not fit.
func refuse(m kbin.Message, format string, args ...any) error {
	return &ReplayError{Record: m.MessageName(), Reason: fmt.Sprintf(format, args...)}
}

// Replay applies one record, which may be used again by the caller. The records of
// metadata transactions are not for a Delta but for a Loader. The error is a
// *ReplayError.
func (d *Delta) Replay(message kbin.Message) error {
	switch m := message.(type) {
	case *metadata.PartitionRecord:
		return d.partition(m)
	case *metadata.PartitionChangeRecord:
		return d.partitionChange(m)
	case *metadata.TopicRecord:
		return d.topicRecord(m)
	case *metadata.RemoveTopicRecord:
		return d.removeTopic(m)
	case *metadata.ClearElrRecord:
		return d.clearELR(m)
	case *metadata.ConfigRecord:
		return d.config(m)
	case *metadata.RegisterBrokerRecord:
		return d.registerBroker(m)
	case *metadata.UnregisterBrokerRecord:
		return d.unregisterBroker(m)
	case *metadata.BrokerRegistrationChangeRecord:
		return d.brokerRegistrationChange(m)
	case *metadata.FenceBrokerRecord:
		return d.fence(m, m.ID, m.Epoch, true)
	case *metadata.UnfenceBrokerRecord:
		return d.fence(m, m.ID, m.Epoch, false)
	case *metadata.RegisterControllerRecord:
		return d.registerController(m)
	case *metadata.UnregisterControllerRecord:
		return d.unregisterController(m)
	case *metadata.FeatureLevelRecord:
		return d.featureLevel(m)
	case *metadata.ClientQuotaRecord:
		return d.clientQuota(m)
	case *metadata.ProducerIdsRecord:
		d.img.producerIDs = ProducerIDs{BrokerID: m.BrokerID, BrokerEpoch: m.BrokerEpoch, NextProducerID: m.NextProducerID}
	case *metadata.AccessControlEntryRecord:
		return d.accessControlEntry(m)
	case *metadata.RemoveAccessControlEntryRecord:
		return d.removeAccessControlEntry(m)
	case *metadata.UserScramCredentialRecord:
		return d.userScramCredential(m)
	case *metadata.RemoveUserScramCredentialRecord:
		return d.removeUserScramCredential(m)
	case *metadata.DelegationTokenRecord:
		return d.delegationToken(m)
	case *metadata.RemoveDelegationTokenRecord:
		return d.removeDelegationToken(m)
	case *metadata.ZkMigrationStateRecord:
		d.img.zkMigration = &[]int8{m.ZkMigrationState}[0]
	case *metadata.NoOpRecord:
	default:
		return refuse(message, "it has no place in the metadata")
	}
	return nil
}

// cloneAll copies a list; an empty one takes no memory.
func cloneAll[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return slices.Clone(s)
}
