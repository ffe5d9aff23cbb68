package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"kraftctl/dumplog"
	"kraftctl/internal/term"
)

// dumpLogOptions are the flags of kraftctl dump-log.
type dumpLogOptions struct {
	files            string
	printDataLog     bool
	deepIteration    bool
	indexSanityCheck bool
	verifyIndexOnly  bool
	maxBytes         int64
	maxMessageSize   int32
	keyDecoder       string
	valueDecoder     string
	offsets          bool
	transactions     bool
	metadata         bool
	remoteLog        bool
	shareGroupState  bool
	skipMetadata     bool

	output          string
	offsetRange     string
	since, until    string
	key             string
	types           []string
	topic           string
	producerID      int64
	onlyInvalid     bool
	follow          bool
	summary         bool
	resync          bool
	all             bool
	showSecrets     bool
	fold            bool
	maxDecompressed int64
	workers         int
}

const outputSchema = "schema"

func newDumpLog(e *Env) *cobra.Command {
	o := &dumpLogOptions{}
	c := &cobra.Command{
		Use:   "dump-log [PATH...]",
		Short: "Show what segments, snapshots, indexes and checkpoints hold",
		Long: `Show what the files of a Kafka log directory hold. A PATH is a file, the directory
of a partition (all its segments in order; a running node is not disturbed), or
"-" for standard input. Copies compressed with gzip or zstd are read as they are.

Without further options every batch is one line, as in Kafka's tool.
--deep-iteration adds the records, --print-data-log their keys and values. How
those are decoded follows from the directory's name (__cluster_metadata-0,
__consumer_offsets-N, ...) unless a decoder is chosen.

Unlike Kafka's tool it goes on behind damage, reports what is wrong on standard
error, and then ends with exit code 1; secrets in metadata are masked. Index files
are held against their logs.

--offsets, --since and --producer-id skip batches by their headers where the
checksum is right. Records without a timestamp (formats before 0.10) are not shown
with --since or --until. --follow ends with the first interrupt and exit code 0;
everything else that is interrupted ends with exit code 1.`,
		Example: `  kraftctl dump-log --print-data-log /var/lib/kafka/__cluster_metadata-0
  kraftctl dump-log --topic orders -o json /var/lib/kafka/__cluster_metadata-0 | jq .decoded
  kraftctl dump-log --offsets 1000..1999 --since 2026-11-29T03:00:00Z /var/lib/kafka/orders-3
  kraftctl dump-log --summary /var/lib/kafka/orders-3
  kraftctl dump-log --follow --print-data-log /var/lib/kafka/__cluster_metadata-0
  zstd -dc segment.zst | kraftctl dump-log --deep-iteration -`,
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), e, c, args)
		},
	}
	o.addFlags(c)
	return c
}

func (o *dumpLogOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.files, "files", "", "files to dump, separated by commas, as in Kafka's tool; PATHs do the same")
	f.BoolVarP(&o.printDataLog, "print-data-log", "p", false, "show keys and values of records")
	f.BoolVarP(&o.deepIteration, "deep-iteration", "d", false, "show records, not only batches")
	f.BoolVar(&o.metadata, "cluster-metadata-decoder", false, "decode as records of __cluster_metadata")
	f.BoolVar(&o.offsets, "offsets-decoder", false, "decode as records of __consumer_offsets")
	f.BoolVar(&o.transactions, "transaction-log-decoder", false, "decode as records of __transaction_state")
	f.BoolVar(&o.shareGroupState, "share-group-state-decoder", false, "decode as records of __share_group_state")
	f.BoolVar(&o.remoteLog, "remote-log-metadata-decoder", false, "decode as records of __remote_log_metadata")
	f.StringVar(&o.keyDecoder, "key-decoder-class", "string", "how keys are shown: string, integer, long, double, bytes, or the name of Kafka's class for one of them")
	f.StringVar(&o.valueDecoder, "value-decoder-class", "string", "how values are shown, likewise")
	f.BoolVar(&o.skipMetadata, "skip-record-metadata", false, "show keys and values only")
	f.BoolVar(&o.indexSanityCheck, "index-sanity-check", false, "only make the check of indexes that a broker makes at its start")
	f.BoolVar(&o.verifyIndexOnly, "verify-index-only", false, "check indexes without showing their entries")
	f.Int64Var(&o.maxBytes, "max-bytes", 0, "read no more than this many bytes of each segment, decompressed where it is a compressed copy; 0 is no limit")
	f.Int32Var(&o.maxMessageSize, "max-message-size", 0, "report entries of offset indexes whose batch is larger than this many bytes; 0 is no limit")

	f.StringVarP(&o.output, "output", "o", "text", "text, json (one object a line), table, hex (every byte with its field), or schema (print the JSON schema)")
	f.BoolVarP(&o.summary, "summary", "s", false, "summarize each segment, snapshot or directory instead of showing it")
	f.BoolVarP(&o.follow, "follow", "f", false, "go on as the last segment grows and rolls, until interrupted")
	f.StringVar(&o.offsetRange, "offsets", "", "only these offsets: A..B, A.., ..B or A; both ends included")
	f.StringVar(&o.since, "since", "", "only records with a timestamp from this time on: RFC 3339 or milliseconds since 1970")
	f.StringVar(&o.until, "until", "", "only records with a timestamp up to this time")
	f.StringVar(&o.key, "key", "", "only records with this key")
	f.StringSliceVar(&o.types, "type", nil, "only records of these types: TOPIC_RECORD, OffsetCommit, LEADER_CHANGE, UNKNOWN, tombstone, ...")
	f.StringVar(&o.topic, "topic", "", "only metadata records about this topic, by name or id")
	f.Int64Var(&o.producerID, "producer-id", 0, "only batches of this producer")
	f.BoolVar(&o.onlyInvalid, "only-invalid", false, "only batches with a wrong checksum")
	f.BoolVar(&o.resync, "resync", false, "behind damage, go on at the next batch with a right checksum")
	f.BoolVar(&o.all, "all", false, "of a directory, dump every file that Kafka writes, not only segments")
	f.BoolVar(&o.showSecrets, "show-secrets", false, "show SCRAM credentials, passwords and the like")
	f.BoolVar(&o.fold, "fold", false, "shorten long runs of bytes in hex output")
	f.Int64Var(&o.maxDecompressed, "max-decompressed", 0, "largest size in bytes that one batch may decompress to (default 256 MiB)")
	f.IntVar(&o.workers, "workers", 0, "goroutines that decode (default: one more than processors)")
}

// decoder gives the decoder that was asked for; several are a contradiction.
func (o *dumpLogOptions) decoder(c *cobra.Command) (dumplog.Decoder, error) {
	chosen := dumplog.DecodeNothing
	var names []string
	for _, d := range []struct {
		flag    string
		set     bool
		decoder dumplog.Decoder
	}{
		{"offsets-decoder", o.offsets, dumplog.DecodeOffsets},
		{"transaction-log-decoder", o.transactions, dumplog.DecodeTransactions},
		{"cluster-metadata-decoder", o.metadata, dumplog.DecodeMetadata},
		{"remote-log-metadata-decoder", o.remoteLog, dumplog.DecodeRemoteLog},
		{"share-group-state-decoder", o.shareGroupState, dumplog.DecodeShareGroupState},
		{"key-decoder-class", c.Flags().Changed("key-decoder-class"), dumplog.DecodeClasses},
		{"value-decoder-class", c.Flags().Changed("value-decoder-class"), dumplog.DecodeClasses},
	} {
		if d.set {
			if chosen != d.decoder {
				names = append(names, "--"+d.flag)
			}
			chosen = d.decoder
		}
	}
	if len(names) > 1 {
		return chosen, term.Usagef("only one decoder can be chosen, not %s", strings.Join(names, " and "))
	}
	return chosen, nil
}

// options turns flags into what package dumplog takes.
func (o *dumpLogOptions) options(e *Env, c *cobra.Command, args []string) (dumplog.Options, error) {
	var opt dumplog.Options
	if o.files != "" {
		args = append(strings.Split(o.files, ","), args...)
	}
	if len(args) == 0 {
		return opt, term.Usagef("nothing to dump: name files or directories, or - for standard input")
	}
	output, ok := dumplog.ParseOutput(o.output)
	if !ok {
		return opt, term.Usagef("--output %s: it is one of text, json, table, hex and schema", o.output)
	}
	decoder, err := o.decoder(c)
	if err != nil {
		return opt, err
	}
	filter, err := o.filter(c)
	if err != nil {
		return opt, err
	}
	switch {
	case output != dumplog.OutputText && (c.Flags().Changed("key-decoder-class") || c.Flags().Changed("value-decoder-class")):
		return opt, term.Usagef("decoder classes are for text output; %s shows keys and values as bytes and text", o.output)
	case o.follow && o.summary:
		return opt, term.Usagef("--follow never ends, so there is nothing to summarize")
	case o.follow && o.resync:
		return opt, term.Usagef("--follow and --resync exclude each other")
	case o.summary && output != dumplog.OutputText && output != dumplog.OutputTable && output != dumplog.OutputJSON:
		return opt, term.Usagef("--summary is a table or JSON, not %s", o.output)
	case o.maxBytes < 0 || o.maxMessageSize < 0 || o.maxDecompressed < 0 || o.workers < 0:
		return opt, term.Usagef("--max-bytes, --max-message-size, --max-decompressed and --workers cannot be negative")
	case o.skipMetadata && (o.summary || output != dumplog.OutputText):
		return opt, term.Usagef("--skip-record-metadata is for text output")
	case o.fold && (o.summary || output != dumplog.OutputHex):
		return opt, term.Usagef("--fold is for --output hex")
	}
	contents := o.printDataLog || decoder != dumplog.DecodeNothing
	return dumplog.Options{
		Inputs: args, Stdin: e.Streams.In, All: o.all,
		Output: output, Deep: o.deepIteration || contents, Contents: contents, SkipMetadata: o.skipMetadata,
		Decoder: decoder, KeyDecoder: o.keyDecoder, ValueDecoder: o.valueDecoder, ShowSecrets: o.showSecrets, Fold: o.fold,
		Filter:          &filter,
		IndexSanityOnly: o.indexSanityCheck, VerifyIndexOnly: o.verifyIndexOnly, MaxMessageSize: o.maxMessageSize,
		MaxBytes: o.maxBytes, Resync: o.resync, Follow: o.follow,
		MaxDecompressed: o.maxDecompressed, Workers: o.workers,
		Palette: palette(e.Streams),
	}, nil
}

func (o *dumpLogOptions) filter(c *cobra.Command) (dumplog.Filter, error) {
	f := dumplog.NewFilter()
	var err error
	if o.offsetRange != "" {
		if f.FirstOffset, f.LastOffset, err = parseRange(o.offsetRange, f.FirstOffset, f.LastOffset); err != nil {
			return f, err
		}
	}
	if o.since != "" {
		if f.Since, err = parseTime("--since", o.since); err != nil {
			return f, err
		}
	}
	if o.until != "" {
		if f.Until, err = parseTime("--until", o.until); err != nil {
			return f, err
		}
	}
	f.HasKey = c.Flags().Changed("key")
	f.Key = []byte(o.key)
	for _, t := range o.types {
		ok, near := dumplog.CheckType(t)
		switch {
		case ok:
		case len(near) > 0:
			return f, term.Usagef("--type %s: there is no such record type; close are %s", t, strings.Join(near, ", "))
		default:
			return f, term.Usagef("--type %s: there is no such record type; there are %s", t, strings.Join(dumplog.RecordTypes(), ", "))
		}
	}
	f.Types, f.Topic = o.types, o.topic
	f.HasProducerID, f.ProducerID = c.Flags().Changed("producer-id"), o.producerID
	f.OnlyInvalid = o.onlyInvalid
	return f, nil
}

// parseRange reads A..B, A.., ..B or A.
func parseRange(text string, first, last int64) (int64, int64, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	var err1, err2 error
	if from != "" {
		first, err1 = strconv.ParseInt(from, 10, 64)
	}
	if to != "" {
		last, err2 = strconv.ParseInt(to, 10, 64)
	}
	if err1 != nil || err2 != nil || from == "" && to == "" || first > last {
		return 0, 0, term.Usagef("--offsets %s: it is A..B, A.., ..B or A, with A not above B", text)
	}
	return first, last, nil
}

// parseTime reads RFC 3339 or milliseconds since 1970.
func parseTime(flag, text string) (int64, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return ms, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, term.Usagef("%s %s: it is a time like 2026-11-29T03:00:00Z, or milliseconds since 1970", flag, text)
	}
	return t.UnixMilli(), nil
}

func (o *dumpLogOptions) run(ctx context.Context, e *Env, c *cobra.Command, args []string) error {
	if o.output == outputSchema {
		_, err := e.Streams.Out.Write(dumplog.JSONSchema())
		return err
	}
	opt, err := o.options(e, c, args)
	if err != nil {
		return err
	}
	if o.summary {
		opt.Summary = func(s *dumplog.Summary) error { return printSummary(e.Streams, s, opt.Output) }
	}
	progress := e.Streams.NewProgress()
	if text, err := c.Flags().GetString(errorsFlag); err == nil {
		opt.JSONErrors = text == "json"
	}
	opt.Total, opt.Progress = progress.Total, progress.Add
	result, err := dumplog.Dump(ctx, e.FS, e.Streams.Out, e.Streams.Err, opt)
	progress.Done()
	var wrong *dumplog.OptionError
	switch {
	case errors.As(err, &wrong):
		return term.Usagef("%w", wrong)
	case errors.Is(err, context.Canceled):
		return &term.Error{Code: term.NotFine, Err: errors.New("interrupted"), Offset: -1}
	case errors.Is(err, syscall.EPIPE):
		return nil // the reader has seen enough
	case err != nil:
		return err
	case result.Unreadable > 0:
		return term.Exit(term.Unreadable)
	case result.Findings > 0:
		return term.Exit(term.NotFine)
	}
	return nil
}

// printSummary prints a summary as JSON or as tables.
func printSummary(s *term.Streams, summary *dumplog.Summary, output dumplog.Output) error {
	if output == dumplog.OutputJSON {
		_, err := s.Out.Write(append(summary.AppendJSON(nil), '\n'))
		return err
	}
	for i, section := range summary.Sections() {
		if i > 0 {
			say(s.Out, "\n")
		}
		if section.Title != "" {
			say(s.Out, s.Paint(section.Title, color.Bold)+"\n")
		}
		if err := term.Table(s.Out, section.Header, section.Rows, section.Right); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(s.Out)
	return err
}

// palette gives the colours of text output, as the codes that switch them on and off.
func palette(s *term.Streams) dumplog.Palette {
	on := func(a ...color.Attribute) string {
		before, _, _ := strings.Cut(s.Paint("\x00", a...), "\x00")
		return before
	}
	p := dumplog.Palette{Batch: on(color.FgCyan), Label: on(color.Faint), Bad: on(color.FgRed, color.Bold)}
	if s.Color {
		p.Reset = "\x1b[0m"
	}
	return p
}
