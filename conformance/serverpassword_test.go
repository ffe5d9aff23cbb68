//go:build conformance

package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saslTemplate asks for a template in which clients log in.
var saslTemplate = []string{"--security", "sasl", "--sasl-mechanism", "SCRAM-SHA-512"}

// adminLine is the user as which nodes with saslTemplate log in.
const adminLine = "SCRAM-SHA-512=[name=admin,password=" + adminPassword + "]"

// withAdmin are the users of scramLines and adminLine.
func withAdmin() map[string]map[string]int {
	users := maps.Clone(scramUsers)
	users["admin"] = map[string]int{"SCRAM-SHA-512": 4096}
	return users
}

// login has the asker log in at a node of saslTemplate.
func (n *server) login(t *testing.T, user, password string) {
	t.Helper()
	n.clientConfig = filepath.Join(n.dir, user+".properties")
	text := "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required " +
		fmt.Sprintf("username=\"%s\" password=\"%s\";\n", user, password)
	if err := os.WriteFile(n.clientConfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// testPassword: clients log in with the passwords that format was given. That
// the users are there does not show that their keys are right.
func (s *serverSuite) testPassword(t *testing.T) {
	t.Parallel()
	s.take(t, 1)
	release := serverReleases[0]
	n := s.newServer(t, release, serverDir(t, "servers"), 1, "broker,controller")
	n.configure(t, n.controllerAddress(), saslTemplate)
	want := &asked{cluster: s.newCluster(t), levels: defaultLevels[release], users: withAdmin()}
	n.format(t, release, want.cluster, append([]string{adminLine}, scramLines...), "--standalone")
	want.voters = map[int]string{1: n.directoryID(t, release)}
	n.start(t)
	awaitStart(t, n)
	n.login(t, "bob", "another-secret")
	if err := s.ask.try(n, nil, "topics"); err == nil || !strings.Contains(err.Error(), "SaslAuthenticationException") {
		t.Errorf("%s: a wrong password is answered with %v", n, err)
	}
	for _, user := range []string{"alice-other", "bob"} {
		name, _, _ := strings.Cut(user, "-")
		n.login(t, name, user+"-secret")
		n.ask(t, nil, "topics") // a user without rights sees none, but may ask
	}
	n.login(t, "admin", adminPassword)
	n.verify(t, want)
	stop(t, n)
	n.verifyStorage(t, want)
}
