//go:build !unix

package prompt

import (
	"io"
	"os"
	"time"
)

// editable: the console of this system edits lines itself.
const editable = false

type tty struct{}

func openTTY(*os.File, func()) (*tty, error)         { return nil, ErrNoTerminal }
func (*tty) wake()                                   {}
func (*tty) read([]byte, time.Duration) (int, error) { return 0, io.EOF }
func (*tty) close()                                  {}
