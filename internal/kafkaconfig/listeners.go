package kafkaconfig

import (
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
	"kraftctl/internal/props"
)

const (
	keyAdvertised        = "advertised.listeners"
	keyProtocols         = "listener.security.protocol.map"
	keyInterBroker       = "inter.broker.listener.name"
	keyInterProtocol     = "security.inter.broker.protocol"
	keyControllerNames   = "controller.listener.names"
	keyEarlyStart        = "early.start.listeners"
	kafkaException       = "org.apache.kafka.common.KafkaException"
	plaintext            = "PLAINTEXT"
	everywhere           = "0.0.0.0"
	noControllerListener = " not found in listener.security.protocol.map  (an explicit security mapping for each controller listener is required" +
		" if listener.security.protocol.map is non-empty, or if there are security protocols other than PLAINTEXT in use)"
)

var securityProtocols = []string{plaintext, "SSL", "SASL_PLAINTEXT", "SASL_SSL"}

// csvMap reads a STRING of the form KEY:VALUE,KEY:VALUE; the last colon of an entry separates, and the last
// entry of a key counts. Kafka goes through the entries in an order that changes
// from run to run, so which of two bad ones it reports is a matter of luck; here
// it is the first.
func csvMap(key, text string) ([]props.Property, *Error) {
	if text == "" {
		return nil, nil
	}
	entries := splitCommas(text)
	for len(entries) > 0 && entries[len(entries)-1] == "" {
		entries = entries[:len(entries)-1] // as String.split does
	}
	var out []props.Property
	for _, e := range entries {
		colon := strings.LastIndexByte(e, ':')
		if colon < 0 {
			return nil, illegal(key, "Error parsing configuration property '"+key+"': begin 0, end -1, length "+strconv.Itoa(javatext.Len(e)))
		}
		out = append(out, props.Property{Key: javatext.Trim(e[:colon]), Value: javatext.Trim(e[colon+1:])})
	}
	return props.Unique(out), nil
}

// securityMap works out the protocols of all listener names. Where the file
// says nothing of them, controller listeners are plaintext, unless it uses other
// protocols anywhere.
func (c *Config) securityMap() *Error {
	entries, err := csvMap(keyProtocols, c.text(keyProtocols))
	if err != nil {
		return err
	}
	c.protocols = make(map[string]string, len(entries))
	for _, e := range entries {
		if e.Key == "" {
			return configError(keyProtocols, noListenerName)
		}
		protocol := upper(e.Value)
		if !slices.Contains(securityProtocols, protocol) {
			return configError(keyProtocols, "Invalid security protocol `"+e.Value+"` defined in "+keyProtocols)
		}
		name := upper(e.Key)
		if old, ok := c.protocols[name]; ok { // listener and LISTENER
			return failure("java.lang.IllegalStateException", "Duplicate key ListenerName("+name+") (attempted merging values "+old+" and "+protocol+")", keyProtocols)
		}
		c.protocols[name] = protocol
	}
	if c.get(keyProtocols).given {
		return nil
	}
	secured, err := c.usesSecurity()
	if secured || err != nil {
		return err
	}
	for _, name := range c.ControllerListenerNames {
		if name != plaintext {
			c.protocols[name] = plaintext // as it is written, and so of no use in lower case
		}
	}
	return nil
}

// ListenerProtocol is the security protocol of a listener by its name, also of
// one that this node does not have, as those of controllers on a broker.
func (c *Config) ListenerProtocol(name string) (protocol string, ok bool) {
	protocol, ok = c.protocols[upper(name)]
	return protocol, ok
}

// usesSecurity reports whether the name of any listener is that of a protocol
// other than PLAINTEXT.
func (c *Config) usesSecurity() (bool, *Error) {
	secured := func(name string) bool { return name != plaintext && slices.Contains(securityProtocols, name) }
	if slices.ContainsFunc(c.ControllerListenerNames, secured) {
		return true, nil
	}
	for _, entry := range c.get(keyListeners).list {
		name, _, ok := strings.Cut(entry, ":")
		if !ok {
			err := failure(kafkaException, "Unable to parse a listener name from "+entry, keyListeners)
			err.Value = entry
			return false, err
		}
		if secured(upper(name)) {
			return true, nil
		}
	}
	return false, nil
}

// parseListeners fills Listeners.
func (c *Config) parseListeners() *Error {
	if err := c.securityMap(); err != nil {
		return err
	}
	list, err := parseEndpoints(keyListeners, c.get(keyListeners).list, c.protocols, true)
	c.Listeners = list
	c.listenerAt = firstByName(list)
	return err
}

// parseAdvertised fills AdvertisedListeners.
func (c *Config) parseAdvertised() *Error {
	v := c.get(keyAdvertised)
	if v.null {
		c.AdvertisedListeners = slices.Clone(c.Listeners)
		return nil
	}
	list, err := parseEndpoints(keyAdvertised, v.list, c.protocols, false)
	c.AdvertisedListeners = list
	return err
}

// firstByName finds endpoints by their names.
func firstByName(list []Endpoint) map[string]int {
	m := make(map[string]int, len(list))
	for i, e := range slices.Backward(list) {
		m[e.Name] = i
	}
	return m
}

func (c *Config) hasListener(name string) bool {
	_, ok := c.listenerAt[name]
	return ok
}

// isControllerListener goes by controller.listener.names as it is written.
func (c *Config) isControllerListener(name string) bool { return c.controllerNames[name] }

// EffectiveAdvertisedBrokerListeners are the advertised listeners that a broker
// tells its clients: all but those of controllers.
func (c *Config) EffectiveAdvertisedBrokerListeners() []Endpoint {
	var out []Endpoint
	for _, e := range c.AdvertisedListeners {
		if !c.isControllerListener(e.Name) {
			out = append(out, e)
		}
	}
	return out
}

// EffectiveAdvertisedControllerListeners are the listeners under which a
// controller is known: in the order of controller.listener.names, from
// advertised.listeners or else from listeners. One on all interfaces has no
// host, but the first has the address that controller.quorum.voters has for this
// node, if it lists any.
func (c *Config) EffectiveAdvertisedControllerListeners() []Endpoint {
	return slices.Clone(c.controllerEndpoints)
}

// findControllerEndpoints fills controllerEndpoints.
func (c *Config) findControllerEndpoints() *Error {
	var advertisedAt map[string]int
	if !c.get(keyAdvertised).null {
		advertisedAt = firstByName(c.AdvertisedListeners)
	}
	for i, name := range c.ControllerListenerNames {
		name = upper(name)
		if !c.isControllerListener(name) {
			continue
		}
		if at, ok := advertisedAt[name]; ok {
			c.controllerEndpoints = append(c.controllerEndpoints, c.AdvertisedListeners[at])
			continue
		}
		at, ok := c.listenerAt[name]
		if !ok {
			continue
		}
		e := c.Listeners[at]
		if e.Host == everywhere {
			e.Host, e.HasHost = "", false
		}
		if i == 0 && !e.HasHost {
			if err := c.addressAsVoter(&e); err != nil {
				return err
			}
		}
		c.controllerEndpoints = append(c.controllerEndpoints, e)
	}
	return nil
}

// addressAsVoter gives a listener the address that the list of voters has for
// this node. No voter may be everywhere then.
func (c *Config) addressAsVoter(e *Endpoint) *Error {
	for _, v := range c.voterEntries {
		if v.Host == everywhere {
			return configError(keyVoters, "Host string ("+everywhere+") is not routeable")
		}
	}
	for _, v := range c.Voters {
		if v.ID == c.NodeID {
			e.Host, e.HasHost, e.Port = v.Host, true, v.Port
		}
	}
	return nil
}

func endpointNames(list []Endpoint) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name
	}
	return out
}

// checkEarlyStart checks early.start.listeners.
func (c *Config) checkEarlyStart() *Error {
	for _, name := range c.get(keyEarlyStart).list {
		if !c.hasListener(name) {
			return failure(javaerr.Config, keyEarlyStart+" contains listener "+name+", but this is not contained in listeners or controller.listener.names", keyEarlyStart)
		}
	}
	return nil
}

// checkRole holds quorum and listeners against the roles. The order of the
// checks is different for each of the three kinds of nodes.
func (c *Config) checkRole() *Error {
	switch {
	case !c.Roles.Controller:
		return firstError([]func() *Error{c.checkQuorum, c.checkVoter, c.checkBrokerOnly, c.checkBrokerListener, c.findControllerEndpoints})
	case !c.Roles.Broker:
		return firstError([]func() *Error{c.checkQuorum, c.findControllerEndpoints, c.checkControllerOnly, c.parseInterBroker, c.checkNotInterBroker, c.checkVoter, c.checkControllerNames})
	}
	return firstError([]func() *Error{c.checkQuorum, c.checkVoter, c.findControllerEndpoints, c.checkControllerNames, c.checkBrokerListener})
}

// checkBrokerOnly checks the controllers' listeners from outside.
func (c *Config) checkBrokerOnly() *Error {
	if slices.ContainsFunc(c.ControllerListenerNames, c.hasListener) {
		return unmet(keyControllerNames, "controller.listener.names must not contain a value appearing in the 'listeners' configuration when running KRaft with just the broker role")
	}
	for _, n := range c.ControllerListenerNames {
		if _, ok := c.protocols[upper(n)]; !ok {
			return configError(keyProtocols, "Controller listener with name "+upper(n)+" defined in controller.listener.names"+noControllerListener)
		}
	}
	return nil
}

// checkControllerOnly checks that a controller has no listeners for clients.
func (c *Config) checkControllerOnly() *Error {
	// Kafka counts.
	if len(c.controllerEndpoints) != len(c.Listeners) {
		return unmet(keyListeners, "The listeners config must only contain KRaft controller listeners from controller.listener.names when process.roles=controller")
	}
	return nil
}

// checkControllerNames checks that a controller has its listeners.
func (c *Config) checkControllerNames() *Error {
	if len(c.controllerEndpoints) == 0 {
		return unmet(keyControllerNames, "controller.listener.names must contain at least one value appearing in the 'listeners' configuration when running the KRaft controller role")
	}
	if slices.ContainsFunc(c.ControllerListenerNames, func(n string) bool { return !c.hasListener(n) }) {
		return unmet(keyControllerNames, "controller.listener.names must only contain values appearing in the 'listeners' configuration when running the KRaft controller role")
	}
	return nil
}

// checkBrokerListener checks that clients can find a broker.
func (c *Config) checkBrokerListener() *Error {
	if len(c.EffectiveAdvertisedBrokerListeners()) == 0 {
		return unmet("", "There must be at least one broker advertised listener. Perhaps all listeners appear in controller.listener.names?")
	}
	return nil
}

// checkNotInterBroker checks that a controller's listener is not that between
// brokers.
func (c *Config) checkNotInterBroker() *Error {
	if !c.get(keyInterBroker).null && c.isControllerListener(c.InterBrokerListener) {
		return unmet(keyControllerNames, "controller.listener.names must not contain an explicitly set inter.broker.listener.name configuration value when process.roles=controller'")
	}
	return nil
}

// parseInterBroker fills InterBrokerListener.
func (c *Config) parseInterBroker() *Error {
	v := c.get(keyInterBroker)
	if v.null {
		c.InterBrokerListener, c.interProtocol = c.text(keyInterProtocol), c.text(keyInterProtocol)
		return nil
	}
	if c.get(keyInterProtocol).given {
		return configError("", "Only one of "+keyInterBroker+" and "+keyInterProtocol+" should be set.")
	}
	if v.text == "" {
		return configError(keyInterBroker, noListenerName)
	}
	c.InterBrokerListener = upper(v.text)
	protocol, ok := c.protocols[c.InterBrokerListener]
	if !ok {
		return configError(keyInterBroker, "Listener with name "+c.InterBrokerListener+" defined in "+keyInterBroker+" not found in "+keyProtocols+".")
	}
	c.interProtocol = protocol
	return nil
}

// checkInterBroker checks the listener between brokers and what is advertised.
func (c *Config) checkInterBroker() *Error {
	if !c.Roles.Broker {
		return nil
	}
	advertised := endpointNames(c.EffectiveAdvertisedBrokerListeners())
	if !slices.Contains(advertised, c.InterBrokerListener) {
		return unmet(keyInterBroker, keyInterBroker+" must be a listener name defined in advertised.listeners. The valid options based on currently configured listeners are "+
			strings.Join(scalaStrings(advertised), ","))
	}
	if slices.ContainsFunc(advertised, func(n string) bool { return !c.hasListener(n) }) {
		return unmet(keyAdvertised, "advertised.listeners listener names must be equal to or a subset of the ones defined in listeners. Found "+
			strings.Join(scalaStrings(advertised), ",")+". The valid options based on the current configuration are "+
			strings.Join(scalaStrings(endpointNames(c.Listeners)), ","))
	}
	return nil
}

// checkRoutable checks that nobody is told to connect to everywhere.
func (c *Config) checkRoutable() *Error {
	list := c.EffectiveAdvertisedBrokerListeners()
	if !c.get(keyAdvertised).null {
		list = c.AdvertisedListeners
	}
	for _, e := range list {
		if e.Host == everywhere {
			return unmet(keyAdvertised, "advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.")
		}
	}
	return nil
}
