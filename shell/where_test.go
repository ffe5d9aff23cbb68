package shell

import (
	"strings"
	"testing"

	"kraftctl/shell/node"
)

var whereFields = []node.Field{
	{Name: "name", Value: "payments-eu"}, {Name: "leader", Value: int64(-1)}, {Name: "replicas", Value: []int32{1, 2, 3}}, {Name: "isr", Value: []int32{1}},
	{Name: "elr", Value: []int32{}}, {Name: "dirs", Value: []string{"a", "7"}}, {Name: "fenced", Value: true}, {Name: "shutdown", Value: false}, {Name: "rack", Value: nil},
	{Name: "empty", Value: ""}, {Name: "configs", Value: []node.Field{{Name: "retention.ms", Value: "100"}, {Name: "cleanup.policy", Value: "compact"}}},
	{Name: "ratio", Value: 0.5}, {Name: "zero", Value: int64(0)},
}

func TestWhere(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"leader == -1", true}, {"leader=-1", true}, {"leader != -1", false}, {"leader < 0", true}, {"leader <= -1", true}, {"leader > -1", false}, {"leader >= -1", true},
		{"-1 == leader", true}, {"ratio > 0.4 && ratio < .6", true},
		{"isr.size < replicas.size", true}, {"replicas.size == 3", true}, {"elr.size == 0", true}, {"name.size == 11", true}, {"configs.size == 2", true},
		{"leader.size == null", true}, {"leader.size == 0", false},
		{"replicas contains 3", true}, {"replicas contains 4", false}, {"3 in replicas", true}, {"'3' in replicas", true}, {"dirs contains a", false}, {"dirs contains 'a'", true},
		{"dirs contains 7", true}, {"name contains 'eu'", true}, {"name contains rack", false}, {"rack contains 'a'", false}, {"leader contains 1", false},
		{"name == 'payments-eu'", true}, {`name == "payments-eu"`, true}, {"name < 'q'", true}, {"name > 5", false}, {"name <= 5", false},
		{"name ~ '^pay'", true}, {"name !~ '^pay'", false}, {"name ~ eu$", true}, {"leader ~ '^-'", true}, {"rack ~ '.*'", false}, {"rack !~ 'x'", false},
		{"configs.retention.ms == 100", true}, {"configs.retention.ms > 99", true}, {"configs.cleanup.policy ~ compact", true}, {"configs.nope == null", true},
		{"configs.retention.ms == '100'", true}, {"configs.retention.ms == '1e2'", true},
		{"rack == null", true}, {"null == rack", true}, {"nope == null", true}, {"name != null", true}, {"rack != null", false}, {"rack != 'a'", true},
		{"rack < 1", false}, {"rack >= 1", false}, {"rack == 0", false},
		{"fenced", true}, {"shutdown", false}, {"!shutdown", true}, {"fenced == true", true}, {"fenced == yes", true}, {"shutdown == no", true}, {"fenced != false", true},
		{"name", true}, {"empty", false}, {"elr", false}, {"isr", true}, {"dirs", true}, {"configs", true}, {"rack", false}, {"zero", false}, {"ratio", true}, {"1", true}, {"0", false}, {"leader", true},
		{"shutdown || fenced && leader == -1", true}, {"(shutdown || fenced) && leader == 0", false}, {"not shutdown and fenced", true}, {"shutdown or fenced", true},
		{"!(leader == -1)", false}, {"! ! fenced", true}, {"fenced&&!shutdown", true}, {"((((fenced))))", true},
		{"elr == isr", false}, {"isr == isr", true}, {"'and' == 'and'", true},
	} {
		where, err := parseWhere(c.text, nil)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := where(whereFields); got != c.want {
			t.Errorf("%s: %v", c.text, got)
		}
		_ = where(nil)
	}
	for text, want := range map[string]string{
		"": "ends too early", "  ": "ends too early", "leader ==": "ends too early", "leader <": "ends too early", "name ~": "ends too early", "a &&": "ends too early", "!": "ends too early",
		"(": "ends too early", "(a": "a parenthesis is not closed", "a)": `")" is not expected here`, "a b": `"b" is not expected here`, "a == b c": `"c" is not expected here`,
		"== 1": `"==" is no field`, "a == ==": `"==" is no field`, "a & b": `at "& b"`, "a | b": `at "| b"`, "'a": "quotation mark", "name ~ '('": "missing closing )", "@": "no field and no value",
		strings.Repeat("(", 1000): "nested too deeply", strings.Repeat("!", 1000) + "a": "nested too deeply",
	} {
		if _, err := parseWhere(text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v, want %s", text, err, want)
		}
	}
}

func FuzzWhere(f *testing.F) {
	for _, text := range []string{"leader == -1", "!(a && 'b' ~ \"c\") || x.size in replicas", "((", "a == NaN", "configs.x contains null", "é < 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		where, err := parseWhere(text, nil)
		if (where == nil) != (err != nil) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil {
			_, _ = where(whereFields), where(nil)
		}
	})
}

// TestWhereKnowsFields: a misspelt field is a mistake, a bare word behind an operator
// a text.
func TestWhereKnowsFields(t *testing.T) {
	known := func(name string) bool { return name == "permission" || name == "configs" }
	fields := []node.Field{{Name: "permission", Value: "DENY"}, {Name: "configs", Value: []node.Field{{Name: "a.b", Value: "c"}}}}
	for text, want := range map[string]bool{"permission == DENY": true, "permission == ALLOW": false, "configs.a.b == c": true, "configs.x == null": true} {
		c, err := parseWhere(text, known)
		if err != nil || c(fields) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"permision == DENY", "DENY == permission", "nope.size > 1", "permission == DENY && x"} {
		if _, err := parseWhere(text, known); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
