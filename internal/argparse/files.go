package argparse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const filePrefix = "@"

// maxFileArguments bounds what argument files can add. With a file that names
// itself Kafka's tools run until memory is used up; here it cannot be read.
const maxFileArguments = 1 << 16

// arguments is a command line that is read from left to right. A file is read
// when its turn comes: behind -h a missing one does not matter.
type arguments struct {
	stack []string // what is left, the current one last, so that a file is pushed cheaply
	files bool     // whether "@name" is a file
	read  func(name string) ([]byte, error)
	ready bool // the current argument is no file, or one that was meant as it is
	added int  // by files
	any   bool // whether a file was read
	tail  int  // arguments behind the last one that came from a file
}

// push puts arguments before those that are left.
func (a *arguments) push(list []string) {
	for _, s := range slices.Backward(list) {
		a.stack = append(a.stack, s)
	}
}

// errFile is a file that cannot be read.
type errFile string

func (e errFile) Error() string { return "Could not read arguments from file '" + string(e) + "'" }

// current is the next argument. The error is a *CrashError or an errFile.
func (a *arguments) current() (arg string, ok bool, err error) {
	for {
		if len(a.stack) == 0 {
			return "", false, nil
		}
		arg = a.stack[len(a.stack)-1]
		if a.ready || !a.files || arg == filePrefix || !strings.HasPrefix(arg, filePrefix) {
			a.ready = true
			return arg, true, nil
		}
		name := strings.TrimLeft(arg, filePrefix)
		lines, ok := a.lines(name)
		if !ok {
			return "", false, errFile(name)
		}
		a.skip()
		if len(lines)+len(a.stack) == 0 {
			return "", false, &CrashError{"java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0"}
		}
		if !a.any || len(a.stack) < a.tail {
			a.tail = len(a.stack)
		}
		a.any = true
		a.push(lines)
	}
}

// skip goes to the next argument.
func (a *arguments) skip() {
	if n := len(a.stack); n > 0 {
		a.stack = a.stack[:n-1]
	}
	a.ready = false
}

// rest are the arguments from the current one on. Files among them stay as
// they are.
func (a *arguments) rest() []string {
	out := slices.Clone(a.stack)
	slices.Reverse(out)
	return out
}

// hint is added when an argument that makes no sense came from a file.
func (a *arguments) hint() string {
	if a.any && len(a.stack) > a.tail {
		return "\nChecking trailing white spaces or new lines in " + filePrefix + "file may help."
	}
	return ""
}

// lines are the arguments in a file, one a line. Lines end as they do for
// Java's BufferedReader: with a line feed, a carriage return, or both.
func (a *arguments) lines(name string) ([]string, bool) {
	if a.read == nil {
		return nil, false
	}
	data, err := a.read(name)
	if err != nil {
		return nil, false
	}
	if len(data) == 0 {
		return nil, true
	}
	text := strings.ReplaceAll(decode(data), "\r\n", "\n")
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n")
	if a.added += strings.Count(text, "\n") + 1; a.added > maxFileArguments {
		return nil, false
	}
	return strings.Split(text, "\n"), true
}

// decode reads UTF-8 and puts a replacement character where Java does: one for
// the beginning of a character that does not go on.
func decode(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			n = broken(data)
		}
		b.WriteRune(r)
		data = data[n:]
	}
	return b.String()
}

// broken is how many bytes at the start of data were meant as one character.
func broken(data []byte) int {
	lo, hi, size := byte(0x80), byte(0xbf), 1
	switch c := data[0]; {
	case c >= 0xc2 && c <= 0xdf:
		size = 2
	case c >= 0xe0 && c <= 0xef:
		size = 3
		if c == 0xe0 {
			lo = 0xa0
		}
	case c >= 0xf0 && c <= 0xf4:
		size = 4
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for ; n < size && n < len(data) && data[n] >= lo && data[n] <= hi; n++ {
		lo, hi = 0x80, 0xbf
	}
	return n
}
