package shell

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
	"kraftctl/internal/sensitive"
)

// kafkaCommandsFor gives the commands of Kafka's tools that would make what is below
// some nodes of /image.
func kafkaCommandsFor(img *image.Image, found []Match, showSecrets bool) string {
	k := &commandMaker{img: img, show: showSecrets}
	for _, part := range []struct {
		dir  string
		make func(path []string)
	}{
		{"features", k.features}, {"topics", k.topics}, {"configs", k.configs}, {"clientQuotas", k.quotas},
		{"scram", k.scram}, {"acls", k.acls}, {"delegationToken", k.tokens},
	} {
		for _, m := range found {
			p := m.Path
			switch {
			case len(p) == 0 || len(p) == 1 && p[0] == "image":
				part.make(nil)
			case p[0] == "image" && p[1] == part.dir:
				part.make(p[2:])
			}
		}
	}
	if k.b.Len() == 0 {
		return "# There is nothing here that Kafka's tools could make.\n"
	}
	return k.b.String()
}

// commandMaker writes commands. Its methods take the rest of a path below their
// directory: what it leads to, and nothing else, is made.
type commandMaker struct {
	b    strings.Builder
	img  *image.Image
	show bool
}

// under reports whether a path leads to a node or to something below or above it.
func under(path []string, at ...string) bool {
	n := min(len(path), len(at))
	return slices.Equal(path[:n], at[:n])
}

func (k *commandMaker) line(words ...string) { k.b.WriteString(strings.Join(words, " ") + "\n") }

// comment tells what cannot be made; nothing of it ends the line.
func (k *commandMaker) comment(text string) { k.line("#", Clean(text)) }

// quote makes one word for sh of any text.
func quote(s string) string {
	plain := s != ""
	for _, r := range s {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-:/=,@%+", r)) {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func tool(name string) string { return name + `.sh --bootstrap-server "$BOOTSTRAP"` }

func (k *commandMaker) features(path []string) {
	if v, ok := k.img.MetadataVersion(); ok && under(path, "metadataVersion") {
		k.line(tool("kafka-features"), "upgrade --feature", quote(feature.MetadataName+"="+strconv.Itoa(int(v))))
	}
	for name, level := range k.img.Features().All() {
		if under(path, "finalized_"+name) {
			k.line(tool("kafka-features"), "upgrade --feature", quote(name+"="+strconv.Itoa(int(level))))
		}
	}
}

// topics makes topics with their replicas where they are. Internal topics are made by
// their coordinators.
func (k *commandMaker) topics(path []string) {
	if len(path) >= 2 {
		if id, ok := k.topicID(path[0], path[1]); ok {
			k.topic(id)
		}
		return
	}
	for name, id := range k.img.TopicIDs().All() {
		if !strings.HasPrefix(name, "__") {
			k.topic(id)
		}
	}
}

// topicID is the id of the topic whose directory in byName or byId has a name.
func (k *commandMaker) topicID(dir, name string) (id kbin.UUID, ok bool) {
	if dir == "byName" {
		return k.img.TopicIDs().Get(name)
	}
	id, err := kbin.ParseUUID(name)
	return id, err == nil && id.String() == name
}

// topic makes a topic.
func (k *commandMaker) topic(id kbin.UUID) {
	t, ok := k.img.Topics().Get(id)
	if !ok {
		return
	}
	name := t.Name()
	replicas, problem := topicReplicas(t)
	if problem != "" {
		k.comment("topic " + name + ": " + problem)
	}
	if replicas == "" {
		return
	}
	words := []string{tool("kafka-topics"), "--create --topic", quote(name), "--replica-assignment", quote(replicas)}
	later := false
	resource := image.Resource{Type: image.TopicResource, Name: name}
	for key, value := range k.img.Config(resource).Values().All() {
		if topicOption(value) {
			words = append(words, "--config", quote(key+"="+value))
		} else {
			later = true
		}
	}
	k.line(words...)
	if later {
		k.resource(resource, func(_, value string) bool { return !topicOption(value) })
	}
}

// topicReplicas writes the replicas of a topic as --replica-assignment takes them:
// of all partitions from 0 on, as many of each. It is empty if there is no such
// list; the problem tells what it leaves out.
func topicReplicas(t *image.Topic) (list, problem string) {
	next, factor := int32(0), math.MaxInt
	for n, p := range t.Partitions() {
		if n != next {
			break
		}
		next++
		factor = min(factor, len(p.Replicas))
	}
	if int(next) != t.Len() || next == 0 || factor == 0 {
		return "", "its partitions are not numbered from 0 on, or have no replicas, so it cannot be made"
	}
	var assignment, more []string
	for n, p := range t.Partitions() {
		var ids []string
		for _, r := range p.Replicas {
			ids = append(ids, strconv.Itoa(int(r)))
		}
		assignment = append(assignment, strings.Join(ids[:factor], ":"))
		if len(ids) > factor {
			more = append(more, strconv.Itoa(int(n))+" ("+strings.Join(ids, ":")+")")
		}
	}
	if len(more) > 0 {
		problem = "kafka-topics makes as many replicas of each partition; kafka-reassign-partitions can then give more to " + strings.Join(more, ", ")
	}
	return strings.Join(assignment, ","), problem
}

// topicOption reports whether kafka-topics takes a value after --config.
func topicOption(value string) bool {
	return value != "" && !strings.Contains(value, "=") && value == javatext.Trim(value)
}

// entityTypesOf are the names that kafka-configs has for types of resources.
var entityTypesOf = map[image.ResourceType]string{
	image.TopicResource: "topics", image.BrokerResource: "brokers", image.BrokerLoggerResource: "broker-loggers",
	image.ClientMetricsResource: "client-metrics", image.GroupResource: "groups",
}

func (k *commandMaker) configs(path []string) {
	for r := range k.img.Configs().All() {
		name := r.PathName()
		if under(path, name) && (r.Type != image.TopicResource || len(path) > 0) { // else made with the topic
			k.resource(r, func(key, _ string) bool { return under(path, name, key) })
		}
	}
}

// resource sets some of the configuration of a resource.
func (k *commandMaker) resource(r image.Resource, wanted func(key, value string) bool) {
	name := r.PathName()
	kind, known := entityTypesOf[r.Type]
	if !known {
		k.comment("configuration of " + name + ": kafka-configs does not know this type")
		return
	}
	entity := "--entity-default"
	if r.Name != "" {
		entity = "--entity-name " + quote(r.Name)
	}
	var values []string
	for key, value := range k.img.Config(r).Values().All() {
		switch text, ok := configValue(key, value); {
		case !wanted(key, value):
		case sensitive.Config(key) && !k.show:
			k.comment(name + ": " + key + " is left out, as it may be a password (--show-secrets shows it)")
		case !ok:
			k.comment(name + ": " + key + " has a value that --add-config cannot take; --add-config-file can")
		default:
			values = append(values, text)
		}
	}
	if len(values) > 0 {
		k.line(tool("kafka-configs"), "--alter --entity-type", kind, entity, "--add-config", quote(strings.Join(values, ",")))
	}
}

// configValue is a value as --add-config takes it: one with a comma or another = is
// in brackets. All brackets are removed from it, and blanks around it, so there are
// values that it cannot have.
func configValue(key, value string) (text string, ok bool) {
	switch {
	case strings.ContainsAny(value, "[]") || value != javatext.Trim(value):
		return "", false
	case strings.ContainsAny(value, ",="):
		return key + "=[" + value + "]", true
	}
	return key + "=" + value, true
}

func (k *commandMaker) quotas(path []string) {
	for _, q := range k.img.Quotas().All() {
		if !under(path, q.String()) {
			continue
		}
		words := []string{tool("kafka-configs"), "--alter"}
		for _, e := range []struct{ kind, option string }{{image.UserEntity, "users"}, {image.ClientIDEntity, "clients"}, {image.IPEntity, "ips"}} {
			p, ok := q.Part(e.kind)
			switch {
			case !ok:
			case p.Default:
				words = append(words, "--entity-type", e.option, "--entity-default")
			default:
				words = append(words, "--entity-type", e.option, "--entity-name", quote(p.Name))
			}
		}
		var values []string
		for key, v := range q.Values().All() {
			if under(path, q.String(), key) {
				values = append(values, key+"="+string(jsonw.AppendJavaDouble(nil, v)))
			}
		}
		if len(values) > 0 {
			k.line(append(words, "--add-config", quote(strings.Join(values, ",")))...)
		}
	}
}

func (k *commandMaker) scram(path []string) {
	for user, c := range k.img.Scram().All() {
		if under(path, user.Mechanism.String(), user.Name) {
			k.comment("SCRAM user " + user.Name + ": the log does not have the password. With it:")
			k.comment(tool("kafka-configs") + " --alter --entity-type users --entity-name " + quote(user.Name) + " --add-config '" +
				user.Mechanism.String() + "=[iterations=" + strconv.Itoa(int(c.Iterations)) + ",password=PASSWORD]'")
		}
	}
}

func (k *commandMaker) tokens(path []string) {
	for id, t := range k.img.Tokens().All() {
		if under(path, id) {
			k.comment("delegation token of " + t.Owner + ": tokens cannot be made anew with the same secret")
		}
	}
}

// aclOptions are the options that name the resource of an entry.
var aclOptions = map[string]string{
	"TOPIC": "--topic", "GROUP": "--group", "TRANSACTIONAL_ID": "--transactional-id", "DELEGATION_TOKEN": "--delegation-token", "USER": "--user-principal",
}

func (k *commandMaker) acls(path []string) {
	for id, a := range k.img.ACLs().All() {
		if !under(path, "byId", id.String()) {
			continue
		}
		who, host := "--allow-principal", "--allow-host"
		if image.ACLPermission(a.PermissionType) == "DENY" {
			who, host = "--deny-principal", "--deny-host"
		}
		resource := image.ACLResource(a.ResourceType)
		words := []string{tool("kafka-acls"), "--add", who, quote(a.Principal), host, quote(a.Host), "--operation", image.PascalName(image.ACLOperation(a.Operation))}
		switch option, ok := aclOptions[resource]; {
		case resource == "CLUSTER":
			words = append(words, "--cluster")
		case ok:
			words = append(words, option, quote(a.ResourceName), "--resource-pattern-type", strings.ToLower(image.ACLPattern(a.PatternType)))
		default:
			k.comment("access control entry " + id.String() + ": kafka-acls does not know the type of its resource")
			continue
		}
		k.line(words...)
	}
}
