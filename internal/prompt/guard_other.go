//go:build !unix

package prompt

import (
	"os"
	"os/signal"
)

var guarded = []os.Signal{os.Interrupt}

func (g *Guard) handle(s os.Signal) {
	if g.interrupt() {
		return
	}
	_ = g.Restore()
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Signal(s)
	}
}

func (g *Guard) suspend() {}
