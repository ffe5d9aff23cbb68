package image

import (
	"cmp"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
	"kraftctl/internal/javatext"
)

// ResourceType is the type of what a configuration belongs to.
type ResourceType int8

// The types of resources.
const (
	TopicResource         ResourceType = 2
	BrokerResource        ResourceType = 4
	BrokerLoggerResource  ResourceType = 8
	ClientMetricsResource ResourceType = 16
	GroupResource         ResourceType = 32
)

// String is Kafka's name of the type, UNKNOWN for one that it does not have.
func (t ResourceType) String() string {
	switch t {
	case TopicResource:
		return "TOPIC"
	case BrokerResource:
		return "BROKER"
	case BrokerLoggerResource:
		return "BROKER_LOGGER"
	case ClientMetricsResource:
		return "CLIENT_METRICS"
	case GroupResource:
		return "GROUP"
	}
	return "UNKNOWN"
}

// Resource is what a configuration belongs to. An empty name is the default of
// the type.
type Resource struct {
	Type ResourceType
	Name string
}

// PathName is the resource in paths: TOPIC:name, or the type only for the default of
// a type.
func (r Resource) PathName() string {
	if r.Name == "" {
		return r.Type.String()
	}
	return r.Type.String() + ":" + r.Name
}

func compareResources(a, b Resource) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), javatext.Compare(a.Name, b.Name))
}

// Config is the dynamic configuration of a resource; it has at least one value.
type Config struct {
	resource Resource
	values   cow.Map[string, string]
	owner    *cow.Owner
}

// Resource is what the configuration belongs to.
func (c *Config) Resource() Resource { return c.resource }

// Values are the values by key. A nil Config has none.
func (c *Config) Values() cow.Map[string, string] {
	if c == nil {
		return cow.Map[string, string]{}
	}
	return c.values
}

// config sets a value, or deletes it if it is null.
func (d *Delta) config(m *metadata.ConfigRecord) error {
	r := Resource{ResourceType(m.ResourceType), m.ResourceName}
	c, ok := d.img.configs.Get(r)
	switch {
	case !ok && m.Value == nil:
		return nil
	case !ok:
		r.Name = strings.Clone(r.Name)
		c = &Config{resource: r, values: cow.New[string, string](javatext.Compare), owner: d.owner}
		d.img.configs.Set(d.owner, r, c)
	case c.owner != d.owner:
		c = &Config{resource: c.resource, values: c.values, owner: d.owner}
		d.img.configs.Set(d.owner, c.resource, c)
	}
	if m.Value != nil {
		c.values.Set(d.owner, strings.Clone(m.Name), strings.Clone(*m.Value))
	} else if c.values.Delete(d.owner, m.Name); c.values.Len() == 0 {
		d.img.configs.Delete(d.owner, r)
	}
	return nil
}
