package zookeeper

import (
	"bufio"
	"io"
	"iter"
	"strconv"
	"time"
)

// Znodes are znodes that zkCli's commands look at: a Tree.
type Znodes interface {
	Get(path string) (data []byte, ok, exists bool)
	List(path string) (names iter.Seq[string], exists bool)
	Stat(path string) (Stat, bool)
	Walk(path string, visit func(path string) bool) (exists bool)
}

// Usage is what zkCli prints for a command without a path.
const (
	UsageLs                   = "ls [-s] [-w] [-R] path"
	UsageGet                  = "get [-s] [-w] path"
	UsageStat                 = "stat [-w] path"
	UsageGetAllChildrenNumber = "getAllChildrenNumber path"
)

// NoNodeError is the error for a node that does not exist.
type NoNodeError struct{ Path string }

// Error is the line that zkCli prints on standard error; its exit status is 1 then.
func (e *NoNodeError) Error() string { return "Node does not exist: " + e.Path }

// ZkCli writes what zkCli of ZooKeeper 3.8 prints on standard output, without what
// it says about its connection. Errors are a *NoNodeError, before which nothing was
// written, or of the writer.
type ZkCli struct {
	Znodes Znodes
	// Location is the time zone of times; nil: UTC.
	Location *time.Location
}

func (c *ZkCli) appendStat(dst []byte, path string) []byte {
	s, _ := c.Znodes.Stat(path)
	where := c.Location
	if where == nil {
		where = time.UTC
	}
	return appendStat(dst, &s, where)
}

// Ls is "ls path": the names of the children in brackets; with stat, "ls -s", the
// stat of the node as well; recursive, "ls -R", the paths of all nodes below instead.
func (c *ZkCli) Ls(w io.Writer, path string, stat, recursive bool) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if recursive {
		if exists := c.Znodes.Walk(path, func(path string) bool {
			out.WriteString(path)
			return out.WriteByte('\n') == nil
		}); !exists {
			return &NoNodeError{path}
		}
		return out.Flush()
	}
	names, exists := c.Znodes.List(path)
	if !exists {
		return &NoNodeError{path}
	}
	out.WriteByte('[')
	first := true
	for name := range names {
		if !first {
			out.WriteString(", ")
		}
		first = false
		out.WriteString(name)
	}
	out.WriteString("]\n")
	if stat {
		out.Write(c.appendStat(nil, path))
	}
	return out.Flush()
}

// Get is "get path": the data; with stat, "get -s", the stat as well.
func (c *ZkCli) Get(w io.Writer, path string, stat bool) error {
	data, ok, exists := c.Znodes.Get(path)
	switch {
	case !exists:
		return &NoNodeError{path}
	case !ok:
		data = []byte("null")
	}
	data = append(data, '\n')
	if stat {
		data = c.appendStat(data, path)
	}
	_, err := w.Write(data)
	return err
}

// Stat is "stat path".
func (c *ZkCli) Stat(w io.Writer, path string) error {
	if _, exists := c.Znodes.List(path); !exists {
		return &NoNodeError{path}
	}
	_, err := w.Write(c.appendStat(nil, path))
	return err
}

// GetAllChildrenNumber is "getAllChildrenNumber path": how many nodes are below.
func (c *ZkCli) GetAllChildrenNumber(w io.Writer, path string) error {
	n := -1
	if !c.Znodes.Walk(path, func(string) bool { n++; return true }) {
		return &NoNodeError{path}
	}
	_, err := io.WriteString(w, strconv.Itoa(n)+"\n")
	return err
}
