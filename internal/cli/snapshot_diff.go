package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/mask"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
)

// snapshotDiffOptions are the flags of kraftctl snapshot diff.
type snapshotDiffOptions struct {
	output      string
	showSecrets bool
}

func newSnapshotDiff(e *Env) *cobra.Command {
	o := &snapshotDiffOptions{}
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Show what differs between two states of metadata",
		Long: `Show what differs between the metadata of two files or directories, or of one at
two offsets: DIRECTORY@OFFSET is its metadata with all records up to that offset.

--output text has a path for each thing that differs, as in Kafka's metadata shell,
with its values before (-) and after (+). json is a JSON patch (RFC 6902) with the
same paths. records are the records that lead from A to B, a line each. How the
states came about, and how far into the log they go, does not count.

Secrets are masked, see --show-secrets. With secrets masked, records do not make
the same state.

Exit codes: 0 nothing differs, 1 something does, 2 wrong usage, 3 A or B cannot be
read, or not completely.`,
		Example: `  kraftctl snapshot diff /var/lib/kafka@1000 /var/lib/kafka
  kraftctl snapshot diff node1.checkpoint node2.checkpoint -o json`,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.output != "text" && o.output != "json" && o.output != "records":
				return term.Usagef("--output %s: it is text, json or records", o.output)
			case len(args) != 2:
				return term.Usagef("name two files or directories to compare, not %d", len(args))
			}
			return o.run(c.Context(), e, args[0], args[1])
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.output, "output", "o", "text", "text, json (a JSON patch), or records")
	f.BoolVar(&o.showSecrets, "show-secrets", false, "show SCRAM credentials, passwords and the like")
	return c
}

func (o *snapshotDiffOptions) run(ctx context.Context, e *Env, a, b string) error {
	var images [2]*image.Image
	for i, source := range [...]string{a, b} {
		path, offset, err := splitOffset(e.FS, source)
		if err != nil {
			return err
		}
		s, err := readState(ctx, e.FS, path, offset)
		if err != nil {
			return err
		}
		if err := complete(s); err != nil {
			return err
		}
		images[i] = s.Image
	}
	w := bufio.NewWriterSize(e.Streams.Out, 64<<10)
	differs, err := o.print(w, images[0], images[1])
	if err == nil {
		err = w.Flush()
	}
	if err = ignorePipe(err); err == nil && differs {
		err = term.Exit(term.NotFine)
	}
	return err
}

// complete refuses a state that is not complete: what is missing would look as if
// it were different.
func complete(s *timeline.State) error {
	if p, found := firstProblem(s, isWrong); found {
		return &term.Error{Code: term.Unreadable, Err: errors.New(shell.Clean(p.String())), Path: p.File, Offset: p.Pos,
			Hint: "The metadata is not complete: see kraftctl snapshot info."}
	}
	return nil
}

// diffTo prints what differs for the shell.
func diffTo(w io.Writer, how string, before, after *image.Image, showSecrets bool) (bool, error) {
	o := &snapshotDiffOptions{output: how, showSecrets: showSecrets}
	b := bufio.NewWriter(w)
	differs, err := o.print(b, before, after)
	return differs, errors.Join(err, b.Flush())
}

func (o *snapshotDiffOptions) print(w *bufio.Writer, a, b *image.Image) (differs bool, err error) {
	switch o.output {
	case "records":
		p := &recordPrinter{w: w, showSecrets: o.showSecrets}
		err = image.RecordsBetween(a, b, func(apiKey, version int16, m kbin.Message) error {
			differs = true
			return p.made(apiKey, version, m)
		})
		return differs, err
	case "json":
		p := &patchPrinter{w: w, o: o, before: a, after: b}
		return p.print()
	}
	var line []byte
	for c := range image.Diff(a, b) {
		differs = true
		line = append(append(line[:0], shell.Clean("/"+strings.Join(c.Path, "/"))...), '\n')
		if c.Before != nil {
			line = append(append(line, "- "...), harmless(o.value(nil, c.Before), false)...)
			line = append(line, '\n')
		}
		if c.After != nil {
			line = append(append(line, "+ "...), harmless(o.value(nil, c.After), false)...)
			line = append(line, '\n')
		}
		if _, err = w.Write(line); err != nil {
			return differs, err
		}
	}
	return differs, nil
}

// value appends what stands at a path: of features, configurations, quotas and
// producer ids only the value, as Kafka's shell does.
func (o *snapshotDiffOptions) value(dst []byte, m kbin.Message) []byte {
	if !o.showSecrets {
		m, _ = mask.Message(m)
	}
	switch x := m.(type) {
	case *metadata.FeatureLevelRecord:
		return jsonw.AppendInt(dst, int64(x.FeatureLevel))
	case *metadata.ConfigRecord:
		return jsonw.AppendNullableString(dst, x.Value)
	case *metadata.ClientQuotaRecord:
		return jsonw.AppendJavaDouble(dst, x.Value)
	case *metadata.ProducerIdsRecord:
		return jsonw.AppendInt(dst, x.NextProducerID)
	case *metadata.ZkMigrationStateRecord:
		return jsonw.AppendInt(dst, int64(x.ZkMigrationState))
	}
	_, highest := m.Versions()
	return m.AppendJSON(dst, highest)
}

// patchPrinter prints a JSON patch (RFC 6902) that leads from the document of one
// image to that of another.
type patchPrinter struct {
	w             *bufio.Writer
	o             *snapshotDiffOptions
	before, after *image.Image
	buf           []byte
	n             int
	parent        string // of the last change below one that comes and goes
}

func (p *patchPrinter) print() (differs bool, err error) {
	if _, err := p.w.WriteString("["); err != nil {
		return false, err
	}
	for c := range image.Diff(p.before, p.after) {
		if err := p.change(&c); err != nil {
			return true, err
		}
	}
	end := "]\n"
	if p.n > 0 {
		end = "\n]\n"
	}
	_, err = p.w.WriteString(end)
	return p.n > 0, err
}

// change prints the operation for a change. The objects above configurations and
// quotas come with their first key and go with the last one.
func (p *patchPrinter) change(c *image.Change) error {
	if c.Kind == image.KindConfig || c.Kind == image.KindQuota {
		parent := strings.Join(c.Path[:3], "/")
		was, is := p.has(p.before, c), p.has(p.after, c)
		first := p.parent != parent
		p.parent = parent
		switch {
		case first && !was:
			if err := p.operation("add", c.Path[:3], nil); err != nil {
				return err
			}
		case !is && !first:
			return nil // went with what is above it
		case !is:
			return p.operation("remove", c.Path[:3], nil)
		}
	}
	switch {
	case c.After == nil:
		return p.operation("remove", c.Path, nil)
	case c.Before == nil:
		return p.operation("add", c.Path, c.After)
	}
	return p.operation("replace", c.Path, c.After)
}

// has reports whether an image has anything of what a change is about.
func (p *patchPrinter) has(img *image.Image, c *image.Change) bool {
	record := c.Before
	if record == nil {
		record = c.After
	}
	switch m := record.(type) {
	case *metadata.ConfigRecord:
		return img.Config(image.Resource{Type: image.ResourceType(m.ResourceType), Name: m.ResourceName}) != nil
	case *metadata.ClientQuotaRecord:
		return img.HasQuota(m.Entity)
	}
	return true
}

// operation prints one operation; a nil message is an empty object where one is added.
func (p *patchPrinter) operation(op string, path []string, m kbin.Message) error {
	b := append(p.buf[:0], ",\n"...)
	if p.n == 0 {
		b = b[1:]
	}
	p.n++
	b = append(b, ` {"op":"`...)
	b = append(b, op...)
	b = append(b, `","path":`...)
	pointer := ""
	for _, part := range path {
		pointer += "/" + pointerEscapes.Replace(part)
	}
	b = jsonw.AppendString(b, pointer)
	switch {
	case op == "remove":
	case m == nil:
		b = append(b, `,"value":{}`...)
	default:
		b = p.o.value(append(b, `,"value":`...), m)
	}
	p.buf = harmless(append(b, '}'), false)
	_, err := p.w.Write(p.buf)
	return err
}

// pointerEscapes are those of JSON pointers (RFC 6901).
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
