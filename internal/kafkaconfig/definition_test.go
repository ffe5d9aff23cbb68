package kafkaconfig

import (
	"os"
	"strings"
	"testing"
)

// The generated table says what the classes of each release said.
func TestDefinitionsAreFresh(t *testing.T) {
	seen := map[string]Releases{}
	for i, release := range ReleaseNames() {
		b, err := os.ReadFile("testdata/definitions-" + release + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for n, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			f := strings.Split(l, "\t")
			seen[f[0]] |= 1 << i
			d, ok := Lookup(f[0])
			if !ok {
				t.Errorf("%s: %s is missing", release, f[0])
				continue
			}
			if i != current {
				continue
			}
			or := "=" + d.Default
			switch {
			case d.Required:
				or = "-"
			case d.NullDefault:
				or = "null"
			}
			if definitions[n].Name != f[0] || d.Type.String() != f[1] || or != f[2] || !strings.HasPrefix(f[4], d.Validator) || d.Internal != (f[5] == "true") {
				t.Errorf("%q is %+v", l, d)
			}
		}
	}
	for _, d := range Definitions() {
		if d.Releases != seen[d.Name] {
			t.Errorf("%s: releases %v, should be %v", d.Name, d.Releases.Names(), seen[d.Name].Names())
		}
	}
}

// Every default is a value that its own rule accepts.
func TestDefaults(t *testing.T) {
	for _, d := range Definitions() {
		if d.Required || d.NullDefault || !d.Releases.Current() {
			continue
		}
		v, err := parse(d.Name, d.Default, d.Type)
		if err == nil {
			err = d.check.validate(d.Name, d.Type, &v)
		}
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

func TestTypeNames(t *testing.T) {
	if Boolean.String() != "BOOLEAN" || Password.String() != "PASSWORD" || Type(99).String() != "UNKNOWN" {
		t.Error("names of types")
	}
	if d, _ := Lookup("ssl.key.password"); !d.Sensitive() {
		t.Error("a password is not sensitive")
	}
}
