// Package cli builds the commands. Each has a file of its own with an options
// struct, its flags, validation and a run function over streams and a file
// system; nothing below this package knows of flags or terminals.
package cli

import (
	"io"
	"path/filepath"
	"strings"

	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/term"
	"kraftctl/internal/vfs"
)

// Env is what commands run in.
type Env struct {
	Streams *term.Streams
	FS      vfs.FS
	// LookupEnv gives variables of the environment, for ${env:...} in Kafka's
	// configurations. Without it they cannot be used.
	LookupEnv func(name string) (value string, ok bool)
}

// outside is what configurations may refer to.
func (e *Env) outside() kafkaconfig.Outside {
	return kafkaconfig.Outside{LookupEnv: e.LookupEnv, FS: e.FS, RealPath: filepath.EvalSymlinks}
}

// dropIns are the commands that stand in for Kafka's tools, by Kafka's names.
var dropIns = map[string]func(e *Env, args []string) term.Code{
	"kafka-dump-log":       runKafkaDumpLog,
	"kafka-storage":        runKafkaStorage,
	"kafka-metadata-shell": runKafkaMetadataShell,
}

// Main runs the command line args, whose first element is the program's name,
// and returns the exit code. A program name of Kafka's, with or without .sh,
// selects the drop-in of that name; so does "kraftctl kafka-...".
func Main(e *Env, args []string) int {
	name := "kraftctl"
	if len(args) > 0 {
		name = programName(args[0])
		args = args[1:]
	}
	if run, ok := dropIns[name]; ok {
		return int(run(e, args))
	}
	if len(args) > 0 {
		if run, ok := dropIns[programName(args[0])]; ok {
			return int(run(e, args[1:]))
		}
	}
	return int(runKraftctl(e, args))
}

// programName is the last part of a path, without .sh or .exe.
func programName(path string) string {
	name := filepath.Base(path)
	name = strings.TrimSuffix(name, ".exe")
	return strings.TrimSuffix(name, ".sh")
}

// write writes text to the standard output. It is no error if a reader has seen
// enough.
func write(e *Env, text string) error {
	_, err := io.WriteString(e.Streams.Out, text)
	return ignorePipe(err)
}

// say writes text where a failure to write cannot be told anybody.
func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) }
