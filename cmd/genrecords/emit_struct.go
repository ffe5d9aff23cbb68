package main

import (
	"fmt"
	"strings"
)

func (w *writer) structType(st *strct) {
	w.p("type %s struct {", st.goName)
	for _, f := range st.fields {
		w.p("%s %s // %s", f.goName, f.goType(), f.comment())
	}
	if !st.flexible.Empty() {
		w.p("UnknownTags kbin.Tags // tagged fields of later releases")
	}
	first := true
	for _, f := range st.fields {
		if f.spare() == "" {
			continue
		}
		if first {
			w.p("")
			first = false
		}
		w.p("%s %s // memory of %s while that is null", f.spare(), f.goType(), f.goName)
	}
	w.p("}\n")
}

func (f *field) comment() string {
	parts := []string{f.Type, "versions " + f.Versions.String()}
	if f.tagged {
		parts = append(parts, fmt.Sprintf("tag %d", f.Tag))
	}
	if f.nullable {
		parts = append(parts, "nullable")
	}
	switch {
	case f.NullDflt:
		parts = append(parts, "default null")
	case f.Default != "":
		parts = append(parts, "default "+f.Default)
	case f.tagged && (f.array || f.elem == "bytes"):
		parts = append(parts, "default empty")
	}
	if f.Ignorable {
		parts = append(parts, "ignorable")
	}
	return strings.Join(parts, ", ")
}

// literal is the default of a scalar field.
func (f *field) literal() string {
	switch {
	case f.Default != "":
		return f.Default
	case f.elem == "bool":
		return "false"
	case f.elem == "string":
		return `""`
	case f.elem == "uuid":
		return "kbin.UUID{}"
	}
	return "0"
}

// reset writes the statements that set f to its default.
func (w *writer) reset(f *field) {
	name := "m." + f.goName
	switch {
	case f.spare() != "" && f.NullDflt:
		w.p("%s = kbin.Spare(%s, &m.%s)", name, name, f.spare())
	case f.spare() != "":
		w.p("%s = kbin.Reuse(%s, &m.%s)", name, name, f.spare())
	case f.array:
		w.p("%s = kbin.Reset(%s)", name, name)
	case f.NullDflt:
		w.p("%s = nil", name)
	case f.elem == "bytes":
		w.p("%s = []byte{}", name)
	case f.pointer():
		w.p("if %s == nil {\n%s = new(%s)\n}", name, name, f.elemType())
		if f.strct != nil {
			w.p("%s.SetDefaults()", name)
		} else {
			w.p("*%s = \"\"", name)
		}
	case f.strct != nil:
		w.p("%s.SetDefaults()", name)
	default:
		w.p("%s = %s", name, f.literal())
	}
}

func (w *writer) setDefaults(st *strct) {
	w.p("// SetDefaults sets every field to its default.\nfunc (m *%s) SetDefaults() {", st.goName)
	for _, f := range st.fields {
		w.reset(f)
	}
	if !st.flexible.Empty() {
		w.p("m.UnknownTags = m.UnknownTags[:0]")
	}
	w.p("}\n")
}

// differs is the condition that f is not at its default.
func (f *field) differs() string {
	name := "m." + f.goName
	switch {
	case f.NullDflt:
		return name + " != nil"
	case f.array || f.elem == "bytes":
		if f.nullable {
			return fmt.Sprintf("(%s == nil || len(%s) != 0)", name, name)
		}
		return fmt.Sprintf("len(%s) != 0", name)
	case f.strct != nil && f.pointer():
		return fmt.Sprintf("(%s == nil || !%s.isDefault())", name, name)
	case f.strct != nil:
		return fmt.Sprintf("!%s.isDefault()", name)
	case f.pointer():
		return fmt.Sprintf("(%s == nil || *%s != \"\")", name, name)
	case f.elem == "bool" && f.Default == "true":
		return "!" + name
	case f.elem == "bool":
		return name
	case f.elem == "uuid":
		return fmt.Sprintf("!%s.IsZero()", name)
	}
	return fmt.Sprintf("%s != %s", name, f.literal())
}

func (w *writer) isDefault(st *strct) {
	var parts []string
	for _, f := range st.fields {
		parts = append(parts, f.differs())
	}
	if !st.flexible.Empty() {
		parts = append(parts, "len(m.UnknownTags) != 0")
	}
	w.p("func (m *%s) isDefault() bool {\nreturn !(%s)\n}\n", st.goName, strings.Join(parts, " || "))
}
