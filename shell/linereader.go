package shell

import "errors"

// ErrInterrupt is what ReadLine returns when Ctrl-C cancelled the line.
var ErrInterrupt = errors.New("interrupted")

// LineReader reads the lines of an interactive session. What it reads from, a
// terminal with editing and completion or a plain stream, is not the shell's
// business.
type LineReader interface {
	// ReadLine shows a prompt and gives the next line without its end. The error
	// is io.EOF when there are no more lines (Ctrl-D), ErrInterrupt when the line
	// was cancelled.
	ReadLine(prompt string) (string, error)
	// Close leaves the terminal as it was found.
	Close() error
}

// Candidate is one way to complete a word.
type Candidate struct {
	// Text takes the place of the word.
	Text string
	// Display is what a list of candidates shows; Text if it is empty.
	Display string
	// Description stands beside it.
	Description string
	// Partial: the word goes on behind it, as that of a directory does, and no
	// blank follows.
	Partial bool
}

// Completer gives the candidates for the word that the cursor is in or behind.
// The line up to the cursor is line[:cursor], in bytes; the word begins at start.
type Completer func(line string, cursor int) (start int, list []Candidate)

// Follower is a LineReader that can show something while a line is typed. Both
// methods may be called from any goroutine, and leave the typed line alone.
type Follower interface {
	// SetPrompt changes the prompt of the line that is being read. The next
	// ReadLine brings its own.
	SetPrompt(prompt string)
	// PrintAbove prints text above the line, at once if one is being read.
	PrintAbove(text string)
}

// Discarder is a LineReader that can forget lines that were entered together and not
// read yet, as when the command of one before them was cancelled.
type Discarder interface {
	Discard()
}

// Historian is a LineReader that remembers what was entered.
type Historian interface {
	// History gives the lines, oldest first, and the number of the first of them:
	// it is not 0 once older ones were dropped.
	History() (first int, lines []string)
}
