package nodeinfo

import (
	"context"
	"fmt"
	"strings"

	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// replay replays all of the metadata into an image, as the node will, and reports
// records that do not fit what is there before them. Behind a gap or damage, of
// which Collect tells, nothing can be said: records would be refused for what is
// missing.
func (v *Verdict) replay(ctx context.Context, fsys vfs.FS) error {
	for i := range v.Report.Directories {
		d := &v.Report.Directories[i]
		if !d.MetadataLog {
			continue
		}
		line, err := timeline.Open(fsys, d.Path)
		if err != nil {
			continue // Collect has told that it cannot be read
		}
		s, err := line.At(ctx, timeline.Latest)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		v.replayProblems(s)
	}
	return nil
}

// replayProblems reports the first record of a file that does not fit, and counts
// the others.
func (v *Verdict) replayProblems(s *timeline.State) {
	told := map[string]int{}
	for _, p := range s.Problems {
		switch p.Rule {
		case timeline.RuleReplay:
			if strings.HasPrefix(p.Text, "FeatureLevelRecord:") {
				continue // a metadata version that is not known, which Collect judges by the target
			}
			if i, ok := told[p.File]; ok {
				v.Reasons[i].More++
				continue
			}
			told[p.File] = len(v.Reasons)
			k := kindsByID[metadataReplay]
			problem := Problem{k.Severity, k.ID, p.File, fmt.Sprintf("the record at offset %d does not fit what is there before it: %s", p.Offset, p.Text), k.Remedy}
			v.Reasons = append(v.Reasons, Reason{Problem: problem, Source: FromStorage, Position: p.Pos})
		case timeline.RuleOpen, timeline.RuleUnfinish:
		default:
			return
		}
	}
}
