package argparse

import (
	"strings"

	"kraftctl/internal/javatext"
)

// The layout of help: where names and texts start.
const (
	nameColumn    = 2
	commandColumn = 4
	textColumn    = 25
)

const helpSentence = "show this help message and exit"

// level is one command line to format or to parse: that of the parser or of
// one of its commands, which have the same parts.
type level struct {
	parser      *Parser
	parent      *level // for a command, the level of the parser
	name        string // of the command
	description string
	options     []Option
	groups      []Group
	positionals []Positional
	commands    []Command
}

func (p *Parser) level() *level {
	return &level{
		parser: p, description: p.Description, options: withHelp(p.Options, p.NoHelp), groups: p.Groups,
		positionals: p.Positionals, commands: p.Commands,
	}
}

func (l *level) command(c *Command) *level {
	return &level{
		parser: l.parser, parent: l, name: c.Name, description: c.Description, options: withHelp(c.Options, c.NoHelp),
		groups: c.Groups, positionals: c.Positionals,
	}
}

func withHelp(options []Option, no bool) []Option {
	if no {
		return options
	}
	h := Option{Names: []string{"-h", "--help"}, Kind: help, Help: helpSentence}
	return append([]Option{h}, options...)
}

// Help is the help of the parser, or of one of its commands if command is not
// empty. It is empty for an unknown command.
func (p *Parser) Help(command string, columns int) string {
	l := p.level()
	if command == "" {
		return l.help(columns)
	}
	for i := range p.Commands {
		if p.Commands[i].Name == command {
			return l.command(&p.Commands[i]).help(columns)
		}
	}
	return ""
}

// help is usage, description and the sections.
func (l *level) help(columns int) string {
	var b strings.Builder
	b.WriteString(l.usage(columns))
	if l.description != "" {
		b.WriteString("\n" + wrap(l.description, columns, 0, "") + "\n")
	}
	if len(l.positionals) > 0 || len(l.commands) > 0 {
		b.WriteString("\npositional arguments:\n")
	}
	for i := range l.positionals {
		entry(&b, nameColumn, l.positionals[i].label(), l.positionals[i].Help, columns)
	}
	if len(l.commands) > 0 {
		entry(&b, nameColumn, l.choices(), "", columns)
		for _, c := range l.commands {
			if c.Help != "" {
				entry(&b, commandColumn, c.Name, c.Help, columns)
			}
		}
	}
	for _, s := range l.sections() {
		if s == "" {
			b.WriteString("\noptional arguments:\n")
		} else {
			b.WriteString("\n" + s + ":\n")
		}
		for i := range l.options {
			if o := &l.options[i]; o.Section == s {
				var names []string
				for _, n := range o.Names {
					names = append(names, o.with(n))
				}
				entry(&b, nameColumn, strings.Join(names, ", "), o.Help, columns)
			}
		}
	}
	return b.String()
}

// sections are the titles of options in the order in which they come up, the
// one without a title first.
func (l *level) sections() []string {
	var plain, titled []string
	seen := map[string]bool{}
	for i := range l.options {
		s := l.options[i].Section
		switch {
		case seen[s]:
		case s == "":
			plain = []string{""}
		default:
			titled = append(titled, s)
		}
		seen[s] = true
	}
	return append(plain, titled...)
}

// entry is a name and the text beside it, or below it if the name is long.
func entry(b *strings.Builder, indent int, name, text string, columns int) {
	line := strings.Repeat(" ", indent) + name
	b.WriteString(line)
	if text != "" {
		margin := strings.Repeat(" ", textColumn)
		if w := javatext.Len(line); w < textColumn-1 {
			b.WriteString(margin[w:])
		} else {
			b.WriteString("\n" + margin)
		}
		b.WriteString(wrap(text, columns, textColumn, margin))
	}
	b.WriteByte('\n')
}

// choices is how the commands appear in usage.
func (l *level) choices() string { return "{" + strings.Join(names(l.commands), ",") + "}" }

func names(commands []Command) []string {
	out := make([]string, len(commands))
	for i := range commands {
		out[i] = commands[i].Name
	}
	return out
}
