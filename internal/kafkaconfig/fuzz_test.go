package kafkaconfig

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// dump is all that can be got out of a Config.
func dump(c *Config) string {
	var b strings.Builder
	for _, d := range Definitions() {
		fmt.Fprintf(&b, "%s=%s %v\n", d.Name, c.Show(d.Name), c.Given(d.Name))
		if p, ok := c.Password(d.Name); ok {
			b.WriteString(p.Reveal())
		}
	}
	fmt.Fprintln(&b, c.Roles, c.NodeID, c.LogDirs, c.MetadataLogDir, c.Voters, c.BootstrapServers, c.AutoJoin, c.ControllerListenerNames, c.Listeners,
		c.AdvertisedListeners, c.InterBrokerListener, c.UnstableFeatureVersions, c.Unknown, c.Obsolete, c.EffectiveAdvertisedControllerListeners(),
		c.EffectiveAdvertisedBrokerListeners())
	return b.String()
}

// FuzzLoad loads any bytes. The answer is the same each time, and a Config loads
// again from its own settings.
func FuzzLoad(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte(c.text))
	}
	f.Add([]byte(controller + threeProviders + "a=${env:x}${file:y:z}${dir:a:b}${"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Load(data, nil)
		again, err2 := Load(data, nil)
		if answer(err) != answer(err2) {
			t.Fatalf("%v, then %v", err, err2)
		}
		if err != nil {
			return
		}
		if dump(c) != dump(again) {
			t.Fatal("another configuration the second time")
		}
		again, err = New(c.Pairs())
		if err != nil {
			t.Fatalf("its own settings: %v", err)
		}
		if dump(c) != dump(again) {
			t.Fatal("another configuration from its own settings")
		}
	})
}

// Nothing takes longer than it should for what it is.
func TestLargeConfigurations(t *testing.T) {
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const n = 10000
	for name, text := range map[string]string{
		"lines":       repeat(n, "unknown.%d=1\n"),
		"one key":     repeat(n, "node.id=%d\n") + "node.id=1\n",
		"listeners":   "listeners=" + repeat(n, "L%d://:0,") + "CONTROLLER://:1\nlistener.security.protocol.map=CONTROLLER:SSL" + repeat(n, ",L%d:SSL") + "\ncontroller.listener.names=CONTROLLER" + repeat(n, ",L%d") + "\n",
		"voters":      "controller.quorum.voters=1@h:1" + repeat(n, ",%d@h:1") + "\n",
		"overrides":   "max.connections.per.ip.overrides=h:1" + repeat(n, ",h%d:1") + "\n",
		"providers":   "config.providers=env" + repeat(n, ",p%d") + "\n",
		"variables":   threeProviders + "a=" + strings.Repeat("${", n) + "}" + strings.Repeat("${a:", n) + repeat(n, "${env:p%d}") + "\n",
		"directories": "log.dirs=a" + repeat(n, ",a%d") + "\nprocess.roles=broker,controller\nlisteners=PLAINTEXT://:1,CONTROLLER://:2\ncordoned.log.dirs=a" + repeat(n, ",a%d") + "\n",
	} {
		start := time.Now()
		_, err := Load([]byte(controller+text), nil)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %v", name, d)
		}
		if err != nil && name != "variables" {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load([]byte(controller), nil); err != nil {
			b.Fatal(err)
		}
	}
}
