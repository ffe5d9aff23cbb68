package imagetree

import (
	"slices"
	"strings"
	"sync"

	"kraftctl/decode/jsonw"
	"kraftctl/internal/image"
	"kraftctl/shell/node"
)

// entityTypes are the parts of the names of quota entities, in their order.
var entityTypes = [...]struct{ kind, label string }{
	{image.ClientIDEntity, "clientId"}, {image.IPEntity, "ip"}, {image.UserEntity, "user"},
}

// defaultEntity stands for the default of a type in a name. Kafka's shell has
// nothing there, so that several entities have the same name, and some none.
const defaultEntity = "<default>"

var entityEscaper = strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`)

// entityName is the name of the directory of a quota entity.
func (t *tree) entityName(q *image.Quota) string {
	var parts []string
	for _, e := range entityTypes {
		p, ok := q.Part(e.kind)
		switch {
		case !ok || p.Default && t.Kafka:
		case p.Default:
			parts = append(parts, e.label+"("+defaultEntity+")")
		default:
			parts = append(parts, e.label+"("+entityEscaper.Replace(p.Name)+")")
		}
	}
	return strings.Join(parts, "_")
}

func (t *tree) quotas() node.Node {
	byName := sync.OnceValue(func() map[string]*image.Quota {
		m := map[string]*image.Quota{}
		for _, q := range t.img.Quotas().All() {
			if name := t.entityName(q); m[name] == nil && !(t.Kafka && hasDefault(q)) {
				m[name] = q // the first one of a name counts
			}
		}
		return m
	})
	return dir{
		names: func() []string {
			return names(t.img.Quotas().All(), func(_ string, q *image.Quota) string { return t.entityName(q) })
		},
		child: func(name string) (node.Node, bool) {
			q := byName()[name]
			if q == nil {
				return nil, false
			}
			return quota(q), true
		},
	}
}

// hasDefault: a part of the entity is the default of its type, which Kafka's shell
// cannot find by its name.
func hasDefault(q *image.Quota) bool {
	return slices.ContainsFunc(q.Entity(), func(p image.EntityPart) bool { return p.Default })
}

func quota(q *image.Quota) node.Node {
	values := q.Values()
	return describedDir{kind: "quota", fields: func() []node.Field { return quotaFields(q) }, dir: dir{
		names: func() []string { return names(values.All(), func(key string, _ float64) string { return key }) },
		child: func(name string) (node.Node, bool) {
			v, ok := values.Get(name)
			if !ok {
				return nil, false
			}
			return node.File(jsonw.AppendJavaDouble(nil, v)), true
		},
	}}
}
