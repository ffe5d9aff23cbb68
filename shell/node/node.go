// Package node says what the shell's tree is made of. Views of the metadata (the
// image as Kafka's shell shows it, the znodes that it would be) give nodes, and
// the shell's verbs walk over them.
package node

import "iter"

// Node is a node of the tree. It is not changed by anything.
type Node interface {
	// Children gives the names of the children in the order of Java's strings. It
	// is nil for a node that cannot have any: a file.
	Children() iter.Seq[string]
	// Child finds a child.
	Child(name string) (Node, bool)
	// Content is the text of the node, without an end of line; ok is false for one
	// that has none: a directory. A znode may have both content and children.
	Content() (text string, ok bool)
}

// Uniform is a directory that has directories only. It spares a look at each of a
// hundred thousand children.
type Uniform interface {
	Node
	// OnlyDirectories reports that every child is a directory.
	OnlyDirectories() bool
}

// IsDirectory reports whether a listed child of a directory is a directory; ok is
// false if it cannot be found.
func IsDirectory(dir Node, name string) (yes, ok bool) {
	if u, uniform := dir.(Uniform); uniform && u.OnlyDirectories() {
		return true, true
	}
	child, ok := dir.Child(name)
	return ok && child.Children() != nil, ok
}

// File is a node that is a text.
type File string

// Children is nil.
func (File) Children() iter.Seq[string] { return nil }

// Child finds nothing.
func (File) Child(string) (Node, bool) { return nil, false }

// Content is the text.
func (f File) Content() (string, bool) { return string(f), true }
