package shell

import (
	"bytes"
	"context"
	"encoding/csv"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"kraftctl/decode/jsonw"
	"kraftctl/shell/node"
)

var exportVerb = &verb{
	name: "export", usage: "export [-o json|yaml|csv|kafka-commands] [PATH...]", short: "Give what is below as a document, or as the commands that make it anew.",
	most: -1, arguments: pathArguments, outputs: "yaml csv kafka-commands",
	long: `json and yaml nest the nodes as the tree does. csv has a table for each kind of node.
kafka-commands are calls of kafka-topics.sh, kafka-configs.sh, kafka-acls.sh and
kafka-features.sh that would make the topics, configurations, quotas, ACLs and
features below the paths on another cluster, whose address is in $BOOTSTRAP. What they
cannot make (passwords, tokens) is told as a comment.`,
	flags: func(f *pflag.FlagSet) { f.StringP("output", "o", "json", "json, yaml, csv or kafka-commands") },
	run: func(ctx context.Context, c *call) error {
		var found []Match
		for _, typed := range c.targets() {
			if err := c.find(typed, func(m Match) error { found = append(found, m); return nil }); err != nil {
				return err
			}
		}
		if len(found) == 0 {
			return nil
		}
		switch c.text("output") {
		case "csv":
			return c.exportCSV(ctx, found)
		case "yaml":
			return c.exportYAML(found)
		case "kafka-commands":
			for i := range found {
				found[i].Path = c.whole(found[i].Path)
			}
			return c.print(c.cleanLines(kafkaCommandsFor(c.state.Image, found, c.ShowSecrets)))
		}
		return c.exportJSON(found)
	},
}

// exportJSON prints one node, or an object of several by their paths.
func (c *call) exportJSON(found []Match) error {
	var out []byte
	if len(found) == 1 {
		out = c.appendTree(nil, found[0].Node, "\n")
	} else {
		out = append(out, '{')
		for i, m := range found {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, "\n  "...)
			out = jsonw.AppendString(out, Join(m.Path))
			out = append(out, ": "...)
			out = c.appendTree(out, m.Node, "\n  ")
		}
		out = append(out, "\n}"...)
	}
	return c.printJSON(append(out, '\n'))
}

// appendTree appends a node with all below it; less if the command was cancelled.
func (s *Shell) appendTree(dst []byte, n node.Node, line string) []byte {
	if d, ok := n.(node.Described); ok && n.Children() == nil {
		return node.AppendFields(dst, d.Fields())
	}
	text, has := n.Content()
	if n.Children() == nil {
		return jsonw.AppendString(dst, text)
	}
	dst = append(dst, '{')
	first := true
	if has {
		dst = append(dst, line+`  "": `...)
		dst = jsonw.AppendString(dst, text)
		first = false
	}
	for _, l := range childrenOf(n) {
		if s.running().Err() != nil {
			break
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, line+"  "...)
		dst = jsonw.AppendString(dst, l.name)
		dst = append(dst, ": "...)
		dst = s.appendTree(dst, l.node, line+"  ")
	}
	if !first {
		dst = append(dst, line...)
	}
	return append(dst, '}')
}

func (c *call) exportYAML(found []Match) error {
	top := c.yamlTree(found[0].Node)
	if len(found) > 1 {
		top = &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range found {
			top.Content = append(top.Content, yamlText(Join(m.Path)), c.yamlTree(m.Node))
		}
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(top)
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		return err
	}
	return c.print(c.cleanLines(b.String()))
}

func yamlText(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func (s *Shell) yamlTree(n node.Node) *yaml.Node {
	if d, ok := n.(node.Described); ok && n.Children() == nil {
		return yamlFields(d.Fields())
	}
	text, has := n.Content()
	if n.Children() == nil {
		return yamlText(text)
	}
	out := &yaml.Node{Kind: yaml.MappingNode}
	if has {
		out.Content = append(out.Content, yamlText(""), yamlText(text))
	}
	for _, l := range childrenOf(n) {
		if s.running().Err() != nil {
			break
		}
		out.Content = append(out.Content, yamlText(l.name), s.yamlTree(l.node))
	}
	return out
}

func yamlFields(fields []node.Field) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fields {
		value := &yaml.Node{}
		switch v := f.Value.(type) {
		case string:
			value = yamlText(v)
		case []node.Field:
			value = yamlFields(v)
		case []int32, []string:
			// JSON's lists are lists of YAML as well.
			if err := yaml.Unmarshal(f.AppendJSON(nil), value); err == nil && len(value.Content) == 1 {
				value = value.Content[0]
			}
		default:
			value = &yaml.Node{Kind: yaml.ScalarNode, Value: string(f.AppendJSON(nil))}
		}
		out.Content = append(out.Content, yamlText(f.Name), value)
	}
	return out
}

// exportCSV prints a table with a header for each kind of node.
func (c *call) exportCSV(ctx context.Context, found []Match) error {
	byKind := map[string][][]string{}
	var kinds []string
	for _, m := range found {
		err := walk(m.Path, m.Node, func(path []string, n node.Node) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, ok := n.(node.Described)
			full := c.whole(path)
			if !ok || len(full) > 2 && full[1] == "topics" && full[2] == "byId" && len(c.whole(m.Path)) < 3 {
				return nil // what byName has as well
			}
			header, row := []string{"path"}, []string{Join(path)}
			for _, f := range d.Fields() {
				header, row = append(header, f.Name), append(row, csvText(f))
			}
			if byKind[d.Kind()] == nil {
				kinds = append(kinds, d.Kind())
				byKind[d.Kind()] = [][]string{header}
			}
			byKind[d.Kind()] = append(byKind[d.Kind()], row)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(kinds) == 0 {
		return usagef("there are no nodes with fields below; json and yaml have the others")
	}
	for i, kind := range kinds {
		if i > 0 {
			if err := c.print("\n"); err != nil {
				return err
			}
		}
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(byKind[kind]); err != nil {
			return err
		}
		if err := c.print(c.cleanLines(b.String())); err != nil {
			return err
		}
	}
	return nil
}

// csvText is a value in a table for programs: empty for what is not there.
func csvText(f node.Field) string {
	switch f.Value.(type) {
	case nil:
		return ""
	case []int32, []string, []node.Field:
		if t := f.Text(); t != "-" {
			return t
		}
		return ""
	case bool:
		return string(f.AppendJSON(nil))
	}
	return f.Text()
}
