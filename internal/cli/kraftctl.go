package cli

import (
	"context"
	"errors"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kraftctl/internal/term"
)

// errorsFlag asks for errors as JSON on standard error.
const errorsFlag = "errors"

// NewRoot builds the kraftctl command with all its sub-commands.
func NewRoot(e *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "kraftctl",
		Short: "Format, read, check and explore what Apache Kafka KRaft nodes keep on disk",
		Long: `kraftctl formats, reads, checks and explores what the nodes of an Apache Kafka
KRaft cluster keep on disk: metadata logs and snapshots, topic segments, indexes
and checkpoints. It needs no JVM and no Kafka installation, and never writes to
the directories that it reads.

Called by the name of a Kafka tool (kafka-dump-log, kafka-storage or
kafka-metadata-shell, also with .sh, or "kraftctl kafka-dump-log"), it takes that tool's options and prints its
output, byte for byte.

Exit codes: 0 fine, 1 findings or differences, 2 wrong usage, 3 input that
cannot be read, 4 refused for safety, 5 network or cluster error.`,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if how, err := c.Flags().GetString(errorsFlag); err == nil && how != "text" && how != "json" {
				return term.Usagef("--%s %s: it is text or json", errorsFlag, how)
			}
			return nil
		},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(e.Streams.In)
	root.SetOut(e.Streams.Out)
	root.SetErr(e.Streams.Err)
	root.PersistentFlags().String(errorsFlag, "text", "how errors are printed on standard error: text, or json for programs")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &term.Error{Code: term.Usage, Err: plainFlagError(err), Offset: -1}
	})
	root.AddCommand(newDumpLog(e), newFsck(e), newShell(e), newSim(e), newSnapshot(e), newStorage(e), newVersion(e), newMan(root))
	return root
}

// runKraftctl runs the kraftctl command line.
func runKraftctl(e *Env, args []string) term.Code {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal kills
	root := NewRoot(e)
	root.SetArgs(args)
	running := false
	eachCommand(root, func(c *cobra.Command) {
		if run := c.RunE; run != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				running = true
				return run(c, args)
			}
		}
	})
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return term.OK
	}
	name := "kraftctl"
	if command != nil {
		name = command.CommandPath()
	}
	var classified *term.Error
	if !running && !errors.As(err, &classified) {
		// A missing flag, two that exclude each other, an unknown command.
		err = &term.Error{Code: term.Usage, Err: err, Offset: -1}
	}
	return term.Report(e.Streams.Err, err, name, wantsJSONErrors(args))
}

// plainFlagError says what is wrong with a flag without quoting what stands behind
// it: a forgotten quotation mark makes flags of parts of passwords.
func plainFlagError(err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		name = "-" + unknown.GetSpecifiedName()
	}
	return errors.New("unknown flag: " + name)
}

// noArguments is for commands that take flags only. Other than cobra.NoArgs it
// does not quote what it was given, which may be part of a password.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return term.Usagef("there are %d arguments that belong to no flag; perhaps one was to be in quotation marks", len(args))
	}
	return nil
}

// eachCommand calls f for a command and all below it.
func eachCommand(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, f)
	}
}

// wantsJSONErrors looks for --errors json by hand: it must work as well for a
// command line that could not be parsed.
func wantsJSONErrors(args []string) bool {
	if slices.Contains(args, "--"+errorsFlag+"=json") {
		return true
	}
	i := slices.Index(args, "--"+errorsFlag)
	return i >= 0 && i+1 < len(args) && args[i+1] == "json"
}
