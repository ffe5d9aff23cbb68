package prompt

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/term"
)

// ErrNoTerminal is returned where a terminal is needed and there is none.
var ErrNoTerminal = errors.New("not a terminal")

// Guard keeps the state that a terminal was found in and brings it back whatever
// happens: at Close, when a signal ends or stops the process, and when a function
// under Protect panics. A signal that ends the process still does so after that,
// as if it had never been caught: its parent sees it, a shell reports 128+n.
//
// A command makes one when it starts and closes it when it ends.
type Guard struct {
	in, out *os.File
	saved   *term.State

	mu     sync.Mutex
	raw    bool   // a line is being read
	undo   string // what to write when it no longer is
	onInt  func()
	deaf   int // how many want interrupts to be ignored
	resume func()
	// interrupted: SIGINT came since the last line was read.
	interrupted bool

	signals chan os.Signal
	done    chan struct{}
	once    sync.Once
}

// NewGuard saves the state of the terminal in. Sequences that take back what was
// switched on go to out. onInterrupt is called for SIGINT, which a terminal sends
// for Ctrl-C while no line is read; nil lets it end the process.
func NewGuard(in, out *os.File, onInterrupt func()) (*Guard, error) {
	if in == nil || out == nil || !term.IsTerminal(int(in.Fd())) {
		return nil, ErrNoTerminal
	}
	saved, err := term.GetState(int(in.Fd()))
	if err != nil {
		return nil, fmt.Errorf("cannot read the state of the terminal: %w", err)
	}
	g := &Guard{in: in, out: out, saved: saved, onInt: onInterrupt, signals: make(chan os.Signal, 8), done: make(chan struct{})}
	for _, s := range guarded {
		// A signal that was ignored when the process began (nohup) stays so.
		if !signal.Ignored(s) {
			signal.Notify(g.signals, s)
		}
	}
	go g.listen()
	return g, nil
}

// Close restores the terminal and listens to signals no more.
func (g *Guard) Close() error {
	g.once.Do(func() {
		signal.Stop(g.signals)
		close(g.done)
	})
	return g.Restore()
}

// Restore brings the terminal back to the state that it was found in.
func (g *Guard) Restore() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw = false
	return g.restore()
}

// Protect runs f and restores the terminal if it panics, for goroutines that run
// beside the session. The panic goes on.
func (g *Guard) Protect(f func()) {
	defer func() {
		if p := recover(); p != nil {
			_ = g.Restore()
			panic(p)
		}
	}()
	f()
}

// IgnoreInterrupts lets SIGINT not end the process until the function that it returns
// is called: while another program has the terminal it is meant for that. A session is
// told nevertheless, to end what it writes for that program.
func (g *Guard) IgnoreInterrupts() (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.deaf++
	var once sync.Once
	return func() {
		once.Do(func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.deaf--
		})
	}
}

// Interrupted tells whether SIGINT came since the last line was read: it may do so
// before what is to be interrupted has begun.
func (g *Guard) Interrupted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.interrupted
}

// enter switches to raw mode; setup is written now, undo when it is left. resume
// is called after the process was stopped and goes on.
func (g *Guard) enter(setup, undo string, resume func()) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := term.MakeRaw(int(g.in.Fd())); err != nil {
		return fmt.Errorf("cannot set up the terminal: %w", err)
	}
	g.raw, g.undo, g.resume = true, undo, resume
	_, err := g.out.WriteString(setup)
	return err
}

// leave ends raw mode.
func (g *Guard) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw, g.interrupted = false, false
	_ = g.restore() // the terminal may be gone; there is nobody to tell
}

// restore is called with mu held.
func (g *Guard) restore() error {
	if g.undo != "" {
		_, _ = g.out.WriteString(g.undo)
		g.undo = ""
	}
	if err := term.Restore(int(g.in.Fd()), g.saved); err != nil {
		return fmt.Errorf("cannot restore the terminal: %w", err)
	}
	return nil
}

func (g *Guard) listen() {
	for {
		select {
		case <-g.done:
			return
		case s := <-g.signals:
			g.handle(s)
		}
	}
}

// interrupt tells what to do about SIGINT: end the process if it gives false.
func (g *Guard) interrupt() bool {
	g.mu.Lock()
	deaf, raw, f := g.deaf > 0, g.raw, g.onInt
	g.interrupted = g.interrupted || !raw
	g.mu.Unlock()
	// While a line is read Ctrl-C is a key, and there is nothing else to interrupt.
	if deaf && f == nil || raw && f != nil {
		return true
	}
	if f != nil {
		f()
	}
	return f != nil
}
