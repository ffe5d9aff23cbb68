package zookeeper

import (
	"iter"
	"strings"
	"sync"

	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/shell/node"
)

// Source is what the tree is made of.
type Source struct {
	Image *image.Image
	// Marks tells where things came from. It is called once, when a node needs it:
	// the state of a partition (for controller_epoch), a broker (for its timestamp),
	// or a stat. Nil, or one that gives nil: all of it is at the image's end.
	Marks func() *timeline.Marks
	// Leader is who leads the quorum; without one there is no controller.
	Leader *timeline.Leader
	// ClusterID is that of meta.properties; without one there is no /cluster/id.
	ClusterID string
	// ShowSecrets: SCRAM credentials and sensitive configurations are not masked.
	ShowSecrets bool
}

// Tree is the tree of znodes. It never changes, and may be used by many goroutines.
type Tree struct {
	source     Source
	image      *image.Image
	marks      func() *timeline.Marks
	principals func() *principals
	acls       func() aclIndex
	root       *znode
}

// New makes the tree, which takes no time: everything else is done on demand.
func New(s Source) *Tree {
	t := &Tree{source: s, image: s.Image}
	t.marks = sync.OnceValue(func() *timeline.Marks {
		if s.Marks == nil {
			return nil
		}
		return s.Marks()
	})
	t.principals = sync.OnceValue(t.indexPrincipals)
	t.acls = sync.OnceValue(t.indexACLs)
	t.root = t.top()
	return t
}

// top makes the root.
func (t *Tree) top() *znode {
	entries := []entry{
		{"admin", func() *znode { return fixed(entry{"delete_topics", empty}) }},
		{"brokers", func() *znode {
			return fixed(entry{"ids", t.brokers}, entry{"seqid", empty}, entry{"topics", t.topics})
		}},
		{"cluster", t.cluster},
		{"config", func() *znode {
			return fixed(entry{"brokers", t.brokerConfigs}, entry{"changes", empty}, entry{"clients", t.clients},
				entry{"ips", t.ips}, entry{"topics", t.topicConfigs}, entry{"users", t.users})
		}},
		{"consumers", empty},
		{"delegation_token", func() *znode {
			return fixed(entry{"token_changes", empty}, entry{"tokens", t.tokens})
		}},
		{"feature", t.feature},
		{"isr_change_notification", empty},
		{"kafka-acl", func() *znode { return t.aclResources(false) }},
		{"kafka-acl-changes", empty},
		{"kafka-acl-extended", func() *znode {
			return fixed(entry{"prefixed", func() *znode { return t.aclResources(true) }})
		}},
		{"kafka-acl-extended-changes", empty},
		{"latest_producer_id_block", t.producerIDBlock},
		{"log_dir_event_notification", empty},
	}
	if t.source.Leader != nil {
		entries = append(entries, entry{"controller", t.controller}, entry{"controller_epoch", t.controllerEpoch})
	}
	z := fixed(entries...)
	z.data = func(dst []byte) []byte { return dst } // empty, not null
	return z
}

// Root is the root as a node of the shell's tree.
func (t *Tree) Root() node.Node { return t.root }

// at finds a node by its path: "/", or "/a/b".
func (t *Tree) at(path string) *znode {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil
	}
	z := t.root
	for more := rest != ""; more && z != nil; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		z = z.child(name)
	}
	return z
}

// Node finds a node by its path.
func (t *Tree) Node(path string) (node.Node, bool) {
	if z := t.at(path); z != nil {
		return z, true
	}
	return nil, false
}

// Get gives the data of a node; ok is false if it is null. The data of the root is
// empty, which is not null.
func (t *Tree) Get(path string) (data []byte, ok, exists bool) {
	z := t.at(path)
	if z == nil || z.data == nil {
		return nil, false, z != nil
	}
	return z.data([]byte{}), true, true
}

// List gives the names of a node's children in the order of Java's strings, as zkCli
// sorts them.
func (t *Tree) List(path string) (names iter.Seq[string], exists bool) {
	z := t.at(path)
	switch {
	case z == nil:
		return nil, false
	case z.list == nil:
		return func(func(string) bool) {}, true
	}
	return z.list, true
}

// Walk goes through a node and all below it in the order of "ls -R" of zkCli: the
// node, then all its children, then what is below the first of them, and so on. It
// stops when visit gives false.
func (t *Tree) Walk(path string, visit func(path string) bool) (exists bool) {
	return t.walk(path, func(path string, _ *znode) bool { return visit(path) })
}

func (t *Tree) walk(path string, visit func(path string, z *znode) bool) (exists bool) {
	z := t.at(path)
	if z == nil {
		return false
	}
	if visit(path, z) {
		walkBelow(strings.TrimSuffix(path, "/"), z, visit)
	}
	return true
}

// walkBelow walks what is below a node. The names are gone through twice, so that
// those of a large directory are not kept.
func walkBelow(path string, z *znode, visit func(path string, z *znode) bool) bool {
	if z.list == nil {
		return true
	}
	deeper := false
	for name := range z.list {
		c := z.child(name)
		if c == nil {
			continue
		}
		if !visit(path+"/"+name, c) {
			return false
		}
		deeper = deeper || c.list != nil
	}
	if !deeper {
		return true
	}
	for name := range z.list {
		if c := z.child(name); c != nil && c.list != nil && !walkBelow(path+"/"+name, c, visit) {
			return false
		}
	}
	return true
}
