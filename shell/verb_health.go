package shell

import (
	"context"
	"strconv"

	"github.com/spf13/pflag"

	"kraftctl/decode/jsonw"
)

var healthVerb = &verb{
	name: "health", usage: "health [-a] [-o text|json]", short: "Look for what wants attention: offline, under-replicated, fenced, unbalanced.",
	long: `Errors (data that cannot be read or written, or nodes that cannot take part) come
before warnings, each with the nodes it is about. It ends with 1 if there are
errors.`,
	flags: func(f *pflag.FlagSet) {
		f.BoolP("all", "a", false, "all paths of each finding, not the first five")
		outputFlag(f)
	},
	run: runHealth,
}

func runHealth(_ context.Context, c *call) error {
	findings := Health(c.state)
	if c.json {
		return c.healthJSON(findings)
	}
	if len(findings) == 0 {
		return c.print("Nothing wants attention.\n")
	}
	for i, f := range findings {
		kind := "warning"
		if f.Error {
			kind, c.missing = "error", true
		}
		text := c.term.Bold(kind+" "+f.Check) + ": " + strconv.Itoa(f.Count) + " " + f.Text + "\n"
		if i > 0 {
			text = "\n" + text
		}
		for n, p := range f.Paths {
			if n == 5 && !c.flag("all") {
				text += "    ... and " + strconv.Itoa(f.Count-n) + " more\n"
				break
			}
			text += "    " + c.clean(p) + "\n"
		}
		if n := f.Count - len(f.Paths); n > 0 && c.flag("all") {
			text += "    ... and " + strconv.Itoa(n) + " more\n"
		}
		if err := c.print(text); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) healthJSON(findings []*Finding) error {
	out := []byte("[")
	for i, f := range findings {
		if i > 0 {
			out = append(out, ',')
		}
		severity := "warning"
		if f.Error {
			severity, c.missing = "error", true
		}
		out = append(out, "\n  {\"severity\":\""+severity+"\",\"check\":\""+f.Check+"\",\"text\":"...)
		out = jsonw.AppendString(out, f.Text)
		out = append(out, `,"count":`...)
		out = strconv.AppendInt(out, int64(f.Count), 10)
		out = append(out, `,"paths":[`...)
		for n, p := range f.Paths {
			if n > 0 {
				out = append(out, ',')
			}
			out = jsonw.AppendString(out, p)
		}
		out = append(out, "]}"...)
	}
	if len(findings) > 0 {
		out = append(out, '\n')
	}
	return c.print(string(append(out, "]\n"...)))
}
