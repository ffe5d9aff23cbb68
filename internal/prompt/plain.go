package prompt

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"kraftctl/shell"
)

// MaxLine bounds a line of NewPlain, in bytes.
const MaxLine = 1 << 20

// ErrLineTooLong is what ReadLine returns for a line longer than MaxLine. The
// next call goes on behind it.
var ErrLineTooLong = errors.New("line too long")

// PlainOptions say how lines are read from what is no terminal.
type PlainOptions struct {
	// Prompt: prompts are written. They are not without it.
	Prompt bool
	// Kafka: a last line without its end is dropped, and references to older lines
	// are expanded, as Kafka's shell does with its standard input.
	Kafka bool
}

// NewPlain reads lines from a stream, such as a pipe or a script. Nothing is
// echoed. A line ends with \n or \r\n, the last one also with the stream. Close
// does not close the stream.
func NewPlain(r io.Reader, w io.Writer, o PlainOptions) shell.LineReader {
	return &plainReader{in: bufio.NewReaderSize(r, 64<<10), out: w, o: o, history: history{max: DefaultHistoryLines, jline: o.Kafka}}
}

type plainReader struct {
	in      *bufio.Reader
	out     io.Writer
	o       PlainOptions
	number  int
	history history
	closed  bool
}

// ReadLine gives the next line.
func (p *plainReader) ReadLine(prompt string) (string, error) {
	if p.closed {
		return "", io.EOF
	}
	if p.o.Prompt {
		if _, err := io.WriteString(p.out, prompt); err != nil {
			return "", fmt.Errorf("cannot write the prompt: %w", err)
		}
	}
	p.number++
	line, ended, err := p.next()
	if err != nil {
		return "", err
	}
	if p.o.Kafka {
		if !ended {
			return "", io.EOF
		}
		if expanded, err := Expand(line, p.history.first, p.history.lines); err == nil {
			line = expanded
		}
	}
	p.history.add(line)
	return line, nil
}

// next reads a line; ended is false for a last one without its end.
func (p *plainReader) next() (line string, ended bool, err error) {
	var b []byte
	long := false
	for {
		part, err := p.in.ReadSlice('\n')
		if long = long || len(b)+len(part) > MaxLine+2; !long {
			b = append(b, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil:
			ended = true
		case errors.Is(err, io.EOF):
			if len(b) == 0 && !long {
				return "", false, io.EOF
			}
		default:
			return "", false, fmt.Errorf("cannot read line %d: %w", p.number, err)
		}
		break
	}
	b = bytes.TrimSuffix(b, []byte("\n"))
	if ended {
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	if long || len(b) > MaxLine {
		return "", ended, fmt.Errorf("line %d: %w: more than %d bytes", p.number, ErrLineTooLong, MaxLine)
	}
	return string(b), ended, nil
}

// History gives the lines that were read.
func (p *plainReader) History() (first int, lines []string) {
	return p.history.first, append([]string(nil), p.history.lines...)
}

// Close ends the reader.
func (p *plainReader) Close() error {
	p.closed = true
	return nil
}
