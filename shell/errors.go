package shell

import (
	"errors"
	"strings"
)

// Errors of verbs.
var (
	// ErrMissing: a path leads to nothing, or a question was answered with no.
	// What was wrong has been said.
	ErrMissing = errors.New("something is missing")
	// ErrQuit is what writing gives when whoever read the output has seen enough. The
	// command ends, and nothing is wrong.
	ErrQuit = errors.New("nobody reads on")
)

// saidError is what reading failed with, after a command has said so.
type saidError struct{ err error }

func (e *saidError) Error() string { return e.err.Error() }
func (e *saidError) Unwrap() error { return e.err }

// Said reports whether a session has said what an error of Run is about.
func Said(err error) bool {
	var said *saidError
	var usage *UsageError
	return errors.As(err, &said) || errors.As(err, &usage) || errors.Is(err, ErrMissing)
}

// UsageError is a command that cannot be understood.
type UsageError struct{ Text string }

// Error says what is wrong.
func (e *UsageError) Error() string { return e.Text }

func usagef(parts ...string) error { return &UsageError{strings.Join(parts, "")} }

// writeError is a failure to write output, at which the session ends.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

func isWriteError(err error) bool {
	var w *writeError
	return errors.As(err, &w)
}
