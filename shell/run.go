package shell

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// call is a command that runs.
type call struct {
	*Shell
	verb  *verb
	flags *pflag.FlagSet
	args  []string
	json  bool
	// missing is set when a path led to nothing.
	missing bool
}

// Run runs a line of commands, one after the other, and says what goes wrong. The
// error is ErrExit, ErrMissing if a path of one of them led to nothing, a
// *UsageError if one could not be understood, or what reading or writing failed
// with.
func (s *Shell) Run(ctx context.Context, line string) error {
	if strings.TrimSpace(line) != "" {
		s.history = append(s.history, line)
	}
	statements, err := parseLine(line)
	if err != nil {
		s.complain("", err)
		return &UsageError{err.Error()}
	}
	s.ctx = ctx
	defer func() { s.ctx = nil }()
	var result error
	for _, st := range statements {
		if len(st.words) == 0 {
			continue
		}
		err := s.statement(ctx, st)
		if errors.Is(err, ErrExit) || errors.Is(err, context.Canceled) || isWriteError(err) {
			return err
		}
		if err != nil {
			result = err
		}
	}
	return result
}

// statement runs one command.
func (s *Shell) statement(ctx context.Context, st statement) error {
	name := unescape(st.words[0])
	v := findVerb(name)
	if v == nil {
		err := usagef(s.clean(name), ": there is no such command; help lists them")
		s.complain("", err)
		return err
	}
	flags := v.flagSet()
	if err := v.parse(flags, st.words[1:]); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return s.redirect(ctx, v, st.pipe, func() error { return s.print(v.help()) })
		}
		err = usagef(v.name, ": ", err.Error(), "; usage: ", v.usage)
		s.complain("", err)
		return err
	}
	if !v.stateless {
		if err := s.load(ctx); err != nil {
			return err
		}
	}
	c := &call{Shell: s, verb: v, flags: flags, args: flags.Args(), json: s.JSON}
	if f := flags.Lookup("output"); f != nil && f.Changed {
		switch how := f.Value.String(); {
		case how == "json":
			c.json = true
		case how == "text" || how == "table":
			c.json = false
		case v.outputs == "" || !strings.Contains(" "+v.outputs+" ", " "+how+" "):
			err := usagef(v.name, ": --output ", how, ": it is text, json"+v.moreOutputs())
			s.complain("", err)
			return err
		}
	}
	if n := len(c.args); n < v.least || v.most >= 0 && n > v.most {
		err := usagef(v.name, ": ", argumentCount(v), "; usage: ", v.usage)
		s.complain("", err)
		return err
	}
	err := s.redirect(ctx, v, st.pipe, func() error {
		err := v.run(ctx, c)
		if err == nil && c.missing {
			err = ErrMissing
		}
		return err
	})
	if errors.Is(err, ErrQuit) {
		err = nil
		if c.missing {
			err = ErrMissing
		}
	}
	var usage *UsageError
	switch {
	case err == nil, errors.Is(err, ErrExit), errors.Is(err, ErrMissing), errors.Is(err, context.Canceled), isWriteError(err):
	case errors.As(err, &usage):
		usage.Text = v.name + ": " + usage.Text
		s.complain("", usage)
	default:
		s.complain(v.name, err)
		err = &saidError{err}
	}
	return err
}

func argumentCount(v *verb) string {
	switch {
	case v.most == 0:
		return "it takes no arguments"
	case v.least > 0:
		return "an argument is missing, or there are too many"
	}
	return "there are too many arguments"
}

// redirect runs f with its output where it belongs: to the pager, to a command of the
// system, or to Out.
func (s *Shell) redirect(ctx context.Context, v *verb, pipe string, f func() error) (err error) {
	var to io.Writer = s.term.Out
	var closer io.Closer
	switch {
	case pipe != "" && s.term.Pipe == nil:
		return usagef("commands of the system cannot be run from here")
	case pipe != "":
		w, err := s.term.Pipe(ctx, pipe)
		if err != nil {
			return err
		}
		to, closer = w, w
	case s.term.Page != nil && !v.streams:
		w := s.term.Page()
		to, closer = w, w
	}
	before, screen := s.out, s.term
	s.out = to
	if pipe != "" { // for programs: a name a line, without colours
		plain := func(text string) string { return text }
		s.term.Width, s.term.Bold = func() int { return 0 }, plain
	}
	var held *bufio.Writer
	if !v.streams {
		held = bufio.NewWriterSize(to, 64<<10)
		s.out = held
	}
	err = f()
	s.out, s.term = before, screen
	if held != nil {
		if e := held.Flush(); e != nil && err == nil {
			err = &writeError{e}
		}
	}
	if closer != nil {
		if e := closer.Close(); e != nil && err == nil {
			err = &writeError{e}
		}
	}
	return err
}
