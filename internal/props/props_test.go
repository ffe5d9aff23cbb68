package props

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// vectors reads a file made by testdata/Vectors.java. KRAFTCTL_PROPS_VECTORS
// names another directory, for a run over very many of them.
func vectors(t testing.TB, file string, f func(fields []string)) {
	t.Helper()
	dir := os.Getenv("KRAFTCTL_PROPS_VECTORS")
	if dir == "" {
		dir = "testdata"
	}
	in, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		f(strings.Split(s.Text(), " "))
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}

func fromHex(t testing.TB, s string) []byte {
	if s == "-" {
		return nil
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// javaString turns hexadecimal UTF-16 into one of our strings.
func javaString(t testing.TB, s string) string {
	var out []byte
	for b := fromHex(t, s); len(b) > 0; b = b[2:] {
		out = appendUnit(out, uint16(b[0])<<8|uint16(b[1]))
	}
	return string(out)
}

// pairs reads a count and that many keys and values.
func pairs(t testing.TB, fields []string) []Property {
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	var out []Property
	for i := range n {
		out = append(out, Property{javaString(t, fields[1+2*i]), javaString(t, fields[2+2*i])})
	}
	return out
}

func TestReadAsJava(t *testing.T) {
	vectors(t, "load.txt", func(f []string) {
		in := fromHex(t, f[1])
		got, err := Read(in, Charset(f[0][0]-'0'))
		if want := pairs(t, f[3:]); !slices.Equal(got, want) || (err != nil) != (f[2] == "err") {
			t.Errorf("%s %q: got %q, %v; want %q, %s", f[0], in, got, err, want, f[2])
		}
	})
}

var date = time.Date(2026, 11, 29, 12, 53, 42, 0, time.UTC)

func TestStoreAsJava(t *testing.T) {
	stamp := string(AppendDate(nil, date))
	vectors(t, "store.txt", func(f []string) {
		puts := pairs(t, f[3:])
		var keys []string
		for _, p := range puts {
			keys = append(keys, p.Key)
		}
		var list []Property
		for _, k := range HashOrder(keys) {
			v, _ := Get(puts, k)
			list = append(list, Property{k, v})
		}
		for cs := range UTF8 + 1 {
			want := fromHex(t, f[1+cs])
			// The date is the only line with " UTC " in it.
			at := bytes.Index(want, []byte(" UTC ")) - len("Sun Nov 29 12:53:42")
			want = slices.Concat(want[:at], []byte(stamp), want[at+len(stamp):])
			got := Append(nil, cs, Header{Comment: javaString(t, f[0]), Date: date}, list)
			if !bytes.Equal(got, want) {
				t.Errorf("charset %d: got %q, want %q", cs, got, want)
			}
		}
	})
}

func TestHashOrderAsJava(t *testing.T) {
	vectors(t, "order.txt", func(f []string) {
		n, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, k := range f[1:] {
			all = append(all, javaString(t, k))
		}
		if got := HashOrder(all[:n]); !slices.Equal(got, all[n:]) {
			t.Errorf("put %q: got %q, want %q", all[:n], got, all[n:])
		}
	})
}

func TestOrders(t *testing.T) {
	keys := []string{"version", "cluster.id", "node.id", "directory.id", "node.id"}
	if got, want := HashOrder(keys), []string{"node.id", "directory.id", "version", "cluster.id"}; !slices.Equal(got, want) {
		t.Errorf("hash order %v, want %v as Kafka 4.4.0 on Java 17 wrote it", got, want)
	}
	if got, want := SortedOrder(keys), []string{"cluster.id", "directory.id", "node.id", "version"}; !slices.Equal(got, want) {
		t.Errorf("sorted order %v, want %v", got, want)
	}
	// By code units, an emoji (a surrogate pair, D83D...) comes before U+FF5E.
	if got := SortedOrder([]string{"\uff5e", "😀"}); got[0] != "😀" {
		t.Errorf("sorted by code points: %q", got)
	}
}

func TestSyntaxErrorPlace(t *testing.T) {
	in := "# comment\r\na=1\n\n  b=\\\n   \\u00zz\nc=3\n"
	got, err := Read([]byte(in), Latin1)
	var e *SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	if e.Line != 4 || e.Pos != 18 || !reflect.DeepEqual(got, []Property{{"a", "1"}}) {
		t.Errorf("line %d, byte %d, %q before it", e.Line, e.Pos, got)
	}
	if want := `line 4: malformed \uXXXX encoding in the value of b`; err.Error() != want {
		t.Errorf("%s", err)
	}
}

// TestSyntaxErrorHidesValues: whatever a line holds, no part of a value is shown.
func TestSyntaxErrorHidesValues(t *testing.T) {
	for in, want := range map[string]string{
		`ssl.key.password=hunter2\u12`:                "line 1: malformed \\uXXXX encoding in the value of ssl.key.password",
		`ssl.key.password hunter2\u12`:                "line 1: malformed \\uXXXX encoding in the value of ssl.key.password",
		"a=1\n ssl.key.password : hun\\\n  ter2\\u12": "line 2: malformed \\uXXXX encoding in the value of ssl.key.password",
		`hunter2\u12`:                           "line 1: malformed \\uXXXX encoding", // a line that was to continue the one before
		`hunter2\u12=`:                          "line 1: malformed \\uXXXX encoding",
		`hunter2/x+y\u12==`:                     "line 1: malformed \\uXXXX encoding",
		`hunter2/x+y==\u12`:                     "line 1: malformed \\uXXXX encoding",
		`pass\=hunter2=\u12`:                    "line 1: malformed \\uXXXX encoding",
		strings.Repeat("hunter2", 50) + `=\u12`: "line 1: malformed \\uXXXX encoding",
		`=hunter2\u12`:                          "line 1: malformed \\uXXXX encoding",
	} {
		_, err := Read([]byte(in), Latin1)
		if err == nil || err.Error() != want || strings.Contains(fmt.Sprintf("%+v %#v", err, err), "hunter2") {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestUnique(t *testing.T) {
	list, err := Read([]byte("a=1\nb=2\na=3\n"), Latin1)
	if err != nil {
		t.Fatal(err)
	}
	if got := Unique(list); !slices.Equal(got, []Property{{"a", "3"}, {"b", "2"}}) {
		t.Errorf("%q", got)
	}
	if v, ok := Get(list, "a"); v != "3" || !ok {
		t.Errorf("%q %v", v, ok)
	}
	if v, ok := Get(list, "c"); v != "" || ok {
		t.Errorf("%q %v", v, ok)
	}
}

func TestMalformedUTF8(t *testing.T) {
	got, err := Read([]byte("a\xff=\xc3\xa9\xe2\x82"), UTF8)
	if err != nil || !reflect.DeepEqual(got, []Property{{"a\ufffd", "é\ufffd\ufffd"}}) {
		t.Errorf("%q, %v", got, err)
	}
}

// javaText draws any Java string, in our encoding of it.
func javaText(t *rapid.T, label string) string {
	var out []byte
	for _, u := range rapid.SliceOfN(rapid.OneOf(rapid.Uint16(), rapid.Uint16Range(0, 0x80), rapid.Uint16Range(0xD7F0, 0xE010)), 0, 12).Draw(t, label) {
		out = appendUnit(out, u)
	}
	return string(out)
}

// TestRoundTrip: what is written in Latin1 is read back, whatever it is.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Property
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			list = append(list, Property{javaText(t, "key"), javaText(t, "value")})
		}
		h := Header{Comment: javaText(t, "comment"), Date: date}
		got, err := Read(Append(nil, Latin1, h, list), Latin1)
		if err != nil || !slices.Equal(got, list) {
			t.Fatalf("got %q, %v; want %q", got, err, list)
		}
	})
}

// FuzzProps: reading never fails otherwise than by a SyntaxError within the
// text, and what was read survives being written and read again.
func FuzzProps(f *testing.F) {
	vectors(f, "load.txt", func(v []string) { f.Add(fromHex(f, v[1]), v[0] == "1") })
	f.Fuzz(func(t *testing.T, in []byte, utf bool) {
		cs := Latin1
		if utf {
			cs = UTF8
		}
		list, err := Read(in, cs)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || e.Pos < 0 || e.Pos >= int64(len(in)) || e.Line < 1 {
				t.Fatalf("%#v", err)
			}
		}
		again, err := Read(Append(nil, Latin1, Header{Date: date}, list), Latin1)
		if err != nil || !slices.Equal(again, list) {
			t.Fatalf("%q became %q, %v", list, again, err)
		}
		if got := HashOrder(keysOf(list)); len(got) != len(Unique(list)) {
			t.Fatalf("%d keys in hash order, %d unique", len(got), len(Unique(list)))
		}
	})
}

func keysOf(list []Property) (keys []string) {
	for _, p := range list {
		keys = append(keys, p.Key)
	}
	return keys
}
