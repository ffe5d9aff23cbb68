package imagetree

import (
	_ "embed"
	"strings"
	"sync"

	"kraftctl/internal/image"
	"kraftctl/internal/sensitive"
	"kraftctl/shell/node"
)

//go:embed kafka_configs.txt
var kafkaConfigs string

// kafkaKnows are the configs that Kafka 4.3.1's shell shows of topics, client
// metrics and groups: those it knows (KAFKA-19851).
var kafkaKnows = sync.OnceValue(func() map[image.ResourceType]map[string]bool {
	known := map[image.ResourceType]map[string]bool{}
	types := map[string]image.ResourceType{}
	for _, t := range resourceTypes {
		types[t.String()] = t
	}
	for line := range strings.Lines(kafkaConfigs) {
		kind, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || kind == "#" {
			continue
		}
		t := types[kind]
		if known[t] == nil {
			known[t] = map[string]bool{}
		}
		known[t][name] = true
	}
	return known
})

// resourceTypes are the types that may stand before a name.
var resourceTypes = [...]image.ResourceType{
	0, image.TopicResource, image.BrokerResource, image.BrokerLoggerResource, image.ClientMetricsResource, image.GroupResource,
}

// shown reports whether a config is shown.
func (t *tree) shown(r image.ResourceType, key string) bool {
	return !t.Kafka || r == image.BrokerResource || kafkaKnows()[r][key]
}

// shownKeys are the configs of a resource that are shown.
func (t *tree) shownKeys(c *image.Config) []string {
	var keys []string
	for key := range c.Values().All() {
		if t.shown(c.Resource().Type, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// parseResource reads the name of the directory of a resource.
func parseResource(name string) (r image.Resource, ok bool) {
	kind, rest, _ := strings.Cut(name, ":")
	for _, t := range resourceTypes {
		if t.String() == kind {
			return image.Resource{Type: t, Name: rest}, true
		}
	}
	return r, false
}

func (t *tree) configs() node.Node {
	all := t.img.Configs()
	return dir{
		names: func() []string {
			var out []string
			for _, name := range names(all.All(), func(r image.Resource, c *image.Config) string {
				if len(t.shownKeys(c)) == 0 {
					return ""
				}
				return r.PathName()
			}) {
				if name != "" {
					out = append(out, name)
				}
			}
			return out
		},
		child: func(name string) (node.Node, bool) {
			r, ok := parseResource(name)
			if !ok {
				return nil, false
			}
			c, ok := all.Get(r)
			if !ok && r.Type == 0 { // one of the types that are not known
				for other, config := range all.All() {
					if other.PathName() == name {
						c, ok = config, true
						break
					}
				}
			}
			if !ok || len(t.shownKeys(c)) == 0 {
				return nil, false
			}
			return t.config(c), true
		},
	}
}

func (t *tree) config(c *image.Config) node.Node {
	return describedDir{kind: "configs", fields: func() []node.Field { return t.configFields(c) }, dir: dir{
		names: func() []string { return t.shownKeys(c) },
		child: func(key string) (node.Node, bool) {
			v, ok := c.Values().Get(key)
			if !ok || !t.shown(c.Resource().Type, key) {
				return nil, false
			}
			if sensitive.Config(key) {
				v = t.secret(v)
			}
			return node.File(v), true
		},
	}}
}
