package main

import "strconv"

// json writes AppendJSON. Keys are constants that carry their comma; only
// while it is not certain that a field was printed is that left to run time.
func (w *writer) json(st *strct) {
	w.p("// AppendJSON appends the fields of this version as Kafka's tools print them.")
	w.p("func (m *%s) AppendJSON(dst []byte, version int16) []byte {", st.goName)
	const (
		begin = iota // nothing printed, not even the brace
		maybe        // the brace, and perhaps a field
		sure         // at least one field
	)
	state := begin
	for _, f := range st.fields {
		cond := condition(f.versions, st.valid)
		if f.tagged {
			if cond != "" {
				cond += " && "
			}
			cond += f.differs()
		}
		if state == begin && cond != "" {
			w.p("dst = append(dst, '{')")
			state = maybe
		}
		w.when(cond, func() {
			key := strconv.Quote(f.camel) + ":"
			switch state {
			case begin:
				key = "{" + key
			case maybe:
				w.p("dst = jsonw.Comma(dst)")
			default:
				key = "," + key
			}
			w.p("dst = append(dst, `%s`...)", key)
			w.jsonValue(f)
		}, nil)
		if cond == "" {
			state = sure
		}
	}
	if state == begin {
		w.p("return append(dst, `{}`...)\n}\n")
		return
	}
	w.p("return append(dst, '}')\n}\n")
}

func (w *writer) jsonValue(f *field) {
	name := "m." + f.goName
	if f.writesNull() && (f.array || f.elem == "bytes" || f.strct != nil) {
		w.p("if %s == nil {\ndst = append(dst, `null`...)\n} else {", name)
		defer w.p("}")
	}
	switch {
	case f.array && f.strct != nil:
		w.p("dst = append(dst, '[')\nfor i := range %s {\nif i > 0 {\ndst = append(dst, ',')\n}", name)
		w.p("dst = %s[i].AppendJSON(dst, version)\n}\ndst = append(dst, ']')", name)
	case f.array:
		w.p("dst = jsonw.Append%ss(dst, %s)", f.method(), name)
	case f.strct != nil:
		w.p("dst = %s.AppendJSON(dst, version)", name)
	case f.elem == "string" && f.nullable:
		w.p("dst = jsonw.AppendNullableString(dst, %s)", name)
	case f.elem == "string":
		w.p("dst = jsonw.AppendString(dst, %s)", name)
	case f.elem == "bytes":
		w.p("dst = jsonw.AppendBase64(dst, %s)", name)
	case f.elem == "uuid":
		w.p("dst = jsonw.AppendUUID(dst, %s)", name)
	case f.elem == "bool":
		w.p("dst = jsonw.AppendBool(dst, %s)", name)
	case f.elem == "float64":
		w.p("dst = jsonw.AppendFloat(dst, %s)", name)
	case f.elem == "int64":
		w.p("dst = jsonw.AppendInt(dst, %s)", name)
	default:
		w.p("dst = jsonw.AppendInt(dst, int64(%s))", name)
	}
}
