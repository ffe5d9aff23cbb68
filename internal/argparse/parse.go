package argparse

import (
	"slices"
	"strings"

	"kraftctl/internal/javatext"
)

// Parse reads the arguments of a program. The error is a *HelpRequested, a
// *UsageError or a *CrashError. Texts are formatted for a width, usually from
// Columns.
// readFile gives the content of an argument file; it may be nil if the parser
// has none.
func (p *Parser) Parse(args []string, readFile func(name string) ([]byte, error), columns int) (*Result, error) {
	s := &state{
		args:    arguments{files: p.FileArguments, read: readFile},
		columns: columns,
		result:  &Result{values: map[string][]string{}, flags: map[string]bool{}},
	}
	s.args.push(args)
	if err := s.run(p.level()); err != nil {
		return nil, err
	}
	for _, r := range s.done {
		if err := r.finish(); err != nil {
			return nil, err
		}
	}
	return s.result, nil
}

// state is one run over a command line.
type state struct {
	args    arguments
	columns int
	plain   bool // "--" was met: all that follows is positional
	done    []*reading
	result  *Result
}

// fail is the error of a level.
func (s *state) fail(l *level, message, suggestions string) *UsageError {
	// The line feed counts: a line that fills the width is broken.
	text := l.usage(s.columns) + wrap(l.parser.Prog+": error: "+message+"\n", s.columns, 0, "") + suggestions
	return &UsageError{Text: text, Message: message, Command: l.name}
}

// run reads the arguments of a level and of the command below it. What is
// required is looked for when all have been read, the parser's own first.
func (s *state) run(l *level) error {
	r := &reading{state: s, level: l, seen: make([]bool, len(l.options)), chosen: make([]*Option, len(l.groups))}
	s.done = append(s.done, r)
	for {
		arg, ok, err := s.current(l)
		if err != nil {
			return err
		}
		if !ok {
			return r.arrange()
		}
		if !s.plain && isOption(arg) {
			if err := r.option(arg); err != nil {
				return err
			}
			continue
		}
		if !s.plain && arg == "--" {
			s.plain = true
			s.args.skip()
			continue
		}
		if len(l.commands) > 0 && !s.plain {
			c, err := r.findCommand(arg)
			if err != nil {
				return err
			}
			s.args.skip()
			s.result.Command, s.result.Typed = c.Name, arg
			return s.run(l.command(c))
		}
		if err := r.positional(arg); err != nil {
			return err
		}
	}
}

// current is the argument to be read, after files are expanded.
func (s *state) current(l *level) (arg string, ok bool, err error) {
	arg, ok, err = s.args.current()
	if bad, is := err.(errFile); is {
		return "", false, s.fail(l, bad.Error(), "")
	}
	return arg, ok, err
}

// isOption tells whether an argument is an option as far as its looks go: it
// starts with a hyphen, and is neither hyphens only nor a negative integer.
func isOption(arg string) bool {
	if !strings.HasPrefix(arg, "-") {
		return false
	}
	return strings.Trim(arg, "-") != "" && strings.Trim(arg[1:], "0123456789") != ""
}

// reading is what is known about one level while it is read.
type reading struct {
	*state
	level  *level
	given  []string  // positional arguments
	seen   []bool    // options that were given
	chosen []*Option // the first option given of each group
}

// positional keeps an argument that is no option, if there is room for it.
// Which positional it belongs to is known only when all are there.
func (r *reading) positional(arg string) error {
	room := 0
	for _, p := range r.level.positionals {
		if p.Nargs == ZeroOrMore || p.Nargs == OneOrMore {
			room = len(r.given) + 1
			break
		}
		room++
	}
	if len(r.given) >= room {
		return r.unrecognized()
	}
	r.given = append(r.given, arg)
	r.args.skip()
	return nil
}

// need is the least number of arguments of a positional.
func (p *Positional) need() int {
	if p.Nargs == One || p.Nargs == OneOrMore {
		return 1
	}
	return 0
}

// integer checks a value.
func (r *reading) integer(label, value string) error {
	if _, ok := javatext.ParseInt(value, 32); !ok {
		return r.fail(r.level, "argument "+label+": could not convert '"+value+"' to Integer (For input string: \""+value+"\")", "")
	}
	return nil
}

// unrecognized refuses the argument and, since there is no place for any other
// one either, all that follow.
func (r *reading) unrecognized() error {
	return r.fail(r.level, "unrecognized arguments: '"+strings.Join(r.args.rest(), " ")+"'"+r.args.hint(), "")
}

// findCommand is the command that an argument names or abbreviates.
func (r *reading) findCommand(arg string) (*Command, error) {
	var found []string
	commands := r.level.commands
	for i := range commands {
		if commands[i].Name == arg {
			return &commands[i], nil
		}
		if strings.HasPrefix(commands[i].Name, arg) && arg != "" {
			found = append(found, commands[i].Name)
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, javatext.Compare)
		return nil, r.fail(r.level, "ambiguous command: "+arg+" could match "+strings.Join(found, ", "), "")
	}
	for i := range commands {
		if len(found) == 1 && commands[i].Name == found[0] {
			return &commands[i], nil
		}
	}
	known := names(commands)
	message := "invalid choice: '" + arg + "' (choose from '" + strings.Join(known, "', '") + "')"
	return nil, r.fail(r.level, message, suggest(arg, known, ""))
}

// arrange gives each positional its arguments when all have been read: what
// it needs, and what the ones behind it do not need.
func (r *reading) arrange() error {
	if len(r.level.commands) > 0 && r.result.Command == "" {
		return r.fail(r.level, "too few arguments", "")
	}
	spare := len(r.given)
	for i := range r.level.positionals {
		spare -= r.level.positionals[i].need()
	}
	if spare < 0 {
		return r.fail(r.level, "too few arguments", "")
	}
	rest := r.given
	for i := range r.level.positionals {
		p := &r.level.positionals[i]
		n := p.need()
		switch {
		case p.Nargs == Optional && spare > 0:
			n, spare = 1, spare-1
		case p.Nargs == ZeroOrMore || p.Nargs == OneOrMore:
			n, spare = n+spare, 0
		}
		if p.Integer {
			for _, v := range rest[:n] {
				if err := r.integer(p.Dest, v); err != nil {
					return err
				}
			}
		}
		r.result.values[p.Dest], rest = rest[:n:n], rest[n:]
	}
	return nil
}

// finish looks for what is missing: options, then groups, both in reverse
// order of their definition.
func (r *reading) finish() error {
	for i := len(r.level.options) - 1; i >= 0; i-- {
		if o := &r.level.options[i]; o.Required && !r.seen[i] {
			return r.fail(r.level, "argument "+o.label()+" is required", "")
		}
	}
	for g := len(r.level.groups) - 1; g >= 0; g-- {
		if !r.level.groups[g].Required || r.chosen[g] != nil {
			continue
		}
		var labels []string
		for i := range r.level.options {
			if o := &r.level.options[i]; o.Group == g+1 {
				labels = append(labels, o.label())
			}
		}
		return r.fail(r.level, "one of the arguments "+strings.Join(labels, " ")+" is required", "")
	}
	return nil
}
