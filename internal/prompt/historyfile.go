package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kraftctl/internal/vfs"
)

const (
	// historyPerm: what somebody looked for is nobody else's business.
	historyPerm = 0o600
	// maxHistoryBytes is how much of the end of a history file is read.
	maxHistoryBytes = 4 << 20
	// maxHistoryLine: longer lines are not kept in the file.
	maxHistoryLine = 64 << 10
)

// historyFile keeps lines over sessions, one in a line of the file. Every line
// is appended in one write as it is entered, so that sessions at the same time
// do not take each other's lines, and a killed one loses none. Lines that begin
// with a blank are never kept; so a blank in front marks what is written as a Go
// string because it has control characters in it.
type historyFile struct {
	fsys vfs.FS
	name string
	max  int
	// lines in the file when it was read
	lines int
	warn  func(error)
}

// load reads the last lines of the file, none if it is not there.
func (f *historyFile) load() []string {
	if f == nil {
		return nil
	}
	data, err := f.tail()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			f.warn(fmt.Errorf("the history cannot be read: %w", err))
			f.name = "" // and it must not be replaced by what we have
		}
		return nil
	}
	lines := parseHistory(data)
	f.lines = len(lines)
	return lines[max(0, len(lines)-f.max):]
}

// tail reads the end of the file.
func (f *historyFile) tail() (data []byte, err error) {
	file, err := vfs.OpenRegular(f.fsys, f.name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	size, err := vfs.Size(file)
	if err != nil {
		return nil, err
	}
	from := max(0, size-maxHistoryBytes)
	data = make([]byte, min(size, maxHistoryBytes))
	n, err := file.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	data = data[:n]
	if from > 0 { // a part of a line
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data, nil
}

// parseHistory reads lines. What could not have been written is left out.
func parseHistory(data []byte) []string {
	var lines []string
	for _, s := range strings.Split(string(data), "\n") {
		s = strings.TrimSuffix(s, "\r")
		if strings.HasPrefix(s, ` "`) {
			var err error
			if s, err = strconv.Unquote(s[1:]); err != nil {
				continue
			}
		} else if !plain(s) {
			continue
		}
		if s == "" || s[0] == ' ' || s[0] == '\t' || len(s) > maxHistoryLine {
			continue
		}
		lines = append(lines, s)
	}
	return lines
}

// plain lines stand in the file as they are.
func plain(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

// format is the line of a file for a line.
func formatHistory(line string) string {
	if plain(line) {
		return line + "\n"
	}
	return " " + strconv.Quote(line) + "\n"
}

// append adds a line. It is no reason to end a session if that fails: it is told
// once, and no more is written.
func (f *historyFile) append(line string) {
	if f == nil || f.name == "" || len(line) > maxHistoryLine {
		return
	}
	if err := f.write(formatHistory(line)); err != nil {
		f.warn(fmt.Errorf("the history is no longer kept: %w", err))
		f.name = ""
		return
	}
	f.lines++
}

func (f *historyFile) write(text string) (err error) {
	if info, err := f.fsys.Stat(f.name); errors.Is(err, fs.ErrNotExist) {
		if err := f.fsys.MkdirAll(filepath.Dir(f.name), 0o700); err != nil {
			return err
		}
	} else if err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: f.name, Err: vfs.ErrNotRegular}
	}
	file, err := f.fsys.OpenAppend(f.name, historyPerm)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	_, err = file.Write([]byte(text))
	return err
}

// compact rewrites a file that has grown to twice its bound. Lines that another
// session appends at this very moment may be lost, no others.
func (f *historyFile) compact() {
	if f == nil || f.name == "" || f.lines <= 2*f.max {
		return
	}
	data, err := f.tail()
	if err == nil {
		lines := parseHistory(data)
		lines = lines[max(0, len(lines)-f.max):]
		var b bytes.Buffer
		for _, s := range lines {
			b.WriteString(formatHistory(s))
		}
		if err = vfs.WriteFileAtomic(f.fsys, f.name, b.Bytes(), historyPerm); err == nil {
			f.lines = len(lines)
		}
	}
	if err != nil {
		f.warn(fmt.Errorf("the history cannot be shortened: %w", err))
	}
}
