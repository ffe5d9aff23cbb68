// Package msgtest checks generated message types: every kind in every version
// round-trips, survives truncation, and keeps what it does not know. Each
// package of generated types runs it over its own Messages.
package msgtest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/decode/kbin"
)

// Run is the property test of one package. newAll returns a new message of
// every kind.
func Run(t *testing.T, newAll func() []kbin.Message) {
	for i, m := range newAll() {
		lowest, highest := m.Versions()
		for v := lowest; v <= highest; v++ {
			t.Run(fmt.Sprintf("%s/v%d", m.MessageName(), v), func(t *testing.T) {
				used := newAll()[i] // carries values from one check to the next
				rapid.Check(t, func(t *rapid.T) {
					want := newAll()[i]
					Fill(t, want, v)
					roundTrip(t, want, newAll()[i], used, v)
				})
				versions(t, newAll()[i])
			})
		}
	}
}

func roundTrip(t *rapid.T, want, fresh, used kbin.Message, version int16) {
	enc, err := want.Append([]byte("keep"), version)
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	if string(enc[:4]) != "keep" {
		t.Fatal("append changed what was there before")
	}
	enc = enc[4:]
	for _, got := range []kbin.Message{fresh, used} {
		for _, alias := range []bool{true, false} {
			r := kbin.Reader{Src: bytes.Clone(enc), Alias: alias}
			if err := got.Read(&r, version); err != nil {
				t.Fatalf("read: %v\n%x", err, enc)
			}
			if r.Remaining() != 0 {
				t.Fatalf("%d bytes left", r.Remaining())
			}
			if diff := Diff(want, got); diff != "" {
				t.Fatalf("read back differs: %s\n%x", diff, enc)
			}
			again, err := got.Append(nil, version)
			if err != nil || !bytes.Equal(again, enc) {
				t.Fatalf("encoded again: %v\n%x\nfirst\n%x", err, again, enc)
			}
			a, b := want.AppendJSON(nil, version), got.AppendJSON(nil, version)
			if !bytes.Equal(a, b) {
				t.Fatalf("JSON %s, before %s", b, a)
			}
		}
	}
	for n := range enc {
		// Fewer bytes can still be a message, when the cut is in an array of
		// tags that was not needed; but reading must come back.
		r := kbin.Reader{Src: enc[:n:n]}
		if err := fresh.Read(&r, version); err == nil && n == 0 {
			t.Fatal("read a message from nothing")
		} else if err != nil {
			var e *kbin.Error
			if !errors.As(err, &e) || e.Kafka() == "" || e.Error() == "" {
				t.Fatalf("error %v", err)
			}
		}
	}
}

// versions checks that versions outside the range are refused, unless reading
// was told to take them.
func versions(t *testing.T, m kbin.Message) {
	lowest, highest := m.Versions()
	for _, v := range []int16{lowest - 1, highest + 1, 32767, -32768} {
		m.SetDefaults()
		if _, err := m.Append(nil, v); !is(err, kbin.KindWriteVersion) {
			t.Errorf("append at version %d: %v", v, err)
		}
		if err := m.Read(&kbin.Reader{}, v); !is(err, kbin.KindReadVersion) {
			t.Errorf("read at version %d: %v", v, err)
		}
		as := lowest
		if v > highest {
			as = highest
		}
		enc, err := m.Append(nil, as)
		if err != nil {
			t.Fatal(err)
		}
		r := kbin.Reader{Src: enc, AnyVersion: true}
		err = m.Read(&r, v)
		var e *kbin.Error
		if errors.As(err, &e) && e.Kind == kbin.KindReadVersion && e.Field != m.MessageName() {
			continue // a nested struct refuses, as Kafka's do
		}
		if err != nil || r.Remaining() != 0 {
			t.Errorf("lenient read at version %d: %v, %d bytes left", v, err, r.Remaining())
		}
	}
}

func is(err error, kind kbin.Kind) bool {
	var e *kbin.Error
	return errors.As(err, &e) && e.Kind == kind
}

// Fuzz is the fuzz target of one package: any bytes, read as any kind in any
// version, give an error or a message that is stable from then on.
func Fuzz(f *testing.F, newAll func() []kbin.Message) {
	for i, m := range newAll() {
		lowest, highest := m.Versions()
		for v := lowest; v <= highest; v++ {
			seed := rapid.Custom(func(t *rapid.T) []byte {
				m := newAll()[i]
				Fill(t, m, v)
				enc, err := m.Append(nil, v)
				if err != nil {
					t.Fatal(err)
				}
				return enc
			})
			for n := range 3 {
				f.Add(uint8(i), v, seed.Example(n))
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, version int16, data []byte) {
		all := newAll()
		m := all[int(kind)%len(all)]
		r := kbin.Reader{Src: data, Alias: true, AnyVersion: true}
		_ = m.Read(&r, version) // whatever comes out, it must come out
		r = kbin.Reader{Src: data, Alias: true}
		if m.Read(&r, version) != nil {
			return
		}
		first, err := m.Append(nil, version)
		if is(err, kbin.KindTagOrder) {
			return // reading does not mind, writing does
		}
		if err != nil {
			t.Fatalf("append: %v", err)
		}
		again := newAll()[int(kind)%len(all)]
		if err := again.Read(&kbin.Reader{Src: first}, version); err != nil {
			t.Fatalf("read again: %v\n%x", err, first)
		}
		second, err := again.Append(nil, version)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("not stable: %v\n%x\n%x", err, first, second)
		}
		if a, b := m.AppendJSON(nil, version), again.AppendJSON(nil, version); !bytes.Equal(a, b) {
			t.Fatalf("JSON %s, then %s", a, b)
		}
	})
}
