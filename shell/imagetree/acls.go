package imagetree

import (
	"kraftctl/decode/kbin"
	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

func uuidName[V any](id kbin.UUID, _ V) string { return id.String() }

func (t *tree) acls() node.Node {
	all := t.img.ACLs()
	return dir{
		names: func() []string { return names(all.All(), uuidName[*image.ACL]) },
		child: func(name string) (node.Node, bool) {
			id, err := kbin.ParseUUID(name)
			if err != nil {
				return nil, false
			}
			a, ok := all.Get(id)
			if !ok {
				return nil, false
			}
			return described{node.File(aclText(a)), "acl", func() []node.Field { return aclFields(a) }}, true
		},
	}
}

func aclText(a *image.ACL) string {
	return "StandardAcl[resourceType=" + image.ACLResource(a.ResourceType) + ", resourceName=" + a.ResourceName +
		", patternType=" + image.ACLPattern(a.PatternType) + ", principal=" + a.Principal + ", host=" + a.Host +
		", operation=" + image.ACLOperation(a.Operation) + ", permissionType=" + image.ACLPermission(a.PermissionType) + "]"
}
