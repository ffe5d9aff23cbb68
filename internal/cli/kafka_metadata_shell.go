package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"runtime"
	"runtime/debug"

	"kraftctl/internal/argparse"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/prompt"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
)

// What /local of Kafka's shell says, the release that kafka-metadata-shell stands in
// for: that of 4.4.0 is not published.
const (
	kafkaShellVersion = "4.3.1"
	kafkaShellCommit  = "26b251a451ce941d"
)

// javaWriterSize is how much Kafka's shell keeps back. It shows: at a lost child a
// session ends without it.
const javaWriterSize = 8 << 10

func kafkaShellParser() *argparse.Parser {
	return &argparse.Parser{
		Prog:        "kafka-metadata-shell",
		Description: "The Apache Kafka metadata shell",
		Options: []argparse.Option{{Names: []string{"--snapshot", "-s"}, Required: true,
			Help: "The metadata snapshot file to read."}},
		Positionals: []argparse.Positional{{Dest: "command", Help: "The command to run.", Nargs: argparse.ZeroOrMore}},
	}
}

// runKafkaMetadataShell is kafka-metadata-shell 4.3.1: its options, output and exit
// codes.
func runKafkaMetadataShell(e *Env, args []string) term.Code {
	set, err := kafkaShellParser().Parse(args, nil, helpColumns(e))
	var (
		help  *argparse.HelpRequested
		usage *argparse.UsageError
	)
	switch {
	case errors.As(err, &help):
		say(e.Streams.Out, help.Text)
		return term.NotFine // as argparse4j's own handling of help has it there
	case errors.As(err, &usage):
		say(e.Streams.Err, usage.Text)
		return term.NotFine
	case err != nil:
		return die(e, err)
	}
	words := set.Strings("command")
	if len(words) == 0 {
		say(e.Streams.Out, "Loading...\n")
	}
	file := set.String("snapshot")
	root, err := kafkaShellTree(e, file)
	if err != nil {
		cause := javaerr.File(file, err)
		say(e.Streams.Err, "Unexpected error: "+cause.Error()+"\njava.util.concurrent.ExecutionException: "+cause.Error()+
			"\nCaused by: "+cause.Error()+"\n")
		return term.NotFine
	}
	out := bufio.NewWriterSize(e.Streams.Out, javaWriterSize)
	k := &shell.Kafka{Root: root, Out: out, Interactive: len(words) == 0}
	if k.Interactive {
		err = kafkaShellSession(e, k, out)
	} else {
		err = k.Run(words)
	}
	err = errors.Join(ignorePipe(out.Flush()), ignorePipe(err))
	var lost *shell.LostChildError
	switch {
	case errors.As(err, &lost):
		say(e.Streams.Err, "Unexpected error: "+lost.Error()+"\njava.lang.RuntimeException: "+lost.Error()+"\n")
		return term.NotFine
	case err != nil:
		return die(e, err)
	}
	return term.OK
}

// kafkaShellTree loads a file and makes the tree of Kafka's shell.
func kafkaShellTree(e *Env, file string) (node.Node, error) {
	t, err := timeline.Open(e.FS, file)
	if err != nil {
		return nil, err
	}
	defer fewerCollections()()
	state, err := t.InFile(context.Background())
	if err != nil {
		return nil, err
	}
	return imagetree.Fixed(
		imagetree.Entry{Name: "image", Node: imagetree.New(state.Image, imagetree.Options{Kafka: true})},
		imagetree.Entry{Name: "local", Node: imagetree.Fixed(
			imagetree.Entry{Name: "commitId", Node: node.File(kafkaShellCommit)},
			imagetree.Entry{Name: "version", Node: node.File(kafkaShellVersion)})},
	), nil
}

// While an image is loaded, nearly all that is allocated stays, so that collections
// find little and cost a third of the time. With loadingBallast bytes that are never
// touched counting as part of the heap, the first one comes when that has grown to
// 192 MiB, which a million partitions do not reach, and a larger one may grow to
// three times its size.
const (
	loadingGC      = 200 // percent
	loadingBallast = 64 << 20
)

// fewerCollections lets the heap grow until the function that it gives is called.
func fewerCollections() func() {
	ballast := make([]byte, loadingBallast)
	before := debug.SetGCPercent(loadingGC)
	return func() {
		runtime.KeepAlive(ballast)
		debug.SetGCPercent(before)
	}
}

// kafkaShellSession reads commands until there are no more.
func kafkaShellSession(e *Env, k *shell.Kafka, out *bufio.Writer) error {
	say(out, "Starting...\n[ Kafka Metadata Shell ]\n")
	if err := out.Flush(); err != nil {
		return err
	}
	lines, err := lineReader(e, prompt.Options{Completer: k.Complete, Kafka: true})
	if err != nil {
		return err
	}
	defer func() { _ = lines.Close() }()
	if h, ok := lines.(shell.Historian); ok {
		k.History = h.History
	}
	for {
		line, err := lines.ReadLine(">> ")
		switch {
		case errors.Is(err, shell.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if e.Streams.OutTerminal {
			k.Width = e.Streams.CurrentWidth()
		}
		err = k.Run(shell.Words(line))
		if _, lost := errors.AsType[*shell.LostChildError](err); lost {
			out.Reset(e.Streams.Out)
		}
		if flushed := out.Flush(); err == nil {
			err = flushed
		}
		if errors.Is(err, shell.ErrExit) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
