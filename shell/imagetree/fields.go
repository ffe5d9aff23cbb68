package imagetree

import (
	"encoding/hex"
	"strconv"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/sensitive"
	"kraftctl/shell/node"
)

// described is a file with fields, made when they are asked for.
type described struct {
	node.File
	kind   string
	fields func() []node.Field
}

// Kind says what the node is.
func (d described) Kind() string { return d.kind }

// Fields gives the fields.
func (d described) Fields() []node.Field { return d.fields() }

// describedDir is a directory with fields.
type describedDir struct {
	dir
	kind   string
	fields func() []node.Field
}

// Kind says what the node is.
func (d describedDir) Kind() string { return d.kind }

// Fields gives the fields.
func (d describedDir) Fields() []node.Field { return d.fields() }

func uuidTexts(ids []kbin.UUID) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, id.String())
	}
	return out
}

func brokerFields(b *image.Broker) []node.Field {
	var rack any
	if b.Rack != nil {
		rack = *b.Rack
	}
	var cordoned any
	if b.CordonedLogDirs != nil {
		cordoned = uuidTexts(b.CordonedLogDirs)
	}
	return []node.Field{
		{Name: "id", Value: int64(b.BrokerID)},
		{Name: "fenced", Value: b.Fenced},
		{Name: "shutdown", Value: b.InControlledShutdown},
		{Name: "rack", Value: rack},
		{Name: "endpoints", Value: endpointTexts(b.EndPoints)},
		{Name: "epoch", Value: b.BrokerEpoch},
		{Name: "incarnationId", Value: b.IncarnationID.String(), Wide: true},
		{Name: "logDirs", Value: uuidTexts(b.LogDirs), Wide: true},
		{Name: "cordoned", Value: cordoned, Wide: true},
		{Name: "features", Value: featureFields(b.Features), Wide: true},
	}
}

func endpointTexts(list []metadata.BrokerEndpoint) []string {
	out := []string{}
	for _, e := range list {
		out = append(out, e.Name+"://"+e.Host+":"+strconv.Itoa(int(e.Port)))
	}
	return out
}

func featureFields(list []metadata.BrokerFeature) []node.Field {
	out := []node.Field{}
	for _, f := range sortedFeatures(list) {
		out = append(out, node.Field{Name: f.Name, Value: itoa(f.MinSupportedVersion) + "-" + itoa(f.MaxSupportedVersion)})
	}
	return out
}

func controllerFields(c *image.Controller) []node.Field {
	ends, features := controllerParts(c)
	return []node.Field{
		{Name: "id", Value: int64(c.ControllerID)},
		{Name: "endpoints", Value: endpointTexts(ends)},
		{Name: "incarnationId", Value: c.IncarnationID.String()},
		{Name: "zkMigrationReady", Value: c.ZkMigrationReady, Wide: true},
		{Name: "features", Value: featureFields(features), Wide: true},
	}
}

func aclFields(a *image.ACL) []node.Field {
	return []node.Field{
		{Name: "permission", Value: image.ACLPermission(a.PermissionType)},
		{Name: "principal", Value: a.Principal},
		{Name: "operation", Value: image.ACLOperation(a.Operation)},
		{Name: "resource", Value: image.ACLResource(a.ResourceType)},
		{Name: "name", Value: a.ResourceName},
		{Name: "pattern", Value: image.ACLPattern(a.PatternType)},
		{Name: "host", Value: a.Host},
		{Name: "id", Value: a.ID.String(), Wide: true},
	}
}

func (t *tree) scramFields(c *image.ScramCredential) []node.Field {
	return []node.Field{
		{Name: "user", Value: c.Name},
		{Name: "mechanism", Value: metadata.ScramMechanism(c.Mechanism).String()},
		{Name: "iterations", Value: int64(c.Iterations)},
		{Name: "salt", Value: t.secret(hex.EncodeToString(c.Salt)), Wide: true},
		{Name: "storedKey", Value: t.secret(hex.EncodeToString(c.StoredKey)), Wide: true},
		{Name: "serverKey", Value: t.secret(hex.EncodeToString(c.ServerKey)), Wide: true},
	}
}

func tokenFields(k *image.Token) []node.Field {
	return []node.Field{
		{Name: "tokenId", Value: k.TokenID},
		{Name: "owner", Value: k.Owner},
		{Name: "requester", Value: k.Requester},
		{Name: "renewers", Value: append([]string{}, k.Renewers...)},
		{Name: "issued", Value: Time(k.IssueTimestamp)},
		{Name: "expires", Value: Time(k.ExpirationTimestamp)},
		{Name: "max", Value: Time(k.MaxTimestamp)},
	}
}

func (t *tree) configFields(c *image.Config) []node.Field {
	return []node.Field{
		{Name: "type", Value: c.Resource().Type.String()},
		{Name: "name", Value: c.Resource().Name},
		{Name: "configs", Value: t.configValues(c)},
	}
}

// configValues are the configs of a resource, which may be nil.
func (t *tree) configValues(c *image.Config) []node.Field {
	out := []node.Field{}
	for key, v := range c.Values().All() {
		if !t.shown(c.Resource().Type, key) {
			continue
		}
		if sensitive.Config(key) {
			v = t.secret(v)
		}
		out = append(out, node.Field{Name: key, Value: v})
	}
	return out
}

func quotaFields(q *image.Quota) []node.Field {
	var out []node.Field
	for _, e := range entityTypes {
		var name any
		if p, ok := q.Part(e.kind); ok && p.Default {
			name = defaultEntity
		} else if ok {
			name = p.Name
		}
		out = append(out, node.Field{Name: e.label, Value: name})
	}
	values := []node.Field{}
	for key, v := range q.Values().All() {
		values = append(values, node.Field{Name: key, Value: v})
	}
	return append(out, node.Field{Name: "quotas", Value: values})
}
