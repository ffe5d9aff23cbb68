package kafkaconfig

import (
	"errors"
	"slices"
	"strconv"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/props"
)

// Roles is process.roles.
type Roles struct{ Broker, Controller bool }

// Config is a configuration in which Kafka 4.4.0 finds no fault.
type Config struct {
	Roles  Roles
	NodeID int32

	// LogDirs is log.dirs, or log.dir: at least one, none twice.
	LogDirs []string
	// MetadataLogDir is metadata.log.dir, or the first of LogDirs.
	MetadataLogDir string

	Voters                  []Voter  // controller.quorum.voters
	BootstrapServers        []string // controller.quorum.bootstrap.servers
	AutoJoin                bool     // controller.quorum.auto.join.enable
	ControllerListenerNames []string // controller.listener.names

	Listeners []Endpoint
	// AdvertisedListeners is advertised.listeners, or Listeners.
	AdvertisedListeners []Endpoint
	// InterBrokerListener is the name of the listener between brokers.
	InterBrokerListener string

	UnstableFeatureVersions bool // unstable.feature.versions.enable

	// Unknown are keys that no release knows, in the order of the file. Kafka
	// ignores them, or a plugin reads them.
	Unknown []string
	// Obsolete are keys that an earlier release knew and that 4.4.0 ignores.
	Obsolete []string

	pairs         []props.Property
	values        []value
	repeated      map[string]bool   // lists that had an entry twice
	protocols     map[string]string // of listeners, by name
	listenerAt    map[string]int    // of Listeners, by name
	interProtocol string
	voterEntries  []Voter // with repeated ids
	// controllerNames are ControllerListenerNames.
	controllerNames     map[string]bool
	controllerEndpoints []Endpoint
}

// Load reads the text of a properties file as Kafka does, with the overrides
// behind it, and makes a Config of it. A later setting of a key counts. The
// error is an *Error, also for malformed text.
//
// Values that refer to the environment or to files through config.providers
// are errors; see Outside.
func Load(text []byte, overrides []props.Property) (*Config, error) {
	return Outside{}.Load(text, overrides)
}

// New makes a Config of settings. The error is an *Error.
func New(list []props.Property) (*Config, error) { return Outside{}.New(list) }

// Load is the function Load for a configuration that may look outside.
func (o Outside) Load(text []byte, overrides []props.Property) (*Config, error) {
	list, err := props.Read(text, props.Latin1)
	if err != nil {
		e := illegal("", malformedEscape)
		var syntax *props.SyntaxError
		if errors.As(err, &syntax) {
			e.Key = syntax.Key
		}
		e.Err = err
		return nil, e
	}
	return o.New(append(list, overrides...))
}

// malformedEscape is Java's word for a \uXXXX that is none.
const malformedEscape = `Malformed \uxxxx encoding.`

// New is the function New for a configuration that may look outside.
func (o Outside) New(list []props.Property) (*Config, error) {
	c := &Config{pairs: props.Unique(list), repeated: map[string]bool{}}
	resolved, err := o.resolve(c.pairs)
	if err != nil {
		return nil, err
	}
	if err := c.parseAll(synonyms(resolved)); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	c.sortUnknown()
	return c, nil
}

// Dirs are all directories of the node: LogDirs and MetadataLogDir, which may be
// one of them.
func (c *Config) Dirs() []string { return append(slices.Clone(c.LogDirs), c.MetadataLogDir) }

// String names the node. It keeps the settings, and so the passwords among
// them, out of logs that print a Config.
func (c Config) String() string { return "configuration of node " + strconv.Itoa(int(c.NodeID)) }

// GoString is String, for %#v.
func (c Config) GoString() string { return c.String() }

// Pairs are the settings that the Config was made of, each key once, with
// references to the outside as they are, and with passwords.
func (c *Config) Pairs() []props.Property { return append([]props.Property(nil), c.pairs...) }

const (
	keyNodeID   = "node.id"
	keyBrokerID = "broker.id"
)

// synonyms gives the values by key, where node.id and broker.id stand for each
// other if only one is given. broker.id is read first, so that an error names it.
func synonyms(list []props.Property) map[string]string {
	m := make(map[string]string, len(list)+1)
	for _, p := range list {
		m[p.Key] = p.Value
	}
	node, hasNode := m[keyNodeID]
	broker, hasBroker := m[keyBrokerID]
	switch {
	case hasNode && !hasBroker:
		m[keyBrokerID] = node
	case hasBroker && !hasNode:
		m[keyNodeID] = broker
	}
	return m
}

// parseAll reads and checks every key by itself, in the order of the definitions.
func (c *Config) parseAll(given map[string]string) *Error {
	c.values = make([]value, len(definitions))
	for i := range definitions {
		d := &definitions[i]
		if !d.Releases.Current() {
			break
		}
		text, ok := given[d.Name]
		v := &c.values[i]
		switch {
		case ok:
			var err *Error
			if *v, err = parse(d.Name, text, d.Type); err != nil {
				return hideSecret(d, err)
			}
		case d.Required:
			return configError(d.Name, `Missing required configuration "`+d.Name+`" which has no default value.`)
		case d.NullDefault:
			v.null = true
		default:
			*v, _ = parse(d.Name, d.Default, d.Type)
			v.given = false
		}
		if d.check.kind == checkList {
			whole := len(v.list)
			v.list = unique(v.list)
			c.repeated[d.Name] = len(v.list) < whole
		}
		if err := d.check.validate(d.Name, d.Type, v); err != nil {
			return hideSecret(d, err)
		}
	}
	return nil
}

func hideSecret(d *Definition, err *Error) *Error {
	if d.Sensitive() {
		err.Value = ""
	}
	return err
}

// check holds the settings against each other, in Kafka's order, and fills the
// fields of the Config on the way.
func (c *Config) check() *Error {
	c.NodeID = int32(c.get(keyNodeID).num)
	for _, r := range c.get("process.roles").list {
		c.Roles.Broker = c.Roles.Broker || r == "broker"
		c.Roles.Controller = c.Roles.Controller || r == "controller"
	}
	c.ControllerListenerNames = c.get(keyControllerNames).list
	c.controllerNames = make(map[string]bool, len(c.ControllerListenerNames))
	for _, n := range c.ControllerListenerNames {
		c.controllerNames[n] = true
	}
	c.voterEntries, _ = parseVoters(c.get(keyVoters).list)
	c.Voters = uniqueVoters(c.voterEntries)
	c.BootstrapServers = c.get(keyBootstrap).list
	c.AutoJoin = c.get("controller.quorum.auto.join.enable").yes
	c.UnstableFeatureVersions = c.get("unstable.feature.versions.enable").yes
	c.setDirs()
	return firstError([]func() *Error{
		c.checkGroups,
		c.parseListeners,
		c.checkEarlyStart,
		c.checkProtocols,
		c.checkIDs,
		c.checkLogs,
		c.checkReplication,
		c.parseAdvertised,
		c.checkRole,
		c.checkAutoJoin,
		c.parseInterBroker,
		c.checkInterBroker,
		c.checkCordoned,
		c.checkRoutable,
		c.checkMechanism,
		c.checkQueue,
		c.checkConnections,
		c.checkIdle,
		c.checkPrincipal,
	})
}

// checkIDs checks that the two names of the node's id agree.
func (c *Config) checkIDs() *Error {
	if c.get(keyBrokerID).num != c.get(keyNodeID).num {
		return failure(javaerr.Config, "`node.id` and `broker.id` must be set to the same value. `broker.id` is deprecated, please use `node.id` instead.", "")
	}
	return nil
}

// checkAutoJoin checks that only controllers join the quorum.
func (c *Config) checkAutoJoin() *Error {
	if c.AutoJoin && !c.Roles.Controller {
		return unmet("", "controller.quorum.auto.join.enable is only supported when process.roles contains the 'controller' role.")
	}
	return nil
}
