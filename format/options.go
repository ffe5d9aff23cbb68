package format

import (
	"strconv"

	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
)

// Options are those of kafka-storage format, beside the configuration file.
type Options struct {
	Release   *feature.Release // which release is to start, nil for the latest
	ClusterID string
	// ReleaseVersion is the text of --release-version, nil if it was not given.
	ReleaseVersion *string
	Features       []string // arguments of --feature
	SCRAM          []string // arguments of --add-scram

	// At most one of the three.
	Standalone           bool
	NoInitialControllers bool
	InitialControllers   *string

	IgnoreFormatted bool
	// AsKafka keeps to what Kafka's tool does where that is of no use to anybody:
	// it refuses --standalone for a listener with an IPv6 address.
	AsKafka bool
}

// Refusals that concern the configuration and the options together.
const (
	legacyConfig = "The kafka configuration file appears to be for a legacy cluster. Formatting is only supported for clusters in KRaft mode."
	staticVoters = "You cannot specify controller.quorum.voters and format the node with --initial-controllers or --standalone. " +
		"If you want to use dynamic quorum, please remove controller.quorum.voters and specify controller.quorum.bootstrap.servers instead."
	standaloneBroker = "You can only use --standalone on a controller."
	whichQuorum      = "Because controller.quorum.voters is not set on this controller, you must specify one of the following: " +
		"--standalone, --initial-controllers, or --no-initial-controllers."
)

// Request makes a request of the options for the node of a configuration. The
// checks come in the order of Kafka's tool; errors are *RefusedError or Kafka's
// exceptions.
func (o *Options) Request(c *kafkaconfig.Config, env Env) (Request, error) {
	r := Request{
		Release: o.Release, ClusterID: o.ClusterID, NodeID: c.NodeID, Controller: c.Roles.Controller,
		Dirs: c.LogDirs, MetadataDir: c.MetadataLogDir, StaticVoters: len(c.Voters) > 0, Unstable: c.UnstableFeatureVersions,
		SCRAM: o.SCRAM, IgnoreFormatted: o.IgnoreFormatted, Standalone: o.Standalone, Levels: map[string]int16{},
	}
	if r.Release == nil {
		r.Release = feature.LatestRelease()
	}
	if len(c.ControllerListenerNames) > 0 {
		r.ListenerName = c.ControllerListenerNames[0]
	}
	if !c.Roles.Broker && !c.Roles.Controller {
		return r, refuse(legacyConfig)
	}
	if o.ReleaseVersion != nil {
		v, err := feature.ByName(*o.ReleaseVersion, r.Release.Production, r.Release.Latest(r.Unstable))
		if err != nil {
			return r, &RefusedError{Text: err.Error()}
		}
		r.MetadataVersion = v
	}
	for _, argument := range o.Features {
		name, level, err := ParseFeature(argument)
		if err != nil {
			return r, err
		}
		r.Levels[name] = level
	}
	return r, o.quorum(&r, c, env)
}

// quorum decides on the first voter set.
func (o *Options) quorum(r *Request, c *kafkaconfig.Config, env Env) (err error) {
	switch {
	case r.StaticVoters && (o.Standalone || o.InitialControllers != nil):
		return refuse(staticVoters)
	case o.Standalone && !r.Controller:
		return refuse(standaloneBroker)
	case o.Standalone:
		r.InitialControllers, err = o.alone(c, env)
		return err
	case o.InitialControllers != nil:
		r.InitialControllers, err = ParseVoters(*o.InitialControllers)
		return err
	case r.Controller && !r.StaticVoters && !o.NoInitialControllers:
		return refuse(whichQuorum)
	}
	return nil
}

// alone is the voter set of this controller by itself.
func (o *Options) alone(c *kafkaconfig.Config, env Env) ([]Voter, error) {
	endpoints := c.EffectiveAdvertisedControllerListeners()
	if len(endpoints) == 0 {
		return nil, refuse("No controller listeners found.")
	}
	host, port := endpoints[0].Host, endpoints[0].Port
	if !endpoints[0].HasHost {
		host = "localhost"
	}
	address := kafkaconfig.JoinHostPort(host, port)
	if o.AsKafka { // without the brackets that its own parser wants
		address = host + ":" + strconv.Itoa(port)
	}
	id, err := RandomUUID(env.Random)
	if err != nil {
		return nil, err
	}
	return ParseVoters(strconv.Itoa(int(c.NodeID)) + "@" + address + ":" + id.String())
}
