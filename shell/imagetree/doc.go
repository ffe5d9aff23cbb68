// Package imagetree shows a metadata image as the tree that Kafka's metadata shell
// has (KIP-595):
//
//	/image/acls/byId/ID                  access control entries
//	      /clientQuotas/ENTITY/KEY       quotas
//	      /cluster/brokers/ID            registrations
//	              /controllers/ID
//	      /configs/TYPE[:NAME]/KEY       dynamic configurations
//	      /delegationToken/ID
//	      /features/metadataVersion, finalized_NAME
//	      /producerIds/nextProducerId
//	      /provenance                    how far into the log
//	      /scram/MECHANISM/USER
//	      /topics/byName/NAME/id, name, 0, 1, ...
//	             /byId/ID/id, name, 0, 1, ...
//
// Texts are those of Kafka 4.3.1. Nothing is made before it is asked for, so that
// a tree over a million partitions costs nothing.
package imagetree
