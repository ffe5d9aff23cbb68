package timeline

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"kraftctl/decode/corrupt"
	"kraftctl/internal/vfs"
)

// Problem is something that keeps the metadata from being complete or certain.
type Problem struct {
	// Rule is that of fsck's catalogue which is broken, where there is one:
	// batch-crc, metadata-gap.
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Pos    int64  `json:"position"` // byte position in the file; -1 when it has no meaning
	Offset int64  `json:"offset"`   // in the log; -1 when it has no meaning
	Text   string `json:"text"`
}

// Rules that fsck has no name for.
const (
	RuleReplay   = "metadata-replay"     // a record that does not fit what was there
	RuleOpen     = "transaction-open"    // a metadata transaction has no end
	RuleUnfinish = "snapshot-unfinished" // a snapshot that was not written to its end
	RuleSnapshot = "snapshot-malformed"  // what a snapshot has to have is missing
	RuleNone     = "no-metadata"         // there are no metadata records
)

// String is one line.
func (p Problem) String() string {
	s := p.File
	if p.Pos >= 0 {
		s += ": byte " + strconv.FormatInt(p.Pos, 10)
	}
	if p.Offset >= 0 {
		s += ": offset " + strconv.FormatInt(p.Offset, 10)
	}
	return s + ": " + p.Text + " (" + p.Rule + ")"
}

// maxProblems is how many problems are kept; of a file of noise there would be one
// for each record.
const maxProblems = 100

// problems gathers problems.
type problems struct {
	list []Problem
	more int
}

func (p *problems) add(x Problem) {
	if len(p.list) >= maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, x)
}

// addf adds a problem about a place.
func (p *problems) addf(rule, file string, pos, offset int64, format string, args ...any) {
	p.add(Problem{rule, file, pos, offset, fmt.Sprintf(format, args...)})
}

// readError tells why batches could not be read any further.
func readError(file string, pos, offset int64, err error) Problem {
	var damage *corrupt.Error
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Problem{"tail-torn", file, pos, offset, "it ends in the middle of a batch"}
	case errors.As(err, &damage):
		text := damage.What
		if damage.Want != "" {
			text += ": expected " + damage.Want
			if damage.Got != "" {
				text += ", found " + damage.Got
			}
		}
		rule := "batch-header"
		switch damage.What {
		case "checksum of the batch":
			rule = "batch-crc"
		case "batch":
			rule = "batch-magic"
		}
		if damage.Pos >= 0 {
			pos = damage.Pos
		}
		return Problem{rule, file, pos, offset, text}
	}
	return Problem{"file-unreadable", file, -1, offset, "it cannot be read: " + vfs.Cause(err).Error()}
}
