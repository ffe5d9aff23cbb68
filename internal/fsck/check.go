package fsck

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"kraftctl/internal/vfs"
)

// Options say how much is checked, and with what.
type Options struct {
	// Workers is how many files are checked at once; 0 is one for each processor.
	Workers int
	// Deep decompresses and decodes all records. Without it batches are checked
	// by their headers and checksums.
	Deep bool
	// MaxDecompressed bounds what one batch may decompress to, in bytes; 0 is
	// decode.DefaultMaxDecompressed.
	MaxDecompressed int64
	// PerRule is how many findings of one rule are kept for one file; 0 is
	// DefaultPerRule. All are counted.
	PerRule int

	// Total, if set, is told once how many bytes there are to read, and Progress
	// how many more were read. They are not called concurrently.
	Total    func(bytes int64)
	Progress func(bytes int64)
}

// Check looks at the given paths, which belong to one node: log directories,
// directories that hold log directories, partition directories, or files.
//
// The error says which of the paths could not be read at all (joined, if there
// are several); all others were checked, and the report is valid. When ctx is
// cancelled the error is that of ctx and the report covers what was done.
func Check(ctx context.Context, fsys vfs.FS, paths []string, o Options) (*Report, error) {
	c := newChecker(ctx, fsys, o)
	seen := make(map[string]bool)
	var unreadable []error
	var explicit []*logDir
	for _, path := range paths {
		path = filepath.Clean(path)
		if seen[path] {
			continue
		}
		seen[path] = true
		dir, err := c.plan(path)
		if err != nil {
			unreadable = append(unreadable, err)
		} else if dir != nil {
			explicit = append(explicit, dir)
		}
	}
	if len(explicit) > 0 {
		c.nodes = append(c.nodes, &node{dirs: explicit})
	}
	c.runTasks(c.prepare)
	c.total()
	c.runTasks(c.tasks)
	if ctx.Err() == nil {
		for _, d := range c.logDirs {
			d.finish()
		}
		for _, n := range c.nodes {
			n.finish()
		}
	}
	c.report.count()
	if err := ctx.Err(); err != nil {
		return &c.report, err
	}
	return &c.report, errors.Join(unreadable...)
}

// checker is one run of Check.
type checker struct {
	ctx context.Context
	fs  vfs.FS
	o   Options

	logDirs []*logDir
	nodes   []*node
	prepare []func() // list directories and read small files
	tasks   []func() // read the files whose size matters
	bytes   atomic.Int64
	chunks  sync.Pool // of *decode.Chunk

	mu       sync.Mutex // guards what follows
	report   Report
	progress sync.Mutex
}

func newChecker(ctx context.Context, fsys vfs.FS, o Options) *checker {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return &checker{ctx: ctx, fs: fsys, o: o}
}

func (c *checker) newSink() *sink { return newSink(c.o.PerRule) }

// emit takes over what a sink has gathered.
func (c *checker) emit(s *sink) {
	c.mu.Lock()
	c.report.Findings = append(c.report.Findings, s.list...)
	c.mu.Unlock()
	s.list = nil
}

// looked counts a file, and its bytes where no progress was told.
func (c *checker) looked(files, bytes int64) {
	c.mu.Lock()
	c.report.Files += files
	c.report.Bytes += bytes
	c.mu.Unlock()
}

// later adds a task that reads about the given number of bytes.
func (c *checker) later(bytes int64, task func()) {
	c.bytes.Add(bytes)
	c.mu.Lock()
	c.tasks = append(c.tasks, task)
	c.mu.Unlock()
}

func (c *checker) total() {
	if c.o.Total != nil {
		c.o.Total(c.bytes.Load())
	}
}

// advance tells of bytes that were read.
func (c *checker) advance(bytes int64) {
	if c.o.Progress != nil {
		c.progress.Lock()
		c.o.Progress(bytes)
		c.progress.Unlock()
	}
}

// runTasks runs tasks on all workers. They take the next one in order, so that
// the files of a partition are done close to each other.
func (c *checker) runTasks(tasks []func()) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(c.o.Workers, len(tasks)) {
		wg.Go(func() {
			for c.ctx.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(len(tasks)) {
					return
				}
				tasks[i]()
			}
		})
	}
	wg.Wait()
}

// gone reports whether an error says that a file vanished, which on a running
// node is no finding.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// unreadable is the finding for an error of the operating system.
func unreadable(path string, err error) Finding {
	return Finding{Rule: fileUnreadable, File: path, Position: -1, Offset: -1, Message: "cannot be read: " + vfs.Cause(err).Error()}
}
