package schema

import "testing"

func TestAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 94 {
		t.Errorf("%d tables", len(all))
	}
	names := map[string]bool{}
	for _, m := range all {
		if names[m.Name] || m.Name == "" || m.Valid.Empty() {
			t.Errorf("%s: name %q, versions %s", m.Path, m.Name, m.Valid)
		}
		names[m.Name] = true
	}
}

func TestFields(t *testing.T) {
	m, err := Load("metadata/PartitionRecord.json")
	if err != nil {
		t.Fatal(err)
	}
	f := m.Fields[len(m.Fields)-1]
	if f.Name != "LastKnownElr" || f.Tag != 2 || !f.NullDflt || f.Versions.String() != "2+" || f.Nullable.String() != "2+" {
		t.Errorf("%+v", f)
	}
	if elem, array := f.Array(); elem != "int32" || !array || !Primitive(elem) {
		t.Errorf("element %s", elem)
	}
	// Without versions those of the tag count, and a JSON null is no default.
	m, err = Load("group/StreamsGroupMetadataValue.json")
	if err != nil {
		t.Fatal(err)
	}
	f = m.Fields[3]
	if f.Versions.String() != "0+" || f.NullDflt || f.Default != "" {
		t.Errorf("%+v", f)
	}
	if elem, _ := f.Array(); Primitive(elem) {
		t.Errorf("%s is primitive", elem)
	}
}

func TestVersions(t *testing.T) {
	for in, want := range map[string]string{"3": "3", "0-4": "0-4", "2+": "2+", "none": "none", "": "none", "5-5": "5"} {
		if v, err := ParseVersions(in); err != nil || v.String() != want {
			t.Errorf("%q is %s, %v", in, v, err)
		}
	}
	for _, in := range []string{"x", "1-", "+", "4-2", "-1", "40000"} {
		if v, err := ParseVersions(in); err == nil || !v.Empty() {
			t.Errorf("%q is %s", in, v)
		}
	}
	a, b := Versions{0, 4}, Versions{3, 32767}
	if got := a.Intersect(b); got != (Versions{3, 4}) {
		t.Error(got)
	}
	if a.Intersect(Versions{5, 6}) != NoVersions || !a.Covers(NoVersions) || a.Covers(b) || !b.Contains(9) || NoVersions.Contains(0) {
		t.Error("set operations")
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		`{`, `{"validVersions": "x"}`, `{"validVersions": "0", "flexibleVersions": "x"}`,
		`{"validVersions": "0", "fields": [{"versions": "x"}]}`,
		`{"validVersions": "0", "commonStructs": [{"versions": "0", "fields": [{"versions": "0", "taggedVersions": "x"}]}]}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("parsed %s", text)
		}
	}
	if _, err := Load("nowhere.json"); err == nil {
		t.Error("loaded nowhere.json")
	}
}
