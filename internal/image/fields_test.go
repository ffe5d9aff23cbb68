package image_test

import (
	"reflect"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
	"kraftctl/internal/image"
)

// notKept are the fields that are no state of what a record is about, or are
// not kept: see Hash.
var notKept = map[string]bool{"ProducerIdsRecord.BrokerID": true, "ProducerIdsRecord.BrokerEpoch": true, "ClientQuotaRecord.Remove": true}

// TestEveryFieldCounts changes each field of each record of an image: its hash
// differs, the difference is found, and records lead there.
func TestEveryFieldCounts(t *testing.T) {
	v := feature.LatestProduction
	base := full(t, v)
	fields := 0
	for i, m := range fullRecords(v) {
		kind := m.MessageName()
		value := reflect.ValueOf(m).Elem()
		for f := range value.NumField() {
			name := kind + "." + value.Type().Field(f).Name
			if !value.Type().Field(f).IsExported() || value.Type().Field(f).Name == "UnknownTags" || notKept[name] {
				continue
			}
			records := fullRecords(v)
			changed := reflect.ValueOf(records[i]).Elem().Field(f)
			if !mutate(changed) {
				t.Errorf("%s cannot be changed", name)
				continue
			}
			fields++
			d := image.NewDelta(image.Empty())
			refused := false
			for _, r := range records {
				refused = d.Replay(r) != nil || refused // a partition of another topic
			}
			img := d.Image(image.Provenance{Offset: 99})
			if img.Hash() == base.Hash() || len(differences(base, img)) == 0 {
				t.Errorf("%s does not count", name)
			}
			if refused || kind == "FeatureLevelRecord" {
				continue
			}
			checkBetween(t, base, img)
			checkBetween(t, img, base)
		}
	}
	if fields < 80 {
		t.Errorf("%d fields", fields)
	}
}

// mutate changes a value to another one that is valid.
func mutate(v reflect.Value) bool {
	switch x := v.Addr().Interface().(type) {
	case *kbin.UUID:
		x[14]++
		return true
	case *[]byte:
		*x = append(*x, 7)
		return true
	case *[]kbin.UUID:
		if len(*x) > 0 {
			*x = append([]kbin.UUID{{9}}, (*x)[1:]...)
			return true
		}
		*x = []kbin.UUID{{9}}
		return true
	case **string:
		*x = ptr("other")
		return true
	case *[]string:
		*x = append(*x, "more")
		return true
	case *[]metadata.EntityData:
		*x = (*x)[:1]
		return true
	case *[]int32:
		*x = append([]int32{8}, (*x)[min(1, len(*x)):]...)
		return true
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ 1)
	case reflect.Uint16:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice: // of endpoints or features
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			return true
		}
		for f := range v.Index(0).NumField() {
			if field := v.Index(0).Field(f); field.CanSet() && field.Kind() == reflect.String {
				field.SetString(field.String() + "x")
				return true
			}
		}
		return false
	default:
		return false
	}
	return true
}

// TestInnerFieldsCount does the same for listeners and features of nodes, and for
// who a quota is for.
func TestInnerFieldsCount(t *testing.T) {
	v := feature.LatestProduction
	base := full(t, v)
	for i, m := range fullRecords(v) {
		inner := []string{"EndPoints", "Features", "Entity"}
		for _, list := range inner {
			field := reflect.ValueOf(m).Elem().FieldByName(list)
			if !field.IsValid() || field.Len() == 0 {
				continue
			}
			for f := range field.Index(0).NumField() {
				if name := field.Index(0).Type().Field(f); !name.IsExported() || name.Name == "UnknownTags" {
					continue
				}
				records := fullRecords(v)
				if !mutate(reflect.ValueOf(records[i]).Elem().FieldByName(list).Index(0).Field(f)) {
					t.Errorf("%s.%s cannot be changed", list, field.Index(0).Type().Field(f).Name)
				}
				d := image.NewDelta(image.Empty())
				for _, r := range records {
					if err := d.Replay(r); err != nil {
						t.Fatal(err)
					}
				}
				img := d.Image(image.Provenance{})
				if img.Hash() == base.Hash() {
					t.Errorf("%s of %s: %s does not count", list, m.MessageName(), field.Index(0).Type().Field(f).Name)
				}
				checkBetween(t, base, img)
			}
		}
	}
}
