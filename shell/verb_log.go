package shell

import (
	"context"
	"strconv"

	"github.com/spf13/pflag"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/sensitive"
	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

var logVerb = &verb{
	name: "log", stateless: true, usage: "log [-n N] [-o text|json] [PATH]", short: "Tell when nodes were changed, by which records, from what to what.", most: 1, arguments: pathArguments,
	long: `All changes of the node and of what is below it, in the order of the log, as far
back as the files go; also those of nodes that are gone, and of an earlier topic of
the same name. The path is one below /image; the last component may be a pattern.
What a snapshot has brought stands at its end: when it came to be is not known.`,
	flags: func(f *pflag.FlagSet) {
		f.IntP("last", "n", 0, "only the last N changes")
		outputFlag(f)
	},
	run: runLog,
}

// query makes the question for the changes below a typed path.
func (c *call) query(typed string) (timeline.Query, error) {
	return queryBelow(append(escapeAll(c.chroot), c.components(typed)...))
}

// queryBelow makes it for the components of a path in the whole tree, which may be
// patterns.
func queryBelow(path []string) (timeline.Query, error) {
	if len(path) > 0 && path[0] != "image" {
		return timeline.Query{}, usagef(Join(unescapeAll(path)), ": only what is below /image has a history")
	}
	if len(path) == 0 {
		path = []string{"image"}
	}
	if len(path) > 3 && path[1] == "topics" && path[2] == "byId" {
		id, err := kbin.ParseUUID(path[3])
		if err != nil {
			return timeline.Query{}, usagef(path[3], ": it is no id of a topic")
		}
		rest := parseGlobs(path[4:], compileGlob)
		return timeline.Query{Prefix: path[:2], Match: func(x *image.Change) bool {
			return x.Topic == id && matchTail(rest, x.Path[4:])
		}}, nil
	}
	if len(path) == 3 && path[1] == "topics" {
		path = path[:2]
	}
	globs := parseGlobs(path, compileGlob)
	plain := 0
	var prefix []string
	for plain < len(globs) && globs[plain].pattern == nil {
		prefix = append(prefix, globs[plain].literal)
		plain++
	}
	rest := globs[plain:]
	return timeline.Query{Prefix: prefix, Match: func(x *image.Change) bool { return matchTail(rest, x.Path[plain:]) }}, nil
}

// matchTail compares the beginning of a path with patterns.
func matchTail(patterns []glob, path []string) bool {
	if len(path) < len(patterns) {
		return false
	}
	for i := range patterns {
		if !patterns[i].matches(path[i]) {
			return false
		}
	}
	return true
}

func runLog(ctx context.Context, c *call) error {
	q, err := c.query(c.targets()[0])
	if err != nil {
		return err
	}
	n, _ := c.flags.GetInt("last")
	var last []string
	any := false
	problems, err := c.source.History(ctx, q, func(r *timeline.Recorded) error {
		any = true
		text := c.changeText(r)
		if n <= 0 {
			return c.print(text)
		}
		if last = append(last, text); len(last) > n {
			last = last[1:]
		}
		return nil
	})
	c.warn(problems, 0)
	for _, text := range last {
		if err == nil {
			err = c.print(text)
		}
	}
	if err == nil && !any {
		c.none(c.targets()[0])
	}
	return err
}

// changeText is a change as log and watch print it.
func (c *call) changeText(r *timeline.Recorded) string {
	if c.json {
		return c.changeJSON(r)
	}
	where := "offset " + strconv.FormatInt(r.At.Offset, 10) + "  epoch " + strconv.Itoa(int(r.At.Epoch))
	if r.Snapshot {
		where = "as of " + where
	}
	if r.At.Time >= 0 {
		where += "  " + imagetree.Time(r.At.Time)
	}
	return c.term.Bold(where) + "  " + r.Record + "\n" + c.beforeAfter(&r.Change)
}

// beforeAfter is what differs, indented: all of what came or went, and what has
// changed of the rest.
func (c *call) beforeAfter(x *image.Change) string {
	path := c.clean(Join(x.Path))
	before, after := c.described(x.Before), c.described(x.After)
	switch {
	case x.Before == nil:
		return "  + " + path + fieldLine(after, c.clean) + "\n"
	case x.After == nil:
		return "  - " + path + fieldLine(before, c.clean) + "\n"
	}
	text := "  ~ " + path + "\n"
	for _, f := range after {
		old, _ := node.Get(before, f.Name)
		was := node.Field{Value: old}
		if string(was.AppendJSON(nil)) == string(f.AppendJSON(nil)) {
			continue
		}
		from, to := was.Text(), f.Text()
		if from == to { // null and an empty list look the same
			from, to = string(was.AppendJSON(nil)), string(f.AppendJSON(nil))
		}
		text += "      " + f.Name + ": " + c.clean(from) + " -> " + c.clean(to) + "\n"
	}
	return text
}

// fieldLine shows the fields of what came or went.
func fieldLine(fields []node.Field, clean func(string) string) string {
	s := ""
	for _, f := range fields {
		if !f.Wide {
			if t := f.Text(); t != "" && t != "-" {
				s += "  " + f.Name + "=" + clean(t)
			}
		}
	}
	return s
}

// described gives the fields of a record of an image; secrets are masked unless they
// are to be shown.
func (s *Shell) described(m kbin.Message) []node.Field {
	switch m := m.(type) {
	case *metadata.ConfigRecord:
		if m.Value == nil {
			return nil
		}
		value := *m.Value
		if !s.ShowSecrets && sensitive.Config(m.Name) {
			value = sensitive.Mask
		}
		return []node.Field{{Name: "value", Value: value}}
	case nil:
		return nil
	}
	return imagetree.RecordFields(m, s.ShowSecrets)
}

func (c *call) changeJSON(r *timeline.Recorded) string {
	out := append([]byte(nil), `{"offset":`...)
	out = strconv.AppendInt(out, r.At.Offset, 10)
	out = append(out, `,"epoch":`...)
	out = strconv.AppendInt(out, int64(r.At.Epoch), 10)
	if r.At.Time >= 0 {
		out = append(out, `,"time":`...)
		out = jsonw.AppendString(out, imagetree.Time(r.At.Time))
	}
	out = append(out, `,"record":`...)
	out = jsonw.AppendString(out, r.Record)
	if r.Snapshot {
		out = append(out, `,"asOf":true`...)
	}
	out = append(out, ',')
	out = c.appendChange(out, &r.Change)
	out = append(out, "}\n"...)
	if c.term.Clean {
		return CleanJSON(string(out))
	}
	return string(out)
}

// appendChange appends the members that say what has changed.
func (s *Shell) appendChange(out []byte, x *image.Change) []byte {
	out = append(out, `"path":`...)
	out = jsonw.AppendString(out, Join(x.Path))
	for _, side := range [...]struct {
		name string
		m    kbin.Message
	}{{"before", x.Before}, {"after", x.After}} {
		out = append(out, `,"`+side.name+`":`...)
		if side.m == nil {
			out = append(out, "null"...)
			continue
		}
		out = node.AppendFields(out, s.described(side.m))
	}
	return out
}
