package nodeinfo

import (
	"strings"

	"kraftctl/decode/index"
	"kraftctl/internal/image"
)

// checkControllerLogin: controllers that log in to each other as SCRAM users. The
// users are in the metadata, which a controller reads once it has a leader to
// fetch it from, and to elect one it has to log in.
func (c *collector) checkControllerLogin() {
	if !c.known || !c.config.Roles.Controller {
		return
	}
	mechanism, listener := c.controllerMechanism()
	if !strings.HasPrefix(mechanism, "SCRAM-") {
		return
	}
	n, known := c.quorumSize()
	switch {
	case n < 2:
	case known && !c.blind && (c.replayed == nil || !c.replayed.logHasUsers(mechanism)):
		c.add(controllerSCRAM, c.o.ConfigFile, "the %d controllers log in to each other with %s over the listener %s, and the metadata log has no user for it", n, mechanism, quoteName(listener))
	default:
		c.add(controllerSCRAMRun, c.o.ConfigFile, "controllers log in to each other with %s over the listener %s", mechanism, quoteName(listener))
	}
}

// controllerMechanism gives the SASL mechanism with which this controller logs in
// to others, and the listener that it does it over; "" if it does not log in.
func (c *collector) controllerMechanism() (mechanism, listener string) {
	if len(c.config.ControllerListenerNames) == 0 {
		return "", ""
	}
	listener = c.config.ControllerListenerNames[0] // as Kafka's: the others are for clients
	if protocol, _ := c.config.ListenerProtocol(listener); !strings.HasPrefix(protocol, "SASL_") {
		return "", listener
	}
	mechanism, _ = c.config.Text("sasl.mechanism.controller.protocol")
	return mechanism, listener
}

// quorumSize counts the voters. If they are not known it counts the controllers
// among which this one looks for a quorum to join: they may have a leader, and
// then that knows the users.
func (c *collector) quorumSize() (n int, known bool) {
	switch v := c.report.Voters; {
	case v != nil:
		return len(v.Voters), true
	case len(c.config.Voters) > 0:
		return len(c.config.Voters), true
	}
	return len(c.config.BootstrapServers), false
}

// logHasUsers reports whether the metadata log, or a snapshot of it, has a user
// of a mechanism. What format wrote does not count: that is for the first leader
// to begin with.
func (s *state) logHasUsers(mechanism string) bool {
	if s.loader.BootstrapFate() == image.BootstrapPending || s.version == index.BootstrapName {
		return false
	}
	for u := range s.image().Scram().All() {
		if u.Mechanism.String() == mechanism {
			return true
		}
	}
	return false
}
