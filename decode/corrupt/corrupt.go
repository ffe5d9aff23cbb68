// Package corrupt holds the one error that every parser of this module returns
// for bytes that are not what they should be. It is never used for I/O failures
// or for wrong arguments, so that a caller can tell a damaged file from a
// missing one:
//
//	var damage *corrupt.Error
//	if errors.As(err, &damage) {
//		fmt.Println(damage.File, damage.Pos, damage.What)
//	}
package corrupt

import (
	"errors"
	"strconv"
	"strings"
)

// Error is one piece of damage: where it is, what was looked at, what should
// have been there and what was found instead.
type Error struct {
	File string // path as it was given, or empty when the bytes came from no file
	Pos  int64  // byte position in the file, -1 when it has no meaning
	What string // the thing that is wrong, for example "batch length"
	Want string // what a sound file has there; may be empty
	Got  string // what was found; may be empty
	Err  error  // the cause, if there is one
}

// Error gives one line: FILE: at byte POS: WHAT: expected WANT, found GOT.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		b.WriteString(": ")
	}
	if e.Pos >= 0 {
		b.WriteString("at byte ")
		b.WriteString(strconv.FormatInt(e.Pos, 10))
		b.WriteString(": ")
	}
	b.WriteString(e.What)
	switch {
	case e.Want != "" && e.Got != "":
		b.WriteString(": expected " + e.Want + ", found " + e.Got)
	case e.Want != "":
		b.WriteString(": expected " + e.Want)
	case e.Got != "":
		b.WriteString(": found " + e.Got)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether err is, or wraps, damage.
func Is(err error) bool {
	var e *Error
	return errors.As(err, &e)
}
