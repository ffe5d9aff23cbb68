package imagetree

import (
	"iter"
	"slices"

	"kraftctl/internal/javatext"
	"kraftctl/shell/node"
)

// dir is a directory.
type dir struct {
	names func() []string // sorted
	child func(name string) (node.Node, bool)
}

// Children gives the names of the children.
func (d dir) Children() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range d.names() {
			if !yield(name) {
				return
			}
		}
	}
}

// Child finds a child.
func (d dir) Child(name string) (node.Node, bool) { return d.child(name) }

// Content is none.
func (d dir) Content() (string, bool) { return "", false }

// Fixed makes a directory of what is given. The names are to be sorted.
func Fixed(children ...Entry) node.Node { return fixed(children) }

// Entry is a named node.
type Entry struct {
	Name string
	Node node.Node
}

type fixed []Entry

// Children gives the names of the children.
func (f fixed) Children() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range f {
			if !yield(e.Name) {
				return
			}
		}
	}
}

// Child finds a child.
func (f fixed) Child(name string) (node.Node, bool) {
	for _, e := range f {
		if e.Name == name {
			return e.Node, true
		}
	}
	return nil, false
}

// Content is none.
func (fixed) Content() (string, bool) { return "", false }

// names gathers the first of each pair, made into a name, in the order of Java's
// strings.
func names[K, V any](all iter.Seq2[K, V], name func(K, V) string) []string {
	var out []string
	for k, v := range all {
		out = append(out, name(k, v))
	}
	slices.SortFunc(out, javatext.Compare)
	return out
}
