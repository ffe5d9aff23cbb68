package kafkaconfig

import (
	"strconv"
	"strings"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
)

// value is what a key has: the field of its type, or null.
type value struct {
	given bool // the file has the key
	null  bool
	yes   bool
	num   int64
	frac  float64
	text  string // of strings, classes and passwords
	list  []string
}

// javaText is the value as Java prints it.
func (v *value) javaText(t Type) string {
	switch {
	case v.null:
		return "null"
	case t == Boolean:
		return strconv.FormatBool(v.yes)
	case t == Int || t == Short || t == Long:
		return strconv.FormatInt(v.num, 10)
	case t == Double:
		return javaDouble(v.frac)
	case t == List:
		return listText(v.list)
	case t == Password:
		return hidden
	}
	return v.text
}

// hidden is what Kafka prints for a password.
const hidden = "[hidden]"

// listText prints a list as Java does.
func listText(list []string) string { return "[" + strings.Join(list, ", ") + "]" }

// parse reads the text of a key. Kafka trims all types, and reports the text as
// it was.
func parse(key, text string, t Type) (value, *Error) {
	trimmed := javatext.Trim(text)
	v := value{given: true}
	switch t {
	case Boolean:
		v.yes = strings.EqualFold(trimmed, "true")
		if !v.yes && !strings.EqualFold(trimmed, "false") {
			return v, badValue(key, text, "Expected value to be either true or false")
		}
	case Int, Short, Long:
		n, ok := parseInteger(trimmed, t)
		if !ok {
			return v, badValue(key, text, "Not a number of type "+t.String())
		}
		v.num = n
	case Double:
		f, ok := parseDouble(trimmed)
		if !ok {
			return v, badValue(key, text, "Not a number of type DOUBLE")
		}
		v.frac = f
	case List:
		v.list = splitList(trimmed)
	case Class:
		v.text = trimmed
		if !knownClass(trimmed) {
			return v, badValue(key, text, "Class "+text+" could not be found.")
		}
	default:
		v.text = trimmed
	}
	return v, nil
}

// isSpace is \s of Java's regular expressions.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// splitCommas splits at commas and drops white space around them, but not at
// the ends of the text.
func splitCommas(s string) []string {
	parts := strings.Split(s, ",")
	for i := range parts {
		p := parts[i]
		for i > 0 && p != "" && isSpace(p[0]) {
			p = p[1:]
		}
		for i+1 < len(parts) && p != "" && isSpace(p[len(p)-1]) {
			p = p[:len(p)-1]
		}
		parts[i] = p
	}
	return parts
}

// splitList is how a LIST is read; an empty text is an empty list.
func splitList(trimmed string) []string {
	if trimmed == "" {
		return nil
	}
	return splitCommas(trimmed)
}

// unique drops repetitions, as Kafka does (with a warning) for lists that it
// checks.
func unique(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// parseInteger is Integer.parseInt and its sisters: a sign and digits, of any
// script.
func parseInteger(s string, t Type) (int64, bool) {
	bits := 64
	switch t {
	case Int:
		bits = 32
	case Short:
		bits = 16
	}
	return javatext.ParseInt(s, bits)
}

// numberFormat is what Integer.parseInt throws.
func numberFormat(key, text string) *Error {
	e := failure(javaerr.NumberFormat, `For input string: "`+text+`"`, key)
	e.Value = text
	return e
}
