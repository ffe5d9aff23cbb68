package argparse

import (
	"strings"
	"unicode/utf8"
)

const filePrefix = "@"

// maxFileArguments bounds what argument files can add. A file that names
// itself makes Kafka's tools run out of memory; here it cannot be read.
const maxFileArguments = 1 << 20

// arguments is a command line that is read from left to right. A file is read
// when its turn comes: behind -h a missing one does not matter.
type arguments struct {
	list   []string // what is left
	prefix bool     // whether "@name" is a file
	read   func(name string) ([]byte, error)
	ready  bool // the current argument has been looked at
	added  int
	tail   int // arguments behind the last one that came from a file, or -1
	any    bool
}

// errFile is a file that cannot be read.
type errFile string

func (e errFile) Error() string { return "Could not read arguments from file '" + string(e) + "'" }

// current is the next argument. The error is a *CrashError or an errFile.
func (a *arguments) current() (arg string, ok bool, err error) {
	for !a.ready && a.prefix && len(a.list) > 0 && len(a.list[0]) > 1 && strings.HasPrefix(a.list[0], filePrefix) {
		name := strings.TrimLeft(a.list[0], filePrefix)
		lines, ok := a.lines(name)
		if !ok {
			return "", false, errFile(name)
		}
		rest := a.list[1:]
		if len(lines)+len(rest) == 0 {
			return "", false, &CrashError{"java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0"}
		}
		a.tail, a.any = len(rest), true
		a.list = append(lines, rest...)
	}
	if len(a.list) == 0 {
		return "", false, nil
	}
	a.ready = true
	return a.list[0], true, nil
}

// skip goes to the next argument.
func (a *arguments) skip() {
	if len(a.list) > 0 {
		a.list = a.list[1:]
	}
	a.ready = false
}

// rest are the arguments from the current one on. Files among them stay as
// they are.
func (a *arguments) rest() []string { return a.list }

// hint is added when an argument that makes no sense came from a file.
func (a *arguments) hint() string {
	if a.any && len(a.list) > a.tail {
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
	text := strings.ReplaceAll(decode(data), "\r\n", "\n")
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n")
	var out []string
	if len(data) > 0 {
		if a.added += strings.Count(text, "\n") + 1; a.added > maxFileArguments {
			return nil, false
		}
		out = strings.Split(text, "\n")
	}
	return out, true
}

// firstUnit is the first character of a text and its length in bytes.
func firstUnit(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

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
