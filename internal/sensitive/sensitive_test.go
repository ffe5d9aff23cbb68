package sensitive

import (
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	for name, want := range map[string]bool{
		"ssl.keystore.password": true, "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config": true, "SASL.JAAS.CONFIG": true,
		"ssl.keystore.key": true, "ssl.key.password": true, "ssl.truststore.certificates": true, "delegation.token.secret.key": true,
		"my.plugin.private_key": true, "s3.credentials": true, "sasl.oauthbearer.assertion.private.key.passphrase": true,
		// Nobody knows what a plugin or a newer version calls its secrets.
		"s3.pat": true, "unclean.leader.election.enable.x": true, "": true, "listener.name.": true, "listener.name.a": true,
		"listener.name.a.s3.pat": true, "listener.name.a.b.s3.pat": true, "listener.name.a.plain.sasl.pat": true,
		"listener.name.a.b.ssl.keystore.type": true, "listener.name.a.plain.sasl.jaas.config": true, "# names": true,
		"log.retention.ms": false, "delegation.token.expiry.time.ms": false, "cleanup.policy": false,
		"ssl.keystore.location": false, "ssl.keystore.type": false, "unclean.leader.election.enable": false,
		"interval.ms": false, "consumer.session.timeout.ms": false, "leader.replication.throttled.rate": false,
		"listener.name.external.ssl.keystore.type": false, "listener.name.a.scram-sha-256.sasl.login.class": false,
		"listener.name.a.max.connections": false,
	} {
		if got := Config(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestHarmlessConfigs looks for what should never get into the list.
func TestHarmlessConfigs(t *testing.T) {
	known := harmlessConfigs()
	if len(known) < 400 {
		t.Errorf("%d names", len(known))
	}
	for name := range known {
		for _, word := range []string{"password", "passphrase", "secret", "jaas", "credential.", "keystore.key", "certificate"} {
			if strings.Contains(name, word) {
				t.Error(name)
			}
		}
	}
}
