package metadata

import (
	"errors"
	"testing"

	"kraftctl/decode/kbin"
)

func TestRegistry(t *testing.T) {
	keys := Keys()
	if len(keys) != 27 || keys[0] != 0 || keys[len(keys)-1] != 29 {
		t.Errorf("keys %v", keys)
	}
	for i, key := range keys {
		if i > 0 && key <= keys[i-1] {
			t.Errorf("key %d after %d", key, keys[i-1])
		}
		if m := New(key); m == nil {
			t.Errorf("no message for key %d", key)
		}
		if back, ok := KeyOf(TypeName(key)); !ok || back != key {
			t.Errorf("key %d is %s is %d", key, TypeName(key), back)
		}
	}
	for _, key := range []int16{-1, 6, 13, 16, 30} { // removed long ago, or not yet there
		if New(key) != nil || TypeName(key) != "" {
			t.Errorf("there is a record %d", key)
		}
	}
	if _, ok := KeyOf("SOME_RECORD"); ok {
		t.Error("there is a SOME_RECORD")
	}
	if got := TypeName(KeyZkMigrationStateRecord); got != "ZK_MIGRATION_STATE_RECORD" {
		t.Error(got)
	}
}

// Setting a field that the version does not have is an error, unless it is at
// its default.
func TestNonDefault(t *testing.T) {
	check := func(m kbin.Message, version int16, want string) {
		t.Helper()
		_, err := m.Append(nil, version)
		var e *kbin.Error
		if !errors.As(err, &e) || e.Kafka() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p := NewPartitionRecord()
	if _, err := p.Append(nil, 0); err != nil {
		t.Error(err)
	}
	p.LastKnownELR = []int32{}
	check(p, 1, "Attempted to write a non-default lastKnownElr at version 1")
	p.Directories = []kbin.UUID{{}}
	check(p, 0, "Attempted to write a non-default directories at version 0")
	b := NewRegisterBrokerRecord()
	b.IsMigratingZkBroker = true
	check(b, 1, "Attempted to write a non-default isMigratingZkBroker at version 1")
	topic := NewTopicRecord()
	topic.Name = string(make([]byte, 0x8000))
	check(topic, 0, "'name' field is too long to be serialized")
}

// A tag that a later version introduced is damage in an earlier one, and a
// known tag is not an unknown one.
func TestTags(t *testing.T) {
	c := NewBrokerRegistrationChangeRecord()
	c.CordonedLogDirs = []kbin.UUID{}
	enc, err := c.Append(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Read(&kbin.Reader{Src: enc}, 1)
	var e *kbin.Error
	if !errors.As(err, &e) || e.Kafka() != "Tag 3 is not valid for version 1" {
		t.Error(err)
	}
	c = NewBrokerRegistrationChangeRecord()
	for _, tags := range []kbin.Tags{{{Tag: 0}}, {{Tag: 3}}, {{Tag: 9}, {Tag: 9}}, {{Tag: 9}, {Tag: 8}}} {
		c.UnknownTags = tags
		if _, err := c.Append(nil, 3); err == nil {
			t.Errorf("wrote tags %v", tags)
		}
	}
}

// What is read alternately as null and as an array needs no memory either.
func TestReadDoesNotAllocate(t *testing.T) {
	change := NewPartitionChangeRecord()
	var encs [][]byte
	for i := range 4 {
		change.ISR, change.Replicas, change.Directories = nil, nil, nil
		if i%2 == 0 {
			change.ISR = []int32{1, 2, 3}
			change.Directories = []kbin.UUID{{1}, {2}}
		} else {
			change.Replicas = []int32{4, 5, 6}
		}
		enc, err := change.Append(nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		encs = append(encs, enc)
	}
	r := kbin.Reader{Alias: true}
	var got PartitionChangeRecord
	i := 0
	if n := testing.AllocsPerRun(1000, func() {
		r.Reset(encs[i%len(encs)])
		if err := got.Read(&r, 2); err != nil {
			t.Fatal(err)
		}
		i++
	}); n != 0 {
		t.Errorf("%v allocations per record", n)
	}
	broker := NewRegisterBrokerRecord()
	rack := "rack"
	broker.Rack = &rack
	broker.EndPoints = []BrokerEndpoint{{Name: "A", Host: "host", Port: 9092}, {Name: "B", Host: "host"}}
	broker.Features = []BrokerFeature{{Name: "metadata.version", MaxSupportedVersion: 33}}
	enc, err := broker.Append(nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1000, func() {
		r.Reset(enc)
		if err := broker.Read(&r, 4); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per broker", n)
	}
}

func BenchmarkPartitionRecord(b *testing.B) {
	dir := kbin.UUID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	p := NewPartitionRecord()
	p.PartitionID, p.TopicID = 123, dir
	p.Replicas, p.ISR = []int32{1001, 1002, 1003}, []int32{1001, 1002, 1003}
	p.Leader, p.LeaderEpoch, p.PartitionEpoch = 1001, 12, 345
	p.Directories = []kbin.UUID{dir, dir, dir}
	enc, err := p.Append(nil, 1)
	if err != nil {
		b.Fatal(err)
	}
	r := kbin.Reader{Alias: true}
	var out []byte
	b.Run("Read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Reset(enc)
			if err := p.Read(&r, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("AppendJSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out = p.AppendJSON(out[:0], 1)
		}
	})
	b.Run("Append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out, _ = p.Append(out[:0], 1)
		}
	})
}
