package imagetree

import (
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

// RecordFields gives the fields of what a record of an image says, by the names that
// the nodes of the tree have.
func RecordFields(m kbin.Message, showSecrets bool) []node.Field {
	t := &tree{img: image.Empty(), Options: Options{ShowSecrets: showSecrets}}
	switch m := m.(type) {
	case *metadata.RegisterBrokerRecord:
		return brokerFields(m)
	case *metadata.RegisterControllerRecord:
		return controllerFields(m)
	case *metadata.AccessControlEntryRecord:
		return aclFields(m)
	case *metadata.UserScramCredentialRecord:
		return t.scramFields(m)
	case *metadata.DelegationTokenRecord:
		return tokenFields(m)
	case *metadata.TopicRecord:
		return []node.Field{{Name: "name", Value: m.Name}, {Name: "id", Value: m.TopicID.String()}}
	case *metadata.PartitionRecord:
		p := image.Partition{
			Replicas: m.Replicas, Directories: m.Directories, ISR: m.ISR, RemovingReplicas: m.RemovingReplicas,
			AddingReplicas: m.AddingReplicas, ELR: m.EligibleLeaderReplicas, LastKnownELR: m.LastKnownELR, Leader: m.Leader,
			LeaderEpoch: m.LeaderEpoch, PartitionEpoch: m.PartitionEpoch, Recovering: m.LeaderRecoveryState == 1,
		}
		return partitionFile{m.PartitionID, &p}.Fields()
	case *metadata.FeatureLevelRecord:
		return []node.Field{{Name: "level", Value: int64(m.FeatureLevel)}}
	case *metadata.ClientQuotaRecord:
		return []node.Field{{Name: "value", Value: m.Value}}
	case *metadata.ProducerIdsRecord:
		return []node.Field{{Name: "nextProducerId", Value: m.NextProducerID}}
	case *metadata.ZkMigrationStateRecord:
		return []node.Field{{Name: "state", Value: int64(m.ZkMigrationState)}}
	}
	return nil
}
