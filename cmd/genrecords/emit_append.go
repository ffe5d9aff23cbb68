package main

import "strings"

func (w *writer) encode(st *strct) {
	var body writer
	body.flexibleVar(st)
	for _, f := range st.fields {
		if f.tagged {
			continue
		}
		body.when(condition(f.versions, st.valid), func() { body.writeField(st, f) }, func() { body.refuse(f) })
	}
	if !st.flexible.Empty() {
		body.tagSection(st)
	}
	w.p("func (m *%s) encode(dst []byte, version int16) ([]byte, error) {", st.goName)
	if strings.Contains(body.String(), "err = ") {
		w.p("var err error")
	}
	w.Write(body.Bytes())
	if st.flexible.Empty() || len(taggedFields(st)) > 0 {
		w.p("return dst, nil")
	}
	w.p("}\n")
}

// refuse writes the check for a field that this version does not have.
func (w *writer) refuse(f *field) {
	if f.Ignorable {
		return
	}
	w.p("if %s {\nreturn dst, kbin.NonDefault(%q, version)\n}", f.differs(), f.camel)
}

func (w *writer) writeField(st *strct, f *field) {
	if f.array || f.elem == "string" || f.elem == "bytes" {
		w.encodings(st, func(flexible bool) { w.writeValue(f, flexible) })
		return
	}
	w.writeValue(f, false)
}

func (w *writer) writeValue(f *field, flexible bool) {
	name := "m." + f.goName
	compact := ""
	if flexible {
		compact = "Compact"
	}
	switch {
	case f.array:
		w.writeArray(f, flexible)
	case f.strct != nil && f.nullable:
		w.p("if %s == nil {\ndst = kbin.AppendInt8(dst, -1)\n} else {", name)
		w.p("dst = kbin.AppendInt8(dst, 1)")
		w.try("%s.encode(dst, version)", name)
		w.p("}")
	case f.strct != nil:
		w.try("%s.encode(dst, version)", name)
	case f.elem == "string":
		value := name
		if f.nullable {
			value = "*" + name
		}
		if f.writesNull() {
			null := "dst = kbin.AppendInt16(dst, -1)"
			if flexible {
				null = "dst = append(dst, 0)"
			}
			w.p("if %s == nil {\n%s\n} else {", name, null)
		}
		w.p("if len(%s) > kbin.MaxString {\nreturn dst, kbin.StringTooLong(%q)\n}", value, f.camel)
		w.p("dst = kbin.Append%sString(dst, %s)", compact, value)
		if f.writesNull() {
			w.p("}")
		}
	case f.elem == "bytes":
		form, null := "Long", "dst = kbin.AppendInt32(dst, -1)"
		if flexible {
			form, null = "Compact", "dst = append(dst, 0)"
		}
		if f.writesNull() {
			w.p("if %s == nil {\n%s\n} else {", name, null)
		}
		w.p("dst = kbin.Append%sBytes(dst, %s)", form, name)
		if f.writesNull() {
			w.p("}")
		}
	default:
		w.p("dst = kbin.Append%s(dst, %s)", f.method(), name)
	}
}

// writesNull reports whether null has to be looked for: a tagged field with
// null as its default is not written when it is null.
func (f *field) writesNull() bool { return f.nullable && !(f.tagged && f.NullDflt) }

func (w *writer) writeArray(f *field, flexible bool) {
	name := "m." + f.goName
	compact, null := "", "dst = kbin.AppendInt32(dst, -1)"
	if flexible {
		compact, null = "Compact", "dst = append(dst, 0)"
	}
	if f.writesNull() {
		w.p("if %s == nil {\n%s\n} else {", name, null)
	}
	w.p("dst = kbin.Append%sArray(dst, len(%s))", compact, name)
	switch {
	case f.strct != nil:
		w.p("for i := range %s {", name)
		w.try("%s[i].encode(dst, version)", name)
		w.p("}")
	case f.elem == "string":
		w.try("kbin.Append%sStrings(dst, %s, %q)", compact, name, f.camel+" element")
	default:
		w.p("dst = kbin.Append%ss(dst, %s)", f.method(), name)
	}
	if f.writesNull() {
		w.p("}")
	}
}

// try writes an assignment to dst and err of a call that may fail.
func (w *writer) try(call string, args ...any) {
	w.p("if dst, err = "+call+"; err != nil {\nreturn dst, err\n}", args...)
}

func (w *writer) tagSection(st *strct) {
	tags := taggedFields(st)
	if condition(st.flexible, st.valid) != "" {
		w.p("if !flexible {")
		for _, f := range tags {
			w.refuse(f)
		}
		w.p("if len(m.UnknownTags) > 0 {\nreturn dst, kbin.TagsUnsupported(version)\n}")
		w.p("return dst, nil\n}")
	}
	within := st.valid.Intersect(st.flexible)
	if len(tags) == 0 {
		w.p("dst = kbin.AppendUvarint(dst, uint32(len(m.UnknownTags)))\nreturn m.UnknownTags.Append(dst)")
		return
	}
	w.p("tags := len(m.UnknownTags)")
	for _, f := range tags {
		w.when(condition(f.versions, within), func() {
			w.p("if %s {\ntags++\n}", f.differs())
		}, func() { w.refuse(f) })
	}
	w.p("dst = kbin.AppendUvarint(dst, uint32(tags))\nif tags == 0 {\nreturn dst, nil\n}")
	w.p("unknown := m.UnknownTags")
	for _, f := range tags {
		w.when(condition(f.versions, within), func() {
			w.p("if dst, unknown, err = unknown.AppendBelow(dst, %d); err != nil {\nreturn dst, err\n}", f.Tag)
			w.p("if %s {", f.differs())
			w.writeTagged(f)
			w.p("}")
		}, nil)
	}
	w.try("unknown.Append(dst)")
}

func (w *writer) writeTagged(f *field) {
	if n := f.size(); n > 0 {
		w.p("dst = append(dst, %d, %d) // tag, size", f.Tag, n)
		w.writeValue(f, true)
		return
	}
	w.p("dst = append(dst, %d)\nstart := len(dst)", f.Tag)
	if f.strct != nil && !f.array && f.nullable {
		w.p("if m.%s == nil {\ndst = append(dst, 1, 0) // size, absent\n} else {", f.goName)
		w.try("m.%s.encode(dst, version)", f.goName)
		w.p("dst = kbin.InsertStructSize(dst, start)\n}")
		return
	}
	w.writeValue(f, true)
	w.p("dst = kbin.InsertSize(dst, start)")
}
