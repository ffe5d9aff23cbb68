package shell

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"kraftctl/internal/timeline"
)

var watchVerb = &verb{
	name: "watch", usage: "watch [-n N] [-o text|json] [PATH] [-- COMMAND]", short: "Print changes as they land, and run a command for each.", most: -1, arguments: pathArguments,
	long: `It goes on until Ctrl-C, or until N changes were seen. The command is one of the
system's; it is given the change as JSON on its standard input.

  watch /image/topics/byName/orders
  watch -o json /image/cluster -- 'jq -c .path'`,
	streams: true,
	flags: func(f *pflag.FlagSet) {
		f.IntP("count", "n", 0, "end after N changes")
		outputFlag(f)
	},
	run: runWatch,
}

func runWatch(ctx context.Context, c *call) error {
	paths, command := c.args, ""
	if dash := c.flags.ArgsLenAtDash(); dash >= 0 {
		var words []string
		for _, w := range c.args[dash:] {
			words = append(words, unescape(w))
		}
		paths, command = c.args[:dash], strings.Join(words, " ")
	}
	if len(paths) > 1 {
		return usagef("one path can be watched at a time")
	}
	if command != "" && c.term.Pipe == nil {
		return usagef("commands of the system cannot be run from here")
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	q, err := c.query(paths[0])
	if err != nil {
		return err
	}
	if !c.Following() {
		at := c.at
		switch err := c.Follow(ctx); {
		case errors.Is(err, errSingleFile):
			return &UsageError{err.Error()}
		case err != nil:
			return err
		}
		defer func() {
			c.Shell.follower = nil
			if at != timeline.Latest {
				_ = c.moveTo(context.WithoutCancel(ctx), at) // it was there before
			}
		}()
	}
	left, _ := c.flags.GetInt("count")
	limited := left > 0
	c.Shell.watchers = append(c.watchers, func(r *timeline.Recorded) error {
		if !q.Matches(&r.Change) || limited && left == 0 {
			return nil
		}
		left--
		if command != "" {
			return c.tell(ctx, command, c.changeJSON(r))
		}
		return c.print(c.changeText(r))
	})
	defer func() { c.Shell.watchers = c.watchers[:len(c.watchers)-1] }()
	for !limited || left > 0 {
		if c.term.Wait(ctx) != nil {
			return nil // that is how it ends
		}
		if _, err := c.Poll(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// tell gives a change to a command of the system.
func (c *call) tell(ctx context.Context, command, change string) error {
	w, err := c.term.Pipe(ctx, command)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, change)
	if e := w.Close(); err == nil {
		err = e
	}
	if errors.Is(err, ErrQuit) {
		return nil // it did not want to know
	}
	return err
}
