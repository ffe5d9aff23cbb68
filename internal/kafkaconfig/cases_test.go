package kafkaconfig

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/props"
)

// aCase is a block of testdata/cases.txt: a comment, the properties, and behind
// => what Kafka says: "ok", or an exception.
type aCase struct{ title, text, want string }

func readCases(t testing.TB) []aCase {
	t.Helper()
	b, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []aCase
	for _, block := range strings.Split(strings.TrimSpace(string(b)), "\n\n") {
		text, want, ok := strings.Cut(block, "=> ")
		title, _, _ := strings.Cut(block, "\n")
		if !ok {
			t.Fatalf("%q has no answer", title)
		}
		out = append(out, aCase{title, text, want})
	}
	return out
}

// answer is what we say of a configuration, in the form of cases.txt.
func answer(err error) string {
	if err == nil {
		return "ok"
	}
	var e *javaerr.Exception
	if !errors.As(err, &e) {
		return "no exception: " + err.Error()
	}
	return strings.ReplaceAll(e.Error(), "\n", `\n`)
}

func TestKnownCases(t *testing.T) {
	cases := readCases(t)
	for _, c := range cases {
		if _, err := Load([]byte(c.text), nil); answer(err) != c.want {
			t.Errorf("%s\nKafka: %s\n ours: %s", c.title, c.want, answer(err))
		}
	}
	if len(cases) < 300 {
		t.Errorf("only %d cases", len(cases))
	}
}

const controller = "process.roles=controller\nnode.id=1\ncontroller.quorum.bootstrap.servers=c:1\nlisteners=CONTROLLER://:9093\ncontroller.listener.names=CONTROLLER\nlog.dirs=d1,d2\n"

func load(t *testing.T, text string) *Config {
	t.Helper()
	c, err := Load([]byte(text), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

func TestFields(t *testing.T) {
	c := load(t, controller+"metadata.log.dir=md\nunstable.feature.versions.enable=true\nlisteners=A://[::1]:1,B://h:2,CONTROLLER://0.0.0.0:3\n"+
		"controller.listener.names=B,CONTROLLER,A\nlistener.security.protocol.map=A:SSL,B:PLAINTEXT,CONTROLLER:SASL_SSL\nadvertised.listeners=B://pub:4\n"+
		"controller.quorum.auto.join.enable=true\n")
	if c.Roles != (Roles{Controller: true}) || c.NodeID != 1 || c.MetadataLogDir != "md" || !c.UnstableFeatureVersions || !c.AutoJoin {
		t.Errorf("%+v", c)
	}
	if want := []string{"d1", "d2"}; !reflect.DeepEqual(c.LogDirs, want) {
		t.Errorf("directories %q", c.LogDirs)
	}
	want := []Endpoint{{"B", "pub", true, 4, "PLAINTEXT"}, {"CONTROLLER", "", false, 3, "SASL_SSL"}, {"A", "::1", true, 1, "SSL"}}
	if got := c.EffectiveAdvertisedControllerListeners(); !reflect.DeepEqual(got, want) {
		t.Errorf("controllers %+v", got)
	}
	if s := want[2].String(); s != "A://[::1]:1" {
		t.Error(s)
	}
	if p, ok := c.ListenerProtocol("controller"); c.InterBrokerListener != "PLAINTEXT" || p != "SASL_SSL" || !ok {
		t.Error(c.InterBrokerListener, p)
	}
}

// An unnamed host of a controller comes from the list of voters, together with
// the port, but only for the first listener.
func TestControllerAddressFromVoters(t *testing.T) {
	c := load(t, controller+"controller.quorum.voters=1@vh:5,2@x:3\nlisteners=C1://:1,C2://:2\ncontroller.listener.names=C2,C1\n")
	want := []Endpoint{{"C2", "vh", true, 5, "PLAINTEXT"}, {"C1", "", false, 1, "PLAINTEXT"}}
	if got := c.EffectiveAdvertisedControllerListeners(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestGetters(t *testing.T) {
	c := load(t, controller+"ssl.key.password= p w \nremote.log.manager.task.retry.jitter=0.25\n")
	if n, ok := c.Int("num.io.threads"); n != 8 || !ok {
		t.Error(n, ok)
	}
	if f, ok := c.Float("remote.log.manager.task.retry.jitter"); f != 0.25 || !ok {
		t.Error(f, ok)
	}
	if b, ok := c.Bool("auto.create.topics.enable"); !b || !ok {
		t.Error(b, ok)
	}
	if s, ok := c.Text("compression.type"); s != "producer" || !ok {
		t.Error(s, ok)
	}
	if l, ok := c.List("group.consumer.assignors"); !reflect.DeepEqual(l, []string{"uniform", "range"}) || !ok {
		t.Error(l, ok)
	}
	if s, ok := c.Password("ssl.key.password"); s.Reveal() != "p w" || !ok {
		t.Error("the password is wrong")
	}
	for _, key := range []string{"log.roll.ms", "compression.type", "no.such.key", "zookeeper.connection.timeout.ms"} {
		if n, ok := c.Int(key); ok {
			t.Errorf("%s is %d", key, n)
		}
	}
	if !c.Given("broker.id") || c.Given("num.io.threads") || c.Given("no.such.key") {
		t.Error("Given")
	}
	if s := c.Show("log.roll.ms") + c.Show("no.such.key") + c.Show("log.dirs"); s != "null[d1, d2]" {
		t.Error(s)
	}
	if d, ok := Lookup("zookeeper.connect"); !ok || d.Releases.Current() || !reflect.DeepEqual(d.Releases.Names(), []string{"3.9.1"}) {
		t.Errorf("%+v", d)
	}
}

func TestUnknownKeys(t *testing.T) {
	c := load(t, controller+"log.dir.typo=1\nzookeeper.connect=x\nlistener.name.a.ssl.key.password=1\nlistener.name.a.scram-sha-256.sasl.jaas.config=1\n"+
		"listener.name.a.typo=1\nrsm.config.x=1\nconfig.providers.a.param.b=1\nlog.dir.typo=2\n")
	if want := []string{"log.dir.typo", "listener.name.a.typo"}; !reflect.DeepEqual(c.Unknown, want) {
		t.Errorf("unknown: %q", c.Unknown)
	}
	if want := []string{"zookeeper.connect"}; !reflect.DeepEqual(c.Obsolete, want) {
		t.Errorf("obsolete: %q", c.Obsolete)
	}
}

func TestErrors(t *testing.T) {
	_, err := Load([]byte(controller), []props.Property{{Key: "node.id", Value: "x"}})
	var e *Error
	if !errors.As(err, &e) || e.Key != "broker.id" || e.Value != "x" || e.Class != javaerr.Config || e.Error() != e.Message {
		t.Errorf("%#v", err)
	}
	_, err = Load([]byte(controller+"ssl.key.password=hunter2\\u12"), nil)
	var syntax *props.SyntaxError
	if !errors.As(err, &e) || e.Class != javaerr.IllegalArgument || !errors.As(err, &syntax) || syntax.Line != 7 {
		t.Errorf("%#v", err)
	}
	if e.Key != "ssl.key.password" || strings.Contains(fmt.Sprintf("%v %+v %#v %v", e, e, e.Exception, syntax), "hunter2") {
		t.Errorf("key %q, %v, %v", e.Key, e, syntax)
	}
}

// The last of repeated keys counts, and overrides come after the file.
func TestRepeatedKeys(t *testing.T) {
	c, err := Load([]byte(controller+"node.id=2\nnode.id=3\nlog.dirs=x\n"), []props.Property{{Key: "log.dirs", Value: "y"}, {Key: "log.dirs", Value: "z"}})
	if err != nil || c.NodeID != 3 || !reflect.DeepEqual(c.LogDirs, []string{"z"}) {
		t.Error(c, err)
	}
}
