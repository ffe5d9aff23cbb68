package zookeeper

import (
	"iter"
	"slices"

	"kraftctl/internal/image"
	"kraftctl/internal/javatext"
	"kraftctl/shell/node"
)

// znode is a node of the tree. It is made when it is asked for, and what is not
// asked of it is not computed.
type znode struct {
	list  iter.Seq[string]         // names of the children in order; nil: it cannot have any
	find  func(name string) *znode // a child; gives nil if there is none
	count func() int               // how many children there are; nil: list is counted
	data  func(dst []byte) []byte  // appends the document; nil: the data is null
	life  func() life              // nil: nothing is known
}

// life is where a znode came from.
type life struct {
	created, changed, children image.Provenance // children: the last one that came or went
	version, cversion          int
	owner                      int64
}

var nowhere = image.Provenance{Offset: -1, Epoch: -1, Time: -1}

// unborn is the life of what has always been there.
func unborn(children int) life {
	return life{created: nowhere, changed: nowhere, children: nowhere, cversion: children}
}

var _ node.Node = (*znode)(nil)

// Children are the names of the children.
func (z *znode) Children() iter.Seq[string] { return z.list }

// Child finds a child.
func (z *znode) Child(name string) (node.Node, bool) {
	if c := z.child(name); c != nil {
		return c, true
	}
	return nil, false
}

func (z *znode) child(name string) *znode {
	if z.find == nil {
		return nil
	}
	return z.find(name)
}

// Content is the document. Neither null nor empty data is any.
func (z *znode) Content() (string, bool) {
	if z.data == nil {
		return "", false
	}
	b := z.data(nil)
	return string(b), len(b) > 0
}

// size is the number of children.
func (z *znode) size() int {
	if z.count != nil {
		return z.count()
	}
	n := 0
	if z.list != nil {
		for range z.list {
			n++
		}
	}
	return n
}

// entry is a child of a directory whose children are always the same.
type entry struct {
	name string
	make func() *znode
}

// fixed makes a directory whose children are always the same.
func fixed(entries ...entry) *znode {
	slices.SortFunc(entries, func(a, b entry) int { return javatext.Compare(a.name, b.name) })
	return &znode{
		list: func(yield func(string) bool) {
			for _, e := range entries {
				if !yield(e.name) {
					return
				}
			}
		},
		find: func(name string) *znode {
			for _, e := range entries {
				if e.name == name {
					return e.make()
				}
			}
			return nil
		},
		count: func() int { return len(entries) },
		life:  func() life { return unborn(len(entries)) },
	}
}

// empty makes a directory in which there is never anything.
func empty() *znode { return fixed() }

// leaf makes a node that has a document only.
func leaf(data func(dst []byte) []byte, life func() life) *znode {
	return &znode{data: data, life: life}
}

// inOrder gives names, of which some may come more than once, in the order of Java's
// strings. Most come in order, since that is the order of the image.
func inOrder(names iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		list := slices.Collect(names)
		if !slices.IsSortedFunc(list, javatext.Compare) {
			slices.SortFunc(list, javatext.Compare)
		}
		for i, name := range list {
			if (i == 0 || name != list[i-1]) && !yield(name) {
				return
			}
		}
	}
}
