package argparse

import (
	"slices"
	"strings"
)

// Parse reads the arguments of a program. The error is a *HelpRequested or a
// *UsageError, whose texts are formatted for a width, usually from Columns.
// readFile gives the content of an argument file; it may be nil if the parser
// has none.
func (p *Parser) Parse(args []string, readFile func(name string) ([]byte, error), columns int) (*Result, error) {
	s := &state{
		args:    arguments{list: args, prefix: p.FileArguments, read: readFile},
		columns: columns,
		result:  &Result{values: map[string][]string{}, flags: map[string]bool{}},
	}
	if err := s.run(p.level()); err != nil {
		return nil, err
	}
	return s.result, nil
}

// state is one run over a command line.
type state struct {
	args    arguments
	columns int
	plain   bool // "--" was met: all that follows is positional
	result  *Result
}

// fail is the error of a level.
func (s *state) fail(l *level, message, suggestions string) *UsageError {
	text := l.usage(s.columns) + wrap(l.parser.Prog+": error: "+message, s.columns, 0, "") + "\n" + suggestions
	return &UsageError{Text: text, Message: message, Command: l.name}
}

// run reads the arguments of a level and of the command below it. What is
// required is looked for at the end, the parser's own first.
func (s *state) run(l *level) error {
	r := &reading{state: s, level: l, seen: make([]bool, len(l.options)), chosen: make([]*Option, len(l.groups))}
	for {
		arg, ok, err := s.current(l)
		if err != nil {
			return err
		}
		if !ok {
			break
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
			if err := s.run(l.command(c)); err != nil {
				return err
			}
			return r.finish(true)
		}
		if err := r.positional(arg); err != nil {
			return err
		}
	}
	return r.finish(false)
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
	next   int       // the positional to be filled
	taken  int       // how many arguments it has
	seen   []bool    // options that were given
	chosen []*Option // the first option given of each group
}

// positional gives an argument to the positional whose turn it is.
func (r *reading) positional(arg string) error {
	if r.next == len(r.level.positionals) {
		return r.unrecognized()
	}
	p := &r.level.positionals[r.next]
	if p.Integer {
		if err := r.integer(p.label(), arg); err != nil {
			return err
		}
	}
	r.result.values[p.Dest] = append(r.result.values[p.Dest], arg)
	r.args.skip()
	if r.taken++; p.Nargs == One || p.Nargs == Optional {
		r.next, r.taken = r.next+1, 0
	}
	return nil
}

// integer checks a value.
func (r *reading) integer(label, value string) error {
	if _, err := parseInt(value); err != nil {
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
		slices.SortFunc(found, compare)
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

// finish looks for what is missing: positionals or a command, options in
// reverse order of their definition, groups.
func (r *reading) finish(command bool) error {
	if len(r.level.commands) > 0 && !command {
		return r.fail(r.level, "too few arguments", "")
	}
	for i := r.next; i < len(r.level.positionals); i++ {
		if n := r.level.positionals[i].Nargs; n == One || n == OneOrMore && (i > r.next || r.taken == 0) {
			return r.fail(r.level, "too few arguments", "")
		}
	}
	for i := len(r.level.options) - 1; i >= 0; i-- {
		if o := &r.level.options[i]; o.Required && !r.seen[i] {
			return r.fail(r.level, "argument "+o.label()+" is required", "")
		}
	}
	for g := range r.level.groups {
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
