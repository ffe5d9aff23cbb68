package image

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/cow"
	"kraftctl/internal/javatext"
)

// Types of quota entities that Kafka has.
const (
	UserEntity     = "user"
	ClientIDEntity = "client-id"
	IPEntity       = "ip"
)

// EntityPart is one part of who a quota is for.
type EntityPart struct {
	Type string
	Name string
	// Default: the quota is for all of the type that have none of their own.
	Default bool
}

// Quota are the quotas of an entity; there is at least one.
type Quota struct {
	entity []EntityPart
	values cow.Map[string, float64]
	owner  *cow.Owner
}

// Entity is who the quota is for, in the order of the types.
func (q *Quota) Entity() []EntityPart { return q.entity }

// Part gives the part of the entity of a type.
func (q *Quota) Part(kind string) (p EntityPart, ok bool) {
	for _, p := range q.entity {
		if p.Type == kind {
			return p, true
		}
	}
	return EntityPart{}, false
}

// Values are the limits by key. A nil Quota has none.
func (q *Quota) Values() cow.Map[string, float64] {
	if q == nil {
		return cow.Map[string, float64]{}
	}
	return q.values
}

// EntityKey tells entities apart: their parts in order, each with its lengths. It
// is what Image.Quotas goes by.
func EntityKey(entity []EntityPart) string {
	var b []byte
	for _, p := range entity {
		b = binary.AppendUvarint(b, uint64(len(p.Type)))
		b = append(b, p.Type...)
		if p.Default {
			b = append(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(p.Name))+1)
		b = append(b, p.Name...)
	}
	return string(b)
}

// QuotaEntity gives the parts of an entity in the order of their types. It keeps
// nothing of the record.
func QuotaEntity(parts []metadata.EntityData) []EntityPart {
	entity := make([]EntityPart, 0, len(parts))
	for _, e := range parts {
		p := EntityPart{Type: strings.Clone(e.EntityType), Default: e.EntityName == nil}
		if !p.Default {
			p.Name = strings.Clone(*e.EntityName)
		}
		entity = put(entity, p, func(p *EntityPart) string { return p.Type })
	}
	slices.SortFunc(entity, func(a, b EntityPart) int { return cmp.Compare(a.Type, b.Type) })
	return entity
}

// clientQuota sets or removes one limit of an entity.
func (d *Delta) clientQuota(m *metadata.ClientQuotaRecord) error {
	entity := QuotaEntity(m.Entity)
	key := EntityKey(entity)
	q, ok := d.img.quotas.Get(key)
	switch {
	case !ok && m.Remove:
		return nil
	case !ok:
		q = &Quota{entity: entity, values: cow.New[string, float64](javatext.Compare), owner: d.owner}
		d.img.quotas.Set(d.owner, key, q)
	case q.owner != d.owner:
		q = &Quota{entity: q.entity, values: q.values, owner: d.owner}
		d.img.quotas.Set(d.owner, key, q)
	}
	if !m.Remove {
		q.values.Set(d.owner, strings.Clone(m.Key), m.Value)
	} else if q.values.Delete(d.owner, m.Key); q.values.Len() == 0 {
		d.img.quotas.Delete(d.owner, key)
	}
	return nil
}

// HasQuota reports whether an entity, as records name it, has any quotas.
func (i *Image) HasQuota(entity []metadata.EntityData) bool {
	_, ok := i.quotas.Get(EntityKey(QuotaEntity(entity)))
	return ok
}
