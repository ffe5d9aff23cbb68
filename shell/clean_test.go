package shell

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"kraftctl/decode/jsonw"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日 😀\t": "plain é 日 😀\t", "\x1b[31m": `\x1b[31m`, "a\nb\rc": `a\x0ab\x0dc`, "\x00\x7f": `\x00\x7f`, "\u009b5m": `\x9b5m`, "\xff\xc3": `\xff\xc3`,
		"\u202eabc\u2066": `\u202eabc\u2066`, "\u2028": `\u2028`, "\ufffd": `\ufffd`, "": "",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// anyText is any text, with more of what does harm than chance would bring.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\x1b\x00\x07\n\r\t\x7f\u0085\u009b\u200f\u202a\u202e\u2028\u2066\ufffd\"\\"))),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
}

func TestCleanIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyText().Draw(t, "text")
		out := Clean(in)
		if !utf8.ValidString(out) || strings.ContainsFunc(out, harmful) {
			t.Fatalf("%q is %q", in, out)
		}
		if again := Clean(out); again != out {
			t.Fatalf("%q is %q, and then %q", in, out, again)
		}
	})
}

func TestCleanJSONSaysTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, value := anyText().Draw(t, "key"), anyText().Draw(t, "value")
		doc := jsonw.AppendString([]byte("{\n  "), key)
		doc = jsonw.AppendString(append(doc, ": "...), value)
		doc = append(doc, "\n}\n"...)
		out := CleanJSON(string(doc))
		if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && harmful(r) }) {
			t.Fatalf("%q is %q", doc, out)
		}
		var before, after any
		if err := json.Unmarshal(doc, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q is %q: %v", doc, out, err)
		}
	})
}
