package kafkaconfig

import (
	"slices"
	"strconv"

	"kraftctl/internal/javaerr"
)

// relation is a rule between two numbers, in the words of its message.
type relation struct{ left, must, right string }

const (
	atLeast  = " must be greater than or equal to "
	atMost   = " must be less than or equal to "
	lessThan = " must be less than "
)

// checkRelations reports the first rule that does not hold.
func (c *Config) checkRelations(rules []relation) *Error {
	for _, r := range rules {
		a, b := c.get(r.left).num, c.get(r.right).num
		ok := a >= b
		switch r.must {
		case atMost:
			ok = a <= b
		case lessThan:
			ok = a < b
		}
		if !ok {
			return illegal("", r.left+r.must+r.right)
		}
	}
	return nil
}

// timing are the rules for the members of one kind of group.
func timing(kind string) []relation {
	heartbeat, session := kind+".heartbeat.interval.ms", kind+".session.timeout.ms"
	return []relation{
		{kind + ".max.heartbeat.interval.ms", atLeast, kind + ".min.heartbeat.interval.ms"},
		{heartbeat, atLeast, kind + ".min.heartbeat.interval.ms"},
		{heartbeat, atMost, kind + ".max.heartbeat.interval.ms"},
		{kind + ".max.session.timeout.ms", atLeast, kind + ".min.session.timeout.ms"},
		{session, atLeast, kind + ".min.session.timeout.ms"},
		{session, atMost, kind + ".max.session.timeout.ms"},
		{heartbeat, lessThan, session},
	}
}

func assignment(kind string) []relation {
	return []relation{
		{kind + ".max.assignment.interval.ms", atLeast, kind + ".min.assignment.interval.ms"},
		{kind + ".assignment.interval.ms", atLeast, kind + ".min.assignment.interval.ms"},
		{kind + ".assignment.interval.ms", atMost, kind + ".max.assignment.interval.ms"},
	}
}

// streamsRules are what only streams groups have.
var streamsRules = []relation{
	{"group.streams.num.standby.replicas", atMost, "group.streams.max.standby.replicas"},
	{"group.streams.task.offset.interval.ms", atLeast, "group.streams.min.task.offset.interval.ms"},
	{"group.streams.num.warmup.replicas", atMost, "group.streams.max.warmup.replicas"},
}

// shareRules are those of the records that share groups hold.
var shareRules = []relation{
	{"group.share.delivery.count.limit", atLeast, "group.share.min.delivery.count.limit"},
	{"group.share.max.delivery.count.limit", atLeast, "group.share.delivery.count.limit"},
	{"group.share.partition.max.record.locks", atLeast, "group.share.min.partition.max.record.locks"},
	{"group.share.max.partition.max.record.locks", atLeast, "group.share.partition.max.record.locks"},
	{"group.share.record.lock.duration.ms", atLeast, "group.share.min.record.lock.duration.ms"},
	{"group.share.max.record.lock.duration.ms", atLeast, "group.share.record.lock.duration.ms"},
	{"group.share.max.share.sessions", atLeast, "group.share.max.size"},
}

// checkGroups checks the settings of the coordinators.
func (c *Config) checkGroups() *Error {
	const tags = "group.streams.rack.aware.assignment.tags"
	steps := []func() *Error{
		func() *Error { return c.checkAssignors(consumerAssignors) },
		func() *Error { return c.checkCodec("offsets.topic.compression.codec") },
		func() *Error { return c.checkAssignors(shareAssignors) },
		func() *Error { return c.checkAssignors(streamsAssignors) },
		func() *Error { return c.checkRelations(timing("group.consumer")) },
		func() *Error { return c.checkRelations(assignment("group.consumer")) },
		func() *Error { return c.checkRelations(timing("group.share")) },
		func() *Error {
			if n := len(c.get(shareAssignors.key).list); n != 1 {
				return illegal(shareAssignors.key, shareAssignors.key+" must contain exactly one assignor, but found "+strconv.Itoa(n))
			}
			return nil
		},
		func() *Error { return c.checkRelations(assignment("group.share")) },
		func() *Error { return c.checkRelations(timing("group.streams")) },
		func() *Error { return c.checkRelations(assignment("group.streams")) },
		func() *Error { return c.checkRelations(streamsRules) },
		func() *Error {
			if c.repeated[tags] {
				return illegal(tags, tags+" must not contain duplicate tag keys.")
			}
			return nil
		},
		func() *Error { return c.checkRelations(shareRules) },
		func() *Error { return c.checkCodec("share.coordinator.state.topic.compression.codec") },
	}
	return firstError(steps)
}

// checkCodec checks the number of a compression codec.
func (c *Config) checkCodec(key string) *Error {
	if n := c.get(key).num; n < 0 || n > 4 {
		return illegal(key, "Unknown compression type id: "+strconv.FormatInt(n, 10))
	}
	return nil
}

// assignors are the assignors of a kind of group that Kafka brings along: their
// names, and their classes, which may stand in the list as well.
type assignors struct {
	key, iface string
	names      []string
	classes    map[string]string // class to name
	// one: there may be but one, which is checked elsewhere.
	one bool
}

const (
	assignorPackage = "org.apache.kafka.coordinator.group.assignor."
	streamsPackage  = "org.apache.kafka.coordinator.group.streams.assignor."
)

var (
	consumerAssignors = &assignors{
		key:     "group.consumer.assignors",
		iface:   "org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor",
		names:   []string{"uniform", "range"},
		classes: map[string]string{assignorPackage + "UniformAssignor": "uniform", assignorPackage + "RangeAssignor": "range"},
	}
	shareAssignors = &assignors{
		key:     "group.share.assignors",
		iface:   "org.apache.kafka.coordinator.group.api.assignor.ShareGroupPartitionAssignor",
		names:   []string{"simple"},
		classes: map[string]string{assignorPackage + "SimpleAssignor": "simple"},
		one:     true,
	}
	streamsAssignors = &assignors{
		key:     "group.streams.assignors",
		iface:   "org.apache.kafka.coordinator.group.api.streams.assignor.TaskAssignor",
		names:   []string{"sticky"},
		classes: map[string]string{streamsPackage + "StickyTaskAssignor": "sticky", streamsPackage + "MockAssignor": "mock"},
	}
)

// checkAssignors checks a list of assignors.
func (c *Config) checkAssignors(a *assignors) *Error {
	seen := map[string]bool{}
	for _, s := range c.get(a.key).list {
		name := s
		if !slices.Contains(a.names, s) {
			switch class, ok := a.classes[s]; {
			case ok:
				name = class
			case !knownClass(s):
				return badValue(a.key, s, "Class cannot be found")
			case s == a.iface:
				return badValue(a.key, s, "Could not find a public no-argument constructor for "+s)
			default:
				return badValue(a.key, s, "Class is not an instance of "+a.iface)
			}
		}
		if seen[name] && !a.one {
			return badValue(a.key, s, "Assignor name '"+name+"' is already registered by another configured assignor. Assignor names, whether built-in or custom, must be unique")
		}
		seen[name] = true
	}
	return nil
}

// checkProtocols checks which protocols groups may use.
func (c *Config) checkProtocols() *Error {
	const key = "group.coordinator.rebalance.protocols"
	if !slices.Contains(c.get(key).list, "classic") {
		return failure(javaerr.Config, "Disabling the 'classic' protocol is not supported.", key)
	}
	return nil
}

// firstError runs checks until one fails.
func firstError(steps []func() *Error) *Error {
	for _, s := range steps {
		if err := s(); err != nil {
			return err
		}
	}
	return nil
}
