package cli

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kraftctl/decode/jsonw"
	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/mask"
	"kraftctl/internal/snapfile"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
)

// snapshotCatOptions are the flags of kraftctl snapshot cat.
type snapshotCatOptions struct {
	output      string
	types       []string
	showSecrets bool
}

func newSnapshotCat(e *Env) *cobra.Command {
	o := &snapshotCatOptions{}
	c := &cobra.Command{
		Use:   "cat PATH",
		Short: "Show the records of a snapshot, a segment or a directory in order",
		Long: `Show the records of a snapshot or segment, or those that the latest metadata of a
directory is made of: its snapshot and the log behind it. A record is a JSON object
on a line: offset (in the file), type, version, and data as kafka-dump-log shows
it. One that cannot be decoded has "error" in place of data.

Secrets are masked, see --show-secrets.

Exit codes: 0 all was shown, 1 something could not be decoded or read any further,
2 wrong usage, 3 it cannot be read at all.`,
		Example: `  kraftctl snapshot cat --type TOPIC_RECORD,PARTITION_RECORD FILE | jq -c .data
  kraftctl snapshot cat -o text /var/lib/kafka`,
		Args: onePath,
		RunE: func(c *cobra.Command, args []string) error {
			if o.output != "text" && o.output != "json" {
				return term.Usagef("--output %s: it is text or json", o.output)
			}
			return o.run(c.Context(), e, args[0])
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.output, "output", "o", "json", "json (one object a line), or text")
	f.StringSliceVar(&o.types, "type", nil, "only records of these types: TOPIC_RECORD, topic, SNAPSHOT_HEADER, ...")
	f.BoolVar(&o.showSecrets, "show-secrets", false, "show SCRAM credentials, passwords and the like")
	return c
}

// wanted makes a set of the types that are asked for; nil: all.
func (o *snapshotCatOptions) wanted() (map[string]bool, error) {
	if len(o.types) == 0 {
		return nil, nil
	}
	known := map[string]bool{}
	for _, key := range metadata.Keys() {
		known[metadata.TypeName(key)] = true
	}
	for _, name := range [...]string{"LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER", "KRAFT_VERSION", "KRAFT_VOTERS", "UNKNOWN"} {
		known[name] = true
	}
	set := map[string]bool{}
	for _, text := range o.types {
		name := strings.ToUpper(text)
		if !known[name] && known[name+"_RECORD"] {
			name += "_RECORD"
		}
		if !known[name] {
			return nil, term.Usagef("--type %s: there is no such type of metadata records", text)
		}
		set[name] = true
	}
	return set, nil
}

func (o *snapshotCatOptions) run(ctx context.Context, e *Env, path string) error {
	wanted, err := o.wanted()
	if err != nil {
		return err
	}
	state, err := readState(ctx, e.FS, path, timeline.Latest)
	if err != nil {
		return err
	}
	p := &recordPrinter{w: bufio.NewWriterSize(e.Streams.Out, 64<<10), text: o.output == "text", showSecrets: o.showSecrets}
	undecoded := false
	err = snapfile.Scan(ctx, e.FS, path, state, func(r *snapfile.Record) error {
		kind := "UNKNOWN"
		if r.IsControl {
			kind = r.Control.Type.String()
		} else if r.Frame.Message != nil {
			kind = metadata.TypeName(r.Frame.APIKey)
		}
		undecoded = undecoded || r.Err != nil
		if wanted != nil && !wanted[kind] {
			return nil
		}
		return p.record(r, kind)
	})
	if werr := p.w.Flush(); werr != nil {
		return ignorePipe(werr)
	}
	switch {
	case errors.Is(err, ctx.Err()) && ctx.Err() != nil:
		return &term.Error{Code: term.NotFine, Err: err, Offset: -1}
	case err != nil:
		classified := term.Classify(err)
		return &term.Error{Code: term.NotFine, Err: err, Path: classified.Path, Offset: classified.Offset}
	case undecoded:
		return term.Exit(term.NotFine)
	}
	return nil
}

// recordPrinter prints records a line each.
type recordPrinter struct {
	w           *bufio.Writer
	text        bool
	showSecrets bool
	buf         []byte
}

// record prints a record of a file.
func (p *recordPrinter) record(r *snapfile.Record, kind string) error {
	switch {
	case r.Err != nil:
		return p.line(r.Record.Offset, kind, -1, nil, r.Err)
	case r.IsControl:
		return p.line(r.Record.Offset, kind, r.Control.Version, r.Control.Message, nil)
	}
	if !p.showSecrets {
		mask.Frame(&r.Frame)
	}
	return p.line(r.Record.Offset, kind, r.Frame.Version, r.Frame.Message, nil)
}

// made prints a record that comes from no file.
func (p *recordPrinter) made(apiKey, version int16, m kbin.Message) error {
	if !p.showSecrets {
		m, _ = mask.Message(m)
	}
	return p.line(-1, metadata.TypeName(apiKey), version, m, nil)
}

// line prints a line. An offset of -1 is left out, a nil message is null.
func (p *recordPrinter) line(offset int64, kind string, version int16, m kbin.Message, err error) error {
	b := p.buf[:0]
	if p.text {
		if offset >= 0 {
			b = jsonw.AppendInt(b, offset)
			b = append(b, ' ')
		}
		b = append(b, kind...)
		if version >= 0 {
			b = append(b, " v"...)
			b = jsonw.AppendInt(b, int64(version))
		}
		b = append(b, ' ')
	} else {
		b = append(b, '{')
		if offset >= 0 {
			b = append(b, `"offset":`...)
			b = append(jsonw.AppendInt(b, offset), ',')
		}
		b = append(b, `"type":`...)
		b = jsonw.AppendString(b, kind)
		if version >= 0 {
			b = append(b, `,"version":`...)
			b = jsonw.AppendInt(b, int64(version))
		}
		if err == nil {
			b = append(b, `,"data":`...)
		} else {
			b = append(b, `,"error":`...)
		}
	}
	switch {
	case err != nil && p.text:
		b = append(b, err.Error()...)
	case err != nil:
		b = jsonw.AppendString(b, err.Error())
	case m == nil:
		b = append(b, "null"...)
	default:
		b = m.AppendJSON(b, version)
	}
	if !p.text {
		b = append(b, '}')
	}
	p.buf = append(harmless(b, p.text), '\n')
	_, werr := p.w.Write(p.buf)
	return werr
}

// harmless makes a line harmless for a terminal. JSON says the same afterwards.
func harmless(line []byte, text bool) []byte {
	plain := func(c byte) bool { return c >= ' ' && c < 0x7f || c == '\n' && !text }
	switch {
	case !slices.ContainsFunc(line, func(c byte) bool { return !plain(c) }):
		return line
	case text:
		return append(line[:0], shell.Clean(string(line))...)
	}
	return append(line[:0], shell.CleanJSON(string(line))...)
}
