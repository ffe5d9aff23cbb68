package nodetemplate

import (
	"fmt"
	"strings"
	"testing"

	"kraftctl/internal/kafkaconfig"
)

func Example() {
	text, err := Render(Options{Roles: []string{"controller"}, NodeID: 3, Quorum: []string{"c1:9093", "c2:9093", "c3:9093"}, LogDirs: []string{"/var/lib/kafka"}, Host: "c3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(text) {
		if line != "\n" && !strings.HasPrefix(line, "#") {
			fmt.Print(line)
		}
	}
	// Output:
	// process.roles=controller
	// node.id=3
	// controller.quorum.bootstrap.servers=c1:9093,c2:9093,c3:9093
	// controller.listener.names=CONTROLLER
	// listeners=CONTROLLER://:9093
	// advertised.listeners=CONTROLLER://c3:9093
	// listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
	// log.dirs=/var/lib/kafka
}

// Every combination gives a configuration that Kafka accepts, that says what was
// asked for, and whose every setting has been given a comment or follows one.
func TestEveryCombination(t *testing.T) {
	n := 0
	for o := range Combinations() {
		n++
		text, err := Render(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		c, err := kafkaconfig.Load([]byte(text), nil)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		if c.NodeID != o.NodeID || c.Roles.Broker != strings.Contains(fmt.Sprint(o.Roles), "broker") || len(c.LogDirs) != len(o.LogDirs) ||
			len(c.Voters)+len(c.BootstrapServers) != len(o.Quorum) || len(c.Unknown)+len(c.Obsolete) > 0 {
			t.Errorf("%+v: %+v", o, c)
		}
		if strings.Contains(o.Security, "sasl") != strings.Contains(text, "sasl.jaas.config") || strings.HasSuffix(o.Security, "tls") != strings.Contains(text, "ssl.keystore") {
			t.Errorf("%+v:\n%s", o, text)
		}
	}
	if n < 100 {
		t.Errorf("only %d combinations", n)
	}
}

func TestRefused(t *testing.T) {
	good := Options{Roles: []string{"broker"}, NodeID: 1, Quorum: []string{"a:1"}, LogDirs: []string{"d"}}
	if _, err := Render(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(o *Options){
		"no roles":                 func(o *Options) { o.Roles = nil },
		`role "x"`:                 func(o *Options) { o.Roles = []string{"x"} },
		"node id -1":               func(o *Options) { o.NodeID = -1 },
		"no quorum":                func(o *Options) { o.Quorum = nil },
		"all controllers are":      func(o *Options) { o.Quorum = []string{"a:1", "2@b:1"} },
		"no log directories":       func(o *Options) { o.LogDirs = nil },
		`security "x"`:             func(o *Options) { o.Security = "x" },
		`SASL mechanism "x"`:       func(o *Options) { o.Mechanism = "x" },
		"commas and control":       func(o *Options) { o.LogDirs = []string{"a,b"} },
		"Kafka would not start":    func(o *Options) { o.Quorum = []string{"nonsense"} },
		"must not be included in ": func(o *Options) { o.Quorum = []string{"1@a:1"} },
	} {
		o := good
		change(&o)
		if _, err := Render(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What stands in a value comes back as it was given.
func TestValuesSurvive(t *testing.T) {
	for _, dir := range []string{`C:\kafka`, "/a b", " /leading", "/ü", "/\U0001F600", "/a=b#c!d:e"} {
		text, err := Render(Options{Roles: []string{"broker"}, NodeID: 1, Quorum: []string{"a:1"}, LogDirs: []string{dir}})
		if err != nil {
			t.Errorf("%q: %v", dir, err)
			continue
		}
		c, err := kafkaconfig.Load([]byte(text), nil)
		if want := strings.TrimSpace(dir); err != nil || c.LogDirs[0] != want {
			t.Errorf("%q: %q, %v", dir, c.LogDirs, err)
		}
	}
}
