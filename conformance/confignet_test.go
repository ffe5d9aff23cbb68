//go:build conformance

package conformance

import (
	"strconv"
	"strings"
)

// This file draws what configMaker needs of names and addresses: listeners,
// their protocols, and the quorum.

func (g *configMaker) listenerName() string {
	return g.pick("PLAINTEXT", "PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT", "CONTROLLER", "CONTROLLER", "INTERNAL", "EXTERNAL", "CTL", "C1", "C2",
		"A", "B", "D", "E", "Z9", "controller", "ssl", "Plaintext", "", "é", "X-1", "A://B", "ß")
}

func (g *configMaker) host() string {
	return g.pick("localhost", "localhost", "", "", "h", "0.0.0.0", "127.0.0.1", "10.1.2.3", "[::1]", "::1", "[fe80::1%eth0]", "[::]", "a_b", "a b", "é", "1.2.3", "256.1.1.1",
		"01.2.3.4", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7]", "[", "x]", "[1::2::3]", "[::1", "a/b", "x://y")
}

func (g *configMaker) port() string {
	return g.pick("9092", "9093", "9092", "9094", "0", "1", "17", "65535", "65536", "-1", "99999999999", "", "x", "0x1", "+1", "٣", "25")
}

func (g *configMaker) easyPort() string {
	if g.chance(6) {
		return g.port()
	}
	return g.pick("9092", "9093", "9094", "9095", "1", "2", "3", "0")
}

func (g *configMaker) endpoints() string {
	var out []string
	for n := g.IntN(4) + g.IntN(2)*g.IntN(5); n >= 0; n-- {
		host := g.pick("h", "", "localhost", "127.0.0.1", "[::1]")
		if g.chance(4) {
			host = g.host()
		}
		e := g.listenerName() + "://" + host + ":" + g.easyPort()
		if g.chance(40) {
			e = g.pick("", "PLAINTEXT", "PLAINTEXT:h:1", "PLAINTEXT//h:1", " SSL://h:2 ", "://", ":", "SSL:", "PLAINTEXT://h:1/", "PLAINTEXT://h:1\n", "A\n://h:1")
		}
		out = append(out, e)
	}
	return strings.Join(out, ",")
}

// listeners plays with the listeners, and mostly keeps names consistent.
func (g *configMaker) listeners() {
	switch g.IntN(7) {
	case 0, 1:
		g.set("listeners", g.endpoints())
	case 2:
		g.set("advertised.listeners", g.endpoints())
	case 3:
		g.set("controller.listener.names", g.names())
	case 4:
		g.set("early.start.listeners", g.names())
	case 5:
		g.set("listeners", g.endpoints())
		g.set("listener.security.protocol.map", g.fullMap())
	case 6: // five or more listeners, for the order of sets
		var l, a []string
		names := []string{"PLAINTEXT", "A", "B", "D", "E", "Z9", "INTERNAL", "EXTERNAL", "X-1", "SSL"}
		g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i, n := range names[:4+g.IntN(6)] {
			l = append(l, n+"://h:"+strconv.Itoa(9100+i))
			if !g.chance(5) {
				a = append(a, n+"://h:"+strconv.Itoa(9100+i))
			}
		}
		g.set("listeners", strings.Join(l, ","))
		if g.chance(2) {
			g.set("advertised.listeners", strings.Join(append(a, g.pick("C1", "C2", "CTL")+"://h:1"), ","))
		}
		g.set("listener.security.protocol.map", g.fullMap())
		g.set("controller.listener.names", g.pick("CONTROLLER", "CONTROLLER", "A", "SSL,B", "FOO"))
		if g.chance(2) {
			g.remove("security.inter.broker.protocol")
			g.set("inter.broker.listener.name", g.listenerName())
		}
	}
}

func (g *configMaker) names() string {
	var out []string
	for n := g.IntN(3); n >= 0; n-- {
		out = append(out, g.listenerName())
	}
	return strings.Join(out, g.pick(",", " , "))
}

// fullMap has a protocol for every good name, as a rule.
func (g *configMaker) fullMap() string {
	var out []string
	for _, n := range []string{"PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT", "CONTROLLER", "INTERNAL", "EXTERNAL", "CTL", "C1", "C2", "A", "B", "D", "E", "Z9", "X-1", "é"} {
		if !g.chance(30) {
			out = append(out, n+":"+g.protocol())
		}
	}
	return strings.Join(out, ",")
}

func (g *configMaker) protocol() string {
	if g.chance(60) {
		return g.pick("FOO", "", "ssl", "Plaintext", " SSL ", "ßL")
	}
	return g.pick("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
}

func (g *configMaker) protocols() {
	if g.chance(2) {
		g.set("listener.security.protocol.map", g.fullMap())
		return
	}
	var out []string
	for n := g.IntN(5); n > 0; n-- {
		out = append(out, g.listenerName()+g.pick(":", ":", ":", ":", " : ", "", "::")+g.pick("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL", "FOO", "", "ssl"))
	}
	g.set("listener.security.protocol.map", strings.Join(out, g.pick(",", ",", " ,", ",,")))
}

func (g *configMaker) interBroker() {
	switch g.IntN(4) {
	case 0:
		g.set("inter.broker.listener.name", g.listenerName())
	case 1:
		g.remove("inter.broker.listener.name")
		g.set("security.inter.broker.protocol", g.pick("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL", "ssl", ""))
	case 2:
		g.set("sasl.mechanism.inter.broker.protocol", g.pick("GSSAPI", "PLAIN", "SCRAM-SHA-256", "", "plain"))
	case 3:
		g.set("sasl.enabled.mechanisms", g.pick("GSSAPI", "PLAIN", "", "PLAIN,GSSAPI", "PLAIN,,GSSAPI", "plain"))
	}
}

func (g *configMaker) voters() string {
	var out []string
	many := g.chance(10)
	for n := g.IntN(4) + g.IntN(3)*g.IntN(4); n >= 0 || many && !g.chance(15); n-- {
		id := g.pick("1", "2", "3", "4", "5", "7", "8", "11", "16", "17", "32", "3000", "3001", "65536", "100000", "2147483647", "-1", "-2")
		if many || g.chance(10) {
			id = strconv.Itoa(g.IntN(1 << (1 + g.IntN(31))))
		}
		if !many && g.chance(30) {
			id = g.pick("", "x", "+1", "2147483648", "1.0", " 1", "٣")
		}
		host, port := g.pick("h", "localhost", "a.b.c", "[::1]", "0.0.0.0"), g.pick("1", "9093", "65535", "0")
		at := "@"
		if !many && g.chance(10) {
			host = g.host()
		}
		if !many && g.chance(20) {
			port = g.port()
		}
		if !many && g.chance(10) {
			at = g.pick("@@", "", " @ ")
		}
		out = append(out, id+at+host+":"+port)
	}
	return strings.Join(out, g.pick(",", ",", " , "))
}

func (g *configMaker) quorum() {
	switch g.IntN(6) {
	case 0, 1, 2:
		g.set("controller.quorum.voters", g.voters())
	case 3:
		var out []string
		for n := g.IntN(3); n >= 0; n-- {
			out = append(out, g.host()+g.pick(":", ":", ":", "")+g.port())
		}
		g.set("controller.quorum.bootstrap.servers", strings.Join(out, ","))
	case 4:
		g.remove("controller.quorum.voters")
		if g.chance(2) {
			g.set("controller.quorum.bootstrap.servers", g.pick("h:1", "", "c:9093"))
		}
	case 5:
		g.set("controller.quorum.auto.join.enable", g.pick("true", "false"))
	}
}
