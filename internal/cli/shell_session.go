package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/fatih/color"

	"kraftctl/internal/prompt"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
)

// followInterval is how often it is looked whether a log has grown.
const followInterval = 500 * time.Millisecond

// session is an interactive shell.
type session struct {
	env   *Env
	shell *shell.Shell
	lines shell.LineReader
	guard *prompt.Guard

	// mu is held while a command runs, while the tree moves on by itself, and while
	// a word is completed.
	mu sync.Mutex
	// cancel ends the command that runs.
	cancelMu sync.Mutex
	cancel   context.CancelFunc
}

// interactive runs a session on a terminal until it is left. SIGINT ends the command
// that runs and not the session, which is why the context of the process does not
// count.
func (o *shellOptions) interactive(ctx context.Context, e *Env, s *shell.Shell) error {
	ctx = context.WithoutCancel(ctx)
	in, out := prompt.Files(e.Streams.In, e.Streams.Out)
	x := &session{env: e, shell: s}
	guard, err := prompt.NewGuard(in, out, x.interrupt)
	if err != nil {
		return err
	}
	x.guard = guard
	defer func() { _ = guard.Close() }()
	if !o.noPager {
		pager := prompt.Pager{In: in, Out: out, Command: prompt.PagerCommand(lookup(e, "PAGER")), Guard: guard}
		s.SetPager(func() io.WriteCloser { return quitting{pager.Open()} })
	}
	s.SetPipe(func(_ context.Context, command string) (io.WriteCloser, error) {
		p, err := startPipe(e, command)
		return restoring{p, guard}, err
	})
	x.lines, err = lineReader(e, prompt.Options{Completer: x.complete, HistoryFile: o.historyFile(e), Guard: guard,
		Warn: func(err error) { say(e.Streams.Err, "history: "+err.Error()+"\n") }})
	if err != nil {
		return err
	}
	defer func() { _ = x.lines.Close() }()
	say(e.Streams.Out, x.welcome())
	if o.follow {
		stop := x.follow(ctx)
		defer stop()
	}
	return x.loop(ctx)
}

// restoring takes back what a command has done to the terminal, when it has ended.
type restoring struct {
	io.WriteCloser
	guard *prompt.Guard
}

// Close waits for the command's end.
func (r restoring) Close() error { return errors.Join(r.WriteCloser.Close(), r.guard.Restore()) }

// lookup gives a variable of the environment, nil if it is not set.
func lookup(e *Env, name string) *string {
	if e.LookupEnv == nil {
		return nil
	}
	if v, ok := e.LookupEnv(name); ok {
		return &v
	}
	return nil
}

// historyFile is where lines are remembered; empty if there is no place for it.
func (o *shellOptions) historyFile(e *Env) string {
	if o.history != "" {
		if o.history == "none" {
			return ""
		}
		return o.history
	}
	if dir := lookup(e, "XDG_STATE_HOME"); dir != nil && filepath.IsAbs(*dir) {
		return filepath.Join(*dir, "kraftctl", "history")
	}
	if home := lookup(e, "HOME"); home != nil && filepath.IsAbs(*home) {
		return filepath.Join(*home, ".local", "state", "kraftctl", "history")
	}
	return ""
}

// welcome says what was opened.
func (x *session) welcome() string {
	state := x.shell.State()
	img := state.Image
	cluster := ""
	if x.shell.ClusterID != "" {
		cluster = ", cluster " + x.shell.ClusterID
	}
	return count(int64(img.Topics().Len()), "topic") + ", " + count(int64(img.PartitionCount()), "partition") + ", " + count(int64(img.Brokers().Len()), "broker") +
		" at offset " + strconv.FormatInt(state.Offset(), 10) + cluster + ". Type \"help\", or Tab to complete.\n"
}

// prompt is where the session is, and when, if that is not the end of a file.
func (x *session) prompt() string {
	s := x.env.Streams
	when := ""
	state := x.shell.State()
	switch {
	case x.shell.At() != timeline.Latest:
		when = s.Paint("@"+strconv.FormatInt(state.Offset(), 10), color.FgYellow) + " "
	case x.shell.Following():
		when = "@" + strconv.FormatInt(state.Offset(), 10)
		if state.Time >= 0 {
			when += " " + age(time.Since(time.UnixMilli(state.Time)))
		}
		when = s.Paint(when, color.FgGreen) + " "
	}
	return when + shell.Clean(x.shell.Dir()) + "> "
}

// age is a duration in its largest unit.
func age(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}

func (x *session) loop(ctx context.Context) error {
	for {
		x.mu.Lock()
		text := x.prompt()
		x.mu.Unlock()
		end, err := x.step(ctx, text)
		if end || err != nil {
			return err
		}
	}
}

// step reads a line and runs it.
func (x *session) step(ctx context.Context, prompting string) (end bool, err error) {
	line, err := x.lines.ReadLine(prompting)
	switch {
	case errors.Is(err, shell.ErrInterrupt):
		return false, nil
	case errors.Is(err, prompt.ErrLineTooLong):
		say(x.env.Streams.Err, err.Error()+"\n")
		return false, nil
	case errors.Is(err, io.EOF):
		return true, nil
	case err != nil:
		return true, err
	}
	// What goes wrong is said by the shell, and ends nothing but the command.
	err = x.run(ctx, line)
	if d, ok := x.lines.(shell.Discarder); ok && errors.Is(err, context.Canceled) {
		d.Discard()
	}
	return errors.Is(err, shell.ErrExit), nil
}

// run runs a line; Ctrl-C ends it, which may have come as soon as the line was
// entered.
func (x *session) run(ctx context.Context, line string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x.cancelMu.Lock()
	x.cancel = cancel
	x.cancelMu.Unlock()
	if x.guard.Interrupted() {
		return context.Canceled
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if _, err := x.shell.Poll(ctx); err != nil && ctx.Err() == nil {
		say(x.env.Streams.Err, "follow: "+err.Error()+"\n")
	}
	err := x.shell.Run(ctx, line)
	if ctx.Err() != nil && !errors.Is(err, shell.ErrExit) {
		return ctx.Err() // also of what ends like that without an error
	}
	return err
}

// interrupt is called for SIGINT.
func (x *session) interrupt() {
	x.cancelMu.Lock()
	defer x.cancelMu.Unlock()
	if x.cancel != nil {
		x.cancel()
	}
}

func (x *session) complete(line string, cursor int) (int, []shell.Candidate) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.shell.Complete(line, cursor)
}

// follow moves the tree on while a line is typed, and shows it in the prompt.
func (x *session) follow(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	shown, ok := x.lines.(shell.Follower)
	go x.guard.Protect(func() {
		defer close(done)
		ticker := time.NewTicker(followInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if !x.mu.TryLock() { // a command runs; it looks by itself
				continue
			}
			_, err := x.shell.Poll(ctx)
			text := x.prompt()
			x.mu.Unlock()
			if ok && err == nil {
				shown.SetPrompt(text)
			}
		}
	})
	return func() { cancel(); <-done }
}

// quitting tells the shell that the pager was left.
type quitting struct{ io.WriteCloser }

// Write writes to the pager.
func (q quitting) Write(p []byte) (int, error) {
	n, err := q.WriteCloser.Write(p)
	return n, quit(err)
}

// Close waits for the pager's end.
func (q quitting) Close() error { return quit(q.WriteCloser.Close()) }

func quit(err error) error {
	if errors.Is(err, prompt.ErrPagerQuit) {
		return shell.ErrQuit
	}
	return err
}
