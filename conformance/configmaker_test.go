//go:build conformance

package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/props"
)

// configMaker draws configurations.
type configMaker struct {
	*rand.Rand
	list []props.Property
}

func (g *configMaker) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *configMaker) chance(oneIn int) bool { return g.IntN(oneIn) == 0 }

func (g *configMaker) set(key, value string) {
	i := slices.IndexFunc(g.list, func(p props.Property) bool { return p.Key == key })
	if i < 0 || g.chance(30) {
		g.list = append(g.list, props.Property{Key: key, Value: value})
		return
	}
	g.list[i].Value = value
}

func (g *configMaker) remove(key string) {
	g.list = slices.DeleteFunc(g.list, func(p props.Property) bool { return p.Key == key })
}

// bases are good configurations, "key=value" a line.
var bases = []string{
	"process.roles=controller\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093\nlisteners=CONTROLLER://localhost:9093\ncontroller.listener.names=CONTROLLER\nlog.dirs=d1",
	"process.roles=controller\nnode.id=1\ncontroller.quorum.bootstrap.servers=localhost:9093\nlisteners=CONTROLLER://:9093\ncontroller.listener.names=CONTROLLER\nlog.dirs=d1",
	"process.roles=broker\nnode.id=2\ncontroller.quorum.voters=1@localhost:9093,3@c:9093\nlisteners=PLAINTEXT://localhost:9092\ncontroller.listener.names=CONTROLLER\nlog.dirs=d1,d2",
	"process.roles=broker\nnode.id=2\ncontroller.quorum.bootstrap.servers=c1:9093,c2:9093\ncontroller.listener.names=CONTROLLER",
	"process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093,2@h:1,3@h:2\nlisteners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093\ncontroller.listener.names=CONTROLLER\nlog.dirs=d1,d2,d3\nmetadata.log.dir=md",
	"process.roles=broker,controller\nnode.id=7\ncontroller.quorum.bootstrap.servers=localhost:9093\nlisteners=EXTERNAL://:9094,INTERNAL://:9092,CTL://:9093\nadvertised.listeners=EXTERNAL://kafka.example.com:443,INTERNAL://10.0.0.1:9092,CTL://10.0.0.1:9093\n" +
		"listener.security.protocol.map=EXTERNAL:SASL_SSL,INTERNAL:SASL_PLAINTEXT,CTL:SSL\ninter.broker.listener.name=INTERNAL\ncontroller.listener.names=CTL\nsasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512\nsasl.mechanism.inter.broker.protocol=PLAIN\n" +
		"listener.name.external.ssl.keystore.password=hunter2\nssl.keystore.password=hunter3\nlog.dirs=d1\nssl.client.auth=required",
	"process.roles=broker\nnode.id=11\ncontroller.quorum.voters=1@a:1,2@b:1,3@c:1,4@d:1,5@e:1\nlisteners=SASL_SSL://0.0.0.0:9092\nadvertised.listeners=SASL_SSL://h:9092\nsecurity.inter.broker.protocol=SASL_SSL\nsasl.enabled.mechanisms=GSSAPI\n" +
		"controller.listener.names=CONTROLLER\nlistener.security.protocol.map=CONTROLLER:SASL_SSL,SASL_SSL:SASL_SSL\nlog.dir=d1,d9\nlog.retention.hours=72\nlog.segment.bytes=1073741824\nnum.partitions=3",
	"process.roles=controller\nnode.id=3000\ncontroller.quorum.voters=3000@a:1,3001@b:1,3002@c:1,3003@d:1,3004@e:1\nlisteners=C1://h:9093,C2://g:9094\ncontroller.listener.names=C1,C2\nlistener.security.protocol.map=C1:SSL,C2:PLAINTEXT\n" +
		"log.dirs=d1\nzookeeper.connect=x:1\nmy.own.key=5",
}

// file draws a configuration.
func (g *configMaker) file() string {
	g.list = nil
	for _, l := range strings.Split(bases[g.IntN(len(bases))], "\n") {
		k, v, _ := strings.Cut(l, "=")
		g.list = append(g.list, props.Property{Key: k, Value: v})
	}
	edits := []func(){
		g.anyKey, g.anyKey, g.anyKey, g.removal, g.relations, g.relations, g.listeners, g.listeners, g.protocols, g.interBroker,
		g.quorum, g.identity, g.dirs, g.oneOff, g.oneOff, g.providers,
	}
	for n := g.IntN(3); n >= 0; n-- {
		edits[g.IntN(len(edits))]()
	}
	return g.text()
}

// text writes the properties, now and then in an odd way.
func (g *configMaker) text() string {
	var b strings.Builder
	if g.chance(10) {
		g.Shuffle(len(g.list), func(i, j int) { g.list[i], g.list[j] = g.list[j], g.list[i] })
	}
	for _, p := range g.list {
		separator := "="
		if g.chance(20) {
			separator = g.pick(" = ", ":", " ", "\t=")
		}
		if g.chance(200) {
			b.WriteString("# " + p.Key + "\n")
		}
		value := escapeProperty(p.Value)
		if g.chance(40) {
			value += g.pick(" ", "  ", "\t", `\t`, `\n`, `\u00a0`, `\f`, `\u0000`, `\u2003`)
		}
		if g.chance(2000) {
			value += `\u12`
		}
		b.WriteString(strings.ReplaceAll(p.Key, " ", `\ `) + separator + value + g.lineEnd())
	}
	return b.String()
}

func (g *configMaker) lineEnd() string {
	if g.chance(50) {
		return g.pick("\r\n", "\r", "\n\n", "\n \n")
	}
	return "\n"
}

// escapeProperty writes a value so that Java reads it back; what is not ASCII as \uXXXX, or as itself if it fits Latin-1.
func escapeProperty(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == ' ' && i == 0:
			b.WriteString(`\ `)
		case r == '\t' && i == 0:
			b.WriteString(`\t`)
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x100 && r%2 == 1:
			b.WriteByte(byte(r))
		case r > 0xffff:
			fmt.Fprintf(&b, `\uD83D\uDE00`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// anyKey gives any key a value that suits its type, more or less.
func (g *configMaker) anyKey() {
	defs := kafkaconfig.Definitions()
	d := defs[g.IntN(len(defs))]
	g.set(d.Name, g.value(d))
}

func (g *configMaker) removal() {
	if len(g.list) > 0 {
		g.remove(g.list[g.IntN(len(g.list))].Key)
	}
}

var oddTexts = []string{"", " ", "x", "null", "é", "ÿ", "٣", "true", "-1", "a b", "a,b", "ſ", "😀", "a=b", "a:b", "${env:HOME}", "\\", "İ", "ß", "\x01"}

func (g *configMaker) value(d kafkaconfig.Definition) string {
	if g.chance(12) {
		return g.pick(oddTexts...)
	}
	words := strings.FieldsFunc(d.Validator, func(r rune) bool { return strings.ContainsRune("[], .", r) })
	switch d.Type {
	case kafkaconfig.Boolean:
		return g.pick("true", "false", "TRUE", " False ", "yes", "1", "falſe", "tru", "on")
	case kafkaconfig.Int, kafkaconfig.Short, kafkaconfig.Long:
		return g.number(words)
	case kafkaconfig.Double:
		return g.pick("0", "-0", "0.5", "0.50001", ".5", "5.", "1e-3", "1E400", "1e-400", "NaN", "-NaN", "nan", "Infinity", "inf", "+1", "1d", "1F", "0x1p-3",
			"0x1p-3d", "0x.8p0f", "0x1", "1_0", "12345678.9", "-1e10", "1e", "e1", ".", "0x1.8p1", "100", "0.00012", " 1 ", "1l", "٣", "0x", "0xp1", "-0x1p1", "1e5f", "1ff")
	case kafkaconfig.List:
		return g.listValue(words)
	case kafkaconfig.Class:
		return g.pick("foo", "", "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder", "com.example.Missing", " foo ", "int", "[I",
			"org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever")
	}
	if len(words) > 1 && !g.chance(4) {
		w := words[g.IntN(len(words))]
		return g.pick(w, w, strings.ToLower(w), " "+w, w+",")
	}
	return g.pick("foo", "bar", "", "PLAINTEXT", "a.b", "x y")
}

// number draws around the ends of a range.
func (g *configMaker) number(ends []string) string {
	if len(ends) > 0 && g.chance(2) {
		if n, err := strconv.ParseInt(ends[g.IntN(len(ends))], 10, 64); err == nil {
			return strconv.FormatInt(n+int64(g.IntN(5)-2), 10)
		}
	}
	return g.pick("0", "1", "-1", "-2", "2", "100", "32767", "32768", "-32769", "2147483647", "2147483648", "-2147483648", "-2147483649",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "5000", "60000", "1000000",
		"abc", " 7 ", "+7", "++7", "+", "-", "1.0", "1e3", "0x10", "1_000", "٣", "９９", "-٣", "7L", "1,000", "5 5", "007")
}

func (g *configMaker) listValue(words []string) string {
	var out []string
	for n := g.IntN(4); n > 0; n-- {
		switch {
		case len(words) > 0 && !g.chance(4):
			out = append(out, words[g.IntN(len(words))])
		default:
			out = append(out, g.pick("a", "b", "", " c ", "a", "é", "range", "simple", "sticky", "GSSAPI"))
		}
	}
	return strings.Join(out, g.pick(",", ",", " , ", ",\t"))
}

// related are keys that Kafka compares with each other, and values around their defaults.
var related = []struct{ keys, values string }{
	{"group.consumer.heartbeat.interval.ms group.consumer.min.heartbeat.interval.ms group.consumer.max.heartbeat.interval.ms group.consumer.session.timeout.ms group.consumer.min.session.timeout.ms group.consumer.max.session.timeout.ms",
		"1 5000 4999 5001 15000 44999 45000 45001 60000 60001"},
	{"group.share.heartbeat.interval.ms group.share.min.heartbeat.interval.ms group.share.max.heartbeat.interval.ms group.share.session.timeout.ms group.share.min.session.timeout.ms group.share.max.session.timeout.ms",
		"1 5000 4999 5001 15000 44999 45000 45001 60000 60001"},
	{"group.streams.heartbeat.interval.ms group.streams.min.heartbeat.interval.ms group.streams.max.heartbeat.interval.ms group.streams.session.timeout.ms group.streams.min.session.timeout.ms group.streams.max.session.timeout.ms",
		"1 5000 4999 5001 15000 44999 45000 45001 60000 60001"},
	{"group.consumer.assignment.interval.ms group.consumer.min.assignment.interval.ms group.consumer.max.assignment.interval.ms group.share.assignment.interval.ms group.share.min.assignment.interval.ms group.share.max.assignment.interval.ms " +
		"group.streams.assignment.interval.ms group.streams.min.assignment.interval.ms group.streams.max.assignment.interval.ms", "0 1 999 1000 1001 15000 15001"},
	{"group.streams.num.standby.replicas group.streams.max.standby.replicas group.streams.num.warmup.replicas group.streams.max.warmup.replicas", "0 1 2 3 5 20 21"},
	{"group.streams.task.offset.interval.ms group.streams.min.task.offset.interval.ms", "1 14999 15000 59999 60000 60001"},
	{"group.share.delivery.count.limit group.share.min.delivery.count.limit group.share.max.delivery.count.limit", "2 3 4 5 6 9 10 25"},
	{"group.share.record.lock.duration.ms group.share.min.record.lock.duration.ms group.share.max.record.lock.duration.ms", "1000 14999 15000 30000 30001 60000 3600000"},
	{"group.share.partition.max.record.locks group.share.min.partition.max.record.locks group.share.max.partition.max.record.locks", "100 101 2000 1999 2001 4000 4001 10000"},
	{"group.share.max.share.sessions group.share.max.size", "1 199 200 201 1000 2000"},
	{"replica.fetch.wait.max.ms replica.lag.time.max.ms replica.socket.timeout.ms", "-1 0 499 500 501 29999 30000 30001"},
	{"connection.failed.authentication.delay.ms connections.max.idle.ms", "-1 0 99 100 101 600000 599999"},
	{"queued.max.request.bytes socket.request.max.bytes", "-1 0 1 104857599 104857600 104857601"},
	{"log.roll.ms log.roll.hours log.roll.jitter.ms log.roll.jitter.hours log.retention.ms log.retention.minutes log.retention.hours", "-2 -1 0 1 2147483647"},
	{"log.cleaner.threads log.cleaner.dedupe.buffer.size", "-1 0 1 2 128 127 1048576 1048577 2097153 134217728 134217855"},
	{"offsets.topic.compression.codec share.coordinator.state.topic.compression.codec", "-1 0 1 2 3 4 5 99"},
	{"node.id broker.id", "0 1 2 7 11 3000 -1"},
	{"delegation.token.max.lifetime.ms delegation.token.expiry.time.ms", "1 2 86400000"},
	{"sasl.login.retry.backoff.ms sasl.login.retry.backoff.max.ms socket.connection.setup.timeout.ms socket.connection.setup.timeout.max.ms", "-1 0 1 10000 10001"},
	{"broker.heartbeat.interval.ms broker.session.timeout.ms controller.quorum.election.timeout.ms controller.quorum.fetch.timeout.ms", "0 1 2000 9000"},
	{"log.local.retention.ms log.local.retention.bytes log.retention.ms log.retention.bytes", "-2 -1 0 1 1000"},
	{"min.insync.replicas default.replication.factor transaction.state.log.min.isr transaction.state.log.replication.factor", "1 2 3"},
}

// relations sets one to three of the keys of a relation.
func (g *configMaker) relations() {
	r := related[g.IntN(len(related))]
	keys, values := strings.Fields(r.keys), strings.Fields(r.values)
	for n := g.IntN(3); n >= 0; n-- {
		g.set(keys[g.IntN(len(keys))], values[g.IntN(len(values))])
	}
}

func (g *configMaker) identity() {
	switch g.IntN(4) {
	case 0:
		g.set("process.roles", g.pick("broker", "controller", "broker,controller", "controller,broker", "", "Broker", "broker,", "broker,broker", "zookeeper", "controller,x", " broker , controller "))
	case 1:
		g.set("node.id", g.pick("0", "1", "2", "7", "11", "3000", "-1", "2147483647", "abc", "", "1 ", "3001"))
	case 2:
		g.set("broker.id", g.pick("0", "1", "2", "7", "-1", "abc", "3000", "2147483648"))
	case 3:
		g.remove("node.id")
		g.set("broker.id", g.pick("0", "1", "2", "7", "-1", "abc", "3000", "11"))
	}
}

func (g *configMaker) dirs() {
	dirs := func() string {
		var out []string
		for n := g.IntN(4); n >= 0; n-- {
			out = append(out, g.pick("d1", "d2", "d3", "d 4", "é", "d1", "none/d1", "*", "d1/", "😀"))
		}
		if g.chance(10) {
			out = append(out, "")
		}
		return strings.Join(out, g.pick(",", ", ", " ,"))
	}
	switch g.IntN(6) {
	case 0, 1:
		g.set("log.dirs", dirs())
	case 2:
		g.remove("log.dirs")
		g.set("log.dir", dirs())
	case 3:
		g.set("metadata.log.dir", g.pick("md", "d1", "", "a,b", " md "))
	case 4:
		g.set("cordoned.log.dirs", dirs())
	case 5:
		g.set("cordoned.log.dirs", g.pick("*", "d1", "d1,d2", "", "d9", "d2,*", "x,y,z,d1,u,v,w"))
	}
}

// oneOff are settings with rules of their own.
func (g *configMaker) oneOff() {
	switch g.IntN(9) {
	case 0:
		g.set("max.connections.per.ip", g.pick("0", "1", "-1"))
	case 1:
		var out []string
		for n := g.IntN(6); n >= 0; n-- {
			out = append(out, g.pick("127.0.0.1", "::1", "h", "a b", "é", "g h", "x/y", "", "m n", "B!", "C!", "D!", "E!", "F!")+g.pick(":", ":", ":", ":", ":", ":", ": ", "")+
				g.pick("1", "5", "0", "-1", "7", "8", "9", "x", "2147483648", ""))
		}
		g.set("max.connections.per.ip.overrides", strings.Join(out, g.pick(",", " , ")))
	case 2:
		g.set("group.coordinator.rebalance.protocols", g.pick("classic", "consumer", "classic,consumer", "classic,share", "share,streams", "classic,classic", "Classic", "classic,"))
	case 3:
		g.set("group.consumer.assignors", g.pick("range", "uniform,range", "range,range", "foo", "org.apache.kafka.coordinator.group.assignor.RangeAssignor", "Range",
			"org.apache.kafka.coordinator.group.assignor.UniformAssignor,uniform", "org.apache.kafka.coordinator.group.assignor.SimpleAssignor", "simple", "range,foo,range"))
	case 4:
		g.set("group.share.assignors", g.pick("simple", "simple,simple", "foo", "org.apache.kafka.coordinator.group.assignor.SimpleAssignor", "range",
			"org.apache.kafka.coordinator.group.assignor.SimpleAssignor,simple", "simple,foo", "org.apache.kafka.coordinator.group.assignor.RangeAssignor"))
	case 5:
		g.set("group.streams.assignors", g.pick("sticky", "foo", "sticky,sticky", "sticky,foo", "org.apache.kafka.coordinator.group.assignor.RangeAssignor", "Sticky",
			"org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor,sticky", "mock,org.apache.kafka.coordinator.group.streams.assignor.MockAssignor", "org.apache.kafka.coordinator.group.streams.assignor.MockAssignor,sticky"))
	case 6:
		g.set("group.streams.rack.aware.assignment.tags", g.pick("a", "a,b", "a,a", "", "a,", "a,b,c,d,e,f", strings.Repeat("x", 21), "zone, zone"))
	case 7:
		g.set("principal.builder.class", g.pick("org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder", "foo", "",
			"org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever"))
	case 8:
		g.set("compression.gzip.level", g.pick("-1", "0", "1", "9", "10", "-2"))
	}
}

// providers lets values come from outside.
func (g *configMaker) providers() {
	const class = "org.apache.kafka.common.config.provider."
	g.set("config.providers", g.pick("env,file,dir", "env,file,dir", "env,file,dir", "env", "file, dir", "env,file,dir,other", "", "env,", "env,env"))
	g.set("config.providers.env.class", class+"EnvVarConfigProvider")
	g.set("config.providers.file.class", class+"FileConfigProvider")
	g.set("config.providers.dir.class", class+"DirectoryConfigProvider")
	if g.chance(8) {
		g.set(g.pick("config.providers.env.class", "config.providers.other.class"),
			g.pick("", "foo", " "+class+"EnvVarConfigProvider ", class+"ConfigProvider", "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever"))
	}
	if g.chance(6) {
		g.set("config.providers.env.param.allowlist.pattern", g.pick("KRAFT.*", "DIRS", "", ".*_NUMBER", "(KRAFTCTL_TEST_DIRS|X)"))
	}
	if g.chance(6) {
		g.set(g.pick("config.providers.file.param.allowed.paths", "config.providers.dir.param.allowed.paths"), g.pick("", "/", "/etc", "rel", "/nope", "/etc, /tmp", "/etc/,/tmp/."))
	}
	value := func() string {
		v := g.pick("${env:KRAFTCTL_TEST_DIRS}", "${env:KRAFTCTL_TEST_NUMBER}", "${env::KRAFTCTL_TEST_NUMBER}", "${env:NOPE}", "${file:values:dirs}", "${file:values:number}", "${file:./values:name}",
			"${file:values:nope}", "${dir:secrets:dirs}", "${dir:secrets/:number}", "${dir:secrets:nope}", "${dir:secrets:sub}", "${dir:nope:x}", "${other:x:y}", "${env:KRAFTCTL_TEST_DIRS", "${x} ${env:KRAFTCTL_TEST_DIRS}",
			"${env:KRAFTCTL_TEST_NUMBER}${file:values:number}", "a${dir:secrets:number}b", "${dir:secrets:../values}", "${file::name}", "$${env:KRAFTCTL_TEST_NUMBER}", "${${env:KRAFTCTL_TEST_NUMBER}}", "${file:values:a:b}", "${}", "${:}")
		if g.chance(10) {
			v = g.pick("${env:path:KRAFTCTL_TEST_NUMBER}", "${file:nope:x}", "${file:bad:name}", "${file:latin1:name}", "${file:secrets:name}", "${dir:secrets:latin1}")
		}
		return v
	}
	g.set(g.pick("log.dirs", "log.dirs", "metadata.log.dir", "node.id", "num.partitions", "cordoned.log.dirs", "my.key", "listeners", "ssl.key.password", "config.providers.dir.class"), value())
}
