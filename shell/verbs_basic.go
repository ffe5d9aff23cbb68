package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kraftctl/shell/node"
	"kraftctl/shell/zookeeper"
)

var cdVerb = &verb{
	name: "cd", usage: "cd [PATH]", short: "Go to a directory, or to the root.", most: 1, arguments: pathArguments,
	run: func(_ context.Context, c *call) error {
		if len(c.args) == 0 {
			c.Shell.dir = nil
			return nil
		}
		var matches []Match
		if err := c.find(c.args[0], func(m Match) error { matches = append(matches, m); return nil }); err != nil || c.missing {
			return err
		}
		switch {
		case len(matches) > 1:
			return usagef(plural(len(matches), "node", "nodes"), " match ", unescape(c.args[0]))
		case matches[0].Node.Children() == nil:
			c.missing = true
			c.complain("cd", errors.New(Join(matches[0].Path)+": it is no directory"))
			return nil
		}
		c.Shell.dir = matches[0].Path
		return nil
	},
}

var pwdVerb = &verb{
	name: "pwd", stateless: true, usage: "pwd", short: "Print the working directory.",
	run: func(_ context.Context, c *call) error { return c.print(c.clean(c.Dir()) + "\n") },
}

var exitVerb = &verb{
	name: "exit", stateless: true, usage: "exit", short: "Leave the shell.",
	run: func(context.Context, *call) error { return ErrExit },
}

var historyVerb = &verb{
	name: "history", stateless: true, usage: "history [N]", short: "Show the last commands.", most: 1,
	run: func(_ context.Context, c *call) error {
		n := len(c.history)
		if len(c.args) > 0 {
			v, err := strconv.Atoi(c.args[0])
			if err != nil || v < 0 {
				return usagef(c.args[0], ": it is no number")
			}
			n = min(n, v)
		}
		for i := len(c.history) - n; i < len(c.history); i++ {
			if err := c.print(fmt.Sprintf("%5d  %s\n", i+1, c.clean(c.history[i]))); err != nil {
				return err
			}
		}
		return nil
	},
}

var treeVerb = &verb{
	name: "tree", usage: "tree [PATH...]", short: "Show all nodes below as a tree with their content.", most: -1, arguments: pathArguments,
	run: func(_ context.Context, c *call) error {
		for _, typed := range c.targets() {
			if err := c.find(typed, func(m Match) error { return c.treeBelow("", m.Node) }); err != nil {
				return err
			}
		}
		return nil
	},
}

func (c *call) treeBelow(indent string, n node.Node) error {
	if text, ok := n.Content(); ok {
		if err := c.print(indent + c.clean(text) + "\n"); err != nil {
			return err
		}
	}
	if n.Children() == nil {
		return nil
	}
	for name := range n.Children() {
		if err := c.print(indent + c.clean(name) + ":\n"); err != nil {
			return err
		}
		if child, ok := n.Child(name); ok {
			if err := c.treeBelow(indent+"  ", child); err != nil {
				return err
			}
		}
	}
	return nil
}

var countVerb = &verb{
	name: "count", usage: "count [PATH...]", short: "Count the nodes in directories, and all below.", most: -1, arguments: pathArguments,
	run: func(ctx context.Context, c *call) error {
		var rows [][]string
		for _, typed := range c.targets() {
			err := c.find(typed, func(m Match) error {
				children := 0
				if all := m.Node.Children(); all != nil {
					for range all {
						children++
					}
				}
				nodes, _, err := sizeBelow(ctx, m.Node)
				if err != nil {
					return err
				}
				rows = append(rows, []string{c.clean(Join(m.Path)), strconv.Itoa(children), strconv.Itoa(nodes)})
				return nil
			})
			if err != nil {
				return err
			}
		}
		return c.rows([]string{"PATH", "CHILDREN", "ALL BELOW"}, rows, []bool{false, true, true})
	},
}

// rows prints a table, and nothing for no rows. On a screen the last column is not
// filled up with blanks: where the table is too wide they would be empty rows.
func (s *Shell) rows(header []string, rows [][]string, right []bool) error {
	if len(rows) == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := s.term.Table(&b, header, rows, right); err != nil {
		return &writeError{err}
	}
	text := b.String()
	if s.term.Width() > 0 {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		text = strings.Join(lines, "\n")
	}
	return s.print(text)
}

// sizeBelow counts the nodes below a node and the bytes of their contents, and of
// its own.
func sizeBelow(ctx context.Context, n node.Node) (nodes int, bytes int64, err error) {
	if text, ok := n.Content(); ok {
		bytes = int64(len(text))
	}
	all := n.Children()
	if all == nil {
		return 0, bytes, nil
	}
	for name := range all {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		nodes++
		if child, ok := n.Child(name); ok {
			more, size, err := sizeBelow(ctx, child)
			if err != nil {
				return 0, 0, err
			}
			nodes, bytes = nodes+more, bytes+size
		}
	}
	return nodes, bytes, nil
}

var duVerb = &verb{
	name: "du", usage: "du [PATH...]", short: "Show how much text and how many nodes are below each child.", most: -1, arguments: pathArguments,
	run: func(ctx context.Context, c *call) error {
		var rows [][]string
		for _, typed := range c.targets() {
			err := c.find(typed, func(m Match) error {
				total, all := int64(0), 0
				if m.Node.Children() != nil {
					for _, l := range childrenOf(m.Node) {
						nodes, size, err := sizeBelow(ctx, l.node)
						if err != nil {
							return err
						}
						total, all = total+size, all+nodes+1
						path := append(m.Path[:len(m.Path):len(m.Path)], l.name)
						rows = append(rows, []string{strconv.FormatInt(size, 10), strconv.Itoa(nodes), c.clean(Join(path))})
					}
				}
				if text, ok := m.Node.Content(); ok {
					total += int64(len(text))
				}
				rows = append(rows, []string{strconv.FormatInt(total, 10), strconv.Itoa(all), c.clean(Join(m.Path))})
				return nil
			})
			if err != nil {
				return err
			}
		}
		return c.rows([]string{"BYTES", "NODES", "PATH"}, rows, []bool{true, true})
	},
}

var helpVerb = &verb{
	name: "help", stateless: true, usage: "help [COMMAND]", short: "List the commands, or explain one.", most: 1, arguments: verbArguments,
	run: func(_ context.Context, c *call) error {
		if len(c.args) > 0 {
			return c.man(c.args[0])
		}
		var rows [][]string
		for _, v := range verbs {
			rows = append(rows, []string{v.name, v.short})
		}
		if err := c.rows(nil, rows, nil); err != nil {
			return err
		}
		return c.print("\nPaths may have *, ? and {a,b}; quoted they mean themselves. Several commands are\nseparated by ;. A | at the end of a command gives its output to one of the system.\n\"man COMMAND\" tells more.\n")
	},
}

var manVerb = &verb{
	name: "man", stateless: true, usage: "man COMMAND|/zookeeper", short: "Explain a command, or the ZooKeeper view.", least: 1, most: 1, arguments: verbArguments,
	run: func(_ context.Context, c *call) error { return c.man(c.args[0]) },
}

func (c *call) man(name string) error {
	if text, ok := pages[strings.Trim(name, "/")]; ok {
		return c.print(text)
	}
	v := findVerb(name)
	if v == nil {
		c.missing = true
		c.complain(c.verb.name, errors.New(name+": there is no such command; help lists them"))
		return nil
	}
	return c.print(v.help())
}

// pages are what man knows beside the commands.
var pages = map[string]string{zookeeperDir: zookeeper.Man}
