package main

import "strings"

func (w *writer) registry(p pkg, all []*message) {
	w.p("// Messages returns a new message of every kind in this package, sorted by name.")
	w.p("func Messages() []kbin.Message {\nreturn []kbin.Message{")
	for _, m := range all {
		w.p("New%s(),", m.goName)
	}
	w.p("}\n}\n")
	switch p.registry {
	case keyed:
		w.keyed(byKey(all, "metadata"))
	case coordinator:
		for _, folder := range p.folders {
			w.coordinator(folder, all)
		}
	}
}

// byKey returns the messages of a kind in ascending order of api keys.
func byKey(all []*message, kind string) []*message {
	var out []*message
	for key := int16(0); key < 1000; key++ {
		for _, m := range all {
			if m.APIKey == key && m.Kind == kind {
				out = append(out, m)
			}
		}
	}
	return out
}

func (w *writer) keyed(all []*message) {
	w.p("// The api keys of the record kinds.\nconst (")
	for _, m := range all {
		w.p("Key%s int16 = %d", m.goName, m.APIKey)
	}
	w.p(")\n")
	w.p("// New returns a new record of the kind with this api key, every field at its\n// default, or nil if there is no such kind.")
	w.p("func New(apiKey int16) kbin.Message {\nswitch apiKey {")
	for _, m := range all {
		w.p("case Key%s:\nreturn New%s()", m.goName, m.goName)
	}
	w.p("}\nreturn nil\n}\n")
	w.p("// TypeName returns the name that Kafka's tools print for the api key, such as\n// %s, or the empty string if there is no such kind.", typeName(all[0]))
	w.p("func TypeName(apiKey int16) string {\nswitch apiKey {")
	for _, m := range all {
		w.p("case Key%s:\nreturn %q", m.goName, typeName(m))
	}
	w.p("}\nreturn \"\"\n}\n")
	w.p("// KeyOf is the inverse of TypeName.")
	w.p("func KeyOf(typeName string) (apiKey int16, ok bool) {\nswitch typeName {")
	for _, m := range all {
		w.p("case %q:\nreturn Key%s, true", typeName(m), m.goName)
	}
	w.p("}\nreturn 0, false\n}\n")
	w.p("// Keys returns the api keys in ascending order.\nfunc Keys() []int16 {\nreturn []int16{")
	for _, m := range all {
		w.p("Key%s,", m.goName)
	}
	w.p("}\n}")
}

// coordinator writes the registry of one coordinator's log.
func (w *writer) coordinator(folder string, all []*message) {
	var own []*message
	for _, m := range all {
		if strings.HasPrefix(m.Path, folder+"/") {
			own = append(own, m)
		}
	}
	values := byKey(own, "coordinator-value")
	name := strings.ToUpper(folder[:1]) + folder[1:]
	w.p("// %s holds the record types of the %s coordinator's log.", name, folder)
	w.p("var %s = Registry{[]kind{", name)
	for i, key := range byKey(own, "coordinator-key") {
		value := values[i]
		w.p("{%d, %q,\nfunc() kbin.Message { return New%s() },\nfunc() kbin.Message { return New%s() }},",
			key.APIKey, strings.TrimSuffix(key.Name, "Key"), key.goName, value.goName)
	}
	w.p("}}\n")
}
