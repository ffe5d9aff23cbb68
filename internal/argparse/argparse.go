// Package argparse reads command lines and formats help exactly as Kafka's
// tools do, which use argparse4j 0.7.0: usage with a hanging indent, help in
// two columns with justified lines, abbreviated commands and options, @file
// arguments, and the same words for every mistake.
//
// The package touches no stream and no file. What is to be printed comes back
// as an error: *HelpRequested belongs on the standard output, *UsageError on
// the standard error.
//
//	p := &argparse.Parser{
//		Prog: "kafka-storage",
//		Commands: []argparse.Command{{
//			Name:    "info",
//			Help:    "Get information about the log directories.",
//			Options: []argparse.Option{{Names: []string{"--config", "-c"}, Required: true, Help: "The file."}},
//		}},
//	}
//	r, err := p.Parse([]string{"info", "--conf=server.properties"}, nil, argparse.DefaultColumns)
//	// r.Command is "info", r.String("config") is "server.properties"
package argparse

import (
	"strings"

	"kraftctl/internal/javatext"
)

// Kind says what an option does with what follows it.
type Kind int

// The kinds of options.
const (
	Store     Kind = iota // one value; a later one replaces it
	StoreTrue             // no value
	Append                // one value each time
	help                  // shows the help and ends parsing
)

// Option is an argument that is given by name.
type Option struct {
	// Names are the ways to write it, each "--long" or "-s" with one letter.
	// The first one appears in usage; all of them in help and errors.
	Names []string
	// Dest is the key in Result: without it the first long name, in which
	// hyphens turn into underscores, else the first short one.
	Dest string
	// Metavar stands for the value; without it Dest in upper case.
	Metavar string
	Help    string
	Kind    Kind
	// Integer refuses values that Java's Integer.parseInt does not take.
	Integer  bool
	Required bool
	// Group is the index in the parser's Groups plus one, of which at most one
	// option can be given.
	Group int
	// Section is the title under which help lists the option, without its
	// colon: "optional arguments" if it is empty.
	Section string
}

// Group is a set of options that exclude each other.
type Group struct {
	Required bool // one of them has to be given
}

// Nargs says how many arguments a Positional takes.
type Nargs int

// The numbers of arguments.
const (
	One        Nargs = iota // exactly one
	Optional                // "?": none or one
	ZeroOrMore              // "*"
	OneOrMore               // "+"
)

// Positional is an argument that is given by its place.
type Positional struct {
	Dest    string
	Metavar string // Dest if it is empty
	Help    string
	Nargs   Nargs
	Integer bool
}

// Command is a sub-command with a command line of its own.
type Command struct {
	Name        string
	Help        string // for the list of commands; without it the command is not listed there
	Description string
	NoHelp      bool // no -h and --help
	Options     []Option
	Groups      []Group
	Positionals []Positional
}

// Parser describes a command line. A parser with Commands has no Positionals.
// It is not changed by its methods and can be used by several goroutines.
type Parser struct {
	Prog        string
	Description string
	NoHelp      bool // no -h and --help
	// FileArguments makes "@name" stand for the lines of a file.
	FileArguments bool
	Options       []Option
	Groups        []Group
	Positionals   []Positional
	Commands      []Command
}

// HelpRequested is returned when -h is met. Exit code 0.
type HelpRequested struct {
	Text    string // the whole help, with its last line feed
	Command string // the command whose help it is, or empty
}

func (e *HelpRequested) Error() string { return "help requested" }

// UsageError is returned for a command line that cannot be understood. Exit
// code 1.
type UsageError struct {
	// Text is usage, error and suggestions, as Kafka prints them.
	Text string
	// Message is the bare sentence, as tools show that print no usage.
	Message string
	// Command is the command at which it happened, or empty.
	Command string
}

func (e *UsageError) Error() string { return e.Message }

// CrashError is returned where argparse4j itself dies, which it does of an empty
// argument file behind which there is nothing. Kafka's tools end with the JVM's
// report of the exception then. Exit code 1.
type CrashError struct {
	Exception string // class and message
}

func (e *CrashError) Error() string { return e.Exception }

// Result holds what was given. Keys are dests.
type Result struct {
	// Command is the full name of the command, Typed is how it was written.
	Command, Typed string

	values map[string][]string
	flags  map[string]bool
}

// Has tells whether an argument was given at least once.
func (r *Result) Has(dest string) bool { return r.flags[dest] || len(r.values[dest]) > 0 }

// String is the value of a Store option or of a single positional, or "".
func (r *Result) String(dest string) string {
	if v := r.values[dest]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// Strings are the values of an Append option or of a positional.
func (r *Result) Strings(dest string) []string { return r.values[dest] }

// Bool tells whether a StoreTrue option was given.
func (r *Result) Bool(dest string) bool { return r.flags[dest] }

// Int is the value of an argument that is Integer, or 0.
func (r *Result) Int(dest string) int32 {
	n, _ := javatext.ParseInt(r.String(dest), 32)
	return int32(n)
}

// dest is the key of an option in the result.
func (o *Option) dest() string {
	if o.Dest != "" {
		return o.Dest
	}
	for _, n := range o.Names {
		if strings.HasPrefix(n, "--") {
			return strings.ReplaceAll(strings.TrimLeft(n, "-"), "-", "_")
		}
	}
	return strings.ReplaceAll(strings.TrimLeft(o.first(), "-"), "-", "_")
}

// first is the name in usage.
func (o *Option) first() string {
	if len(o.Names) == 0 {
		return ""
	}
	return o.Names[0]
}

// label names the option in errors.
func (o *Option) label() string { return strings.Join(o.Names, "/") }

// with is a name as it is written: followed by the metavar of its value.
func (o *Option) with(name string) string {
	if o.Kind == StoreTrue || o.Kind == help {
		return name
	}
	m := o.Metavar
	if m == "" {
		m = strings.ToUpper(o.dest())
	}
	return name + " " + m
}

// label names the positional in usage and help. Errors name its Dest.
func (p *Positional) label() string {
	if p.Metavar != "" {
		return p.Metavar
	}
	return p.Dest
}
