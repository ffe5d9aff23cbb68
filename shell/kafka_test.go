package shell_test

import (
	"strings"
	"testing"

	"kraftctl/shell"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

// TestFindBelowTypedSlash: Kafka's shell puts a slash behind what was typed, also
// behind one, but for the root.
func TestFindBelowTypedSlash(t *testing.T) {
	dir := imagetree.Fixed(imagetree.Entry{Name: "b", Node: node.File("text")})
	root := imagetree.Fixed(imagetree.Entry{Name: "a", Node: dir})
	for typed, want := range map[string]string{
		"/":   "/\n/a\n/a/b\n",
		"//":  "//\n///a\n///a/b\n",
		"/a":  "/a\n/a/b\n",
		"/a/": "/a/\n/a//b\n",
		"a/":  "a/\na//b\n",
		"./":  "./\n.//a\n.//a/b\n",
	} {
		var out strings.Builder
		k := &shell.Kafka{Root: root, Out: &out}
		if err := k.Run([]string{"find", typed}); err != nil || out.String() != want {
			t.Errorf("find %s: %q, %v, want %q", typed, out.String(), err, want)
		}
	}
}

// TestMalformedText: Java replaces bytes that are no UTF-8.
func TestMalformedText(t *testing.T) {
	var out strings.Builder
	k := &shell.Kafka{Root: imagetree.Fixed(imagetree.Entry{Name: "f", Node: node.File("a\xf4x")}), Out: &out}
	if err := k.Run([]string{"cat", "/f"}); err != nil || out.String() != "a\ufffdx\n" {
		t.Errorf("cat: %q, %v", out.String(), err)
	}
}
