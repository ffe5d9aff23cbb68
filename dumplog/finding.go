package dumplog

import (
	"fmt"
	"io/fs"
	"strings"

	"kraftctl/decode"
)

// Rule names a kind of finding.
type Rule string

// The rules that a dump checks on its way. fsck knows many more.
const (
	RuleChecksum  Rule = "batch-checksum"
	RuleDamage    Rule = "batch-damage"
	RuleSkipped   Rule = "bytes-skipped"
	RuleTail      Rule = "trailing-bytes"
	RuleZeros     Rule = "trailing-zeros"
	RuleTruncated Rule = "file-truncated"
	RuleReplaced  Rule = "file-replaced"
	RuleGap       Rule = "offset-gap"
	RuleIndex     Rule = "index-mismatch"
	RuleTimeIndex Rule = "timeindex-mismatch"
	RuleTxnIndex  Rule = "txnindex-mismatch"
	RuleCorrupt   Rule = "corrupt-file"
	RuleUnread    Rule = "unreadable-file"
)

// Finding is something that is wrong in a file.
type Finding struct {
	File   string
	Rule   Rule
	Pos    int64 // byte position, -1 when it has no meaning
	End    int64 // end of the range, 0 when there is none
	Offset int64 // offset of the batch or record, -1 unknown
	Want   int64
	Got    int64
	Err    error
}

// String gives one line, which starts with the file.
func (f Finding) String() string {
	text := f.text()
	if f.File == "" || strings.HasPrefix(text, f.File+": ") {
		return text
	}
	return f.File + ": " + text
}

func (f *Finding) text() string {
	switch f.Rule {
	case RuleChecksum:
		return fmt.Sprintf("at byte %d: batch at offset %d: checksum is %d, its bytes give %d", f.Pos, f.Offset, f.Got, f.Want)
	case RuleSkipped:
		text := fmt.Sprintf("bytes %d to %d hold no batch and were skipped", f.Pos, f.End)
		if f.Err != nil {
			text += " (" + strings.TrimPrefix(f.cause(), f.File+": ") + ")"
		}
		return text
	case RuleTail:
		return fmt.Sprintf("at byte %d: %d bytes after the last whole batch", f.Pos, f.Got)
	case RuleZeros:
		return fmt.Sprintf("at byte %d: %d bytes of zeros after the last batch", f.Pos, f.Got)
	case RuleTruncated:
		return fmt.Sprintf("was cut or written anew while it was followed: from %d bytes to %d; goes on at byte %d", f.Want, f.Got, f.Pos)
	case RuleReplaced:
		if f.Err == nil {
			return "was replaced by another file while it was followed; that is read from its start"
		}
	}
	if f.Err != nil {
		return f.cause()
	}
	if f.Rule == RuleGap {
		return fmt.Sprintf("offset %d is followed by %d", f.Want, f.Got)
	}
	return fmt.Sprintf("%s: expected %d, found %d", f.Rule, f.Want, f.Got)
}

// cause is the text of the error. What the system says about a file ("open x: no
// such file") is told without the call that failed: nobody made it by hand.
func (f *Finding) cause() string {
	if e, ok := f.Err.(*fs.PathError); ok { //nolint:errorlint // a wrapped one says more
		if e.Path == f.File || f.File == "" {
			return e.Err.Error()
		}
		return e.Path + ": " + e.Err.Error()
	}
	return f.Err.Error()
}

func damageFinding(b *decode.Batch, err error) Finding {
	return Finding{Rule: RuleDamage, Pos: b.Position, Offset: b.BaseOffset, Err: err}
}
