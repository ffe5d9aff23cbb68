package dumplog

import (
	"fmt"
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
	RuleGap       Rule = "offset-gap"
	RuleIndex     Rule = "index-mismatch"
	RuleTimeIndex Rule = "timeindex-mismatch"
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

// String gives one line.
func (f Finding) String() string {
	var s strings.Builder
	if f.File != "" {
		s.WriteString(f.File + ": ")
	}
	switch f.Rule {
	case RuleChecksum:
		fmt.Fprintf(&s, "at byte %d: batch at offset %d: checksum is %d, its bytes give %d", f.Pos, f.Offset, f.Got, f.Want)
	case RuleSkipped:
		fmt.Fprintf(&s, "bytes %d to %d hold no batch and were skipped", f.Pos, f.End)
		if f.Err != nil {
			fmt.Fprintf(&s, " (%v)", f.Err)
		}
	case RuleTail:
		fmt.Fprintf(&s, "at byte %d: %d bytes after the last whole batch", f.Pos, f.Got)
	case RuleZeros:
		fmt.Fprintf(&s, "at byte %d: %d bytes of zeros after the last batch", f.Pos, f.Got)
	case RuleTruncated:
		fmt.Fprintf(&s, "was cut from %d to %d bytes while it was followed", f.Want, f.Got)
	case RuleGap:
		fmt.Fprintf(&s, "offset %d is followed by %d", f.Want, f.Got)
	default:
		if f.Err != nil {
			return f.Err.Error()
		}
		fmt.Fprintf(&s, "%s: expected %d, found %d", f.Rule, f.Want, f.Got)
	}
	return s.String()
}

func damageFinding(b *decode.Batch, err error) Finding {
	return Finding{Rule: RuleDamage, Pos: b.Position, Offset: b.BaseOffset, Err: err}
}
