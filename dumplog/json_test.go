package dumplog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraftctl/decode"
	"kraftctl/decode/corrupt"
)

func validJSON(line []byte) bool { return json.Valid(line) }

// checker checks values against a JSON Schema, as far as ours uses the
// standard. Unlike it, it wants every field of an object to be in the schema.
type checker struct{ root map[string]any }

func newChecker(t testing.TB) *checker {
	c := new(checker)
	if err := json.Unmarshal(JSONSchema(), &c.root); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *checker) line(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return c.check(c.root, v)
}

func (c *checker) check(s map[string]any, v any) error {
	for word, arg := range s {
		if err := c.word(s, word, arg, v); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) word(s map[string]any, word string, arg, v any) error {
	switch word {
	case "$schema", "title", "description", "$defs":
		return nil
	case "$ref":
		name, _ := strings.CutPrefix(arg.(string), "#/$defs/")
		return c.check(c.root["$defs"].(map[string]any)[name].(map[string]any), v)
	case "oneOf":
		var errs []error
		for _, option := range arg.([]any) {
			if err := c.check(option.(map[string]any), v); err != nil {
				errs = append(errs, err)
			}
		}
		if n := len(arg.([]any)) - len(errs); n != 1 {
			return fmt.Errorf("%d of oneOf fit: %w", n, errors.Join(errs...))
		}
	case "not":
		if c.check(arg.(map[string]any), v) == nil {
			return fmt.Errorf("%v is what it must not be", v)
		}
	case "const":
		if v != arg {
			return fmt.Errorf("%v is not %v", v, arg)
		}
	case "enum":
		if !slices.Contains(arg.([]any), v) {
			return fmt.Errorf("%v is none of %v", v, arg)
		}
	case "minimum":
		if n, ok := v.(json.Number); ok {
			if i, err := n.Int64(); err != nil || float64(i) < arg.(float64) {
				return fmt.Errorf("%v is too small", v)
			}
		}
	case "type":
		types, list := arg.([]any)
		if !list {
			types = []any{arg}
		}
		if !slices.ContainsFunc(types, func(t any) bool { return hasType(v, t.(string)) }) {
			return fmt.Errorf("%v is not of type %v", v, arg)
		}
	case "items":
		for _, item := range asList(v) {
			if err := c.check(arg.(map[string]any), item); err != nil {
				return err
			}
		}
	case "required":
		object, _ := v.(map[string]any)
		for _, name := range arg.([]any) {
			if _, ok := object[name.(string)]; !ok && object != nil {
				return fmt.Errorf("%s is missing", name)
			}
		}
	case "properties", "additionalProperties":
		return c.properties(s, v)
	default:
		return fmt.Errorf("this test does not know %q", word)
	}
	return nil
}

func (c *checker) properties(s map[string]any, v any) error {
	known, _ := s["properties"].(map[string]any)
	others, _ := s["additionalProperties"].(map[string]any)
	object, _ := v.(map[string]any)
	for name, value := range object {
		rule, ok := known[name].(map[string]any)
		if !ok {
			rule = others
		}
		if rule == nil {
			return fmt.Errorf("%s is not in the schema", name)
		}
		if err := c.check(rule, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case []any:
		return name == "array"
	}
	return name == "object"
}

// TestJSONSchema checks every line for every file.
func TestJSONSchema(t *testing.T) {
	c := newChecker(t)
	kinds := map[string]int{}
	for _, f := range fixtures(t) {
		out := format(newJSONFormatter(jsonOptions{file: f.path, decoder: f.decoder}), f.data)
		for line := range bytes.Lines(out) {
			if err := c.line(line); err != nil {
				t.Fatalf("%s: %v\n%s", f.path, err, line)
			}
			kinds[string(line[:14])]++
		}
	}
	for _, kind := range []string{`{"kind":"batch`, `{"kind":"recor`} {
		if kinds[kind] < 100 {
			t.Errorf("%d lines of %s", kinds[kind], kind)
		}
	}
	if c.line([]byte(`{"kind":"batch","file":"x"}`)) == nil || c.line([]byte(`{"kind":"hidden-entry","file":"x","position":0,"size":1,"fields":{},"more":1}`)) == nil {
		t.Error("the checker lets everything pass")
	}
}

// TestJSONBytes checks that keys and values can be had back, and that what is
// decoded is what Kafka's tool prints.
func TestJSONBytes(t *testing.T) {
	type binary struct {
		Base64 string
		Text   *string
	}
	recs := decode.NewRecords(0)
	for _, f := range fixtures(t) {
		format := newJSONFormatter(jsonOptions{file: f.path, decoder: f.decoder, showSecrets: true})
		text, _ := newPrinter(f.decoder, "", "", false)
		eachBatch(f.data, func(b *decode.Batch, err error) {
			if err != nil {
				return
			}
			for recs.Reset(b); recs.Next(); {
				r := &recs.Record
				line, _ := format.record(nil, b, r)
				var got struct {
					Offset      int64
					Key, Value  *binary
					Decoded     json.RawMessage
					DecodeError string
				}
				if err := json.Unmarshal(line, &got); err != nil {
					t.Fatal(err)
				}
				for _, field := range []struct {
					got  *binary
					want []byte
				}{{got.Key, r.Key}, {got.Value, r.Value}} {
					if field.got == nil {
						if field.want != nil {
							t.Fatalf("null: %s", line)
						}
						continue
					}
					raw, err := base64.StdEncoding.DecodeString(field.got.Base64)
					if err != nil || !bytes.Equal(raw, field.want) || field.got.Text != nil && *field.got.Text != string(raw) {
						t.Fatalf("%v: %s", err, line)
					}
				}
				if f.decoder != DecodeMetadata || b.IsControl() {
					continue
				}
				want, _ := text.appendContents(nil, r, "")
				if got.DecodeError == "" && string(want) != payloadLabel+string(got.Decoded) {
					t.Fatalf("%s\n%s", want, got.Decoded)
				}
				if (got.DecodeError != "") != bytes.Contains(want, []byte("Error at ")) {
					t.Fatalf("%s\n%s", want, line)
				}
			}
		})
	}
}

func TestJSONGolden(t *testing.T) {
	for name, f := range goldenFiles(t) {
		checkGolden(t, name+".json", format(newJSONFormatter(jsonOptions{file: name + ".log", decoder: f.decoder}), f.data))
	}
}

// TestJSONBroken: a batch whose fixed part cannot be read has the fields that
// come first, whatever was in the batch before.
func TestJSONBroken(t *testing.T) {
	b := decode.Batch{Position: 7, Size: 99, BaseOffset: 5, Magic: -3, CRC: 4, Count: 8}
	f := newJSONFormatter(jsonOptions{file: "a\"b"})
	line := f.broken(nil, &b)
	if err := newChecker(t).line(line); err != nil {
		t.Fatal(err)
	}
	if want := `{"kind":"batch","file":"a\"b","position":7,"size":99,"baseOffset":5,"lastOffset":null,`; !bytes.HasPrefix(line, []byte(want)) {
		t.Errorf("%s", line)
	}
}

// TestJSONUnknownCodec: the batch is shown, and the codec is an error also when
// no record is read.
func TestJSONUnknownCodec(t *testing.T) {
	b := decode.Batch{Magic: 2, Attributes: 6}
	line, err := newJSONFormatter(jsonOptions{}).batch(nil, &b, true)
	if err == nil || !bytes.Contains(line, []byte(`"codec":"unknown(6)"`)) {
		t.Errorf("%v: %s", err, line)
	}
}

func TestJSONEntryAndFinding(t *testing.T) {
	c := newChecker(t)
	for _, test := range []struct{ got, want string }{
		{string(appendEntryJSON(nil, "0.index", &Entry{Kind: "offset-index-entry", Position: 8, Raw: make([]byte, 8),
			Fields: []Field{{"offset", 0, 4, int64(3)}, {"position", 4, 4, int64(77)}, {"padded", 0, 0, false}, {"text", 0, 0, "a\nb"}, {"none", 0, 0, nil}}})),
			`{"kind":"offset-index-entry","file":"0.index","position":8,"size":8,"fields":{"offset":3,"position":77,"padded":false,"text":"a\nb","none":null}}`},
		{string(appendEntryJSON(nil, "x", &Entry{Kind: "padding"})), `{"kind":"padding","file":"x","position":0,"size":0,"fields":{}}`},
		{string(appendFindingJSON(nil, Finding{File: "0.log", Rule: RuleGap, Pos: -1, Offset: 9, Want: 7, Got: 9})),
			`{"kind":"finding","rule":"offset-gap","file":"0.log","position":null,"end":null,"offset":9,"message":"offset 7 is followed by 9"}`},
		{string(appendFindingJSON(nil, Finding{File: "0.log", Rule: RuleDamage, Pos: 4, End: 8, Offset: -1, Err: &corrupt.Error{Pos: 4, What: "batch"}})),
			`{"kind":"finding","rule":"batch-damage","file":"0.log","position":4,"end":8,"offset":null,"message":"at byte 4: batch"}`},
	} {
		if test.got != test.want {
			t.Errorf("got %s\nwant %s", test.got, test.want)
		}
		if err := c.line([]byte(test.got)); err != nil {
			t.Errorf("%s: %v", test.got, err)
		}
	}
}

// TestJSONDamage: a value that is not all there is no null.
func TestJSONDamage(t *testing.T) {
	for _, d := range []Decoder{DecodeNothing, DecodeMetadata, DecodeOffsets} {
		out := format(newJSONFormatter(jsonOptions{decoder: d}), legacyDamage(t).data)
		_, line, _ := bytes.Cut(out, []byte("\n"))
		if !bytes.Contains(line, []byte(`"value":null`)) || !bytes.Contains(line, []byte(`"decodeError":"at byte 0: message at offset 7: `)) {
			t.Errorf("%s", line)
		}
		if err := newChecker(t).line(line); err != nil {
			t.Error(err)
		}
	}
}

// TestJSONHeaders: a header's key that is no text loses nothing.
func TestJSONHeaders(t *testing.T) {
	b := decode.Batch{Magic: 2}
	r := decode.Record{Key: []byte{}, Headers: []decode.Header{{Key: []byte("a")}, {Key: []byte{0xff}, Value: []byte{0xfe}}}}
	line, _ := newJSONFormatter(jsonOptions{}).record(nil, &b, &r)
	want := `"headers":[{"key":"a","value":null},{"key":"` + "\uFFFD" + `","keyBase64":"/w==","value":{"base64":"/g=="}}],"key":{"base64":"","text":""},"value":null}`
	if !bytes.Contains(line, []byte(want)) {
		t.Errorf("%s", line)
	}
	if err := newChecker(t).line(line); err != nil {
		t.Error(err)
	}
}

// TestJSONNoAllocs: a record costs no memory once the buffer has its size.
func TestJSONNoAllocs(t *testing.T) {
	b := decode.Batch{Magic: 2}
	r := decode.Record{Key: []byte("key"), Value: []byte("value"), Headers: []decode.Header{{Key: []byte("h"), Value: []byte("v")}}}
	f := newJSONFormatter(jsonOptions{file: "x.log"})
	buf, _ := f.record(nil, &b, &r)
	if n := testing.AllocsPerRun(100, func() { buf, _ = f.record(buf[:0], &b, &r) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkJSON(b *testing.B) {
	for _, path := range []string{"corrupt/intact/00000000000000000000.log",
		"meta-4.4.0-rich/c1/__cluster_metadata-0/00000000000000000385.log", "synth-4.4.0/magic2-none/00000000000000001000.log"} {
		b.Run(path[:12], func(b *testing.B) {
			f := readFixture(b, path)
			j := newJSONFormatter(jsonOptions{file: f.path, decoder: f.decoder})
			recs := decode.NewRecords(0)
			var out []byte
			records := 0
			for b.Loop() {
				eachBatch(f.data, func(batch *decode.Batch, err error) {
					out, _ = j.batch(out[:0], batch, true)
					for recs.Reset(batch); recs.Next(); {
						records++
						out, _ = j.record(out, batch, &recs.Record)
					}
				})
			}
			b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
