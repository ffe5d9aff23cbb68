package nodetemplate

import (
	"strconv"
	"strings"

	"kraftctl/internal/kafkaconfig"
)

func (t *template) listeners() {
	t.section("Listeners")
	var listeners, advertised []string
	add := func(name string, port int) {
		listeners = append(listeners, name+"://:"+strconv.Itoa(port))
		advertised = append(advertised, name+"://"+kafkaconfig.JoinHostPort(t.host(), port))
	}
	if t.broker {
		add(clientListener, port(t.BrokerPort, 9092))
	}
	if t.controller {
		add(controllerListener, port(t.ControllerPort, 9093))
	}
	t.set("listeners", strings.Join(listeners, ","), "NAME://HOST:PORT to listen on. Without a host it is all interfaces.")
	t.set("advertised.listeners", strings.Join(advertised, ","), "What others are told to connect to. It must be reachable from where they are.")
	protocol := protocols[t.Security]
	t.set("listener.security.protocol.map", clientListener+":"+protocol+","+controllerListener+":"+protocol,
		"How each listener is protected: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL.")
	if t.broker {
		t.set("inter.broker.listener.name", clientListener, "The listener over which brokers replicate.")
	}
}

// host is the name under which others reach the node.
func (t *template) host() string {
	if t.Host == "" {
		return "localhost"
	}
	return t.Host
}

func port(p, usual int) int {
	if p == 0 {
		return usual
	}
	return p
}

func (t *template) security() {
	tls := strings.HasSuffix(t.Security, "tls")
	sasl := strings.HasPrefix(t.Security, "sasl")
	if tls {
		t.section("TLS")
		t.set("ssl.keystore.type", "PKCS12", "PKCS12, JKS, or PEM.")
		t.set("ssl.keystore.location", "/etc/kafka/tls/node.p12", "This node's key and certificate. The certificate must name "+t.host()+".")
		t.set("ssl.keystore.password", "CHANGE-ME")
		t.set("ssl.key.password", "CHANGE-ME")
		t.set("ssl.truststore.type", "PKCS12")
		t.set("ssl.truststore.location", "/etc/kafka/tls/trust.p12", "The authorities whose certificates are trusted.")
		t.set("ssl.truststore.password", "CHANGE-ME")
		if !sasl {
			t.set("ssl.client.auth", "required", "Whether clients need a certificate, which is then who they are: required, requested, none.")
		}
	}
	if sasl {
		t.section("SASL")
		t.set("sasl.enabled.mechanisms", t.Mechanism, "How clients prove who they are.")
		between := t.Mechanism
		if t.Mechanism != plain {
			// Measured: with SCRAM there, three controllers never have a leader.
			between = plain
			t.set("listener.name."+strings.ToLower(controllerListener)+".sasl.enabled.mechanisms", between,
				"The users of "+t.Mechanism+" are in the metadata, which controllers read only once they have elected a leader:",
				"for that, they must know each other without. (Without TLS, passwords can be read on the way.)")
		}
		t.set("sasl.mechanism.controller.protocol", between, "And nodes, with the controllers.")
		t.login(controllerListener, between)
		if t.broker {
			t.set("sasl.mechanism.inter.broker.protocol", t.Mechanism, "And brokers, among themselves.")
			t.login(clientListener, t.Mechanism)
		}
	}
	if tls || sasl {
		t.section("Authorization")
		t.set("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer", "Who may do what is in ACLs, kept in the metadata.")
		t.set("super.users", "User:admin", "Who may do everything, separated by semicolons. The nodes themselves must be among them.")
	}
}

// login is how a node logs in over a listener, and who may.
func (t *template) login(listener, mechanism string) {
	key := "listener.name." + strings.ToLower(listener) + "." + strings.ToLower(mechanism) + ".sasl.jaas.config"
	comment := []string{"This node's own user over the " + listener + " listener."}
	value := "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"admin\" password=\"CHANGE-ME\";"
	if mechanism == plain {
		value = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\" password=\"CHANGE-ME\" user_admin=\"CHANGE-ME\";"
		comment = append(comment, "user_NAME=\"PASSWORD\" are the users that are let in.")
	} else {
		comment = append(comment, "The users are in the metadata; the first ones come with: kraftctl storage format --add-scram-file")
	}
	t.set(key, value, comment...)
}

func (t *template) storage() {
	t.section("Storage")
	comment := "Where the metadata log is."
	if t.broker {
		comment = "Where partitions are, and the metadata log in the first one. More than one is spread over (JBOD)."
	}
	t.set("log.dirs", strings.Join(t.LogDirs, ","), comment)
	if t.MetadataLogDir != "" {
		t.set("metadata.log.dir", t.MetadataLogDir, "Where the metadata log is: a disk of its own keeps it fast.")
	}
}

func (t *template) topics() {
	t.section("Topics")
	replicas := "1"
	if len(t.Quorum) > 2 {
		replicas = "3"
	}
	minISR := "1"
	if replicas == "3" {
		minISR = "2"
	}
	t.set("num.partitions", "1", "Partitions of a topic that is created without saying how many.")
	t.set("default.replication.factor", replicas, "Copies of each partition of such a topic. No more than there are brokers.")
	t.set("min.insync.replicas", minISR, "How many of them must have a record before acks=all is answered.")
	t.set("offsets.topic.replication.factor", replicas, "The same for the topics in which Kafka keeps groups, transactions and share groups.")
	t.set("transaction.state.log.replication.factor", replicas)
	t.set("transaction.state.log.min.isr", minISR)
	if !t.NoShareGroups {
		t.set("share.coordinator.state.topic.replication.factor", replicas)
		t.set("share.coordinator.state.topic.min.isr", minISR)
	}
	t.set("log.retention.hours", "168", "How long records are kept.")
	t.set("auto.create.topics.enable", "false", "Whether a topic comes into being because somebody asks for it.")
}
