package jsonw

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"unicode/utf8"
)

// Bytes and what they become, both in hex. Made with JDK 17 by printing
// new String(bytes, UTF_8).getBytes(UTF_8) for each; the code was also compared
// with it over 400000 random inputs.
var javaVectors = []struct{ in, out string }{
	{`41`, `41`},
	{`c3a9`, `c3a9`},
	{`80`, `efbfbd`},
	{`c0af`, `efbfbdefbfbd`},
	{`c1bf`, `efbfbdefbfbd`},
	{`c2`, `efbfbd`},
	{`c241`, `efbfbd41`},
	{`dfbf`, `dfbf`},
	{`e0a080`, `e0a080`},
	{`e08080`, `efbfbdefbfbdefbfbd`},
	{`e09f41`, `efbfbdefbfbd41`},
	{`e0a0`, `efbfbd`},
	{`e0`, `efbfbd`},
	{`e241`, `efbfbd41`},
	{`e28241`, `efbfbd41`},
	{`eda080`, `efbfbd`},
	{`edbfbf`, `efbfbd`},
	{`eda0`, `efbfbd`},
	{`ed`, `efbfbd`},
	{`eda08041`, `efbfbd41`},
	{`f0908080`, `f0908080`},
	{`f08f8080`, `efbfbdefbfbdefbfbdefbfbd`},
	{`f09080`, `efbfbd`},
	{`f090`, `efbfbd`},
	{`f0`, `efbfbd`},
	{`f09041`, `efbfbd41`},
	{`f0908041`, `efbfbd41`},
	{`f48fbfbf`, `f48fbfbf`},
	{`f4908080`, `efbfbdefbfbdefbfbdefbfbd`},
	{`f490`, `efbfbdefbfbd`},
	{`f5808080`, `efbfbdefbfbdefbfbdefbfbd`},
	{`f580`, `efbfbdefbfbd`},
	{`f8`, `efbfbd`},
	{`ff`, `efbfbd`},
	{`fe80`, `efbfbdefbfbd`},
	{`e28280c3`, `e28280efbfbd`},
	{`80bf80`, `efbfbdefbfbdefbfbd`},
	{`41ff42`, `41efbfbd42`},
	{`f0908080eda080c2`, `f0908080efbfbdefbfbd`},
	{`e4e4b8ad`, `efbfbde4b8ad`},
}

func TestJavaUTF8(t *testing.T) {
	for _, v := range javaVectors {
		in, err := hex.DecodeString(v.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(AppendJavaUTF8(nil, in)); got != v.out {
			t.Errorf("%s gives %s, want %s", v.in, got, v.out)
		}
		if got := hex.EncodeToString(AppendJavaUTF8String(nil, string(in))); got != v.out {
			t.Errorf("string %s gives %s, want %s", v.in, got, v.out)
		}
	}
}

func TestString(t *testing.T) {
	for _, v := range []struct{ in, want string }{
		{"", `""`},
		{"plain text", `"plain text"`},
		{"a\"b\\c/d", `"a\"b\\c/d"`},
		{"\b\t\n\f\r\x00\x0b\x1f\x7f", `"\b\t\n\f\r\u0000\u000B\u001F` + "\x7f" + `"`},
		{"<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"日本 \u2028 é 😀", "\"日本 \u2028 é 😀\""},
		{"\xed\xa0\x80\"\xff", "\"\uFFFD\\\"\uFFFD\""},
	} {
		if got := string(AppendString(nil, v.in)); got != v.want {
			t.Errorf("%q gives %s, want %s", v.in, got, v.want)
		}
		if got := string(AppendStringBytes([]byte("x"), []byte(v.in))); got != "x"+v.want {
			t.Errorf("bytes %q give %s, want %s", v.in, got, v.want)
		}
	}
	s := "s"
	if got := string(AppendNullableString(AppendNullableString(nil, nil), &s)); got != `null"s"` {
		t.Error(got)
	}
}

func TestDouble(t *testing.T) {
	for _, v := range []struct {
		in   float64
		want string
	}{
		{0, "0.0"}, {math.Copysign(0, -1), "-0.0"}, {1, "1.0"}, {-1024, "-1024.0"}, {12345.678, "12345.678"},
		{1e7, "1.0E7"}, {9999999, "9999999.0"}, {9999999.999999998, "9999999.999999998"}, {1e-3, "0.001"},
		{9.9e-4, "9.9E-4"}, {-1e-5, "-1.0E-5"}, {123456789.125, "1.23456789125E8"}, {1.0 / 3, "0.3333333333333333"},
		{1048576, "1048576.0"}, {math.MaxFloat64, "1.7976931348623157E308"}, {2.2250738585072014e-308, "2.2250738585072014E-308"},
		{5e-324, "4.9E-324"}, {1e100, "1.0E100"},
		{math.NaN(), "NaN"}, {math.Inf(1), "Infinity"}, {math.Inf(-1), "-Infinity"},
	} {
		if got := string(AppendJavaDouble(nil, v.in)); got != v.want {
			t.Errorf("%g gives %s, want %s", v.in, got, v.want)
		}
	}
	if got := string(AppendFloat(AppendFloat(nil, math.Inf(-1)), 1)); got != `"-Infinity"1.0` {
		t.Error(got)
	}
}

func TestValues(t *testing.T) {
	u := [16]byte{0xdd, 0x9c, 0x96, 0x57, 0xc9, 0x90, 0x4e, 0x7e, 0xa6, 0x9e, 0x45, 0xc0, 0x03, 0xac, 0x4b, 0x5c}
	for _, v := range []struct {
		got  []byte
		want string
	}{
		{AppendUUID(nil, u), `"3ZyWV8mQTn6mnkXAA6xLXA"`},
		{AppendUUIDs(nil, [][16]byte{u, {15: 1}}), `["3ZyWV8mQTn6mnkXAA6xLXA","AAAAAAAAAAAAAAAAAAAAAQ"]`},
		{AppendBase64(nil, []byte{0xfb, 0xff}), `"+/8="`},
		{AppendBase64(nil, nil), `""`},
		{AppendInt32s(nil, []int32{1, -2147483648}), `[1,-2147483648]`},
		{AppendInt32s(nil, nil), `[]`},
		{AppendInt16s(nil, []int16{1, -32768}), `[1,-32768]`},
		{AppendStrings(nil, []string{"a", "\n"}), `["a","\n"]`},
		{AppendBool(AppendInt(nil, math.MinInt64), true), `-9223372036854775808true`},
		{Comma(append(Comma([]byte("{")), '1')), `{1,`},
	} {
		if string(v.got) != v.want {
			t.Errorf("%s, want %s", v.got, v.want)
		}
	}
}

func FuzzString(f *testing.F) {
	f.Add([]byte("a\x00\"\xf0\x90"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := AppendJavaUTF8(nil, b)
		if !utf8.Valid(text) {
			t.Fatalf("%x gives invalid %x", b, text)
		}
		var back string
		if err := json.Unmarshal(AppendStringBytes(nil, b), &back); err != nil || back != string(text) {
			t.Fatalf("%x reads back as %q, %v", b, back, err)
		}
	})
}

func BenchmarkString(b *testing.B) {
	var out []byte
	for name, s := range map[string]string{"ascii": "min.insync.replicas", "utf8": "日本語のトピック", "escape": "a\"b\nc"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out = AppendString(out[:0], s)
			}
		})
	}
}

func TestAppendInt(t *testing.T) {
	check := func(v int64) {
		if got, want := string(AppendInt([]byte("x"), v)), "x"+strconv.FormatInt(v, 10); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for v := int64(-1100); v <= 1100; v++ {
		check(v)
	}
	for p := int64(1); p > 0 && p <= math.MaxInt64/10; p *= 10 {
		for _, d := range []int64{-1, 0, 1} {
			check(10*p + d)
			check(-10*p + d)
		}
	}
	for shift := range 63 {
		check(1<<shift - 1)
		check(1 << shift)
		check(-1 << shift)
	}
	check(math.MaxInt64)
	check(math.MinInt64)
}
