package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"kraftctl/internal/fsck"
	"kraftctl/internal/term"
)

// fsckOptions are the flags of kraftctl fsck.
type fsckOptions struct {
	output          string
	minSeverity     string
	deep            bool
	workers         int
	maxDecompressed int64
	perRule         int
	rules           bool
}

func newFsck(e *Env) *cobra.Command {
	o := &fsckOptions{}
	c := &cobra.Command{
		Use:   "fsck PATH...",
		Short: "Check log directories, partitions and single files for damage",
		Long: `Check what a Kafka node has on disk: checksums and order of the batches, every
entry of every index against its log, transaction indexes against abort markers,
producer snapshots, leader epochs, KRaft snapshots and quorum-state, checkpoints,
meta.properties, and how they belong together. A PATH is

  a log directory          with all its partitions
  several of them          the log directories of one node (JBOD)
  a directory of them      log directories next to each other
  a partition directory
  a file

Nothing is written or locked, so that a running node is not disturbed. What a
running node changes during the check is no finding.

Without --deep the batches are checked by their headers and checksums; with it
all records are decompressed and decoded.

Exit codes: 0 no errors and no warnings, 1 errors or warnings, 2 wrong usage,
3 a PATH cannot be read at all. Information alone, and what --min-severity
leaves out, do not count.

--output json prints an object a line. Findings have the fields type
("finding"), rule, severity, file, position (byte in the file) and offset (in
the partition) where they have a meaning, message, want and got where there are
any, and more (how many further findings of the rule in the file were left
out). The last line has type "summary", errors, warnings, infos, files, bytes,
and unreadable (a list of messages) if there were such paths. With --rules an
object has the fields rule, severity, title, meaning and action.`,
		Example: `  kraftctl fsck /var/lib/kafka
  kraftctl fsck --deep /disk1/kafka /disk2/kafka
  kraftctl fsck -o json /var/lib/kafka/__cluster_metadata-0 | jq 'select(.severity == "error")'
  kraftctl fsck --rules`,
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), e, args)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.output, "output", "o", "table", "table, or json (one object a line)")
	f.StringVar(&o.minSeverity, "min-severity", "info", "least severity that is reported: info, warning or error")
	f.BoolVar(&o.deep, "deep", false, "decompress and decode all records")
	f.IntVar(&o.workers, "workers", 0, "files that are checked at once (default: one for each processor)")
	f.Int64Var(&o.maxDecompressed, "max-decompressed", 0, "largest size in bytes that one batch may decompress to (default 256 MiB)")
	f.IntVar(&o.perRule, "per-rule", fsck.DefaultPerRule, "findings of one rule that are shown for one file; the others are counted")
	f.BoolVar(&o.rules, "rules", false, "print the catalogue of rules and end")
	return c
}

// validate checks the flags and gives the least severity.
func (o *fsckOptions) validate(args []string) (fsck.Severity, error) {
	least, ok := fsck.ParseSeverity(o.minSeverity)
	switch {
	case !ok:
		return 0, term.Usagef("--min-severity %s: it is one of info, warning and error", o.minSeverity)
	case o.output != "table" && o.output != "json":
		return 0, term.Usagef("--output %s: it is one of table and json", o.output)
	case o.workers < 0 || o.maxDecompressed < 0 || o.perRule < 0:
		return 0, term.Usagef("--workers, --max-decompressed and --per-rule cannot be negative")
	case o.rules && len(args) > 0:
		return 0, term.Usagef("--rules prints the catalogue and checks nothing: leave out the paths")
	case !o.rules && len(args) == 0:
		return 0, term.Usagef("nothing to check: name log directories, partition directories or files")
	}
	return least, nil
}

func (o *fsckOptions) run(ctx context.Context, e *Env, args []string) error {
	least, err := o.validate(args)
	if err != nil {
		return err
	}
	out := fsckPrinter{s: e.Streams, json: o.output == "json"}
	if o.rules {
		return ignorePipe(out.catalogue(least))
	}
	progress := e.Streams.NewProgress()
	report, err := fsck.Check(ctx, e.FS, args, fsck.Options{
		Workers: o.workers, Deep: o.deep, MaxDecompressed: o.maxDecompressed, PerRule: o.perRule,
		Total: progress.Total, Progress: progress.Add,
	})
	progress.Done()
	if cerr := ctx.Err(); cerr != nil {
		return fmt.Errorf("interrupted, nothing is reported: %w", cerr)
	}
	shown := report.Findings[:0:0]
	for _, f := range report.Findings {
		if f.Severity() >= least {
			shown = append(shown, f)
		}
	}
	if perr := ignorePipe(out.report(report, shown, err)); perr != nil {
		return perr
	}
	if err != nil {
		return err
	}
	for _, f := range shown {
		if f.Severity() >= fsck.Warning {
			return term.Exit(term.NotFine)
		}
	}
	return nil
}

// ignorePipe drops the error of a reader that has seen enough.
func ignorePipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// fsckPrinter prints reports and the catalogue.
type fsckPrinter struct {
	s    *term.Streams
	json bool
	buf  bytes.Buffer
}

// flush writes what was gathered.
func (p *fsckPrinter) flush() error {
	_, err := p.buf.WriteTo(p.s.Out)
	return err
}

func (p *fsckPrinter) line(v any) error {
	encoder := json.NewEncoder(&p.buf)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// fsckFinding, fsckSummary and fsckRule are the objects of JSON output.
type (
	fsckFinding struct {
		Type     string `json:"type"`
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		File     string `json:"file"`
		Position *int64 `json:"position,omitempty"`
		Offset   *int64 `json:"offset,omitempty"`
		Message  string `json:"message"`
		Want     string `json:"want,omitempty"`
		Got      string `json:"got,omitempty"`
		More     int64  `json:"more,omitempty"`
	}
	fsckSummary struct {
		Type       string   `json:"type"`
		Errors     int64    `json:"errors"`
		Warnings   int64    `json:"warnings"`
		Infos      int64    `json:"infos"`
		Files      int64    `json:"files"`
		Bytes      int64    `json:"bytes"`
		Unreadable []string `json:"unreadable,omitempty"`
	}
	fsckRule struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Title    string `json:"title"`
		Meaning  string `json:"meaning"`
		Action   string `json:"action"`
	}
)

// report prints the findings that are to be shown. unreadable is what became of
// paths that could not be read.
func (p *fsckPrinter) report(r *fsck.Report, shown []fsck.Finding, unreadable error) error {
	if !p.json {
		return p.tables(r, shown)
	}
	for _, f := range shown {
		x := fsckFinding{Type: "finding", Rule: string(f.Rule), Severity: f.Severity().String(), File: f.File,
			Message: f.Message, Want: f.Want, Got: f.Got, More: f.More}
		if f.Position >= 0 {
			x.Position = &f.Position
		}
		if f.Offset >= 0 {
			x.Offset = &f.Offset
		}
		if err := p.line(x); err != nil {
			return err
		}
	}
	summary := fsckSummary{"summary", r.Errors, r.Warnings, r.Infos, r.Files, r.Bytes, nil}
	if unreadable != nil {
		summary.Unreadable = strings.Split(unreadable.Error(), "\n")
	}
	if err := p.line(summary); err != nil {
		return err
	}
	return p.flush()
}

// tables prints a table for each file, then what the rules mean, then the counts.
func (p *fsckPrinter) tables(r *fsck.Report, shown []fsck.Finding) error {
	for i := 0; i < len(shown); {
		end := i
		for end < len(shown) && shown[end].File == shown[i].File {
			end++
		}
		say(&p.buf, p.s.Paint(oneLine(shown[i].File), color.Bold)+"\n")
		if err := p.table(shown[i:end]); err != nil {
			return err
		}
		say(&p.buf, "\n")
		i = end
	}
	p.meanings(shown)
	fmt.Fprintf(&p.buf, "%s, %s checked: %s, %s, %d for information\n",
		count(r.Files, "file"), count(r.Bytes, "byte"), count(r.Errors, "error"), count(r.Warnings, "warning"), r.Infos)
	return p.flush()
}

func (p *fsckPrinter) table(findings []fsck.Finding) error {
	number := func(n int64) string {
		if n < 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	var rows [][]string
	for _, f := range findings {
		message := f.Message
		switch {
		case f.Want != "" && f.Got != "":
			message += fmt.Sprintf(" (expected %s, found %s)", f.Want, f.Got)
		case f.Got != "":
			message += fmt.Sprintf(" (found %s)", f.Got)
		}
		if f.More > 0 {
			message += fmt.Sprintf(" (and %d more like this)", f.More)
		}
		rows = append(rows, []string{p.severity(f.Severity()), string(f.Rule), number(f.Position), number(f.Offset), oneLine(message)})
	}
	return term.Table(&p.buf, []string{"SEVERITY", "RULE", "POSITION", "OFFSET", "MESSAGE"}, rows, []bool{false, false, true, true})
}

// oneLine keeps what is in damaged files from moving the cursor.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return '.'
		}
		return r
	}, text)
}

func (p *fsckPrinter) severity(s fsck.Severity) string {
	switch s {
	case fsck.Error:
		return p.s.Paint(s.String(), color.FgRed, color.Bold)
	case fsck.Warning:
		return p.s.Paint(s.String(), color.FgYellow)
	}
	return p.s.Paint(s.String(), color.Faint)
}

// meanings explains every rule that was hit, once, the worst first.
func (p *fsckPrinter) meanings(shown []fsck.Finding) {
	hit := make(map[fsck.ID]bool)
	for _, f := range shown {
		hit[f.Rule] = true
	}
	for _, severity := range []fsck.Severity{fsck.Error, fsck.Warning, fsck.Info} {
		for _, rule := range fsck.Catalogue() {
			if rule.Severity == severity && hit[rule.ID] {
				p.rule(rule)
			}
		}
	}
}

// rule prints a rule as a paragraph.
func (p *fsckPrinter) rule(r fsck.Rule) {
	say(&p.buf, p.s.Paint(string(r.ID), color.Bold)+" ("+p.severity(r.Severity)+"): "+r.Title+"\n")
	wrap(&p.buf, r.Meaning, "  ", "  ", p.s.Width)
	if r.Action != "" {
		wrap(&p.buf, r.Action, "  -> ", "     ", p.s.Width)
	}
	say(&p.buf, "\n")
}

// catalogue prints all rules.
func (p *fsckPrinter) catalogue(least fsck.Severity) error {
	for _, r := range fsck.Catalogue() {
		switch {
		case r.Severity < least:
		case p.json:
			if err := p.line(fsckRule{string(r.ID), r.Severity.String(), r.Title, r.Meaning, r.Action}); err != nil {
				return err
			}
		default:
			p.rule(r)
		}
	}
	return p.flush()
}

// count gives a number with its noun.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}

// wrap prints text in lines of at most width columns.
func wrap(w io.Writer, text, first, indent string, width int) {
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			say(w, line+"\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	say(w, line+"\n")
}
