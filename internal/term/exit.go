package term

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kraftctl/decode/corrupt"
)

// Code is the exit code of a kraftctl command.
type Code int

// The exit codes. Commands under Kafka's names keep Kafka's, 0 and 1.
const (
	OK          Code = 0 // fine
	NotFine     Code = 1 // the thing asked about is not fine: findings, differences, missing
	Usage       Code = 2 // wrong options or arguments
	Unreadable  Code = 3 // input that cannot be read, or is damaged beyond use
	Refused     Code = 4 // refused for safety
	Unreachable Code = 5 // network or cluster error
)

// class is the name of a code in error JSON.
func (c Code) class() string {
	switch c {
	case OK:
		return "ok"
	case NotFine:
		return "not-fine"
	case Usage:
		return "usage"
	case Unreadable:
		return "unreadable"
	case Refused:
		return "refused"
	}
	return "unreachable"
}

// Error is an error with its exit code and, where there is one, the place and
// what to do about it.
type Error struct {
	Code   Code
	Err    error
	Path   string
	Offset int64 // byte position in Path, -1 when it has no meaning
	Hint   string
	// Silent errors carry only an exit code: everything was said already.
	Silent bool
}

// Error gives the message.
func (e *Error) Error() string {
	if e.Err == nil {
		return "exit code " + fmt.Sprint(int(e.Code))
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Exit makes an error that only sets the exit code.
func Exit(code Code) error { return &Error{Code: code, Silent: true, Offset: -1} }

// Usagef makes an error about wrong options or arguments.
func Usagef(format string, args ...any) error {
	return &Error{Code: Usage, Err: fmt.Errorf(format, args...), Offset: -1}
}

// Classify gives an error its exit code: what has none is input that cannot be read.
func Classify(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = &Error{Code: Unreadable, Err: err, Offset: -1}
	var damage *corrupt.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &damage):
		e.Path, e.Offset = damage.File, damage.Pos
	case errors.As(err, &path):
		e.Path = path.Path
	}
	return e
}

// Report prints an error as one line, or as JSON, and returns the exit code.
func Report(w io.Writer, err error, program string, asJSON bool) Code {
	if err == nil {
		return OK
	}
	e := Classify(err)
	if e.Silent {
		return e.Code
	}
	if !asJSON {
		fmt.Fprintf(w, "%s: %s\n", program, e.Error())
		if e.Hint != "" {
			fmt.Fprintf(w, "  %s\n", e.Hint)
		}
		return e.Code
	}
	out := struct {
		Code    Code   `json:"code"`
		Class   string `json:"class"`
		Message string `json:"message"`
		Path    string `json:"path,omitempty"`
		Offset  *int64 `json:"offset,omitempty"`
		Hint    string `json:"hint,omitempty"`
	}{Code: e.Code, Class: e.Code.class(), Message: e.Error(), Path: e.Path, Hint: e.Hint}
	if e.Offset >= 0 {
		out.Offset = &e.Offset
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(out) // nothing is left to tell of a broken stderr
	return e.Code
}
