package nodeinfo

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/kafkaconfig"
)

// noVoters: a controller that knows no voters cannot be elected. It joins the
// quorum of whoever answers at controller.quorum.bootstrap.servers.
func (c *collector) noVoters(dir string) {
	switch {
	case !c.known:
		c.add(voterNone, dir, "no voters are known")
	case !c.config.Roles.Controller || c.blind:
	case c.asksOnlyItself():
		c.add(voterAlone, dir, "no voters are known, and controller.quorum.bootstrap.servers names no other controller: %s",
			quoteName(strings.Join(c.config.BootstrapServers, ",")))
	case c.firstLost():
		c.add(voterLost, dir, "there is no snapshot and no log, and no bootstrap.checkpoint")
	default:
		c.add(voterNone, dir, "no voters are known")
	}
}

// firstLost reports whether a controller of a dynamic quorum has nothing of what
// every release's format writes for it, and no log either. Static voters need
// none of it.
func (c *collector) firstLost() bool {
	return c.report.Layout.Quorum == QuorumDynamic && c.config.Roles.Controller && c.logEmpty() &&
		len(c.report.Snapshots) == 0 && !c.metadata.Bootstrap && !c.blind
}

// asksOnlyItself reports whether all of controller.quorum.bootstrap.servers are
// listeners of this node. A name that may be that of another machine is none.
func (c *collector) asksOnlyItself() bool {
	own := c.config.EffectiveAdvertisedControllerListeners()
	for _, e := range c.config.Listeners {
		if slices.Contains(c.config.ControllerListenerNames, e.Name) {
			own = append(own, e)
		}
	}
	for _, server := range c.config.BootstrapServers {
		host, port, ok := kafkaconfig.HostPort(server)
		if !ok || !slices.ContainsFunc(own, func(e kafkaconfig.Endpoint) bool {
			return strconv.Itoa(e.Port) == port && (isLocal(host) || strings.EqualFold(e.Host, host))
		}) {
			return false
		}
	}
	return len(c.config.BootstrapServers) > 0
}

// isLocal reports whether a name is that of the machine it is used on.
func isLocal(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() || strings.EqualFold(host, "localhost")
}
