package zookeeper

import (
	"cmp"
	"slices"

	"kraftctl/decode/jsonw"
	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
)

// Types of resources and patterns that ACLs are about, as numbers in records.
const (
	firstACLResource = 2 // TOPIC
	lastACLResource  = 7 // USER
	literalPattern   = 3
	prefixedPattern  = 4
)

// aclDir tells apart the directories of ACLs: /kafka-acl/R, and with prefixed
// /kafka-acl-extended/prefixed/R (KIP-290).
type aclDir struct {
	prefixed bool
	resource int8
}

// aclIndex has the ACLs by directory and name, since the image has them by id.
type aclIndex map[aclDir]*namedACLs

// namedACLs are the ACLs of a directory by the component that stands for the name.
type namedACLs struct {
	names []string // in order
	by    map[string][]*image.ACL
}

func (t *Tree) indexACLs() aclIndex {
	out := aclIndex{}
	for _, a := range t.image.ACLs().All() {
		if a.PatternType != literalPattern && a.PatternType != prefixedPattern {
			continue
		}
		d := aclDir{a.PatternType == prefixedPattern, a.ResourceType}
		n := out[d]
		if n == nil {
			n = &namedACLs{by: map[string][]*image.ACL{}}
			out[d] = n
		}
		name := EscapeName(a.ResourceName)
		if n.by[name] == nil {
			n.names = append(n.names, name)
		}
		n.by[name] = append(n.by[name], a)
	}
	for _, n := range out {
		slices.SortFunc(n.names, javatext.Compare)
		for _, list := range n.by {
			slices.SortFunc(list, compareACLs)
		}
	}
	return out
}

// compareACLs orders the ACLs of one resource. In ZooKeeper they are in the order of
// a hash set of Java enums, which is another one in each JVM.
func compareACLs(a, b *image.ACL) int {
	return cmp.Or(javatext.Compare(a.Principal, b.Principal), cmp.Compare(a.PermissionType, b.PermissionType),
		javatext.Compare(a.Host, b.Host), cmp.Compare(a.Operation, b.Operation))
}

// aclResources is /kafka-acl or /kafka-acl-extended/prefixed: a directory for each
// type of resource, as the authorizer makes at its start.
func (t *Tree) aclResources(prefixed bool) *znode {
	var entries []entry
	for r := int8(firstACLResource); r <= lastACLResource; r++ {
		d := aclDir{prefixed, r}
		entries = append(entries, entry{image.PascalName(image.ACLResource(r)), func() *znode { return t.aclNames(d) }})
	}
	return fixed(entries...)
}

// aclNames is the directory of a type of resource.
func (t *Tree) aclNames(d aclDir) *znode {
	named := func() *namedACLs {
		if n := t.acls()[d]; n != nil {
			return n
		}
		return new(namedACLs)
	}
	return counted(&znode{
		list:  func(yield func(string) bool) { slices.Values(named().names)(yield) },
		count: func() int { return len(named().names) },
		find: func(name string) *znode {
			list := named().by[name]
			if list == nil {
				return nil
			}
			return leaf(func(dst []byte) []byte { return appendACLs(dst, list) }, func() life { return t.aclLife(list) })
		},
	})
}

// aclLife: the node came with its first ACL, and each one that came in a later batch
// changed it. What was taken out again is not known.
func (t *Tree) aclLife(list []*image.ACL) life {
	l, parts := unborn(0), 0
	if m := t.marks(); m != nil {
		for _, a := range list {
			if k, ok := m.ACL(a.ID); ok {
				l.add(k, &parts)
			}
		}
	}
	l.children = l.created
	return l
}

// appendACLs appends the document of a resource's ACLs.
func appendACLs(dst []byte, list []*image.ACL) []byte {
	dst = append(dst, `{"acls":[`...)
	for i, a := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"principal":`...)
		dst = jsonw.AppendString(dst, a.Principal)
		dst = append(dst, `,"permissionType":`...)
		dst = jsonw.AppendString(dst, image.PascalName(image.ACLPermission(a.PermissionType)))
		dst = append(dst, `,"host":`...)
		dst = jsonw.AppendString(dst, a.Host)
		dst = append(dst, `,"operation":`...)
		dst = jsonw.AppendString(dst, image.PascalName(image.ACLOperation(a.Operation)))
		dst = append(dst, '}')
	}
	return append(dst, `],"version":1}`...)
}
