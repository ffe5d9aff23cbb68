package kbin

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUUIDText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "u"))
		s := u.String()
		for _, text := range []string{s, s + "=="} {
			if got, err := ParseUUID(text); err != nil || got != u {
				t.Fatalf("%s is %v, %v", text, got, err)
			}
		}
		var back UUID
		text, err := u.MarshalText()
		if err != nil || string(text) != s || back.UnmarshalText(text) != nil || back != u {
			t.Fatalf("%s, %v, %v", text, back, err)
		}
		if app, _ := u.AppendText([]byte("x")); string(app) != "x"+s {
			t.Fatalf("%s", app)
		}
	})
	if !ZeroUUID.IsZero() || OneUUID.IsZero() || OneUUID.String() != "AAAAAAAAAAAAAAAAAAAAAQ" || TwoUUID.String() != "AAAAAAAAAAAAAAAAAAAAAg" {
		t.Error("reserved ids")
	}
}

// Texts and outcomes are those of Kafka 4.4's Uuid.fromString on JDK 17.
func TestParseUUID(t *testing.T) {
	const a21 = "AAAAAAAAAAAAAAAAAAAAA"
	for in, want := range map[string]string{
		a21 + "R":     "", // unused bits are ignored
		a21 + "Q=":    "Input byte array has wrong 4-byte ending unit",
		"":            "Input string `` decoded as 0 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
		"A":           "Input byte[] should at least have 2 bytes for base64 bytes",
		"AA":          "Input string `AA` decoded as 1 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
		"AAA":         "Input string `AAA` decoded as 2 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
		"AAAAA":       "Last unit does not have enough valid bits",
		"not/base64":  "Illegal base64 character 2f",
		"a+b":         "Illegal base64 character 2b",
		"====":        "Input byte array has wrong 4-byte ending unit",
		"AA==A":       "Input byte array has incorrect ending byte at 4",
		"AA=A":        "Input byte array has wrong 4-byte ending unit",
		"A===":        "Last unit does not have enough valid bits",
		"éAAA":        "Illegal base64 character -17",
		"日AAA":        "Illegal base64 character 3f",
		"AA=":         "Input byte array has wrong 4-byte ending unit",
		"=AAA":        "Input byte array has wrong 4-byte ending unit",
		a21 + "=":     "Last unit does not have enough valid bits",
		"AAAA=":       "Input byte array has wrong 4-byte ending unit",
		"AAA=A":       "Input byte array has incorrect ending byte at 4",
		a21 + "AAA":   "Input string `" + a21 + "AAA` decoded as 18 bytes, which is not equal to the expected 16 bytes of a base64-encoded UUID",
		a21 + "AAAAB": "Input string with prefix `" + a21 + "AAA` is too long to be decoded as a base64 UUID",
	} {
		got := ""
		if _, err := ParseUUID(in); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if _, err := ParseUUID(strings.Repeat("😀", 13)); err == nil || !strings.Contains(err.Error(), "`"+strings.Repeat("😀", 12)+"`") {
		t.Error(err) // Java counts 26 characters
	}
}
