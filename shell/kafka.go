package shell

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"kraftctl/decode/jsonw"
	"kraftctl/internal/argparse"
	"kraftctl/shell/node"
)

// Kafka is a session of Kafka's metadata shell: its ten commands, with their texts
// and oddities (kafka-metadata-shell of 4.3.1).
type Kafka struct {
	Root node.Node
	Out  io.Writer
	// Width is that of the screen, 0 if there is none.
	Width int
	// Interactive sessions have all commands, others cat, find, ls and tree.
	Interactive bool
	// History gives the lines so far, the current one with them, and the number of
	// the first.
	History func() (first int, lines []string)

	dir []string
}

// ErrExit is what Run returns for the command exit.
var ErrExit = errors.New("exit")

// kafkaCommand is a command of Kafka's shell.
type kafkaCommand struct {
	name, text string
	arguments  []argparse.Positional
	run        func(k *Kafka, r *argparse.Result) error
	always     bool // also without a session
}

// kafkaCommands are the commands, by name.
func kafkaCommands() []kafkaCommand {
	return []kafkaCommand{
		{"cat", "Show the contents of metadata files.", []argparse.Positional{{Dest: "targets", Help: "The metadata nodes to display.", Nargs: argparse.OneOrMore}}, (*Kafka).cat, true},
		{"cd", "Set the current working directory.", []argparse.Positional{{Dest: "target", Help: "The directory to change to.", Nargs: argparse.Optional}}, (*Kafka).cd, false},
		{"exit", "Exit the metadata shell.", nil, func(*Kafka, *argparse.Result) error { return ErrExit }, false},
		{"find", "Search for nodes in the directory hierarchy.", []argparse.Positional{{Dest: "paths", Help: "The paths to start at.", Nargs: argparse.ZeroOrMore}}, (*Kafka).find, true},
		{"help", "Display this help message.", nil, (*Kafka).help, false},
		{"history", "Print command history.", []argparse.Positional{{Dest: "numEntriesToShow", Help: "The number of entries to show.", Nargs: argparse.Optional, Integer: true}}, (*Kafka).history, false},
		{"ls", "List metadata nodes.", []argparse.Positional{{Dest: "targets", Help: "The metadata node paths to list.", Nargs: argparse.ZeroOrMore}}, (*Kafka).ls, true},
		{"man", "Show the help text for a specific command.", []argparse.Positional{{Dest: "cmd", Help: "The command to get help text for.", Nargs: argparse.One}}, (*Kafka).man, false},
		{"pwd", "Print the current working directory.", nil, (*Kafka).pwd, false},
		{"tree", "Show the contents of metadata nodes in a tree structure.", []argparse.Positional{{Dest: "targets", Help: "The metadata nodes to display.", Nargs: argparse.OneOrMore}}, (*Kafka).tree, true},
	}
}

// parser reads the words of a command.
func (k *Kafka) parser() *argparse.Parser {
	p := &argparse.Parser{NoHelp: true}
	for _, c := range kafkaCommands() {
		if c.always || k.Interactive {
			p.Commands = append(p.Commands, argparse.Command{Name: c.name, Help: c.text, NoHelp: !k.Interactive, Positionals: c.arguments})
		}
	}
	return p
}

// Run runs one command. What is wrong with it is said on Out and no error; the error
// is ErrExit, what writing failed with, or a *LostChildError, at which Kafka's shell
// ends.
func (k *Kafka) Run(words []string) error {
	for len(words) > 0 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil
	}
	r, err := k.parser().Parse(words, nil, argparse.DefaultColumns)
	var (
		help  *argparse.HelpRequested
		usage *argparse.UsageError
	)
	switch {
	case errors.As(err, &help):
		return k.print(help.Text)
	case errors.As(err, &usage):
		return k.print(usage.Message + "\n")
	case err != nil:
		return err
	}
	for _, c := range kafkaCommands() {
		if c.name == r.Command {
			return c.run(k, r)
		}
	}
	return nil
}

// print writes text, which Java has replaced what is malformed of.
func (k *Kafka) print(text string) error {
	if !utf8.ValidString(text) {
		text = string(jsonw.AppendJavaUTF8String(nil, text))
	}
	_, err := io.WriteString(k.Out, text)
	return err
}

// Dir is the working directory.
func (k *Kafka) Dir() string { return Join(k.dir) }

// each visits what a typed path leads to; missing is said if there is nothing.
func (k *Kafka) each(typed, missing string, visit func(Match) error) error {
	found, err := Find(k.Root, Split(k.Dir(), typed), visit)
	if err == nil && !found {
		err = k.print(missing)
	}
	return err
}

func (k *Kafka) cat(r *argparse.Result) error {
	for _, typed := range r.Strings("targets") {
		err := k.each(typed, "cat: "+typed+": No such file or directory.\n", func(m Match) error {
			if text, ok := m.Node.Content(); ok {
				return k.print(text + "\n")
			}
			return k.print("cat: " + typed + ": Is a directory\n")
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) cd(r *argparse.Result) error {
	typed := "/"
	if r.Has("target") {
		typed = r.String("target")
	}
	return k.each(typed, "cd: "+typed+": no such directory.\n", func(m Match) error {
		if m.Node.Children() == nil {
			return k.print("cd: " + typed + ": not a directory.\n")
		}
		k.dir = m.Path
		return nil
	})
}

// targetsOrHere are the paths that were given and are not empty, else the working
// directory.
func targetsOrHere(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return []string{"."}
	}
	return out
}

func (k *Kafka) find(r *argparse.Result) error {
	for _, typed := range targetsOrHere(r.Strings("paths")) {
		err := k.each(typed, "find: "+typed+": no such file or directory.\n", func(m Match) error { return k.findBelow(typed, m.Node) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) findBelow(path string, n node.Node) error {
	if err := k.print(path + "\n"); err != nil || n.Children() == nil {
		return err
	}
	below := path + "/" // also below "/image/", as it was typed
	if path == "/" {
		below = path
	}
	for name := range n.Children() {
		child, ok := n.Child(name)
		if !ok {
			return &LostChildError{name, path}
		}
		if err := k.findBelow(below+name, child); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) help(*argparse.Result) error {
	return k.print("Welcome to the Apache Kafka metadata shell.\n\n" + k.parser().Help("", argparse.DefaultColumns))
}

func (k *Kafka) history(r *argparse.Result) error {
	first, lines := 0, []string(nil)
	if k.History != nil {
		first, lines = k.History()
	}
	n := len(lines)
	if r.Has("numEntriesToShow") {
		n = min(n, max(0, int(r.Int("numEntriesToShow"))))
	}
	for i := len(lines) - n; i < len(lines); i++ {
		if err := k.print(fmt.Sprintf("% 5d  %s\n", first+i, lines[i])); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) ls(r *argparse.Result) error {
	var files []string
	var dirs []Match
	for _, typed := range targetsOrHere(r.Strings("targets")) {
		err := k.each(typed, "ls: "+typed+": no such file or directory.\n", func(m Match) error {
			if m.Node.Children() == nil {
				files = append(files, m.Name())
			} else {
				dirs = append(dirs, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := writeColumns(k.Out, files, k.Width); err != nil {
		return err
	}
	intro := len(files) > 0 || len(dirs) > 1
	first := len(files) == 0
	for _, d := range dirs {
		var names []string
		for name := range d.Node.Children() {
			names = append(names, name)
		}
		if len(names) == 0 {
			continue
		}
		if intro {
			if !first {
				if err := k.print("\n"); err != nil {
					return err
				}
			}
			if err := k.print(d.Name() + ":\n"); err != nil {
				return err
			}
		}
		first = false
		if err := writeColumns(k.Out, names, k.Width); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) man(r *argparse.Result) error {
	name := r.String("cmd")
	for _, c := range kafkaCommands() {
		if c.name == name {
			p := argparse.Parser{Prog: c.name, NoHelp: true, Positionals: c.arguments}
			return k.print(c.name + ": " + c.text + "\n\n" + p.Help("", argparse.DefaultColumns))
		}
	}
	return k.print("man: unknown command " + name + ". Type help to get a list of commands.\n")
}

func (k *Kafka) pwd(*argparse.Result) error { return k.print(k.Dir() + "\n") }

func (k *Kafka) tree(r *argparse.Result) error {
	for _, typed := range r.Strings("targets") {
		err := k.each(typed, "tree: "+typed+": No such file or directory.\n", func(m Match) error { return k.treeBelow("", m.Node) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *Kafka) treeBelow(indent string, n node.Node) error {
	if n.Children() == nil {
		text, _ := n.Content()
		return k.print(indent + text + "\n")
	}
	for name := range n.Children() {
		if err := k.print(indent + name + ":\n"); err != nil {
			return err
		}
		if child, ok := n.Child(name); ok {
			if err := k.treeBelow(indent+"  ", child); err != nil {
				return err
			}
		}
	}
	return nil
}
