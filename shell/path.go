package shell

import (
	"strings"

	"kraftctl/shell/node"
)

// Split gives the components of a path that is seen from a directory: without
// empty ones, and with "." and ".." resolved by their text. Above the root there is
// the root.
func Split(dir, path string) []string {
	if !strings.HasPrefix(path, "/") {
		path = dir + "/" + path
	}
	return resolve(nil, path)
}

// resolve appends the components of a path to those of a directory.
func resolve(out []string, path string) []string {
	for c := range strings.SplitSeq(path, "/") {
		switch c {
		case "", ".":
		case "..":
			out = out[:max(0, len(out)-1)]
		default:
			out = append(out, c)
		}
	}
	return out
}

// Join makes a path of components.
func Join(components []string) string { return "/" + strings.Join(components, "/") }

// lookup finds a node by its path, without patterns.
func lookup(root node.Node, path []string) (node.Node, bool) {
	for _, c := range path {
		child, ok := root.Child(c)
		if !ok {
			return nil, false
		}
		root = child
	}
	return root, true
}
