package node

import (
	"strconv"
	"strings"

	"kraftctl/decode/jsonw"
)

// Described is a node that has fields: a topic, a broker. They are what tables and
// JSON show, and what filters ask for.
type Described interface {
	Node
	// Kind says what the node is: topic, partition, broker.
	Kind() string
	// Fields gives the fields in the order of the columns.
	Fields() []Field
}

// Field is a named value: a string, an int64, a float64, a bool, an []int32, a
// []string, a []Field, or nil for what is not there.
type Field struct {
	Name  string
	Value any
	// Wide fields are left out of tables.
	Wide bool
}

// Ints makes a list of numbers that is shown as empty if it is nil.
func Ints(list []int32) []int32 { return append([]int32{}, list...) }

// Text is the value as tables show it.
func (f Field) Text() string {
	if s := text(f.Value); s != "" {
		return s
	}
	switch f.Value.(type) {
	case []int32, []string, []Field:
		return "-"
	}
	return ""
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return string(jsonw.AppendJavaDouble(nil, v))
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []int32:
		s := make([]string, len(v))
		for i, n := range v {
			s[i] = strconv.Itoa(int(n))
		}
		return strings.Join(s, ",")
	case []string:
		return strings.Join(v, ",")
	case []Field:
		s := make([]string, len(v))
		for i, f := range v {
			s[i] = f.Name + "=" + f.Text()
		}
		return strings.Join(s, ",")
	}
	return ""
}

// AppendJSON appends the value as JSON.
func (f Field) AppendJSON(dst []byte) []byte {
	switch v := f.Value.(type) {
	case string:
		return jsonw.AppendString(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return jsonw.AppendFloat(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case []int32:
		return jsonw.AppendInt32s(dst, v)
	case []string:
		return jsonw.AppendStrings(dst, v)
	case []Field:
		return AppendFields(dst, v)
	}
	return append(dst, "null"...)
}

// AppendFields appends fields as a JSON object.
func AppendFields(dst []byte, fields []Field) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonw.AppendString(dst, f.Name)
		dst = append(dst, ':')
		dst = f.AppendJSON(dst)
	}
	return append(dst, '}')
}

// Get finds a field, also one inside another: "configs.retention.ms" is the field
// retention.ms of the field configs.
func Get(fields []Field, name string) (any, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	for _, f := range fields {
		inner, ok := f.Value.([]Field)
		if rest, isIn := strings.CutPrefix(name, f.Name+"."); ok && isIn {
			if v, ok := Get(inner, rest); ok {
				return v, true
			}
			return nil, true // a config that is not set
		}
	}
	return nil, false
}
