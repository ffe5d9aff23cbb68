package zookeeper

import (
	"slices"

	"kraftctl/decode/jsonw"
	"kraftctl/internal/image"
	"kraftctl/internal/javahash"
	"kraftctl/internal/javatext"
	"kraftctl/internal/sensitive"
)

// hidden stands for a value that is not shown.
const hidden = "[hidden]"

// setting is a key of a configuration and its value.
type setting struct{ key, value string }

// appendConfig appends the document of a configuration. The order of its keys is that
// of java.util.Properties; of keys that share a slot there the one that was put in
// first comes first, which nobody knows any more: here they are in their own order.
func appendConfig(dst []byte, settings []setting) []byte {
	slices.SortStableFunc(settings, func(a, b setting) int { return javatext.Compare(a.key, b.key) })
	hashes := make([]uint32, len(settings))
	for i := range settings {
		hashes[i] = javahash.String(settings[i].key)
	}
	dst = append(dst, `{"version":1,"config":{`...)
	for _, i := range javahash.Properties(hashes) {
		dst = jsonw.Comma(dst)
		dst = jsonw.AppendString(dst, settings[i].key)
		dst = append(dst, ':')
		dst = jsonw.AppendString(dst, settings[i].value)
	}
	return append(dst, `}}`...)
}

// config is the node of a resource's configuration. ZooKeeper mode keeps passwords
// encrypted; here they are masked, or as they are.
func (t *Tree) config(r image.Resource, life func() life) *znode {
	return leaf(func(dst []byte) []byte {
		var settings []setting
		for key, value := range t.image.Config(r).Values().All() {
			if !t.source.ShowSecrets && sensitive.Config(key) {
				value = hidden
			}
			settings = append(settings, setting{key, value})
		}
		return appendConfig(dst, settings)
	}, life)
}

// resources gives the names of the resources of a type that have a configuration.
func (t *Tree) resources(kind image.ResourceType, yield func(string) bool) {
	for r := range t.image.Configs().From(image.Resource{Type: kind}) {
		if r.Type != kind || !yield(r.Name) {
			return
		}
	}
}

// topicConfigs is /config/topics. In ZooKeeper mode every topic has a node there,
// with or without a value of its own.
func (t *Tree) topicConfigs() *znode {
	return &znode{
		list: inOrder(func(yield func(string) bool) {
			more := true
			t.topicNames(func(name string) bool {
				more = yield(name)
				return more
			})
			if more {
				t.resources(image.TopicResource, func(name string) bool {
					if _, ok := t.image.TopicIDs().Get(name); ok {
						return true
					}
					return yield(EscapeName(name))
				})
			}
		}),
		find: func(component string) *znode {
			name, ok := UnescapeName(component)
			if !ok {
				return nil
			}
			r := image.Resource{Type: image.TopicResource, Name: name}
			topic, ok := t.image.Topic(name)
			if !ok && t.image.Config(r) == nil {
				return nil
			}
			return t.config(r, func() life { return t.topicConfigLife(r, topic) })
		},
		life: t.topicsLife,
	}
}

// topicConfigLife: the node came with the topic, and each change of the configuration
// changed it, the first one as well unless it came with the topic.
func (t *Tree) topicConfigLife(r image.Resource, topic *image.Topic) life {
	l := t.configLife(r)
	m := t.marks()
	if topic == nil || m == nil {
		return l
	}
	k, ok := m.Topic(topic.ID())
	if !ok {
		return l
	}
	c, configured := m.Config(r)
	switch {
	case !configured:
		l.changed = k.Created
	case c.Created.Time != k.Created.Time || c.Created.Epoch != k.Created.Epoch:
		l.version++
	}
	l.created, l.children = k.Created, k.Created
	return l
}

// configLife is that of a configuration alone.
func (t *Tree) configLife(r image.Resource) life {
	l := unborn(0)
	if m := t.marks(); m != nil {
		if k, ok := m.Config(r); ok {
			l = life{created: k.Created, changed: k.Changed, children: k.Created, version: k.Changes}
		}
	}
	return l
}

// brokerConfigs is /config/brokers: a node only where something is set. The default
// of all brokers has no name in the metadata.
func (t *Tree) brokerConfigs() *znode {
	list := inOrder(func(yield func(string) bool) {
		t.resources(image.BrokerResource, func(name string) bool {
			if name == "" {
				return yield(defaultName)
			}
			return yield(EscapeName(name))
		})
	})
	return counted(&znode{
		list: list,
		find: func(component string) *znode {
			name, ok := "", true
			if component != defaultName {
				if name, ok = UnescapeName(component); name == "" {
					return nil
				}
			}
			r := image.Resource{Type: image.BrokerResource, Name: name}
			if !ok || t.image.Config(r) == nil {
				return nil
			}
			return t.config(r, func() life { return t.configLife(r) })
		},
	})
}

// counted gives a directory the life of one whose children came and stayed, where
// it is not known how many went.
func counted(z *znode) *znode {
	z.life = func() life { return unborn(z.size()) }
	return z
}
