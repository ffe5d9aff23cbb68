package zookeeper

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEscapeName(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "*": "*", "User:alice": "User:alice", "a b": "a b", "a%2Fb": "a%2Fb", "ünï": "ünï", "...": "...",
		"a/b": "<escaped>a%2Fb", "/": "<escaped>%2F", "": "<escaped>", ".": "<escaped>%2E", "..": "<escaped>%2E%2E", "a/b%": "<escaped>a%2Fb%25",
		"<default>": "<escaped><default>", "<escaped>a": "<escaped><escaped>a", "\x1b[31m": "<escaped>%1B[31m", "\xff": "<escaped>%FF",
		"\u0085": "<escaped>%C2%85", "😀": "<escaped>%F0%9F%98%80", "\ufffd": "<escaped>%EF%BF%BD",
	} {
		if got := EscapeName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if back, ok := UnescapeName(want); !ok || back != name {
			t.Errorf("%q: back to %q", name, back)
		}
	}
	for _, component := range []string{"<escaped>a", "<escaped>%", "<escaped>%2", "<escaped>%2f", "<escaped>a%62/", "a/b", "..", "<default>", "<escaped>%41%2F"} {
		if name, ok := UnescapeName(component); ok {
			t.Errorf("%q stands for %q", component, name)
		}
	}
}

// TestEscapeNameInvertible: no two names have one component, and every component
// is one.
func TestEscapeNameInvertible(t *testing.T) {
	odd := rapid.SampledFrom([]string{"/", "%", ".", "..", "<escaped>", "<default>", "%2F", "\x00", "\x7f", "\xff", "a", "ü", "\u0080", "\ue000", "\ufff0", "😀", " "})
	names := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.SliceOf(odd), func(s []string) string { return strings.Join(s, "") }))
	rapid.Check(t, func(t *rapid.T) {
		name := names.Draw(t, "name")
		component := EscapeName(name)
		if component == "" || component == "." || component == ".." || strings.ContainsAny(component, "/\x00\x1b\x7f") {
			t.Fatalf("%q", component)
		}
		if back, ok := UnescapeName(component); !ok || back != name {
			t.Fatalf("%q: %q, back to %q", name, component, back)
		}
		if back, ok := UnescapeName(name); ok && EscapeName(back) != name {
			t.Fatalf("%q stands for %q, whose component it is not", name, back)
		}
	})
}

func TestSanitized(t *testing.T) {
	for name, want := range map[string]string{
		"CN=bob smith,OU=x*y": "CN%3Dbob%20smith%2COU%3Dx%2Ay", "ünï": "%C3%BCn%C3%AF", "dave@x.org": "dave%40x.org", "a/b c:d%e+f~g": "a%2Fb%20c%3Ad%25e%2Bf%7Eg",
		"127.0.0.9": "127.0.0.9", "a-b_c": "a-b_c", "<default>": "%3Cdefault%3E", "..": "<escaped>%2E%2E", "": "<escaped>",
	} {
		if got := sanitized(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
