package cli_test

import (
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/ptytest"
)

// evil would change the title, the colour, the direction and the screen of a terminal.
const evil = "x\x1b]0;pwned\a\x1b[31m\u202ey\u009b2Jz"

func evilSnapshot(t *testing.T) string {
	text := func(s string) *string { return &s }
	topic := kbin.UUID{9}
	return writeSnapshot(t,
		&metadata.FeatureLevelRecord{Name: feature.MetadataName, FeatureLevel: int16(feature.LatestProduction)},
		&metadata.RegisterBrokerRecord{BrokerID: 1, Rack: text(evil), EndPoints: []metadata.BrokerEndpoint{{Name: evil, Host: evil}}},
		&metadata.TopicRecord{Name: "t" + evil, TopicID: topic},
		&metadata.PartitionRecord{TopicID: topic, Replicas: []int32{1}, ISR: []int32{1}, Leader: 1, Directories: make([]kbin.UUID, 1)},
		&metadata.ConfigRecord{ResourceType: int8(image.TopicResource), ResourceName: "t" + evil, Name: "k" + evil, Value: text(evil)},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user", EntityName: text(evil)}}, Key: "request_percentage", Value: 1},
		&metadata.AccessControlEntryRecord{ID: kbin.UUID{8}, ResourceType: 2, ResourceName: evil, PatternType: 3, Principal: "User:" + evil, Host: "*", Operation: 3, PermissionType: 3},
		&metadata.UserScramCredentialRecord{Name: evil, Mechanism: 1, Iterations: 4096})
}

// harmless checks that nothing of it came through.
func harmless(t *testing.T, s *ptytest.Session) {
	t.Helper()
	for _, part := range []string{"\x1b]", "\x1b[31m", "\u202e", "\u009b", "\x9b2J"} {
		if i := strings.Index(s.Sent(), part); i >= 0 {
			t.Errorf("%q was sent: %q", part, s.Sent()[max(0, i-60):i+10])
		}
	}
}

// TestShellEvilNames: escape sequences in names and values stay text, wherever they
// are shown.
func TestShellEvilNames(t *testing.T) {
	t.Parallel()
	file := evilSnapshot(t)
	s := openShell(t, 120, 40, terminal(t), file, "--show-secrets")
	for _, line := range []string{"ls /image/topics/byName", "ls -l /image/topics/byName", "cat /image/configs/*", "cat /image/cluster/brokers/1", "tree /image", "find /image", "find -l --kind scram /image", "grep pwned /image",
		"cat -o json /image/configs/*", "ls -R -o json /image", "export /image", "export -o yaml /image", "export -o csv /image", "export -o kafka-commands /image", "health -a", "stat /image/scram/*/*", "du /image/topics", "log /image",
		"ls -R /zookeeper", "get /zookeeper/config/topics/*", "snapshot", "find /image | cat", "cat -o json /image/configs/* | cat"} {
		press(s, "\x0c"+line+"\r")
	}
	// In the list of candidates, in the line, in the prompt and in the history.
	s.Send("\x0ccd /image/topics/byName/\t")
	s.Shows("/t")
	press(s, "\r")
	s.Wait("the prompt", func(e *ptytest.Screen) bool {
		return e.Paste && strings.Contains(lastRow(e), `/image/topics/byName/tx\x1b]0;pwned\x07\x1b[31m\u202ey\x9b2Jz>`)
	})
	press(s, "cat 0\r")
	s.Shows("partitionEpoch")
	press(s, "cd /image/clientQuotas\r")
	press(s, "ls /image/topics/byName/t\t\x0c"+up+up+ctrlC)
	press(s, "history\r")
	leave(s)
	harmless(t, s)

	// Without a session.
	s = ptytest.Start(t, 80, 24, kraftctl(t, "kraftctl", "shell", file, "-o", "json", "-c", "export /image; find /image; cat /image/topics/byName/nope"), terminal(t)...)
	s.End(ptytest.Exited(1))
	harmless(t, s)
}
