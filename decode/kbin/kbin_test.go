package kbin

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func kafka(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Kafka()
	}
	return "no error"
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i32, i64 := rapid.Int32().Draw(t, "i32"), rapid.Int64().Draw(t, "i64")
		f := rapid.Float64().Draw(t, "f")
		s := string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "s"))
		var dst []byte
		dst = AppendBool(dst, i32 > 0)
		dst = AppendInt8(dst, int8(i32))
		dst = AppendInt16(dst, int16(i32))
		dst = AppendUint16(dst, uint16(i32))
		dst = AppendInt32(dst, i32)
		dst = AppendUint32(dst, uint32(i32))
		dst = AppendInt64(dst, i64)
		dst = AppendFloat64(dst, f)
		dst = AppendCompactString(dst, s)
		dst = AppendString(dst, s)
		dst = AppendCompactBytes(dst, []byte(s))
		dst = AppendLongBytes(dst, []byte(s))
		at := len(dst)
		dst = AppendUvarint(dst, uint32(i32))
		if len(dst)-at != UvarintLen(uint32(i32)) {
			t.Fatal("UvarintLen")
		}
		at = len(dst)
		dst = AppendVarint(dst, i32)
		if len(dst)-at != VarintLen(i32) {
			t.Fatal("VarintLen")
		}
		at = len(dst)
		dst = AppendVarlong(dst, i64)
		if len(dst)-at != VarlongLen(i64) {
			t.Fatal("VarlongLen")
		}
		r := Reader{Src: dst}
		ok := r.Bool() == (i32 > 0) && r.Int8() == int8(i32) && r.Int16() == int16(i32) && r.Uint16() == uint16(i32) &&
			r.Int32() == i32 && r.Uint32() == uint32(i32) && r.Int64() == i64 && math.Float64bits(r.Float64()) == math.Float64bits(f) &&
			r.CompactString("s") == s && r.String("s") == s && string(r.CompactBytes("s")) == s && string(r.LongBytes("s")) == s &&
			r.Uvarint() == uint32(i32) && r.Varint() == i32 && r.Varlong() == i64
		if !ok || r.Err() != nil || r.Remaining() != 0 {
			t.Fatalf("read back differs at byte %d: %v", r.Pos, r.Err())
		}
		for n := range dst {
			r := Reader{Src: dst[:n]}
			r.Pos = at
			if n <= at {
				r.Pos = n
			}
			r.Varlong()
			if r.OK() {
				t.Fatalf("varlong of %d bytes", n-at)
			}
		}
	})
}

// The values and texts are those of Kafka 4.4's ByteUtils.
func TestVarints(t *testing.T) {
	const tooLong = "Varint is too long, the most significant bit in the 5th byte is set, converted value: "
	for _, v := range []struct {
		in    string
		value uint32
		err   string
	}{
		{"00", 0, ""}, {"8000", 0, ""}, {"ffffffff0f", math.MaxUint32, ""}, {"ffffffff7f", math.MaxUint32, ""},
		{"ff", 0, "null"}, {"", 0, "null"},
		{"ffffffffff", 0, tooLong + "ffffffff"}, {"8080808080", 0, tooLong + "0"}, {"81828384850a", 0, tooLong + "5080c101"},
	} {
		r := Reader{Src: unhex(t, v.in)}
		if got := r.Uvarint(); got != v.value || v.err == "" && r.Err() != nil || v.err != "" && kafka(r.Err()) != v.err {
			t.Errorf("%s: %d, %v", v.in, got, r.Err())
		}
	}
	r := Reader{Src: unhex(t, "ffffffffffffffffff7f")}
	if got := r.Varlong(); got != math.MinInt64 {
		t.Error(got)
	}
	r = Reader{Src: unhex(t, "8182838485868788898a")}
	r.Varlong()
	if got := kafka(r.Err()); got != "Varlong is too long, most significant bit in the 10th byte is set, converted value: 9101c305080c101" {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	for _, v := range []struct {
		in   string
		read func(r *Reader)
		want string
	}{
		{"000000", func(r *Reader) { r.Int32() }, "null"},
		{"05616263", func(r *Reader) { r.CompactString("f") }, "Error reading byte array of 4 byte(s): only 3 byte(s) available"},
		{"00", func(r *Reader) { r.CompactString("aField") }, "non-nullable field aField was serialized as null"},
		{"ffff", func(r *Reader) { r.String("aField") }, "non-nullable field aField was serialized as null"},
		{"818002", func(r *Reader) { r.CompactString("aField") }, "string field aField had invalid length 32768"},
		{"818002", func(r *Reader) { r.CompactNullableString("aField", nil) }, "string field aField had invalid length 32768"},
		{"00", func(r *Reader) { r.CompactBytes("aField") }, "non-nullable field aField was serialized as null"},
		{"00", func(r *Reader) { r.CompactArray("aField") }, "non-nullable field aField was serialized as null"},
		{"00000005ff", func(r *Reader) { r.Array("f") }, "Tried to allocate a collection of size 5, but there are only 1 bytes remaining."},
		{"00000001ff", func(r *Reader) { r.Int32s(nil, r.Array("f")) }, "null"},
		{"ffffffff0f", func(r *Reader) { r.TagCount() }, "Invalid negative number of tagged fields -1"},
		{"0300", func(r *Reader) { r.TagCount() }, "Tried to read 3 tagged fields, but there are only 1 bytes remaining."},
		{"", func(r *Reader) { r.UnknownTag(nil, 1, 2) }, "Error reading byte array of 2 byte(s): only 0 byte(s) available"},
		{"", func(r *Reader) { r.UnknownTag(nil, 1, 0xfffffffb) }, "-5"},
		{"", func(r *Reader) { r.BadTag(1, 0) }, "Tag 1 is not valid for version 0"},
		{"", func(r *Reader) { r.BadVersion("Name", 9) }, "Can't read version 9 of Name"},
	} {
		r := Reader{Src: unhex(t, v.in)}
		v.read(&r)
		if got := kafka(r.Err()); got != v.want || r.OK() || r.Remaining() != 0 {
			t.Errorf("%s, want %s", got, v.want)
		}
		first := r.Err()
		r.Int64()
		r.CompactStrings("x", nil, 1000)
		if r.Err() != first {
			t.Errorf("%v hidden by %v", first, r.Err())
		}
	}
	big := Reader{Src: append(AppendInt32(nil, MaxArray+1), make([]byte, MaxArray+1)...)}
	big.Array("f")
	if got := kafka(big.Err()); got != "Tried to read a collection of size 1000001, which exceeds the maximum allowed size of 1000000." {
		t.Error(got)
	}
	big = Reader{Src: append(AppendUvarint(nil, MaxTags+1), make([]byte, MaxTags+1)...)}
	big.TagCount()
	if got := kafka(big.Err()); got != "Tried to read 10001 tagged fields, which exceeds the maximum allowed count of 10000." {
		t.Error(got)
	}
}

func TestAlias(t *testing.T) {
	src := AppendCompactString(nil, "abc")
	for _, alias := range []bool{false, true} {
		r := Reader{Src: bytes.Clone(src), Alias: alias}
		s := r.CompactString("s")
		r.Pos = 0
		b := r.CompactBytes("b")
		r.Src[1] = 'X'
		if want := map[bool]string{false: "abc", true: "Xbc"}[alias]; s != want || string(b) != want {
			t.Errorf("alias %t: %s, %s", alias, s, b)
		}
	}
	// A value that belongs to an aliased source is not written into.
	r := Reader{Src: bytes.Clone(src), Alias: true}
	aliased := r.CompactBytes("b")
	r.Alias, r.Pos = false, 0
	if copied := r.CompactBytes("b"); &copied[0] == &aliased[0] {
		t.Error("not copied")
	}
}

func TestTags(t *testing.T) {
	tags := Tags{{1, []byte("a")}, {5, nil}, {300, []byte("b")}}
	dst, rest, err := tags.AppendBelow(nil, 5+1)
	if err != nil || hex.EncodeToString(dst) != "0101610500" || len(rest) != 1 {
		t.Errorf("%x, %v, %v", dst, rest, err)
	}
	dst, err = rest.Append(nil)
	if err != nil || hex.EncodeToString(dst) != "ac020162" {
		t.Errorf("%x, %v", dst, err)
	}
	if _, _, err := tags.AppendBelow(nil, 5); kafka(err) != "Attempted to use tag 5 as an undefined tag." {
		t.Error(err)
	}
	if _, err := (Tags{{2, nil}, {1, nil}}).Append(nil); kafka(err) != "Invalid raw tag field list: tag 1 comes after tag 2, but is not higher than it." {
		t.Error(err)
	}
}

func TestInsertSize(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 20000} {
		dst := append([]byte("head"), bytes.Repeat([]byte("x"), n)...)
		want := append(AppendUvarint([]byte("head"), uint32(n)), bytes.Repeat([]byte("x"), n)...)
		if got := InsertSize(bytes.Clone(dst), 4); !bytes.Equal(got, want) {
			t.Errorf("%d: %x", n, got)
		}
		want = append(append(AppendUvarint([]byte("head"), uint32(n)+1), 1), bytes.Repeat([]byte("x"), n)...)
		if got := InsertStructSize(bytes.Clone(dst), 4); !bytes.Equal(got, want) {
			t.Errorf("struct %d: %x", n, got)
		}
	}
}

func TestReuse(t *testing.T) {
	s := []int32{1, 2, 3}
	var spare []int32
	null := Spare(s, &spare)
	back := Reuse(null, &spare)
	if null != nil || len(back) != 0 || cap(back) != 3 || spare != nil {
		t.Errorf("%v %v %v", null, back, spare)
	}
	if e := Extend(back); len(e) != 1 || e[0] != 1 {
		t.Errorf("extended to %v", e)
	}
	if Reset[int](nil) == nil || Reuse[int](nil, new([]int)) == nil {
		t.Error("nil")
	}
}
