package kafkaconfig

import (
	"math"
	"reflect"
	"testing"
)

func TestParseInteger(t *testing.T) {
	tests := []struct {
		in   string
		t    Type
		want int64
		ok   bool
	}{
		{"0", Int, 0, true}, {"+7", Int, 7, true}, {"-0", Int, 0, true}, {"007", Int, 7, true}, {"2147483647", Int, math.MaxInt32, true},
		{"2147483648", Int, 0, false}, {"2147483648", Long, 1 << 31, true}, {"32768", Short, 0, false}, {"-32768", Short, -32768, true},
		{"٣", Int, 3, true}, {"-９９", Int, -99, true}, {"𝟗", Int, 0, false}, {"", Int, 0, false}, {"+", Int, 0, false}, {"1_0", Int, 0, false},
		{"0x1", Int, 0, false}, {"1.0", Int, 0, false}, {"--1", Int, 0, false}, {" 1", Int, 0, false},
	}
	for _, c := range tests {
		if n, ok := parseInteger(c.in, c.t); ok != c.ok || ok && n != c.want {
			t.Errorf("%q as %v: %d, %v", c.in, c.t, n, ok)
		}
	}
}

func TestParseDouble(t *testing.T) {
	for in, want := range map[string]float64{
		"1": 1, "+1": 1, "-1.5e3": -1500, ".5": .5, "5.": 5, "1d": 1, "1F": 1, "0x1p-3": .125, "0x.8p0f": .5, "0x1p3d": 8, "Infinity": math.Inf(1),
		"-Infinity": math.Inf(-1), "1e400": math.Inf(1), "-1e400": math.Inf(-1), "1e-400": 0, "0xFp0": 15, "0xdp0": 13,
	} {
		if f, ok := parseDouble(in); !ok || f != want {
			t.Errorf("%q: %v, %v", in, f, ok)
		}
	}
	for _, in := range []string{"", "+", "nan", "inf", "infinity", "0x1", "0x", "0xp1", "1_0", "1l", "--1", "e1", ".", "1e", "x", "d", "1ff", "0x1f", "٣"} {
		if f, ok := parseDouble(in); ok {
			t.Errorf("%q is %v", in, f)
		}
	}
	if f, ok := parseDouble("-NaN"); !ok || !math.IsNaN(f) {
		t.Error("-NaN")
	}
}

func TestJavaDouble(t *testing.T) {
	for want, f := range map[string]float64{"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "0.001": .001, "1.0E-4": .0001, "1234567.8": 1234567.8, "1.0E7": 1e7,
		"1.23456789E7": 12345678.9, "NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)} {
		if s := javaDouble(f); s != want {
			t.Errorf("%s: %s", want, s)
		}
	}
}

func TestSplitList(t *testing.T) {
	for in, want := range map[string][]string{
		"": nil, "a": {"a"}, "a,b": {"a", "b"}, "a ,\tb": {"a", "b"}, "a,,b": {"a", "", "b"}, ",": {"", ""}, "a\u00a0,b": {"a\u00a0", "b"}, "a , , b": {"a", "", "b"},
	} {
		if got := splitList(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestHostPort(t *testing.T) {
	for in, want := range map[string][2]string{
		"h:1": {"h", "1"}, ":1": {"", "1"}, "[::1]:9": {"::1", "9"}, "::1:9": {"::1", "9"}, "[h:1": {"h", "1"}, "h]:1": {"h", "1"}, "x://h:1": {"h", "1"},
		"://h:1": {"h", "1"}, "a%b_-.c:00": {"a%b_-.c", "00"},
	} {
		if h, p, ok := HostPort(in); !ok || h != want[0] || p != want[1] {
			t.Errorf("%q: %q %q %v", in, h, p, ok)
		}
	}
	for _, in := range []string{"", "h", "h:", "h:x", "h:-1", "a b:1", "x://y://h:1", "a/b:1", "[[h:1", "é:1", "h:１", "x:y://h:1"} {
		if h, p, ok := HostPort(in); ok {
			t.Errorf("%q: %q %q", in, h, p)
		}
	}
}

func TestJoinHostPort(t *testing.T) {
	for want, host := range map[string]string{"h:1": "h", ":1": "", "127.0.0.1:1": "127.0.0.1", "[::1]:1": "::1", "[fe80::1%eth0]:1": "fe80::1%eth0"} {
		if got := JoinHostPort(host, 1); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
		if h, p, ok := HostPort(want); !ok || h != host || p != "1" {
			t.Errorf("%q does not come back: %q, %q", want, h, p)
		}
	}
	if got := JoinHostPort("[::1]", 1); got != "[::1]:1" {
		t.Errorf("in brackets already: %q", got)
	}
}

func TestAddresses(t *testing.T) {
	for _, s := range []string{"0.0.0.0", "255.1.20.100"} {
		if !isIPv4(s) {
			t.Errorf("%s is not IPv4", s)
		}
	}
	for _, s := range []string{"", "1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "a.b.c.d", "1..2.3"} {
		if isIPv4(s) {
			t.Errorf("%s is IPv4", s)
		}
	}
	for _, s := range []string{"::", "::1", "fe80::1%eth0", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::"} {
		if !isIPv6(s) {
			t.Errorf("%s is not IPv6", s)
		}
	}
	for _, s := range []string{"", "1:2:3:4:5:6:7", "1::2::3", ":1::2", "1::2:", "12345::", "::g", "::1%", "::1%a%b", "::1.2.3", "1:2:3:4:5:6:7:8:9"} {
		if isIPv6(s) {
			t.Errorf("%s is IPv6", s)
		}
	}
}
