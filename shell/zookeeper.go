package shell

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/spf13/pflag"

	"kraftctl/internal/timeline"
	"kraftctl/shell/node"
	"kraftctl/shell/zookeeper"
)

// zookeeperDir is the directory of the znodes.
const zookeeperDir = "zookeeper"

// zookeeper gives the znodes of the state that is shown. They are made when they are
// first asked for, as the leader may have to be looked for in the log. So is where
// things came from, in the files that there are then.
func (s *Shell) zookeeper() *zookeeper.Tree {
	if s.zk != nil {
		return s.zk
	}
	state := s.state
	leader := state.Leader
	if leader == nil && s.source.IsDir() { // its record is older than the snapshot
		leader, _ = s.source.Leader(s.running(), state.Offset())
	}
	s.zk = zookeeper.New(zookeeper.Source{
		Image: state.Image, Leader: leader, ClusterID: s.ClusterID, ShowSecrets: s.ShowSecrets,
		Marks: func() *timeline.Marks {
			marks, err := s.source.Marks(s.running(), state.Offset())
			if err != nil {
				return nil // all of it counts as having come with the last record
			}
			return marks
		},
	})
	return s.zk
}

// znodeRoot is the root of the znodes, which are made when it is looked at.
type znodeRoot struct{ shell *Shell }

// Children gives the names of the znodes below the root.
func (z znodeRoot) Children() iter.Seq[string] { return z.shell.zookeeper().Root().Children() }

// Child finds a znode.
func (z znodeRoot) Child(name string) (node.Node, bool) {
	return z.shell.zookeeper().Root().Child(name)
}

// Content is the empty data of the root.
func (z znodeRoot) Content() (string, bool) { return z.shell.zookeeper().Root().Content() }

// running is the context of the command that runs.
func (s *Shell) running() context.Context {
	if s.ctx == nil {
		return context.Background()
	}
	return s.ctx
}

// znode gives the path in ZooKeeper of a path in the tree; ok is false if it is not
// one of a znode.
func (s *Shell) znode(path []string) (string, bool) {
	full := s.whole(path)
	if len(full) == 0 || full[0] != zookeeperDir {
		return "", false
	}
	return Join(full[1:]), true
}

// znodes gives the paths in ZooKeeper that a typed path leads to; ok is false if it
// is about another part of the tree. A path that leads to nothing is given as it is,
// for zkCli's words about it.
func (c *call) znodes(typed string) (paths []string, ok bool, err error) {
	components := c.components(typed)
	if _, ok := c.znode(unescapeAll(append([]string(nil), components...))); !ok {
		return nil, false, nil
	}
	_, err = findGlobs(c.root, components, compileGlob, func(m Match) error {
		p, _ := c.znode(m.Path)
		paths = append(paths, p)
		return nil
	})
	if len(paths) == 0 {
		p, _ := c.znode(unescapeAll(components))
		paths = []string{p}
	}
	return paths, true, err
}

// zkCli runs a command of zkCli on each of the znodes that a typed path leads to.
func (c *call) zkCli(paths []string, run func(z *zookeeper.ZkCli, out *bytes.Buffer, path string) error) error {
	z := &zookeeper.ZkCli{Znodes: c.zookeeper(), Location: c.Location}
	for _, p := range paths {
		var out bytes.Buffer
		err := run(z, &out, p)
		var none *zookeeper.NoNodeError
		if errors.As(err, &none) {
			c.missing = true
			c.complain("", err)
			continue
		}
		if err == nil {
			err = c.print(c.cleanLines(out.String()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cleanLines makes each line of a text harmless for a terminal.
func (s *Shell) cleanLines(text string) string {
	if !s.term.Clean {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

var getVerb = &verb{
	name: "get", usage: "get [-s] PATH", short: "Print the data of a znode as zkCli does, or the raw content of another node.", least: 1, most: 1, arguments: pathArguments,
	flags: func(f *pflag.FlagSet) {
		f.BoolP("stat", "s", false, "its stat as well")
		f.BoolP("watch", "w", false, "taken for zkCli's sake; there is nothing to wait for")
	},
	run: func(_ context.Context, c *call) error {
		paths, ok, err := c.znodes(c.args[0])
		if err != nil {
			return err
		}
		if ok {
			return c.zkCli(paths, func(z *zookeeper.ZkCli, out *bytes.Buffer, path string) error {
				return z.Get(out, path, c.flag("stat"))
			})
		}
		return c.find(c.args[0], func(m Match) error {
			text, ok := m.Node.Content()
			if !ok {
				c.missing = true
				c.complain("get", errors.New(Join(m.Path)+": it is a directory"))
				return nil
			}
			return c.print(c.clean(text) + "\n")
		})
	},
}

var childrenNumberVerb = &verb{
	name: "getAllChildrenNumber", usage: "getAllChildrenNumber PATH", short: "Count all znodes below one, as zkCli does.", least: 1, most: 1, arguments: pathArguments,
	run: func(_ context.Context, c *call) error {
		paths, ok, err := c.znodes(c.args[0])
		if err != nil {
			return err
		}
		if ok {
			return c.zkCli(paths, func(z *zookeeper.ZkCli, out *bytes.Buffer, path string) error {
				return z.GetAllChildrenNumber(out, path)
			})
		}
		return usagef("it is about znodes; count is for others")
	},
}

var snapshotVerb = &verb{
	name: "snapshot", usage: "snapshot [PATH]", short: "Print znodes with their data and stats as JSON.", most: 1, arguments: pathArguments,
	long: `One line for each znode below the path, which is /zookeeper if none is given:
{path: {data, version, czxid, ...}}, data null where zkCli prints null.`,
	run: func(_ context.Context, c *call) error {
		path := "/"
		if len(c.args) > 0 {
			paths, ok, err := c.znodes(c.args[0])
			if err != nil {
				return err
			}
			if !ok || len(paths) != 1 {
				return usagef("it is about one znode and what is below; export is for others")
			}
			path = paths[0]
		}
		var b bytes.Buffer
		err := c.zookeeper().WriteJSON(&b, path)
		var none *zookeeper.NoNodeError
		if errors.As(err, &none) {
			c.missing = true
			c.complain("", err)
			return nil
		}
		if err != nil {
			return err
		}
		return c.printJSON(b.Bytes())
	},
}
