package coordinator

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"kraftctl/decode/kbin"
)

func TestRegistries(t *testing.T) {
	for _, c := range []struct {
		name  string
		reg   Registry
		types []int16
		first string
	}{
		{"group", Group, []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23}, "LegacyOffsetCommit"},
		{"share", Share, []int16{0, 1}, "ShareSnapshot"},
		{"transaction", Transaction, []int16{0}, "TransactionLog"},
	} {
		if got := c.reg.Types(); !slices.Equal(got, c.types) {
			t.Errorf("%s: types %v", c.name, got)
		}
		if got := c.reg.Name(0); got != c.first {
			t.Errorf("%s: type 0 is %s", c.name, got)
		}
		for _, typ := range c.types {
			key, value := c.reg.Key(typ), c.reg.Value(typ)
			if key.MessageName() != c.reg.Name(typ)+"Key" || value.MessageName() != c.reg.Name(typ)+"Value" {
				t.Errorf("%s %d: %s, %s", c.name, typ, key.MessageName(), value.MessageName())
			}
		}
		if c.reg.Key(9) != nil || c.reg.Value(99) != nil || c.reg.Name(-1) != "" {
			t.Errorf("%s: knows types that are not there", c.name)
		}
	}
}

// A default of JSON null in the tables is no default: the array is empty, and
// a null is written and printed. A tagged struct that may be null carries a
// varint for that.
func TestTaggedDefaults(t *testing.T) {
	m := NewStreamsGroupMetadataValue()
	if got := m.AppendJSON(nil, 0); string(got) != `{"epoch":0,"metadataHash":0}` {
		t.Errorf("%s", got)
	}
	m.LastAssignmentConfigs = nil
	if got := m.AppendJSON(nil, 0); string(got) != `{"epoch":0,"metadataHash":0,"lastAssignmentConfigs":null}` {
		t.Errorf("%s", got)
	}
	check(t, m, "000000000000000000000000"+"01"+"01"+"01"+"00")

	v := NewConsumerGroupMemberMetadataValue()
	const fixed = "0101010101" + "01" + "ffffffff" + "01"
	v.SubscribedTopicNames = nil // not nullable, so the same as empty
	check(t, v, fixed+"00")
	v.ClassicMemberMetadata = nil
	check(t, v, fixed+"01"+"00"+"01"+"00")
	v.ClassicMemberMetadata = &ClassicMemberMetadata{SessionTimeoutMs: 7}
	check(t, v, fixed+"01"+"00"+"07"+"01"+"00000007"+"01"+"00")
}

func check(t *testing.T, m kbin.Message, want string) {
	t.Helper()
	enc, err := m.Append(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(enc); got != want {
		t.Errorf("%s\n%s, want\n%s", m.MessageName(), got, want)
	}
	if err := m.Read(&kbin.Reader{Src: enc}, 0); err != nil {
		t.Error(err)
	}
	if again, err := m.Append(nil, 0); err != nil || !bytes.Equal(again, enc) {
		t.Errorf("%s again: %x, %v", m.MessageName(), again, err)
	}
}
