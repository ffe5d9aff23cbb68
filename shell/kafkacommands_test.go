package shell

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
)

// TestQuoted: sh takes a quoted text for one word, the very text.
func TestQuoted(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	// Processes are slow, so each gets a list of texts.
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.Map(anyText(), func(s string) string { return strings.ReplaceAll(s, "\x00", "") }), 1, 50).Draw(rt, "texts")
		var words []string
		for _, text := range texts {
			words = append(words, quote(text))
		}
		out, err := exec.Command(sh, "-c", `printf '%s\0' `+strings.Join(words, " ")).Output()
		if want := strings.Join(texts, "\x00") + "\x00"; err != nil || string(out) != want {
			rt.Fatalf("%q is %q, %v", want, out, err)
		}
	})
}

func TestQuoteIsPlain(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a.b-c_d": "a.b-c_d", "k=1,2:3/4@%+": "k=1,2:3/4@%+", "a b": "'a b'", "it's": `'it'\''s'`, "~": "'~'", "$(x)": "'$(x)'", "é": "'é'"} {
		if got := quote(in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

func TestKafkaCommands(t *testing.T) {
	var id kbin.UUID
	id[15] = 1
	text := func(s string) *string { return &s }
	records := append(oddRecords("it's"),
		&metadata.TopicRecord{Name: "t.1", TopicID: id},
		&metadata.PartitionRecord{TopicID: id, PartitionID: 0, Replicas: []int32{1, 2}, ISR: []int32{1}, Leader: 1, Directories: make([]kbin.UUID, 2)},
		&metadata.PartitionRecord{TopicID: id, PartitionID: 1, Replicas: []int32{2}, ISR: []int32{2}, Leader: 2, Directories: make([]kbin.UUID, 1)},
		&metadata.ConfigRecord{ResourceType: int8(image.TopicResource), ResourceName: "t.1", Name: "cleanup.policy", Value: text("compact,delete")},
		&metadata.ConfigRecord{ResourceType: int8(image.BrokerResource), ResourceName: "", Name: "listeners", Value: text("A,B")},
		&metadata.ConfigRecord{ResourceType: int8(image.BrokerResource), ResourceName: "1", Name: "ssl.keystore.password", Value: text("s3cr3t")},
		&metadata.ConfigRecord{ResourceType: 99, ResourceName: "x", Name: "k", Value: text("v")},
		&metadata.AccessControlEntryRecord{ID: id, ResourceType: 2, ResourceName: "a b", PatternType: 4, Principal: "User:CN=w,O=z", Host: "*", Operation: 10, PermissionType: 2},
		&metadata.ClientQuotaRecord{Entity: []metadata.EntityData{{EntityType: "user"}, {EntityType: "client-id", EntityName: text("c;d")}}, Key: "producer_byte_rate", Value: 1e7},
	)
	s := openShell(t, nil, records...)
	got, err := s.run("export -o kafka-commands /image")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`kafka-topics.sh --bootstrap-server "$BOOTSTRAP" --create --topic t.1 --replica-assignment 1,2 --config cleanup.policy=compact,delete`,
		`# topic t.1: kafka-topics makes as many replicas of each partition; kafka-reassign-partitions can then give more to 0 (1:2)`,
		`kafka-configs.sh --bootstrap-server "$BOOTSTRAP" --alter --entity-type brokers --entity-default --add-config 'listeners=[A,B]'`,
		`# BROKER:1: ssl.keystore.password is left out, as it may be a password (--show-secrets shows it)`,
		`kafka-acls.sh --bootstrap-server "$BOOTSTRAP" --add --deny-principal User:CN=w,O=z --deny-host '*' --operation DescribeConfigs --topic 'a b' --resource-pattern-type prefixed`,
		`kafka-configs.sh --bootstrap-server "$BOOTSTRAP" --alter --entity-type users --entity-default --entity-type clients --entity-name 'c;d' --add-config producer_byte_rate=1.0E7`,
		`kafka-configs.sh --bootstrap-server "$BOOTSTRAP" --alter --entity-type users --entity-name 'it'\''s' --add-config request_percentage=1.0`,
		`# SCRAM user it's: the log does not have the password. With it:`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "s3cr3t") {
		t.Error("a password is shown")
	}
	// Only what is below a path is made.
	for path, lines := range map[string]int{"/image/topics/byName/t.1": 2, "/image/acls": 1, "/image/clientQuotas": 2, "/image/configs/BROKER": 1, "/image/cluster": 1, "/local": 1} {
		if got, err := s.run("export -o kafka-commands " + path); err != nil || strings.Count(got, "\n") != lines {
			t.Errorf("%s: %v\n%s", path, err, got)
		}
	}
	// The root that is shown makes no difference.
	below := openShell(t, func(_ *Terminal, o *Options) { o.Root = "/image" }, records...)
	if again, err := below.run("export -o kafka-commands"); err != nil || again != got {
		t.Errorf("below /image: %v\n%s", err, again)
	}
}
