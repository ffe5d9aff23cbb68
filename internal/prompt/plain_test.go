package prompt

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kraftctl/shell"
)

// all reads lines until something other than a line too long comes.
func all(r shell.LineReader) (lines []string, err error) {
	for {
		line, err := r.ReadLine(">> ")
		switch {
		case errors.Is(err, ErrLineTooLong):
			lines = append(lines, err.Error())
		case err != nil:
			return lines, err
		default:
			lines = append(lines, line)
		}
	}
}

func TestPlain(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	tooLong := func(n int) string { return fmt.Sprintf("line %d: line too long: more than 1048576 bytes", n) }
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"ls", []string{"ls"}},
		{"ls\n", []string{"ls"}},
		{"ls\r\n\r\n x \r", []string{"ls", "", " x \r"}},
		{long + "\nls", []string{long, "ls"}},
		{long + "\r\nls", []string{long, "ls"}},
		{long + "y\nls\n", []string{tooLong(1), "ls"}},
		{"a\n" + long + long + "y", []string{"a", tooLong(2)}},
		{"!!\n\x00\xff\n", []string{"!!", "\x00\xff"}},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.in), "halves": iotest.HalfReader(strings.NewReader(c.in))} {
			var out strings.Builder
			got, err := all(NewPlain(r, &out, PlainOptions{}))
			if !errors.Is(err, io.EOF) || strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
				t.Errorf("%s %.20q: %d lines, %v", name, c.in, len(got), err)
			}
			if out.Len() > 0 {
				t.Errorf("it wrote %q", out.String())
			}
		}
	}
}

// TestPlainLikeKafka: what Kafka's shell made of the same standard inputs.
func TestPlainLikeKafka(t *testing.T) {
	for _, c := range []struct{ in, lines, out string }{
		{"ls", "", ">> "}, // a line without its end is lost
		{"ls\n", "ls", ">> >> "},
		{"ls \"/ima\nexit\n", "ls \"/ima|exit", ">> >> >> "},
		{"pwd\n!!\n!9\n'!!'\n", "pwd|pwd|!9|'!!'", ">> >> >> >> >> "},
	} {
		var out strings.Builder
		r := NewPlain(strings.NewReader(c.in), &out, PlainOptions{Prompt: true, Kafka: true})
		got, err := all(r)
		if !errors.Is(err, io.EOF) || strings.Join(got, "|") != c.lines || out.String() != c.out {
			t.Errorf("%q: %q, %q, %v", c.in, got, out.String(), err)
		}
	}
}

func TestPlainErrors(t *testing.T) {
	broken := errors.New("broken")
	r := NewPlain(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), io.Discard, PlainOptions{})
	if got, err := all(r); !errors.Is(err, broken) || len(got) != 1 || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%q, %v", got, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.ReadLine(""); !errors.Is(err, io.EOF) {
		t.Errorf("read after Close: %v", err)
	}
	pr, pw := io.Pipe()
	_ = pr.CloseWithError(broken)
	if _, err := NewPlain(strings.NewReader("a\n"), pw, PlainOptions{Prompt: true}).ReadLine("> "); !errors.Is(err, broken) {
		t.Errorf("a prompt that cannot be written: %v", err)
	}
}
