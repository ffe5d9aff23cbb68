package shell

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/shell/imagetree"
	"kraftctl/shell/node"
	"kraftctl/shell/zookeeper"
)

// Terminal is what a Shell writes to.
type Terminal struct {
	Out, Err io.Writer
	// Width of the screen in columns; 0 if there is none.
	Width func() int
	// Table prints rows in aligned columns; right says which hold numbers.
	Table func(w io.Writer, header []string, rows [][]string, right []bool) error
	// Bold gives a text as it is to be shown, plain without colours.
	Bold func(string) string
	// Clean is set if Out is a terminal: control characters of names are shown as
	// \x1b then, so that they do not reach it.
	Clean bool
	// Page shows what is written to it, which may be longer than the screen, until it
	// is closed; nil: output goes to Out.
	Page func() io.WriteCloser
	// Pipe runs a command of the system, whose input is what is written, until that is
	// closed; nil: there is none.
	Pipe func(ctx context.Context, command string) (io.WriteCloser, error)
	// Wait waits a moment before it is looked whether a log has grown; the error is
	// that of ctx.
	Wait func(ctx context.Context) error
}

// Options say what a Shell shows.
type Options struct {
	ShowSecrets bool
	JSON        bool // verbs print JSON if they can
	// Version is that of the tool, for /local.
	Version string
	// ClusterID is that of meta.properties; empty if it is not known.
	ClusterID string
	// Root is the directory that is shown as /, as "/zookeeper"; empty: all.
	Root string
	// Location is the zone of times that zkCli shows in the local one; nil: UTC.
	Location *time.Location
	// Lazy loads the metadata when the first command needs it: log does not.
	Lazy bool
	// Problems is told what keeps the metadata from being complete, when it is loaded
	// for the first time; more were not listed.
	Problems func(list []timeline.Problem, more int)
	// DiffTo prints what differs as json or records, and reports whether anything
	// does.
	DiffTo func(w io.Writer, how string, before, after *image.Image, showSecrets bool) (bool, error)
}

// Shell is a session over a timeline.
type Shell struct {
	Options
	term    Terminal
	source  *timeline.Timeline
	state   *timeline.State
	at      int64 // the offset that was asked for, timeline.Latest for the end
	root    node.Node
	chroot  []string // the path of root in the whole tree
	zk      *zookeeper.Tree
	dir     []string
	ctx     context.Context // of the command that runs
	history []string
	out     io.Writer // of the verb that runs

	told     bool // of problems
	follower *timeline.Follower
	watchers []func(*timeline.Recorded) error
}

// New makes a session at an offset.
func New(ctx context.Context, t *timeline.Timeline, at int64, term Terminal, o Options) (*Shell, error) {
	s := &Shell{Options: o, term: term, source: t, at: at, out: term.Out, chroot: Split("", o.Root)}
	if o.Lazy && len(s.chroot) == 0 {
		return s, nil
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	if n, ok := lookup(s.tree(s.state), s.chroot); !ok || n.Children() == nil {
		return nil, usagef("--root ", o.Root, ": there is no such directory")
	}
	return s, nil
}

// load loads the metadata if it is not there yet.
func (s *Shell) load(ctx context.Context) error {
	if s.state != nil {
		return nil
	}
	if err := s.moveTo(ctx, s.at); err != nil {
		return err
	}
	s.warn(s.state.Problems, s.state.More)
	return nil
}

// warn tells of problems, the first time that there are any.
func (s *Shell) warn(list []timeline.Problem, more int) {
	if s.Options.Problems != nil && len(list) > 0 && !s.told {
		s.told = true
		s.Options.Problems(list, more)
	}
}

// SetPipe runs commands of the system in another way.
func (s *Shell) SetPipe(pipe func(ctx context.Context, command string) (io.WriteCloser, error)) {
	s.term.Pipe = pipe
}

// SetPager shows the output of commands through a pager.
func (s *Shell) SetPager(page func() io.WriteCloser) { s.term.Page = page }

// At is the offset that was asked for, timeline.Latest for the end.
func (s *Shell) At() int64 { return s.at }

// State is the metadata that is shown; nil if no command needed it yet.
func (s *Shell) State() *timeline.State { return s.state }

// moveTo shows the metadata as of an offset.
func (s *Shell) moveTo(ctx context.Context, at int64) error {
	if s.follower != nil && at == timeline.Latest {
		s.at = at
		s.show(s.follower.State())
		return nil
	}
	state, err := s.source.At(ctx, at)
	if err != nil {
		return err
	}
	s.at = at
	s.show(state)
	return nil
}

// show makes a state the one that is shown. The working directory stays if it is
// there.
func (s *Shell) show(state *timeline.State) {
	s.state, s.zk = state, nil
	s.root = imagetree.Fixed() // if the directory that is shown as / is gone
	if n, ok := lookup(s.tree(state), s.chroot); ok {
		s.root = n
	}
	for len(s.dir) > 0 {
		if n, ok := lookup(s.root, s.dir); ok && n.Children() != nil {
			break
		}
		s.dir = s.dir[:len(s.dir)-1]
	}
}

// tree is the tree of a state.
func (s *Shell) tree(state *timeline.State) node.Node {
	return imagetree.Fixed(
		imagetree.Entry{Name: "image", Node: imagetree.New(state.Image, imagetree.Options{ShowSecrets: s.ShowSecrets})},
		imagetree.Entry{Name: "local", Node: s.local(state)},
		imagetree.Entry{Name: zookeeperDir, Node: znodeRoot{s}},
	)
}

// Dir is the working directory.
func (s *Shell) Dir() string { return Join(s.dir) }

// complain says what went wrong.
func (s *Shell) complain(what string, err error) {
	if what != "" {
		what += ": "
	}
	_, _ = io.WriteString(s.term.Err, what+s.clean(err.Error())+"\n")
}

// print writes text, unless the command was cancelled: what prints a lot ends then.
func (s *Shell) print(text string) error {
	if err := s.running().Err(); err != nil {
		return err
	}
	if _, err := io.WriteString(s.out, text); err != nil {
		return &writeError{err}
	}
	return nil
}

// printJSON writes JSON. What would harm a terminal stands in strings only, where it
// can be escaped.
func (s *Shell) printJSON(text []byte) error {
	if s.term.Clean {
		text = []byte(CleanJSON(string(text)))
	}
	return s.print(string(text))
}

// clean makes a name harmless for a terminal.
func (s *Shell) clean(name string) string {
	if !s.term.Clean {
		return name
	}
	return Clean(name)
}

// none says that a path leads to nothing.
func (c *call) none(path string) {
	c.missing = true
	c.complain(c.verb.name, errors.New(unescape(path)+": there is no such node"))
}

// components gives those of a typed path, seen from the working directory. Names
// may have a slash in them, so that one is not taken for text.
func (s *Shell) components(typed string) []string {
	if strings.HasPrefix(typed, "/") {
		return Split("", typed)
	}
	return resolve(escapeAll(s.dir), typed)
}

// whole is a path in the tree that is not cut by --root.
func (s *Shell) whole(path []string) []string {
	return append(s.chroot[:len(s.chroot):len(s.chroot)], path...)
}

// find visits what a typed path leads to.
func (c *call) find(typed string, visit func(Match) error) error {
	found, err := findGlobs(c.root, c.components(typed), compileGlob, visit)
	if err == nil && !found {
		c.none(typed)
	}
	return err
}

// targets are the arguments, or the working directory.
func (c *call) targets() []string {
	if len(c.args) == 0 {
		return []string{"."}
	}
	return c.args
}

// flag tells whether a flag without a value was given.
func (c *call) flag(name string) bool {
	v, err := c.flags.GetBool(name)
	return err == nil && v
}

// text gives the value of a flag.
func (c *call) text(name string) string {
	v, _ := c.flags.GetString(name) // flags are made beside their use
	return v
}
