package main

import "sort"

func (w *writer) decode(st *strct) {
	w.p("func (m *%s) decode(r *kbin.Reader, version int16) {", st.goName)
	if !st.top {
		// Kafka checks this even where it does not check the message.
		w.p("if version > %d {\nr.BadVersion(%q, version)\nreturn\n}", st.valid.Max, st.name)
	}
	w.flexibleVar(st)
	for _, f := range st.fields {
		if f.tagged {
			w.reset(f)
			continue
		}
		w.when(condition(f.versions, st.valid), func() { w.readField(st, f) }, func() { w.reset(f) })
	}
	if !st.flexible.Empty() {
		w.p("m.UnknownTags = m.UnknownTags[:0]")
		if condition(st.flexible, st.valid) != "" {
			w.p("if !flexible {\nreturn\n}")
		}
		w.p("for n := r.TagCount(); n > 0 && r.OK(); n-- {")
		w.p("tag, size := r.Uvarint(), r.Uvarint()")
		if tags := taggedFields(st); len(tags) > 0 {
			w.p("switch tag {")
			for _, f := range tags {
				w.p("case %d:", f.Tag)
				w.when(condition(f.versions, st.valid.Intersect(st.flexible)), func() { w.readTagged(f) }, func() {
					w.p("r.BadTag(%d, version)", f.Tag)
				})
			}
			w.p("default:\nm.UnknownTags = r.UnknownTag(m.UnknownTags, tag, size)\n}")
		} else {
			w.p("m.UnknownTags = r.UnknownTag(m.UnknownTags, tag, size)")
		}
		w.p("}")
	}
	w.p("}\n")
}

// taggedFields returns the tagged fields in ascending order of their tags.
func taggedFields(st *strct) []*field {
	var tags []*field
	for _, f := range st.fields {
		if f.tagged {
			tags = append(tags, f)
		}
	}
	sort.Slice(tags, func(i, j int) bool { return tags[i].Tag < tags[j].Tag })
	return tags
}

func (w *writer) readField(st *strct, f *field) {
	if f.array || f.elem == "string" || f.elem == "bytes" {
		w.encodings(st, func(flexible bool) { w.readValue(f, flexible) })
		return
	}
	w.readValue(f, false)
}

func (w *writer) readTagged(f *field) {
	if f.strct != nil && !f.array && f.nullable {
		// Unlike outside a tagged section, presence is a varint here.
		w.p("if int32(r.Uvarint()) <= 0 {\nm.%s = nil\n} else {", f.goName)
		w.readStruct(f)
		w.p("}")
		return
	}
	w.readValue(f, true)
}

func (w *writer) readStruct(f *field) {
	if f.pointer() {
		w.p("if m.%s == nil {\nm.%s = new(%s)\n}", f.goName, f.goName, f.strct.goName)
	}
	w.p("m.%s.decode(r, version)", f.goName)
}

func (w *writer) readValue(f *field, flexible bool) {
	name := "m." + f.goName
	compact := ""
	if flexible {
		compact = "Compact"
	}
	switch {
	case f.array:
		w.readArray(f, compact)
	case f.strct != nil && f.nullable:
		w.p("if r.Int8() < 0 {\n%s = nil\n} else {", name)
		w.readStruct(f)
		w.p("}")
	case f.strct != nil:
		w.readStruct(f)
	case f.elem == "string" && f.nullable && flexible:
		w.p("%s = r.CompactNullableString(%q, %s)", name, f.camel, name)
	case f.elem == "string" && f.nullable:
		w.p("%s = r.NullableString(%s)", name, name)
	case f.elem == "string":
		w.p("%s = r.%sString(%q)", name, compact, f.camel)
	case f.elem == "bytes":
		form := "Long"
		if flexible {
			form = "Compact"
		}
		if f.nullable {
			w.p("%s = r.%sNullableBytes()", name, form)
		} else {
			w.p("%s = r.%sBytes(%q)", name, form, f.camel)
		}
	default:
		w.p("%s = r.%s()", name, f.method())
	}
}

func (w *writer) readArray(f *field, compact string) {
	name := "m." + f.goName
	if f.nullable {
		w.p("if n := r.%sNullableArray(); n < 0 {", compact)
		w.p("%s = kbin.Spare(%s, &m.%s)\n} else {", name, name, f.spare())
		w.readElements(f, compact, "kbin.Reuse("+name+", &m."+f.spare()+")", "n")
		w.p("}")
		return
	}
	count := "r." + compact + "Array(\"" + f.camel + "\")"
	w.readElements(f, compact, name, count)
}

func (w *writer) readElements(f *field, compact, memory, count string) {
	name := "m." + f.goName
	switch {
	case f.strct != nil:
		if !f.nullable {
			memory = "kbin.Reset(" + memory + ")"
		}
		w.p("%s = %s", name, memory)
		if count == "n" {
			w.p("for i := 0; i < n && r.OK(); i++ {")
		} else {
			w.p("for i, n := 0, %s; i < n && r.OK(); i++ {", count)
		}
		w.p("%s = kbin.Extend(%s)\n%s[i].decode(r, version)\n}", name, name, name)
	case f.elem == "string":
		w.p("%s = r.%sStrings(%q, %s, %s)", name, compact, f.camel+" element", memory, count)
	default:
		w.p("%s = r.%ss(%s, %s)", name, f.method(), memory, count)
	}
}
