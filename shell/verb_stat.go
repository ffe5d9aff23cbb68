package shell

import (
	"bytes"
	"context"
	"strconv"

	"kraftctl/decode/jsonw"
	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/zookeeper"
)

var statVerb = &verb{
	name: "stat", usage: "stat [-o text|json] PATH...", short: "Tell what is known about a node: kind, size, records, first and last change.", least: 1, most: -1, arguments: pathArguments,
	flags: outputFlag,
	run: func(ctx context.Context, c *call) error {
		for i, typed := range c.args {
			if !c.json {
				paths, ok, err := c.znodes(typed)
				if err == nil && ok {
					err = c.zkCli(paths, func(z *zookeeper.ZkCli, out *bytes.Buffer, path string) error { return z.Stat(out, path) })
				}
				if err != nil {
					return err
				}
				if ok {
					continue
				}
			}
			err := c.find(typed, func(m Match) error { return c.stat(ctx, m, i > 0) })
			if err != nil {
				return err
			}
		}
		return nil
	},
}

// stat prints what is known about a node. What aborted transactions did does not
// count as a change.
func (c *call) stat(ctx context.Context, m Match, gap bool) error {
	nodes, size, err := sizeBelow(ctx, m.Node)
	if err != nil {
		return err
	}
	var first, last *timeline.Recorded
	changes := 0
	if full := c.whole(m.Path); len(full) > 1 && full[0] == "image" {
		q, err := queryBelow(escapeAll(full))
		if err != nil {
			return err
		}
		_, err = c.source.History(ctx, q, func(r *timeline.Recorded) error {
			if r.At.Offset > c.state.Offset() {
				return nil
			}
			x := *r
			if changes++; first == nil {
				first = &x
			}
			last = &x
			return nil
		})
		if err != nil {
			return err
		}
	}
	kind := kindOf(m.Node)
	switch {
	case kind != "":
	case m.Node.Children() != nil:
		kind = "directory"
	default:
		kind = "file"
	}
	if c.json {
		out := jsonw.AppendString([]byte(`{"path":`), Join(m.Path))
		out = append(out, `,"kind":"`+kind+`","bytes":`...)
		out = strconv.AppendInt(out, size, 10)
		out = append(out, `,"nodesBelow":`...)
		out = strconv.AppendInt(out, int64(nodes), 10)
		out = append(out, `,"changes":`...)
		out = strconv.AppendInt(out, int64(changes), 10)
		for _, x := range []struct {
			name string
			r    *timeline.Recorded
		}{{"first", first}, {"last", last}} {
			if x.r != nil {
				out = append(out, `,"`+x.name+`":{"offset":`...)
				out = strconv.AppendInt(out, x.r.At.Offset, 10)
				out = append(out, `,"time":`...)
				out = jsonw.AppendString(out, imagetree.Time(x.r.At.Time))
				out = append(out, `,"record":"`+x.r.Record+`"}`...)
			}
		}
		return c.printJSON(append(out, "}\n"...))
	}
	rows := [][]string{{"path", c.clean(Join(m.Path))}, {"kind", kind}, {"bytes", strconv.FormatInt(size, 10)}}
	if m.Node.Children() != nil {
		rows = append(rows, []string{"nodes below", strconv.Itoa(nodes)})
	}
	if changes > 0 {
		rows = append(rows, []string{"changes", strconv.Itoa(changes)}, []string{"first change", changePlace(first)}, []string{"last change", changePlace(last)})
	}
	if gap {
		if err := c.print("\n"); err != nil {
			return err
		}
	}
	return c.rows(nil, rows, nil)
}

func changePlace(r *timeline.Recorded) string {
	s := "offset " + strconv.FormatInt(r.At.Offset, 10) + ", epoch " + strconv.Itoa(int(r.At.Epoch)) + ", " + imagetree.Time(r.At.Time) + ", " + r.Record
	if r.Snapshot {
		s = "as of " + s
	}
	return s
}
