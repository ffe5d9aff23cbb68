package shell

import (
	"bytes"
	"context"

	"github.com/spf13/pflag"

	"kraftctl/decode/jsonw"
	"kraftctl/shell/node"
	"kraftctl/shell/zookeeper"
)

var lsVerb = &verb{
	name: "ls", usage: "ls [-l] [-d] [-R] [-o text|json] [PATH...]", short: "List nodes.", least: 0, most: -1, arguments: pathArguments,
	long: `With -l, nodes of a kind are shown as a table: topics with partitions, replication
factor, under-replicated and offline partitions, leaders that are not the preferred
ones, and configurations; partitions, brokers, controllers, ACLs, quotas, SCRAM
users and tokens with their fields. --output json gives all fields. Znodes are listed
as zkCli does.`,
	flags: func(f *pflag.FlagSet) {
		f.BoolP("long", "l", false, "a table with the fields of each node")
		f.BoolP("directory", "d", false, "the nodes themselves, not what is in them")
		f.BoolP("recursive", "R", false, "all below, each directory on its own")
		f.BoolP("stat", "s", false, "of znodes: the stat as well, as zkCli's")
		outputFlag(f)
	},
	run: runLs,
}

// listed is a node to be listed under a name.
type listed struct {
	name string
	node node.Node
}

func runLs(_ context.Context, c *call) error {
	var files []listed
	var dirs []Match
	for _, typed := range c.targets() {
		if !c.flag("long") && !c.flag("directory") && !c.json {
			if paths, ok, err := c.znodes(typed); err != nil {
				return err
			} else if ok {
				if err := c.zkCli(paths, func(z *zookeeper.ZkCli, out *bytes.Buffer, path string) error {
					return z.Ls(out, path, c.flag("stat"), c.flag("recursive"))
				}); err != nil {
					return err
				}
				continue
			}
		}
		err := c.find(typed, func(m Match) error {
			if m.Node.Children() == nil || c.flag("directory") {
				files = append(files, listed{m.Name(), m.Node})
			} else {
				dirs = append(dirs, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if c.json {
		return c.lsJSON(files, dirs)
	}
	if len(files) > 0 {
		if err := c.list(files); err != nil {
			return err
		}
	}
	intro := len(files) > 0 || len(dirs) > 1 || c.flag("recursive")
	for i, d := range dirs {
		if err := c.lsDir(d, intro, i > 0 || len(files) > 0); err != nil {
			return err
		}
	}
	return nil
}

// lsDir lists what is in a directory.
func (c *call) lsDir(d Match, intro, gap bool) error {
	if intro {
		text := c.term.Bold(c.clean(Join(d.Path))) + ":\n"
		if gap {
			text = "\n" + text
		}
		if err := c.print(text); err != nil {
			return err
		}
	}
	below := childrenOf(d.Node)
	if err := c.list(below); err != nil || !c.flag("recursive") {
		return err
	}
	for _, l := range below {
		if l.node.Children() != nil {
			path := append(d.Path[:len(d.Path):len(d.Path)], l.name)
			if err := c.lsDir(Match{path, l.node}, true, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// childrenOf gathers the children of a node.
func childrenOf(n node.Node) []listed {
	var out []listed
	for name := range n.Children() {
		if child, ok := n.Child(name); ok {
			out = append(out, listed{name, child})
		}
	}
	return out
}

// list prints nodes: their names, or tables.
func (c *call) list(nodes []listed) error {
	if c.flag("long") {
		return c.table(nodes)
	}
	names := make([]string, len(nodes))
	for i, l := range nodes {
		names[i] = c.clean(l.name)
		if l.node.Children() != nil && c.term.Width() > 0 {
			names[i] += "/"
		}
	}
	if err := writeColumns(c.out, names, c.term.Width()); err != nil {
		return &writeError{err}
	}
	return nil
}

// table prints nodes as tables, one for each run of nodes of a kind.
func (c *call) table(nodes []listed) error {
	for i := 0; i < len(nodes); {
		kind := kindOf(nodes[i].node)
		j := i + 1
		for j < len(nodes) && kindOf(nodes[j].node) == kind {
			j++
		}
		if i > 0 {
			if err := c.print("\n"); err != nil {
				return err
			}
		}
		if err := c.kindTable(nodes[i:j], kind != ""); err != nil {
			return err
		}
		i = j
	}
	return nil
}

func kindOf(n node.Node) string {
	if d, ok := n.(node.Described); ok {
		return d.Kind()
	}
	return ""
}

// kindTable prints nodes of one kind.
func (c *call) kindTable(nodes []listed, described bool) error {
	var header []string
	var rows [][]string
	var right []bool
	for _, l := range nodes {
		if !described {
			text, ok := l.node.Content()
			if !ok {
				n := 0
				for range l.node.Children() {
					n++
				}
				text = plural(n, "node", "nodes")
			}
			header, right = []string{"NODE", "CONTENT"}, nil
			rows = append(rows, []string{c.clean(l.name), c.clean(text)})
			continue
		}
		fields := l.node.(node.Described).Fields()
		if header == nil {
			for _, f := range fields {
				if !f.Wide {
					header = append(header, upper(f.Name))
					_, isInt := f.Value.(int64)
					right = append(right, isInt)
				}
			}
		}
		var row []string
		for _, f := range fields {
			if !f.Wide {
				row = append(row, c.clean(f.Text()))
			}
		}
		rows = append(rows, row)
	}
	return c.rows(header, rows, right)
}

// lsJSON prints what is listed as a JSON array of objects with path and fields.
func (c *call) lsJSON(files []listed, dirs []Match) error {
	out := []byte{'['}
	add := func(name string, n node.Node) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, "\n  "...)
		out = appendNode(out, name, n)
	}
	for _, f := range files {
		add(f.name, f.node)
	}
	for _, d := range dirs {
		c.eachBelow(d, func(name string, n node.Node) { add(name, n) })
	}
	if len(out) > 1 {
		out = append(out, '\n')
	}
	return c.printJSON(append(out, "]\n"...))
}

// eachBelow visits the children of a directory, with -R all below it.
func (c *call) eachBelow(d Match, visit func(path string, n node.Node)) {
	for _, l := range childrenOf(d.Node) {
		path := append(d.Path[:len(d.Path):len(d.Path)], l.name)
		if c.running().Err() != nil {
			return
		}
		visit(Join(path), l.node)
		if c.flag("recursive") && l.node.Children() != nil {
			c.eachBelow(Match{path, l.node}, visit)
		}
	}
}

// appendNode appends a node as a JSON object: its path, and its kind with its fields
// or its content.
func appendNode(dst []byte, path string, n node.Node) []byte {
	dst = append(dst, `{"path":`...)
	dst = jsonw.AppendString(dst, path)
	if d, ok := n.(node.Described); ok {
		dst = append(dst, `,"kind":`...)
		dst = jsonw.AppendString(dst, d.Kind())
		dst = append(dst, `,"fields":`...)
		dst = node.AppendFields(dst, d.Fields())
	} else if text, ok := n.Content(); ok {
		dst = append(dst, `,"content":`...)
		dst = jsonw.AppendString(dst, text)
	} else {
		dst = append(dst, `,"kind":"directory"`...)
	}
	return append(dst, '}')
}
