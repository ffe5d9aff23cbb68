package shell

import (
	"context"
	"strings"

	"github.com/spf13/pflag"
)

// verb is a command of the shell.
type verb struct {
	name  string
	usage string
	short string // one line, for the list of commands
	long  string // for man, after short
	// least and most are the numbers of arguments; most -1: any.
	least, most int
	flags       func(f *pflag.FlagSet)
	// outputs are the values of --output beside text and json.
	outputs string
	// streams: its output is shown as it comes, and not in the pager.
	streams bool
	// stateless: it does not look at the metadata that is shown.
	stateless bool
	// arguments says what completes its arguments.
	arguments argumentKind
	run       func(ctx context.Context, c *call) error
}

// argumentKind says what an argument is.
type argumentKind uint8

const (
	noArguments argumentKind = iota
	pathArguments
	verbArguments
)

// verbs are all commands, by name.
var verbs []*verb

func init() {
	verbs = []*verb{
		atVerb, catVerb, cdVerb, countVerb, diffVerb, duVerb, exitVerb, exportVerb, findNodesVerb, getVerb, childrenNumberVerb, grepVerb, healthVerb, helpVerb, historyVerb, logVerb, lsVerb,
		manVerb, offsetsVerb, problemsVerb, pwdVerb, snapshotVerb, statVerb, treeVerb, watchVerb,
	}
}

// aliases are other names of verbs.
var aliases = map[string]string{"quit": "exit", "dir": "ls", "?": "help"}

// findVerb finds a verb by its name; nil if there is none.
func findVerb(name string) *verb {
	if other, ok := aliases[name]; ok {
		name = other
	}
	for _, v := range verbs {
		if v.name == name {
			return v
		}
	}
	return nil
}

// flagSet makes the flags of a verb anew.
func (v *verb) flagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	f.SortFlags = true
	f.Usage = func() {}
	if v.flags != nil {
		v.flags(f)
	}
	return f
}

// parse reads the words behind the verb. Without flags, words may begin with a
// hyphen, as times do.
func (v *verb) parse(f *pflag.FlagSet, words []string) error {
	if v.flags == nil {
		if len(words) == 1 && (words[0] == "-h" || words[0] == "--help") {
			return pflag.ErrHelp
		}
		words = append([]string{"--"}, words...)
	}
	return f.Parse(words)
}

func (v *verb) moreOutputs() string {
	if v.outputs == "" {
		return ""
	}
	return ", " + strings.ReplaceAll(v.outputs, " ", ", ")
}

// help is what man shows.
func (v *verb) help() string {
	s := v.name + ": " + v.short + "\n\nusage: " + v.usage + "\n"
	if v.long != "" {
		s += "\n" + strings.TrimSpace(v.long) + "\n"
	}
	if flags := v.flagSet(); flags.HasFlags() {
		s += "\n" + flags.FlagUsages()
	}
	return s
}

// outputFlag adds --output.
func outputFlag(f *pflag.FlagSet) {
	f.StringP("output", "o", "", "text, or json for programs")
}
