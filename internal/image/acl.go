package image

import (
	"strings"

	"kraftctl/decode/metadata"
)

// accessControlEntry adds an entry, or takes the place of that with the same id.
func (d *Delta) accessControlEntry(m *metadata.AccessControlEntryRecord) error {
	d.img.acls.Set(d.owner, m.ID, &ACL{
		ID: m.ID, ResourceType: m.ResourceType, ResourceName: strings.Clone(m.ResourceName), PatternType: m.PatternType,
		Principal: strings.Clone(m.Principal), Host: strings.Clone(m.Host), Operation: m.Operation, PermissionType: m.PermissionType,
	})
	return nil
}

// removeAccessControlEntry removes an entry by its id.
func (d *Delta) removeAccessControlEntry(m *metadata.RemoveAccessControlEntryRecord) error {
	if !d.img.acls.Delete(d.owner, m.ID) {
		return refuse(m, "there is no entry with id %s", m.ID)
	}
	return nil
}

// Names of what access control entries are about, by their numbers.
var (
	aclResources   = [...]string{"UNKNOWN", "ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"}
	aclPatterns    = [...]string{"UNKNOWN", "ANY", "MATCH", "LITERAL", "PREFIXED"}
	aclOperations  = [...]string{"UNKNOWN", "ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE", "CLUSTER_ACTION", "DESCRIBE_CONFIGS", "ALTER_CONFIGS", "IDEMPOTENT_WRITE", "CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"}
	aclPermissions = [...]string{"UNKNOWN", "ANY", "DENY", "ALLOW"}
)

func aclName(names []string, n int8) string {
	if n < 0 || int(n) >= len(names) {
		return "UNKNOWN"
	}
	return names[n]
}

// ACLResource is the name of a type of resource: TOPIC.
func ACLResource(n int8) string { return aclName(aclResources[:], n) }

// ACLPattern is the name of a type of pattern: LITERAL.
func ACLPattern(n int8) string { return aclName(aclPatterns[:], n) }

// ACLOperation is the name of an operation: READ.
func ACLOperation(n int8) string { return aclName(aclOperations[:], n) }

// ACLPermission is the name of a permission: ALLOW.
func ACLPermission(n int8) string { return aclName(aclPermissions[:], n) }

// PascalName writes such a name as Kafka's tools for users and ZooKeeper's documents
// do: DescribeConfigs.
func PascalName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			b.WriteString(word[:1])
			b.WriteString(strings.ToLower(word[1:]))
		}
	}
	return b.String()
}
