package decode

import (
	"context"
	"runtime"
	"sync"
)

// Worker turns a chunk into output. One worker serves one goroutine, so it can
// keep buffers and decoders between chunks.
type Worker interface {
	// Work handles a loaded chunk. It may call turn.Wait to wait until all
	// earlier chunks are done, and may then write what it has so far.
	Work(c *Chunk, turn *Turn) error
	// Done is called in file order, one chunk at a time, after Work of that
	// chunk ended, with its error. A chunk that cannot be loaded is not worked
	// on: Done gets the error of loading then. What Done returns stops
	// everything behind the chunk; an error that it swallows does not.
	Done(c *Chunk, err error) error
}

// Turn lets the work on one chunk wait until all chunks before it are done.
type Turn struct {
	p     *process
	index int
	held  bool
}

// Wait blocks until all earlier chunks are done. It returns false when one of
// them failed, so that the output of this one is not wanted any more.
func (t *Turn) Wait() bool {
	if !t.held {
		t.p.mu.Lock()
		for t.p.turn != t.index && t.p.err == nil {
			t.p.cond.Wait()
		}
		t.held = true
		t.p.mu.Unlock()
	}
	return t.p.failed() == nil
}

type process struct {
	scan *Scanner
	ctx  context.Context
	next sync.Mutex // held while the scanner looks for the next chunk
	seen int        // chunks handed out

	mu   sync.Mutex
	cond *sync.Cond
	turn int
	err  error
}

func (p *process) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Process runs the chunks of a scanner through workers, one goroutine each,
// and calls Done in file order. It returns the first error of a Done, or what
// stopped the scanner, or the context's error if that ended first: chunks that
// were begun are finished then, and no other is. With workers < 1 there is one
// more than processors, so that none idles while another waits for its turn.
func Process(ctx context.Context, s *Scanner, workers int, newWorker func() Worker) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0) + 1
	}
	p := &process{scan: s, ctx: ctx}
	s.ctx = ctx
	p.cond = sync.NewCond(&p.mu)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { p.run(newWorker()) })
	}
	wg.Wait()
	if p.err != nil {
		return p.err
	}
	if err := s.Err(); err != nil {
		return err
	}
	return ctx.Err()
}

func (p *process) run(w Worker) {
	var c Chunk
	for {
		p.next.Lock()
		if p.failed() != nil || p.ctx.Err() != nil || !p.scan.Next(&c) {
			p.next.Unlock()
			return
		}
		turn := Turn{p: p, index: p.seen}
		p.seen++
		p.next.Unlock()

		err := c.Load()
		if err == nil {
			err = w.Work(&c, &turn)
		}
		if !turn.Wait() {
			return
		}
		err = w.Done(&c, err)
		p.mu.Lock()
		p.turn++
		if err != nil {
			p.err = err
		}
		p.cond.Broadcast()
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}
