package shell

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"kraftctl/shell/node"
)

var catVerb = &verb{
	name: "cat", usage: "cat [--raw] [-o text|json] PATH...", short: "Show the content of nodes.", least: 1, most: -1, arguments: pathArguments,
	long: `Nodes with fields are shown field by field. --raw gives the text that Kafka's own
shell prints.`,
	flags: func(f *pflag.FlagSet) {
		f.Bool("raw", false, "the text of Kafka's shell")
		outputFlag(f)
	},
	run: func(_ context.Context, c *call) error {
		first := true
		for _, typed := range c.args {
			err := c.Shell.cat(c, typed, &first)
			if err != nil {
				return err
			}
		}
		return nil
	},
}

func (s *Shell) cat(c *call, typed string, first *bool) error {
	return c.find(typed, func(m Match) error {
		if c.json {
			return s.printJSON(append(appendNode(nil, Join(m.Path), m.Node), '\n'))
		}
		d, described := m.Node.(node.Described)
		text, ok := m.Node.Content()
		switch {
		case described && !c.flag("raw"):
			if !*first {
				if err := s.print("\n"); err != nil {
					return err
				}
			}
			*first = false
			return s.fields(d.Fields())
		case ok:
			*first = false
			return s.print(s.clean(text) + "\n")
		}
		c.missing = true
		c.complain("cat", errors.New(Join(m.Path)+": it is a directory"))
		return nil
	})
}

// fields prints the fields of a node, one a line.
func (s *Shell) fields(fields []node.Field) error {
	var rows [][]string
	for _, f := range fields {
		inner, ok := f.Value.([]node.Field)
		if !ok || len(inner) == 0 {
			rows = append(rows, []string{s.clean(f.Name), s.clean(f.Text())})
			continue
		}
		for _, g := range inner {
			rows = append(rows, []string{s.clean(f.Name + "." + g.Name), s.clean(g.Text())})
		}
	}
	return s.rows(nil, rows, nil)
}
