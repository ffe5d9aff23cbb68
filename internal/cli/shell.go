package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"kraftctl/decode/index"
	"kraftctl/internal/prompt"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
	"kraftctl/shell"
)

// shellOptions are the flags of kraftctl shell.
type shellOptions struct {
	at          string
	command     string
	file        string
	output      string
	strict      bool
	showSecrets bool
	noPager     bool
	follow      bool
	history     string
	root        string
}

func newShell(e *Env) *cobra.Command {
	o := &shellOptions{}
	c := &cobra.Command{
		Use:   "shell FILE|DIR [-]",
		Short: "Explore the metadata of a cluster as a tree, at any offset",
		Long: `Explore the metadata that a node has on disk as a tree of nodes, as ZooKeeper's
was: topics, partitions, brokers, configurations, ACLs, quotas, users. The source
is

  a node's metadata directory, or __cluster_metadata-0 in it: the latest snapshot
                               and the log behind it, also while the node runs
  a snapshot (OFFSET-EPOCH.checkpoint) or a segment (OFFSET.log)

Nothing is written or locked. Without a command it is interactive: "help" lists
the commands, Tab completes. What could not be read is told at the start.

SCRAM keys, and the values of configurations that may be passwords, are masked
unless --show-secrets is given.

Exit codes: 0 fine, 1 a path of a command leads to nothing, 2 wrong usage,
3 the source cannot be read, or has problems with --strict.`,
		Example: `  kraftctl shell /var/lib/kafka
  kraftctl shell /var/lib/kafka -c 'ls -l /image/topics/byName'
  kraftctl shell /var/lib/kafka --at 2026-11-29T03:00:00Z -c 'health'
  kraftctl shell 00000000000000000519-0000000001.checkpoint -c 'cat -o json /image/cluster/brokers/*' | jq
  kraftctl shell /var/lib/kafka --root /zookeeper -c 'get /brokers/topics/orders'
  echo 'find --where "leader == -1" /image/topics/byName' | kraftctl shell /var/lib/kafka -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "-" {
				return term.Usagef("name one file or directory, and - to read commands from the standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), e, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.at, "at", "latest", "offset, time, or -DURATION back from the end")
	f.StringVarP(&o.command, "command", "c", "", "run these commands, separated by semicolons, and end")
	f.StringVarP(&o.file, "file", "f", "", "run the commands of a file, one line after the other, and end")
	f.StringVarP(&o.output, "output", "o", "text", "text, or json for what has it")
	f.BoolVar(&o.strict, "strict", false, "end with an error if the metadata is not complete")
	f.BoolVar(&o.showSecrets, "show-secrets", false, "show credentials and passwords")
	f.BoolVar(&o.follow, "follow", false, "move on with the log of a running node; the prompt shows offset and age")
	f.StringVar(&o.root, "root", "", "show only what is below this directory, as /: with /zookeeper, paths are those of zkCli")
	f.StringVar(&o.history, "history", "", "file that remembers lines, or none (default: kraftctl/history in the user's state directory)")
	f.BoolVar(&o.noPager, "no-pager", false, "show long output as it is")
	return c
}

func (o *shellOptions) run(ctx context.Context, e *Env, args []string) error {
	if o.output != "text" && o.output != "json" {
		return term.Usagef("--output %s: it is text or json", o.output)
	}
	if o.follow && o.at != "latest" {
		return term.Usagef("--follow shows the end of the log, and --at another offset")
	}
	if o.command != "" && o.file != "" || (o.command != "" || o.file != "") && len(args) == 2 {
		return term.Usagef("commands come from --command, from --file or from the standard input")
	}
	t, err := timeline.Open(e.FS, args[0])
	if err != nil {
		return unreadableMetadata(args[0], err)
	}
	at, err := shell.ResolveAt(ctx, t, o.at)
	if err != nil {
		return startError(args[0], err)
	}
	in, out := prompt.Files(e.Streams.In, e.Streams.Out)
	session := o.command == "" && o.file == "" && len(args) == 1 && prompt.Interactive(in, out)
	usual := fewerCollections()
	defer usual()
	s, err := shell.New(ctx, t, at, shellTerminal(e), shell.Options{
		ShowSecrets: o.showSecrets, JSON: o.output == "json", Version: buildVersion(), ClusterID: clusterID(e.FS, t.NodeDir()),
		Root: o.root, Location: time.Local, DiffTo: diffTo, Lazy: !session && !o.strict && !o.follow,
		Problems: func(list []timeline.Problem, more int) { banner(e, list, more) },
	})
	if err != nil {
		return startError(args[0], err)
	}
	if o.follow {
		if err := s.Follow(ctx); err != nil {
			return &term.Error{Code: term.Usage, Err: err, Path: args[0], Offset: -1}
		}
	}
	if o.strict && len(s.State().Problems) > 0 {
		p := s.State().Problems[0]
		return &term.Error{Code: term.Unreadable, Err: errors.New("the metadata is not complete: " + p.Text), Path: p.File, Offset: p.Pos}
	}
	if session {
		usual()
		return shellError(args[0], o.interactive(ctx, e, s))
	}
	return shellError(args[0], o.commands(ctx, e, s))
}

// commands runs the commands of where they come from.
func (o *shellOptions) commands(ctx context.Context, e *Env, s *shell.Shell) error {
	switch {
	case o.command != "":
		return s.Run(ctx, o.command)
	case o.file != "":
		f, err := vfs.OpenRegular(e.FS, o.file)
		if err != nil {
			return unreadableMetadata(o.file, err)
		}
		size, err := vfs.Size(f)
		if err == nil {
			err = runLines(ctx, s, io.NewSectionReader(f, 0, size))
		}
		return errors.Join(err, f.Close())
	}
	return runLines(ctx, s, e.Streams.In)
}

// maxShellLine bounds a line of a script.
const maxShellLine = 1 << 20

// runLines runs a script. A path that leads to nothing does not end it.
func runLines(ctx context.Context, s *shell.Shell, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxShellLine)
	var result error
	for lines.Scan() {
		err := s.Run(ctx, lines.Text())
		if errors.Is(err, shell.ErrMissing) {
			result = err
		} else if err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return result
}

// banner tells what is wrong with the metadata.
func banner(e *Env, list []timeline.Problem, more int) {
	for i, p := range list {
		if i == 5 {
			say(e.Streams.Err, "and "+strconv.Itoa(len(list)-i+more)+" more; the command \"problems\" lists them\n")
			return
		}
		say(e.Streams.Err, e.Streams.Paint("not complete: ", color.FgYellow)+shell.Clean(p.String())+"\n")
	}
}

// shellError gives the errors of a session their exit codes.
func shellError(path string, err error) error {
	var usage *shell.UsageError
	switch {
	case err == nil, errors.Is(err, shell.ErrExit):
		return nil
	case errors.Is(err, shell.ErrMissing):
		return term.Exit(term.NotFine)
	case errors.Is(err, context.Canceled):
		return &term.Error{Code: term.NotFine, Err: errors.New("interrupted"), Offset: -1}
	case errors.As(err, &usage):
		return term.Exit(term.Usage) // it was said
	case shell.Said(err):
		return term.Exit(term.Unreadable)
	}
	return startError(path, err)
}

// startError gives errors before the session their exit codes.
func startError(path string, err error) error {
	var usage *shell.UsageError
	var out *timeline.OutOfReachError
	switch {
	case errors.As(err, &usage):
		return term.Usagef("%s", usage.Text)
	case errors.As(err, &out):
		return &term.Error{Code: term.NotFine, Err: err, Path: path, Offset: -1}
	}
	return unreadableMetadata(path, err)
}

// unreadableMetadata gives errors about the source their exit code.
func unreadableMetadata(path string, err error) error {
	if err = ignorePipe(err); err == nil {
		return nil
	}
	var classified *term.Error
	if errors.As(err, &classified) {
		return err
	}
	var hint string
	var none *timeline.NotMetadataError
	if errors.As(err, &none) || errors.Is(err, timeline.ErrNoMetadata) {
		hint = "name a node's metadata directory, __cluster_metadata-0, or a snapshot or segment in it"
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		err = errors.New(path + ": " + vfs.Cause(err).Error())
	}
	return &term.Error{Code: term.Unreadable, Err: err, Path: path, Offset: -1, Hint: hint}
}

// clusterID reads the cluster's id beside the metadata log; empty if there is none.
func clusterID(fsys vfs.FS, dir string) string {
	name := filepath.Join(dir, index.MetaPropertiesName)
	text, err := vfs.ReadFile(fsys, name, 1<<20)
	if err != nil {
		return ""
	}
	m, err := index.ParseMetaProperties(text, name)
	if err != nil {
		return ""
	}
	return m.ClusterID
}

// watchInterval is how often a watched log is looked at.
const watchInterval = 100 * time.Millisecond

// shellTerminal is what a session writes to.
func shellTerminal(e *Env) shell.Terminal {
	s := e.Streams
	return shell.Terminal{
		Out: s.Out, Err: s.Err, Clean: s.OutTerminal,
		Width: func() int {
			if s.OutTerminal {
				return s.CurrentWidth()
			}
			return 0
		},
		Table: term.Table,
		Wait: func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(watchInterval):
				return nil
			}
		},
		Bold: func(text string) string { return s.Paint(text, color.Bold) },
		Pipe: func(_ context.Context, command string) (io.WriteCloser, error) { return startPipe(e, command) },
	}
}

// pipe is a command that reads what is written.
type pipe struct {
	in      io.WriteCloser
	command *exec.Cmd
}

// startPipe starts a command of the system. Ctrl-C reaches it as well, and what it does
// about that is its own business: a pager goes on with what it has.
func startPipe(e *Env, command string) (*pipe, error) {
	c := exec.Command("sh", "-c", command)
	c.Stdout, c.Stderr = e.Streams.Out, e.Streams.Err
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	return &pipe{in, c}, err
}

// Write gives the command more to read.
func (p *pipe) Write(text []byte) (int, error) {
	n, err := p.in.Write(text)
	if errors.Is(err, syscall.EPIPE) {
		err = shell.ErrQuit
	}
	return n, err
}

// Close waits for the command's end. What was wrong it has said itself.
func (p *pipe) Close() error {
	_ = p.in.Close() // it may have ended before
	err := p.command.Wait()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil
	}
	return err
}
