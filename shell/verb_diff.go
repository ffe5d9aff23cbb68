package shell

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
)

var diffVerb = &verb{
	name: "diff", usage: "diff [-o text|json|records] A [B] [PATH]", short: "Show what differs between two offsets, times, files or directories.", least: 1, most: 3,
	arguments: pathArguments, outputs: "records",
	long: `A and B are offsets, times, files or directories, or DIRECTORY@OFFSET; without B it is what
the tree shows now. A PATH begins with /image, and only what is below it counts. json
is a JSON patch (RFC 6902), records are those that lead from A to B. It ends with 1 if
anything differs.`,
	flags: func(f *pflag.FlagSet) { f.StringP("output", "o", "text", "text, json or records") },
	run:   runDiff,
}

func runDiff(ctx context.Context, c *call) error {
	args := c.args
	prefix := []string{"image"}
	if last := args[len(args)-1]; len(args) > 1 && strings.HasPrefix(last, "/image") {
		prefix = unescapeAll(Split("", last))
		args = args[:len(args)-1]
	}
	if len(args) > 2 {
		return usagef(unescape(args[2]), ": a path begins with /image")
	}
	before, err := c.side(ctx, unescape(args[0]))
	if err != nil {
		return err
	}
	after := c.state
	if len(args) > 1 {
		if after, err = c.side(ctx, unescape(args[1])); err != nil {
			return err
		}
	}
	q := timeline.Query{Prefix: prefix}
	if how := c.text("output"); how != "text" {
		if len(prefix) > 1 {
			return usagef("--output ", how, " is about all of the metadata: leave out the path")
		}
		if c.DiffTo == nil {
			return usagef("--output ", how, " is not to be had here")
		}
		var b bytes.Buffer
		differs, err := c.DiffTo(&b, how, before.Image, after.Image, c.ShowSecrets)
		if err != nil {
			return err
		}
		c.missing = differs
		return c.printJSON(b.Bytes())
	}
	for x := range image.Diff(before.Image, after.Image) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if q.Matches(&x) {
			c.missing = true
			if err := c.print(c.beforeAfter(&x)); err != nil {
				return err
			}
		}
	}
	return nil
}

// side loads one of what is compared.
func (c *call) side(ctx context.Context, text string) (*timeline.State, error) {
	at, err := c.resolve(ctx, text)
	if err == nil {
		return c.source.At(ctx, at)
	}
	var usage *UsageError
	if !errors.As(err, &usage) {
		return nil, err
	}
	path, offset := text, "latest"
	other, err := c.source.Sibling(path)
	if i := strings.LastIndexByte(text, '@'); errors.Is(err, fs.ErrNotExist) && i > 0 {
		path, offset = text[:i], text[i+1:]
		other, err = c.source.Sibling(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef(text, ": it is no offset, no time and no file")
	}
	if err != nil {
		return nil, err
	}
	if at, err = ResolveAt(ctx, other, offset); err != nil {
		return nil, err
	}
	return other.At(ctx, at)
}
