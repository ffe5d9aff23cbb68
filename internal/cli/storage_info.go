package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"kraftctl/format"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/nodeinfo"
	"kraftctl/internal/props"
	"kraftctl/internal/term"
)

// nodeStorage are the flags that say which node's storage is looked at.
type nodeStorage struct {
	node       nodeConfig
	target     string
	partitions bool
}

func (n *nodeStorage) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	n.node.addFlags(f)
	targetFlag(f, &n.target, "the release of Kafka that is to start")
}

// options says what nodeinfo is to look at. A configuration that cannot be used
// is a problem of the node, not an error.
func (n *nodeStorage) options(e *Env, dirs []string) (o nodeinfo.Options, err error) {
	if o.Target, err = release(n.target); err != nil {
		return o, err
	}
	o.Partitions = n.partitions
	given := n.node.file != "" || len(n.node.set) > 0
	switch {
	case given && len(dirs) > 0:
		return o, term.Usagef("name either directories or a configuration, which names them")
	case !given && len(dirs) == 0:
		return o, term.Usagef("whose storage? Name the node's configuration with --config FILE, or its log directories")
	case !given:
		o.Dirs = dirs
		return o, nil
	}
	o.ConfigFile = n.node.file
	o.Config, err = n.node.load(e)
	var bad *kafkaconfig.Error
	if !errors.As(err, &bad) {
		return o, err
	}
	o.ConfigErr = bad
	o.Dirs, err = n.node.dirs(e)
	return o, err
}

// dirs gives the log directories of a configuration that Kafka does not accept.
func (n *nodeConfig) dirs(e *Env) ([]string, error) {
	text, overrides, err := n.read(e)
	if err != nil {
		return nil, err
	}
	list, err := props.Read(text, props.Latin1)
	if err != nil {
		return nil, n.explain(err)
	}
	list = append(list, overrides...)
	value, ok := props.Get(list, "log.dirs")
	if !ok {
		value, _ = props.Get(list, "log.dir")
	}
	metadata, _ := props.Get(list, "metadata.log.dir")
	var dirs []string
	for _, dir := range append(strings.Split(value, ","), metadata) {
		if dir = strings.TrimSpace(dir); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

func newStorageInfo(e *Env) *cobra.Command {
	n := &nodeStorage{}
	var output string
	c := &cobra.Command{
		Use:   "info [DIRECTORY...]",
		Short: "Show what a node's log directories hold",
		Long: `Show what a node's log directories hold: ids, layout, metadata version and
features, voters, the state of elections and what it means, the metadata log and
its snapshots, marks of clean stops, and every problem with its remedy. Nothing
is written or locked, so that a running node is not disturbed.

--output text is what kafka-storage info prints; table and json have it all.

Exit codes: 0 no problem that keeps the node from starting, 1 there is one,
2 wrong usage, 3 the configuration cannot be read.`,
		Example: `  kraftctl storage info -c server.properties
  kraftctl storage info -c server.properties -o table
  kraftctl storage info /disk1/kafka /disk2/kafka -o json | jq .problems`,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "table", "json"}, output) {
				return term.Usagef("--output %s: it is text, table or json", output)
			}
			o, err := n.options(e, args)
			if err != nil {
				return err
			}
			if output == "text" {
				return storageInfoText(e, n, o)
			}
			report, err := nodeinfo.Collect(c.Context(), e.FS, o)
			if err != nil {
				return fmt.Errorf("interrupted, nothing is reported: %w", err)
			}
			if output == "json" {
				err = printJSON(e, report)
			} else {
				err = printReport(e, report)
			}
			if worst, ok := report.Worst(); err == nil && ok && worst == nodeinfo.Error {
				err = term.Exit(term.NotFine)
			}
			return err
		},
	}
	n.addFlags(c)
	c.Flags().BoolVar(&n.partitions, "partitions", false, "sum up the files of all partitions as well")
	c.Flags().StringVarP(&output, "output", "o", "text", "text (as kafka-storage), table, or json")
	return c
}

// storageInfoText prints what kafka-storage info does.
func storageInfoText(e *Env, n *nodeStorage, o nodeinfo.Options) error {
	if o.ConfigErr != nil {
		return n.node.explain(o.ConfigErr)
	}
	dirs := o.Dirs
	if o.Config != nil {
		dirs = o.Config.Dirs()
	}
	text, fine, err := format.KafkaInfo(e.FS, dirs, true)
	say(e.Streams.Out, text)
	switch {
	case err != nil:
		return &term.Error{Code: term.Unreadable, Err: plain(err), Offset: -1}
	case !fine:
		return term.Exit(term.NotFine)
	}
	return nil
}

// printReport shows a report to a person.
func printReport(e *Env, r *nodeinfo.Report) error {
	var b bytes.Buffer
	for _, row := range r.Summary() {
		fmt.Fprintf(&b, "%-18s%s\n", row.Label, row.Value)
	}
	table := func(header []string, rows [][]string, right ...bool) error {
		if len(rows) == 0 {
			return nil
		}
		b.WriteString("\n")
		return term.Table(&b, header, rows, right)
	}
	var directories, voters, fields [][]string
	for i := range r.Directories {
		directories = append(directories, r.Directories[i].Cells())
	}
	if r.Voters != nil {
		for i := range r.Voters.Voters {
			voters = append(voters, r.Voters.Voters[i].Cells())
		}
	}
	if r.QuorumState != nil {
		for _, f := range r.QuorumState.Fields {
			fields = append(fields, []string{f.Name, f.Value, f.Meaning})
		}
	}
	err := errors.Join(
		table(nodeinfo.DirectoryHeader(), directories, false, false, false, false, false, false, true, true),
		table(nodeinfo.VoterHeader(), voters, true),
		table([]string{"QUORUM-STATE", "VALUE", "MEANING"}, fields))
	if err != nil {
		return err
	}
	if len(r.Problems) > 0 {
		b.WriteString("\n")
	}
	for i := range r.Problems {
		b.WriteString(problemLine(e.Streams, &r.Problems[i]) + "\n")
	}
	_, err = b.WriteTo(e.Streams.Out)
	return ignorePipe(err)
}

// problemLine shows a problem on one line, its severity in colour.
func problemLine(s *term.Streams, p *nodeinfo.Problem) string {
	severity := string(p.Severity)
	paint := map[nodeinfo.Severity]color.Attribute{nodeinfo.Error: color.FgRed, nodeinfo.Warning: color.FgYellow, nodeinfo.Note: color.FgCyan}[p.Severity]
	return s.Paint(severity, paint) + strings.TrimPrefix(p.Line(), severity)
}

// newStorageCheck tells whether a node will start.
func newStorageCheck(e *Env) *cobra.Command {
	n := &nodeStorage{}
	var output string
	var deep, quick bool
	c := &cobra.Command{
		Use:   "check [DIRECTORY...]",
		Short: "Tell whether a node will start",
		Long: `Tell whether a node will start on its storage: the checks that Kafka makes on the
configuration, what "kraftctl storage info" finds, whether the metadata can be
replayed as the node will, and all files as with "kraftctl fsck". Each reason is a
line. Nothing is written or locked.

Exit codes: 0 nothing speaks against it, 1 something does, 2 wrong usage, 3 the
configuration cannot be read. Warnings alone do not count.`,
		Example: `  kraftctl storage check -c server.properties && bin/kafka-server-start.sh server.properties
  kraftctl storage check -c server.properties --target 4.1
  kraftctl storage check /var/lib/kafka -o json | jq -r '.reasons[].what'`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkOutput(output); err != nil {
				return err
			}
			o, err := n.options(e, args)
			if err != nil {
				return err
			}
			return checkStorage(c.Context(), e, o, output, deep, quick)
		},
	}
	n.addFlags(c)
	c.Flags().BoolVar(&deep, "deep", false, "decompress and decode all records as well")
	c.Flags().BoolVar(&quick, "quick", false, "leave the files of partitions alone: configuration, ids and metadata only")
	outputFlag(c, &output)
	c.MarkFlagsMutuallyExclusive("deep", "quick")
	return c
}

func checkStorage(ctx context.Context, e *Env, o nodeinfo.Options, output string, deep, quick bool) error {
	check := nodeinfo.CheckOptions{Options: o, SkipFsck: quick}
	progress := e.Streams.NewProgress()
	check.Fsck.Deep, check.Fsck.Total, check.Fsck.Progress = deep, progress.Total, progress.Add
	verdict, err := nodeinfo.Check(ctx, e.FS, check)
	progress.Done()
	if err != nil {
		return fmt.Errorf("interrupted, nothing is reported: %w", err)
	}
	if output == "json" {
		err = printJSON(e, verdict)
	} else {
		err = printVerdict(e, verdict)
	}
	if err == nil && !verdict.OK {
		err = term.Exit(term.NotFine)
	}
	return err
}

func printVerdict(e *Env, v *nodeinfo.Verdict) error {
	var b bytes.Buffer
	for i := range v.Reasons {
		b.WriteString(problemLine(e.Streams, &v.Reasons[i].Problem) + "\n")
	}
	node := "the node"
	if v.Report.NodeID != nil {
		node = fmt.Sprintf("node %d", *v.Report.NodeID)
	}
	switch {
	case !v.OK:
		fmt.Fprintf(&b, "%s will not start, or not as it should, with Kafka %s\n", node, v.Report.Target)
	case v.Report.Running.Held:
		fmt.Fprintf(&b, "%s is running, and nothing speaks against a restart with Kafka %s\n", node, v.Report.Target)
	default:
		fmt.Fprintf(&b, "nothing speaks against a start of %s with Kafka %s\n", node, v.Report.Target)
	}
	_, err := b.WriteTo(e.Streams.Out)
	return ignorePipe(err)
}
