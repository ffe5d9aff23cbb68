package main

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"kraftctl/decode/schema"
)

// message is a table with all names resolved.
type message struct {
	*schema.Message
	*strct
	structs []*strct // the top-level one first, then nested ones in order of first use
}

// strct is a struct to generate.
type strct struct {
	goName   string
	name     string          // in the schema
	valid    schema.Versions // versions in which it can occur
	flexible schema.Versions // those of valid with tagged sections
	top      bool
	fields   []*field
	// compared is set if the struct is the default of a tagged field.
	compared bool
}

type field struct {
	schema.Field
	goName   string
	camel    string
	elem     string // type of the elements, or of the field
	array    bool
	strct    *strct          // if elem is a struct
	versions schema.Versions // those of Versions in which the struct occurs
	nullable bool
	tagged   bool
}

// load resolves the messages of p, sorted by name.
func load(p pkg) ([]*message, error) {
	var paths []string
	for _, name := range schema.Paths() {
		if slices.Contains(p.files, name) ||
			slices.Contains(p.folders, path.Dir(name)) && !slices.Contains(p.without, name) {
			paths = append(paths, name)
		}
	}
	var all []*message
	uses := map[string]int{} // how many structs of the package have this name
	for _, name := range paths {
		s, err := schema.Load(name)
		if err != nil {
			return nil, err
		}
		m, err := resolve(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, st := range m.structs {
			uses[st.name]++
		}
		all = append(all, m)
	}
	taken := map[string]bool{}
	for _, m := range all {
		for _, st := range m.structs {
			st.goName = structName(p, m, st, uses)
			if taken[st.goName] {
				return nil, fmt.Errorf("two structs named %s", st.goName)
			}
			taken[st.goName] = true
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].goName < all[j].goName })
	return all, nil
}

// structName keeps the schema's name where it is unique in the package and
// otherwise puts the message's name, without its generic last word, before it.
func structName(p pkg, m *message, st *strct, uses map[string]int) string {
	if name := p.rename[m.Name+"."+st.name]; name != "" {
		return name
	}
	if st.top || uses[st.name] == 1 {
		return st.name
	}
	stem := m.Name
	for _, suffix := range []string{"Record", "Value", "Message"} {
		stem = strings.TrimSuffix(stem, suffix)
	}
	return stem + st.name
}

func resolve(s *schema.Message) (*message, error) {
	m := &message{Message: s}
	r := &resolver{msg: m, byName: map[string]*strct{}}
	top, err := r.add(s.Name, s.Fields, s.Valid)
	if err != nil {
		return nil, err
	}
	top.top = true
	m.strct = top
	return m, nil
}

type resolver struct {
	msg    *message
	byName map[string]*strct
}

func (r *resolver) add(name string, fields []schema.Field, versions schema.Versions) (*strct, error) {
	valid := r.msg.Valid.Intersect(versions)
	st := &strct{name: name, valid: valid, flexible: r.msg.Flexible.Intersect(valid)}
	r.byName[name] = st
	r.msg.structs = append(r.msg.structs, st)
	for i := range fields {
		f, err := r.field(&fields[i], st)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", name, fields[i].Name, err)
		}
		st.fields = append(st.fields, f)
	}
	return st, nil
}

func (r *resolver) field(s *schema.Field, st *strct) (*field, error) {
	f := &field{
		Field: *s, goName: goName(s.Name), camel: lowerFirst(s.Name),
		versions: st.valid.Intersect(s.Versions),
		nullable: !s.Nullable.Empty(), tagged: s.Tag >= 0,
	}
	f.elem, f.array = s.Array()
	// The generator relies on these; no table of Kafka's needs more.
	switch {
	case f.versions.Empty():
		return nil, fmt.Errorf("in no version")
	case f.nullable && !s.Nullable.Covers(f.versions):
		return nil, fmt.Errorf("nullable in some of its versions only")
	case f.tagged && (!s.Tagged.Covers(f.versions) || !st.flexible.Covers(f.versions)):
		return nil, fmt.Errorf("tagged in some of its versions only")
	case f.tagged && s.Tag > 127:
		return nil, fmt.Errorf("tag %d", s.Tag)
	case s.NullDflt && !f.nullable:
		return nil, fmt.Errorf("default null, but not nullable")
	case f.elem == "string" && s.Default != "":
		return nil, fmt.Errorf("default %q", s.Default)
	}
	if schema.Primitive(f.elem) {
		return f, nil
	}
	nested := r.byName[f.elem]
	if nested == nil {
		fields, versions := s.Fields, s.Versions
		for _, c := range r.msg.Structs {
			if c.Name == f.elem {
				fields, versions = c.Fields, c.Versions
			}
		}
		if fields == nil {
			return nil, fmt.Errorf("unknown type %s", f.Type)
		}
		var err error
		if nested, err = r.add(f.elem, fields, versions); err != nil {
			return nil, err
		}
	}
	f.strct = nested
	if f.tagged && !f.array && !s.NullDflt {
		nested.compared = true
	}
	return f, nil
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// goName is the field's name in Go: upper case first, usual initialisms.
func goName(s string) string {
	s = strings.ToUpper(s[:1]) + s[1:]
	var out strings.Builder
	for len(s) > 0 {
		n := 1
		for n < len(s) && (s[n] < 'A' || s[n] > 'Z') {
			n++
		}
		switch word := s[:n]; word {
		case "Id", "Isr", "Elr", "Crc":
			out.WriteString(strings.ToUpper(word))
		case "Ids":
			out.WriteString("IDs")
		default:
			out.WriteString(word)
		}
		s = s[n:]
	}
	return out.String()
}

// snake is the file name part of a message name, KRaft being one word.
func snake(s string) string {
	s = strings.Replace(s, "KRaft", "Kraft", 1)
	var out []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				out = append(out, '_')
			}
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return string(out)
}

// goType is the Go type of the field.
func (f *field) goType() string {
	t := f.elemType()
	switch {
	case f.array:
		return "[]" + t
	case f.nullable && (f.elem == "string" || f.strct != nil):
		return "*" + t
	}
	return t
}

func (f *field) elemType() string {
	switch {
	case f.strct != nil:
		return f.strct.goName
	case f.elem == "uuid":
		return "kbin.UUID"
	case f.elem == "bytes":
		return "[]byte"
	}
	return f.elem
}

// pointer reports whether the Go type is a pointer.
func (f *field) pointer() bool { return strings.HasPrefix(f.goType(), "*") }

// spare is the name of the private field that keeps the memory of a nullable
// array, or empty.
func (f *field) spare() string {
	if f.array && f.nullable {
		return "spare" + f.goName
	}
	return ""
}

// size of a fixed-size type, or 0.
func (f *field) size() int {
	if f.array {
		return 0
	}
	switch f.elem {
	case "bool", "int8":
		return 1
	case "int16", "uint16":
		return 2
	case "int32", "uint32":
		return 4
	case "int64", "float64":
		return 8
	case "uuid":
		return 16
	}
	return 0
}

// method is the part of kbin's function names that stands for the type.
func (f *field) method() string {
	if f.elem == "uuid" {
		return "UUID"
	}
	return strings.ToUpper(f.elem[:1]) + f.elem[1:]
}

// condition under which version is in v, given that it is in within; empty if
// always.
func condition(v, within schema.Versions) string {
	low, high := v.Min > within.Min, v.Max < within.Max
	switch {
	case low && high && v.Min == v.Max:
		return fmt.Sprintf("version == %d", v.Min)
	case low && high:
		return fmt.Sprintf("version >= %d && version <= %d", v.Min, v.Max)
	case low:
		return fmt.Sprintf("version >= %d", v.Min)
	case high:
		return fmt.Sprintf("version <= %d", v.Max)
	}
	return ""
}
