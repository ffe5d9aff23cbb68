package dumplog

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"kraftctl/decode"
)

func TestTableGolden(t *testing.T) {
	files := goldenFiles(t)
	for _, name := range []string{"control", "group-error", "magic1", "metadata", "odd", "secrets", "transaction"} {
		var state tableState
		out := state.segment(nil, true)
		checkGolden(t, name+".table", append(out, format(newTableFormatter(&state, files[name].decoder, false), files[name].data)...))
	}
}

// TestTableColumns: all rows of a kind have their columns at the same places,
// and nothing in them moves a terminal's cursor.
func TestTableColumns(t *testing.T) {
	var state tableState
	header := string(state.segment(nil, true))
	batchHeader, recordHeader, _ := strings.Cut(header, "\n")
	codec, content := strings.Index(batchHeader, "CODEC"), strings.Index(recordHeader, "TYPE")
	for _, f := range fixtures(t) {
		if !strings.HasPrefix(f.path, "synth") && !strings.HasPrefix(f.path, "data") || strings.Contains(f.path, "odd") {
			// Damage and odd values give numbers that are wider than any column.
			continue
		}
		out := format(newTableFormatter(&state, f.decoder, false), f.data)
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			at := codec
			if strings.HasPrefix(line, "| ") {
				at = content
			}
			if len(line) <= at || line[at-1] != ' ' || line[at] == ' ' {
				t.Fatalf("%s: nothing starts at column %d:\n%s", f.path, at, line)
			}
			if n := utf8.RuneCountInString(line); n > 250 || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("%s: %d characters: %q", f.path, n, line)
			}
		}
	}
}

func TestAppendCut(t *testing.T) {
	for _, test := range []struct {
		in    string
		width int
		want  string
	}{
		{"", 5, ""}, {"abcde", 5, "abcde"}, {"abcdef", 5, "abcd…"}, {strings.Repeat("x", 1000), 5, "xxxx…"},
		{"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {strings.Repeat("😀", 100), 3, "😀😀…"},
		{"a\nb\tc\rd", 20, `a\nb\tc\rd`}, {"\x1b[31m", 20, `\x1b[31m`}, {"\u202eabc", 20, `\u{202e}abc`},
		{"\xff\x00", 20, "0xff00"}, {"\xff" + strings.Repeat("\x00", 100), 8, "0xff000…"},
		{"abc", 1, "…"}, {"abc", 0, "…"},
	} {
		if got := string(appendCut([]byte("=> "), []byte(test.in), test.width)); got != "=> "+test.want {
			t.Errorf("%q to %d: %q", test.in, test.width, got)
		}
	}
	// A cut never lies in the middle of a character.
	long := []byte(strings.Repeat("aß€😀", 50))
	for start := range 4 {
		for width := range 60 {
			if got := appendCut(nil, long[start*10:], width); !utf8.Valid(got) || utf8.RuneCount(got) > max(width, 1) || bytes.HasPrefix(got, []byte("0x")) {
				t.Errorf("%d: %q", width, got)
			}
		}
	}
}

// TestTableDamage: a value that is not all there is no null.
func TestTableDamage(t *testing.T) {
	out := string(format(newTableFormatter(new(tableState), DecodeNothing, false), legacyDamage(t).data))
	if _, line, _ := strings.Cut(out, "\n"); !strings.Contains(line, "  3        77  unreadable") || strings.Contains(line, "null") {
		t.Errorf("%s", out)
	}
}

func TestTableBroken(t *testing.T) {
	f := newTableFormatter(new(tableState), DecodeNothing, false)
	out := f.broken(nil, &decode.Batch{Position: 17, Size: 99, BaseOffset: 5, Magic: -1})
	if !strings.HasSuffix(string(out), "INVALID,magic -1\n") || !strings.HasPrefix(string(out), "        17        99           5           -") {
		t.Errorf("%s", out)
	}
}

func TestTableEntries(t *testing.T) {
	var state tableState
	var out []byte
	for i := range int64(2) {
		out = appendEntryTable(out, &state, &Entry{Kind: "offset-index-entry", Position: i * 8,
			Fields: []Field{{"offset", 0, 4, i * 100}, {"lastStableOffset", 4, 4, i * 4096}}})
	}
	out = appendEntryTable(out, &state, &Entry{Kind: "partition-offset", Position: 4,
		Fields: []Field{{"topic", 0, 0, "a"}, {"partition", 0, 0, nil}, {"empty", 0, 0, true}, {"name", 0, 0, "x\x1b"}}})
	const want = `  POSITION         OFFSET  LAST STABLE OFFSET
         0              0                   0
         8            100                4096
  POSITION  TOPIC                       PARTITION          EMPTY  NAME
         4  a                                   -           true  x\x1b
`
	if string(out) != want {
		t.Errorf("got\n%s", out)
	}
}
