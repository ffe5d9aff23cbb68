package mask

import (
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/metadata"
	"kraftctl/internal/sensitive"
)

func TestFrame(t *testing.T) {
	value := "hunter2"
	scram := &metadata.UserScramCredentialRecord{Name: "a\"b", Salt: []byte("x"), Iterations: 4096}
	f := decode.Frame{Message: scram}
	if !Frame(&f) {
		t.Error("not redacted")
	}
	if got, want := string(f.Message.AppendJSON(nil, 0)), `{"name":"a\"b","mechanism":0,"salt":"***","storedKey":"***","serverKey":"***","iterations":4096}`; got != want {
		t.Error(got)
	}
	// The fields are those of the record that Kafka knows.
	if plain := scram.AppendJSON(nil, 0); strings.Count(string(plain), `":`) != 6 {
		t.Errorf("%s: a field is new: is it a secret?", plain)
	}
	config := &metadata.ConfigRecord{Name: "ssl.key.password", Value: &value}
	if f = (decode.Frame{Message: config}); !Frame(&f) || value != sensitive.Mask {
		t.Error(value)
	}
	config.Value = nil
	if Frame(&f) {
		t.Error("a null is no secret")
	}
	for _, m := range metadata.Messages() {
		if f := (decode.Frame{Message: m}); Frame(&f) != (m.MessageName() == "UserScramCredentialRecord" || m.MessageName() == "ConfigRecord") {
			t.Error(m.MessageName())
		}
	}
	if f := (decode.Frame{}); Frame(&f) || Unreadable(&f, nil) {
		t.Error("an empty frame")
	}
}

// TestMessage leaves the message as it is.
func TestMessage(t *testing.T) {
	secret, plain := "hunter2", "5"
	for _, c := range []*metadata.ConfigRecord{{Name: "ssl.key.password", Value: &secret}, {Name: "retention.ms", Value: &plain}, {Name: "ssl.key.password"}} {
		before := string(c.AppendJSON(nil, 0))
		masked, hidden := Message(c)
		if hidden != (c.Value == &secret) || hidden == (string(masked.AppendJSON(nil, 0)) == before) || string(c.AppendJSON(nil, 0)) != before {
			t.Errorf("%s: %v", before, hidden)
		}
	}
}
