package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kraftctl/internal/javatext"
)

func TestColumns(t *testing.T) {
	image := []string{"acls", "clientQuotas", "cluster", "configs", "delegationToken", "features", "producerIds", "provenance", "scram", "topics"}
	for _, c := range []struct {
		what  string
		names []string
		width int
		want  string
	}{
		{"the example of the specification", image, 80,
			"acls          cluster  delegationToken  producerIds  scram\nclientQuotas  configs  features         provenance   topics\n"},
		{"no screen", image[:2], 0, "acls\nclientQuotas\n"},
		{"too narrow for two", image[:2], 7, "acls\nclientQuotas\n"},
		{"none", nil, 80, ""},
		{"one", []string{"a"}, 80, "a\n"},
		{"wider than the screen", []string{"0123456789", "b"}, 8, "0123456789\nb\n"},
		{"just wide enough", []string{"ab", "cd"}, 8, "ab  cd\n"},
		{"one too narrow", []string{"ab", "cdefg"}, 10, "ab\ncdefg\n"},
		{"a short last row", []string{"a", "b", "c"}, 8, "a  c\nb  \n"},
		{"an empty last column is none", []string{"a", "b", "c", "d", "e"}, 16, "a  c  e\nb  d  \n"},
		{"characters beyond the basic plane count twice, as in Java", []string{"a😀", "b"}, 9, "a😀  b\n"},
	} {
		var b strings.Builder
		if err := writeColumns(&b, c.names, c.width); err != nil || b.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", c.what, b.String(), err, c.want)
		}
	}
}

// TestColumnsFit: every name is there, in order from top to bottom, and no row is
// wider than the screen if there is more than one column.
func TestColumnsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringMatching("[a-z]{1,12}")).Draw(t, "names")
		width := rapid.IntRange(0, 120).Draw(t, "width")
		var b strings.Builder
		if err := writeColumns(&b, names, width); err != nil {
			t.Fatal(err)
		}
		var columns [][]string
		for row := range strings.Lines(b.String()) {
			cells := strings.Fields(row)
			if n := javatext.Len(strings.TrimRight(row, " \n")); len(cells) > 1 && n > width {
				t.Fatalf("a row of %d in %d:\n%s", n, width, b.String())
			}
			for i, cell := range cells {
				if i == len(columns) {
					columns = append(columns, nil)
				}
				columns[i] = append(columns[i], cell)
			}
		}
		var got []string
		for _, c := range columns {
			got = append(got, c...)
		}
		if strings.Join(got, " ") != strings.Join(names, " ") {
			t.Fatalf("%v of %v", got, names)
		}
	})
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ dir, path, want string }{
		{"/", "", "/"}, {"/a/b", "", "/a/b"}, {"/a/b", "c", "/a/b/c"}, {"/a", "/c", "/c"}, {"/a", "..", "/"}, {"/a", "../../..", "/"}, {"/a", "../b/./c//d/", "/b/c/d"},
		{"/", "//", "/"}, {"/a", "...", "/a/..."}, {"/a", " ", "/a/ "},
	} {
		if got := Join(Split(c.dir, c.path)); got != c.want {
			t.Errorf("%q from %q is %q, want %q", c.path, c.dir, got, c.want)
		}
	}
}
