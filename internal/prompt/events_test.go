package prompt

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestExpandLikeJline compares with jline 3.30.4, which was given these lines
// behind the same history.
func TestExpandLikeJline(t *testing.T) {
	lines := []string{"ls /", "cat foo bar", "ls image", "cd 'x y'", "pwd"}
	f, err := os.Open("testdata/jline-events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		var want struct {
			In, Error, History string
			Expanded           *string
		}
		if err := json.Unmarshal(s.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got, err := Expand(want.In, 0, lines)
		switch {
		case want.Expanded == nil && (err == nil || err.Error() != want.Error):
			t.Errorf("%q: got %q, %v, want the error %q", want.In, got, err, want.Error)
		case want.Expanded != nil && (err != nil || got != *want.Expanded):
			t.Errorf("%q: got %q, %v, want %q", want.In, got, err, *want.Expanded)
		}
		h := &history{lines: append([]string(nil), lines...), max: 100, jline: true}
		added := ""
		if h.add(got) {
			added = h.lines[len(h.lines)-1]
		}
		if added != want.History {
			t.Errorf("%q: the history has %q, want %q", want.In, added, want.History)
		}
	}
	if n < 300 {
		t.Fatalf("only %d lines", n)
	}
}

func FuzzExpand(f *testing.F) {
	for _, s := range []string{"!!", "!-2", "!1x", "^a^b^c", "!?x?", "a !# !$", `\!!`, "'!!'"} {
		f.Add(s, "ls /\npwd")
	}
	f.Fuzz(func(t *testing.T, line, old string) {
		got, err := Expand(line, 3, parseHistory([]byte(old)))
		if err != nil && got != line {
			t.Fatalf("%q became %q with the error %v", line, got, err)
		}
	})
}
