package dumplog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/compress"
	"kraftctl/decode/metadata"
)

func TestSensitiveConfig(t *testing.T) {
	for name, want := range map[string]bool{
		"ssl.keystore.password": true, "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config": true, "SASL.JAAS.CONFIG": true,
		"ssl.keystore.key": true, "ssl.key.password": true, "ssl.truststore.certificates": true, "delegation.token.secret.key": true,
		"my.plugin.private_key": true, "s3.credentials": true, "sasl.oauthbearer.assertion.private.key.passphrase": true,
		"log.retention.ms": false, "delegation.token.expiry.time.ms": false, "cleanup.policy": false, "": false,
		"ssl.keystore.location": false, "ssl.keystore.type": false, "password.encoder.iterations": false,
	} {
		if got := sensitiveConfig(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestRedactMetadata(t *testing.T) {
	value := "hunter2"
	scram := &metadata.UserScramCredentialRecord{Name: "a\"b", Salt: []byte("x"), Iterations: 4096}
	f := decode.Frame{Message: scram}
	if !redactMetadata(&f) {
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
	if f = (decode.Frame{Message: config}); !redactMetadata(&f) || value != masked {
		t.Error(value)
	}
	config.Value = nil
	if redactMetadata(&f) {
		t.Error("a null is no secret")
	}
	for _, m := range metadata.Messages() {
		if f := (decode.Frame{Message: m}); redactMetadata(&f) != (m.MessageName() == "UserScramCredentialRecord") {
			t.Error(m.MessageName())
		}
	}
	if f := (decode.Frame{}); redactMetadata(&f) || unreadableSecret(&f, nil) {
		t.Error("an empty frame")
	}
}

// TestSecretsStayHidden looks for them in all outputs, in any form.
func TestSecretsStayHidden(t *testing.T) {
	plain := secretBatch(t)
	batch, err := decode.ParseBatch(plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	var records []decode.Record
	recs := decode.NewRecords(0)
	for recs.Reset(&batch); recs.Next(); {
		records = append(records, recs.Record)
	}
	batch.Attributes = int16(compress.LZ4)
	packed, err := decode.AppendBatch(nil, &batch, records)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(plain)
	damaged[decode.BatchHeaderSize] = 0xff
	magic := bytes.Clone(plain)
	magic[16] = 0xff
	for name, data := range map[string][]byte{"plain": plain, "compressed": packed, "damaged": damaged, "magic": magic} {
		for _, show := range []bool{false, true} {
			outputs := map[string]formatter{
				"json":  newJSONFormatter(jsonOptions{decoder: DecodeMetadata, showSecrets: show}),
				"hex":   newHexFormatter(hexOptions{decoder: DecodeMetadata, showSecrets: show}),
				"table": newTableFormatter(&tableState{content: 1000}, DecodeMetadata, show),
			}
			for output, f := range outputs {
				out := string(format(f, data))
				found := secretIn(out, output == "hex")
				if found != (show && (output == "hex" || name != "damaged" && name != "magic")) {
					t.Errorf("%s, %s, show %t: found %t\n%s", name, output, show, found, out)
				}
			}
		}
	}
}

func secretIn(out string, hexRows bool) bool {
	// Rows of hex break anywhere.
	rows := strings.Builder{}
	if hexRows {
		for _, row := range hexRowsOf([]byte(out)) {
			rows.WriteString(row.bytes)
		}
	}
	for _, quoted := range base64Pattern.FindAllStringSubmatch(out, -1) {
		if b, err := base64.StdEncoding.DecodeString(quoted[1]); err == nil && bytes.Contains(b, []byte("secret")) {
			return true
		}
	}
	return strings.Contains(out, "secret") || strings.Contains(rows.String(), hex.EncodeToString([]byte("secret")))
}

var base64Pattern = regexp.MustCompile(`"([A-Za-z0-9+/=]{8,})"`)
