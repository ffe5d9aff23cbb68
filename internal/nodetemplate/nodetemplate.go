// Package nodetemplate writes the configuration of a new node: a complete
// server.properties with a comment at each setting, for every kind of node
// (broker, controller, both), of quorum (static, dynamic) and of listener
// (PLAINTEXT, TLS, SASL, SASL over TLS).
//
//	text, err := nodetemplate.Render(nodetemplate.Options{
//		Roles: []string{"broker", "controller"}, NodeID: 1, Quorum: []string{"localhost:9093"}, LogDirs: []string{"/var/lib/kafka"},
//	})
//
// Every text that comes out is one that Kafka 4.4.0 accepts; what is left to fill
// in, passwords above all, is marked CHANGE-ME.
package nodetemplate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"kraftctl/internal/kafkaconfig"
)

// Options say what kind of node it is.
type Options struct {
	Roles  []string // broker, controller
	NodeID int32
	// Quorum are the controllers: HOST:PORT for a dynamic quorum, ID@HOST:PORT for
	// a static one.
	Quorum         []string
	LogDirs        []string
	MetadataLogDir string // of its own, if not empty
	// Host is the name under which others reach the node.
	Host                       string
	BrokerPort, ControllerPort int
	Security                   string // one of Securities, plaintext if empty
	Mechanism                  string // one of Mechanisms, for SASL; SCRAM-SHA-512 if empty
	Rack                       string
	// AutoJoin: the release can have controllers of a dynamic quorum join by
	// themselves (4.2 and later, KIP-853).
	AutoJoin bool
	// NoShareGroups: the release does not know share groups (3.9).
	NoShareGroups bool
}

// Securities are the ways in which listeners are protected.
var Securities = []string{"plaintext", "tls", "sasl", "sasl-tls"}

// Mechanisms are the SASL mechanisms that there is a template for.
var Mechanisms = []string{plain, "SCRAM-SHA-256", "SCRAM-SHA-512"}

const plain = "PLAIN"

// protocols are Kafka's names of the securities.
var protocols = map[string]string{"plaintext": "PLAINTEXT", "tls": "SSL", "sasl": "SASL_PLAINTEXT", "sasl-tls": "SASL_SSL"}

// Names of the listeners.
const (
	clientListener     = "CLIENT"
	controllerListener = "CONTROLLER"
)

// Render writes the configuration. The error says which option cannot be.
func Render(o Options) (string, error) {
	t, err := newTemplate(o)
	if err != nil {
		return "", err
	}
	t.identity()
	t.quorum()
	t.listeners()
	t.security()
	t.storage()
	if t.broker {
		t.topics()
	}
	text := t.out.String()
	if _, err := kafkaconfig.Load([]byte(text), nil); err != nil {
		return "", fmt.Errorf("with these options Kafka would not start: %w", err)
	}
	return text, nil
}

type template struct {
	Options
	broker, controller, static bool
	out                        strings.Builder
}

func newTemplate(o Options) (*template, error) {
	t := &template{Options: o, broker: slices.Contains(o.Roles, "broker"), controller: slices.Contains(o.Roles, "controller")}
	for _, r := range o.Roles {
		if r != "broker" && r != "controller" {
			return nil, fmt.Errorf("role %q: it is broker or controller", r)
		}
	}
	if t.Security == "" {
		t.Security = Securities[0]
	}
	if t.Mechanism == "" {
		t.Mechanism = Mechanisms[len(Mechanisms)-1]
	}
	switch {
	case !t.broker && !t.controller:
		return nil, errors.New("no roles: --roles broker, controller, or broker,controller")
	case o.NodeID < 0:
		return nil, fmt.Errorf("node id %d: it cannot be negative", o.NodeID)
	case len(o.Quorum) == 0:
		return nil, errors.New("no quorum: name the controllers with --quorum HOST:PORT,... (dynamic quorum) or ID@HOST:PORT,... (static quorum)")
	case len(o.LogDirs) == 0:
		return nil, errors.New("no log directories")
	case !slices.Contains(Securities, t.Security):
		return nil, fmt.Errorf("security %q: it is one of %s", t.Security, strings.Join(Securities, ", "))
	case !slices.Contains(Mechanisms, t.Mechanism):
		return nil, fmt.Errorf("SASL mechanism %q: it is one of %s", t.Mechanism, strings.Join(Mechanisms, ", "))
	}
	for name, port := range map[string]int{"broker": o.BrokerPort, "controller": o.ControllerPort} {
		if port < 0 || port > 65535 {
			return nil, fmt.Errorf("%s port %d: it is from 1 to 65535", name, port)
		}
	}
	t.static = strings.Contains(o.Quorum[0], "@")
	ids := map[string]bool{}
	for _, q := range o.Quorum {
		id, _, _ := strings.Cut(q, "@")
		if t.static && ids[id] {
			return nil, fmt.Errorf("quorum %q: two controllers have the id %s", q, id)
		}
		ids[id] = true
		if strings.Contains(q, "@") != t.static {
			return nil, fmt.Errorf("quorum %q: all controllers are given as ID@HOST:PORT (static quorum), or all as HOST:PORT (dynamic quorum)", q)
		}
	}
	for _, s := range append(slices.Concat(o.Quorum, o.LogDirs), o.MetadataLogDir, o.Host, o.Rack) {
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == ',' }) {
			return nil, fmt.Errorf("%q: commas and control characters cannot be part of it", s)
		}
	}
	return t, nil
}

// section begins a group of settings.
func (t *template) section(title string) {
	t.out.WriteString("\n############################# " + title + " #############################\n")
}

// set writes a setting with its comment.
func (t *template) set(key, value string, comment ...string) {
	t.out.WriteString("\n")
	for _, c := range comment {
		t.out.WriteString("# " + c + "\n")
	}
	t.out.WriteString(key + "=" + escaped(value) + "\n")
}

// offer writes a setting that is commented out.
func (t *template) offer(key, value string, comment ...string) {
	t.out.WriteString("\n")
	for _, c := range comment {
		t.out.WriteString("# " + c + "\n")
	}
	t.out.WriteString("#" + key + "=" + escaped(value) + "\n")
}

// escaped is a value as people write it: only what would be lost is escaped.
func escaped(value string) string {
	var b strings.Builder
	for i, r := range value {
		switch {
		case r == '\\' || r == ' ' && i == 0:
			b.WriteString("\\" + string(r))
		case r > '~':
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04X", u)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (t *template) identity() {
	kind := "a " + strings.Join(t.Roles, " and ")
	quorum := "dynamic"
	if t.static {
		quorum = "static"
	}
	t.out.WriteString("# Configuration of node " + strconv.Itoa(int(t.NodeID)) + ", " + kind + ", with a " + quorum + " quorum.\n" +
		"# What is marked CHANGE-ME is for you to fill in. Then:\n#\n#   " + t.formatCommand() + "\n#\n# and start Kafka with this file.\n")
	t.section("Identity")
	t.set("process.roles", strings.Join(t.Roles, ","), "What this node does: serve clients (broker), keep the metadata (controller), or both.",
		"Both in one process is for small clusters and for development.")
	t.set("node.id", strconv.Itoa(int(t.NodeID)), "Unique among all brokers and controllers of the cluster. It never changes.")
	if t.Rack != "" && t.broker {
		t.set("broker.rack", t.Rack, "Replicas of a partition are spread over racks.")
	}
}

// formatCommand is how the node's directories are formatted.
func (t *template) formatCommand() string {
	command := "kraftctl storage format -c THIS-FILE -t CLUSTER-ID"
	if t.controller && !t.static {
		command += " --standalone   (or --initial-controllers ..., or --no-initial-controllers)"
	}
	return command
}

func (t *template) quorum() {
	t.section("Quorum")
	list := strings.Join(t.Quorum, ",")
	if t.static {
		t.set("controller.quorum.voters", list, "The controllers, ID@HOST:PORT, the same on all nodes. A static quorum: to change it,",
			"all nodes are restarted. With controller.quorum.bootstrap.servers it would be a dynamic one.")
	} else {
		t.set("controller.quorum.bootstrap.servers", list, "Where to look for the controllers. The quorum is dynamic: who votes is in the metadata",
			"log, and changes with kafka-metadata-quorum add-controller and remove-controller.")
		if t.controller && t.AutoJoin {
			t.offer("controller.quorum.auto.join.enable", "true", "Let this controller join the voters by itself once it has caught up.")
		}
	}
	t.set("controller.listener.names", controllerListener, "The listener of the controllers, by its name in \"listeners\". Brokers need it, too, to reach them.")
}
