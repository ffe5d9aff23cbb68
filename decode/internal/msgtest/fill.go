package msgtest

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"kraftctl/decode/kbin"
	"kraftctl/decode/schema"
)

var tables = sync.OnceValues(func() (map[string]*schema.Message, error) {
	all, err := schema.All()
	if err != nil {
		return nil, err
	}
	byName := map[string]*schema.Message{}
	for _, m := range all {
		byName[m.Name] = m
	}
	return byName, nil
})

// Fill sets m, a new message, to random values that version can hold.
func Fill(t *rapid.T, m kbin.Message, version int16) {
	byName, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	table := byName[m.MessageName()]
	if table == nil {
		t.Fatalf("no table for %s", m.MessageName())
	}
	f := filler{t, table, version}
	f.fields(reflect.ValueOf(m).Elem(), table.Fields)
}

type filler struct {
	t       *rapid.T
	table   *schema.Message
	version int16
}

func (f *filler) fields(v reflect.Value, fields []schema.Field) {
	v.Addr().MethodByName("SetDefaults").Call(nil)
	for i := range fields {
		field := v.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, fields[i].Name) })
		if !field.IsValid() {
			f.t.Fatalf("%s has no field %s", v.Type(), fields[i].Name)
		}
		if fields[i].Versions.Contains(f.version) {
			f.field(field, &fields[i])
		}
	}
	if tags := v.FieldByName("UnknownTags"); tags.IsValid() && f.table.Flexible.Contains(f.version) {
		numbers := rapid.SliceOfNDistinct(rapid.Uint32Range(100, math.MaxUint32), 0, 3, rapid.ID).Draw(f.t, "tags")
		var list kbin.Tags
		for _, n := range numbers {
			at := 0
			for at < len(list) && list[at].Tag < n {
				at++
			}
			list = append(list[:at], append(kbin.Tags{{Tag: n, Data: f.bytes()}}, list[at:]...)...)
		}
		tags.Set(reflect.ValueOf(list))
	}
}

func (f *filler) bool() bool { return rapid.Bool().Draw(f.t, "bool") }

func (f *filler) bytes() []byte { return rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(f.t, "bytes") }

func (f *filler) field(v reflect.Value, s *schema.Field) {
	switch {
	case s.Nullable.Contains(f.version) && f.bool():
		v.SetZero()
		return
	case s.Tagged.Contains(f.version) && f.bool():
		return // stays at its default
	}
	elem, array := s.Array()
	if !array {
		f.value(v, elem, s)
		return
	}
	n := rapid.IntRange(0, 3).Draw(f.t, "count")
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.value(v.Index(i), elem, s)
	}
}

func (f *filler) value(v reflect.Value, typ string, s *schema.Field) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch typ {
	case "bool":
		v.SetBool(f.bool())
	case "int8", "int16", "int32", "int64":
		v.SetInt(rapid.Int64().Draw(f.t, "int") >> (64 - v.Type().Bits()))
	case "uint16", "uint32":
		v.SetUint(rapid.Uint64().Draw(f.t, "uint") >> (64 - v.Type().Bits()))
	case "float64":
		v.SetFloat(rapid.Float64().Draw(f.t, "float"))
	case "uuid":
		for i := range v.Len() {
			v.Index(i).SetUint(uint64(rapid.Byte().Draw(f.t, "byte")))
		}
	case "string":
		v.SetString(string(f.bytes())) // need not be UTF-8
	case "bytes":
		v.SetBytes(f.bytes())
	default:
		fields := s.Fields
		for _, st := range f.table.Structs {
			if st.Name == typ {
				fields = st.Fields
			}
		}
		f.fields(v, fields)
	}
}

// Diff compares the exported fields of two messages of one type and describes
// the first difference. Null and empty differ, except for unknown tags.
func Diff(a, b any) string { return diff("", reflect.ValueOf(a), reflect.ValueOf(b)) }

func diff(path string, a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Sprintf("%s: nil %t, %t", path, a.IsNil(), b.IsNil())
			}
			return ""
		}
		return diff(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			name := a.Type().Field(i)
			if !name.IsExported() {
				continue
			}
			if d := diff(path+"."+name.Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() && a.Type() != reflect.TypeFor[kbin.Tags]() {
			return fmt.Sprintf("%s: %#v, %#v", path, a.Interface(), b.Interface())
		}
		for i := range a.Len() {
			if d := diff(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return fmt.Sprintf("%s: %v, %v", path, a, b)
		}
		return ""
	}
	if a.Interface() != b.Interface() {
		return fmt.Sprintf("%s: %v, %v", path, a.Interface(), b.Interface())
	}
	return ""
}
