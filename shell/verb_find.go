package shell

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kraftctl/shell/node"
)

var findNodesVerb = &verb{
	name: "find", usage: "find [PATH...] [--name GLOB] [--kind KIND] [--where CONDITION] [-l] [-o text|json]", short: "Find nodes below, by name, kind or fields.",
	most: -1, arguments: pathArguments,
	long: `A condition compares fields: those that ls -l and cat show.

  find /image/topics --kind partition --where 'isr.size < replicas.size'
  find /image --where 'leader == -1 || replicas contains 3'
  find /image/topics/byName --where 'configs.retention.ms > 86400000'
  find /image --where 'principal ~ "^User:CN="'

Operators are == != < <= > >= ~ !~ (regular expression) contains in && || ! and
parentheses; .size is the length of a list or text. What a node does not have
is null.`,
	flags: func(f *pflag.FlagSet) {
		f.String("name", "", "only nodes whose name matches the pattern")
		f.String("kind", "", "only nodes of a kind: topic, partition, broker, controller, acl, configs, quota, scram, token")
		f.String("where", "", "only nodes whose fields fulfil the condition")
		f.BoolP("long", "l", false, "a table with the fields of each node")
		outputFlag(f)
	},
	run: runFind,
}

func runFind(ctx context.Context, c *call) error {
	var where condition
	if c.flags.Changed("where") {
		_, fields := conditionFields()
		var err error
		where, err = parseWhere(unescape(c.text("where")), func(name string) bool { return fields[name] != "" })
		if err != nil {
			return &UsageError{err.Error()}
		}
	}
	if kind := c.text("kind"); kind != "" && !slices.Contains(kinds, kind) {
		return usagef("--kind ", kind, ": it is one of ", strings.Join(kinds, ", "))
	}
	name := compileGlob(unescape(c.text("name")))
	var found []listed
	visit := func(path []string, n node.Node) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.flags.Changed("name") && (len(path) == 0 || !name.matches(path[len(path)-1])) {
			return nil
		}
		kind := c.text("kind")
		if kind != "" && kindOf(n) != kind {
			return nil
		}
		if where != nil {
			d, ok := n.(node.Described)
			if !ok || !where(d.Fields()) {
				return nil
			}
		}
		if c.flag("long") || c.json {
			found = append(found, listed{Join(path), n})
			return nil
		}
		return c.print(c.clean(Join(path)) + "\n")
	}
	for _, typed := range c.targets() {
		err := c.find(typed, func(m Match) error { return walk(m.Path, m.Node, visit) })
		if err != nil {
			return err
		}
	}
	switch {
	case c.json:
		return c.lsJSON(found, nil)
	case c.flag("long"):
		return c.foundTable(found)
	}
	return nil
}

// foundTable prints what was found as tables that begin with the path.
func (c *call) foundTable(found []listed) error {
	for i := range found {
		if d, ok := found[i].node.(node.Described); ok {
			found[i].node = withPath{d, found[i].name}
		}
	}
	return c.table(found)
}

// withPath is a node whose first field is its path.
type withPath struct {
	node.Described
	path string
}

// Fields gives the path and the fields.
func (w withPath) Fields() []node.Field {
	return append([]node.Field{{Name: "path", Value: w.path}}, w.Described.Fields()...)
}

// walk visits a node and all below it.
func walk(path []string, n node.Node, visit func([]string, node.Node) error) error {
	if err := visit(path, n); err != nil || n.Children() == nil {
		return err
	}
	for name := range n.Children() {
		child, ok := n.Child(name)
		if !ok {
			continue
		}
		if err := walk(append(path[:len(path):len(path)], name), child, visit); err != nil {
			return err
		}
	}
	return nil
}

var grepVerb = &verb{
	name: "grep", usage: "grep [-i] [-l] PATTERN [PATH...]", short: "Find nodes whose name or content matches a regular expression.", least: 1, most: -1, arguments: pathArguments,
	flags: func(f *pflag.FlagSet) {
		f.BoolP("ignore-case", "i", false, "upper and lower case are the same")
		f.BoolP("files", "l", false, "the paths only")
	},
	run: func(ctx context.Context, c *call) error {
		text := unescape(c.args[0])
		if c.flag("ignore-case") {
			text = "(?i)" + text
		}
		pattern, err := regexp.Compile(text)
		if err != nil {
			return &UsageError{err.Error()}
		}
		any := false
		paths := c.args[1:]
		if len(paths) == 0 {
			paths = []string{"."}
		}
		for _, typed := range paths {
			err := c.find(typed, func(m Match) error {
				return walk(m.Path, m.Node, func(path []string, n node.Node) error {
					content, has := n.Content()
					name := len(path) > 0 && pattern.MatchString(path[len(path)-1])
					if err := ctx.Err(); err != nil || !name && !(has && pattern.MatchString(content)) {
						return err
					}
					any = true
					line := c.clean(Join(path))
					if has && !c.flag("files") {
						line += ": " + c.clean(content)
					}
					return c.print(line + "\n")
				})
			})
			if err != nil {
				return err
			}
		}
		if !any {
			c.missing = true
		}
		return nil
	},
}
