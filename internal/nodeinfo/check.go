package nodeinfo

import (
	"context"
	"fmt"
	"slices"

	"kraftctl/internal/fsck"
	"kraftctl/internal/vfs"
)

// CheckOptions say what is checked.
type CheckOptions struct {
	Options
	// Fsck are the options of the check of all files; SkipFsck leaves it out.
	Fsck     fsck.Options
	SkipFsck bool
}

// Verdict is the answer to the question whether a node will start.
type Verdict struct {
	OK bool `json:"ok"` // no reason is an error
	// Reasons are what speaks against it: errors, then warnings.
	Reasons []Reason `json:"reasons"`
	Report  *Report  `json:"report"`
	// Files and Bytes tell how much fsck has looked at.
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
}

// The sources of reasons.
const (
	FromConfig  = "config"
	FromStorage = "storage"
	FromFsck    = "fsck"
)

// Reason is something that keeps a node from starting, or that a person should
// look at before.
type Reason struct {
	Problem
	// Source is where the ID belongs: "config" or "storage" to Catalogue, "fsck" to
	// fsck.Catalogue.
	Source string `json:"source"`
	// Position is the byte in the file, -1 where it has no meaning.
	Position int64 `json:"position"`
	// More counts further findings of the kind in the same file.
	More int64 `json:"more,omitempty"`
}

// Check tells whether a node will start: what Collect finds, and every file of
// the directories checked by fsck. The error is that of ctx only.
func Check(ctx context.Context, fsys vfs.FS, o CheckOptions) (*Verdict, error) {
	report, err := Collect(ctx, fsys, o.Options)
	if err != nil {
		return nil, err
	}
	v := &Verdict{Report: report, Reasons: []Reason{}}
	for _, p := range report.Problems {
		if p.Severity == Note {
			continue
		}
		source := FromStorage
		if isConfigKind(p.ID) {
			source = FromConfig
		}
		v.Reasons = append(v.Reasons, Reason{Problem: p, Source: source, Position: -1})
	}
	if err := v.replay(ctx, fsys); err != nil {
		return nil, err
	}
	if !o.SkipFsck {
		if err := v.fsck(ctx, fsys, o.Fsck); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return bySeverity(a.Problem, b.Problem) })
	v.OK = len(v.Reasons) == 0 || v.Reasons[0].Severity != Error
	return v, nil
}

func isConfigKind(id string) bool {
	return slices.ContainsFunc(configKinds, func(k KindOfProblem) bool { return k.ID == id })
}

// told are the rules of fsck about what Collect reports itself, knowing the
// configuration: its word counts.
var told = map[fsck.ID]bool{
	"meta-properties-malformed": true, "meta-properties-missing": true, "meta-properties-version": true,
	"directory-id-missing": true, "directory-id-reserved": true, "directory-id-duplicate": true,
	"cluster-id-mismatch": true, "node-id-mismatch": true,
	"quorum-state-malformed": true, "quorum-state-missing": true, "quorum-state-behind": true,
	"metadata-log-twice": true, "dir-name": true, "bootstrap-in-partition": true,
}

// twins are rules of fsck and the problem that is the same: where Collect has
// reported the problem for the file, fsck's finding says nothing new.
var twins = map[fsck.ID][]string{
	"snapshot-header":    {snapshotDamaged, snapshotIncomplete, bootstrapDamaged},
	"snapshot-footer":    {snapshotIncomplete, snapshotDamaged, bootstrapDamaged},
	"snapshot-truncated": {snapshotIncomplete, snapshotDamaged, bootstrapDamaged},
	"snapshot-missing":   {metadataGap},
	"batch-crc":          {snapshotDamaged, metadataDamaged, bootstrapDamaged},
	"log-hole":           {snapshotDamaged, metadataDamaged, bootstrapDamaged},
	"tail-garbage":       {snapshotDamaged, metadataDamaged, bootstrapDamaged},
	"file-unreadable":    {dirUnreadable, metaUnreadable, metadataUnreadable, quorumUnreadable},
	"file-name":          {snapshotName},
	"tail-zeros-active":  {metadataTorn},
	"tail-torn":          {metadataDamaged},
	"batch-magic":        {metadataDamaged, snapshotDamaged},
}

// fsck checks all files, and takes over what is not told already.
func (v *Verdict) fsck(ctx context.Context, fsys vfs.FS, o fsck.Options) error {
	var paths []string
	for i := range v.Report.Directories {
		if d := &v.Report.Directories[i]; d.Mode != "" && d.State != StateNotFormatted {
			paths = append(paths, d.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	r, _ := fsck.Check(ctx, fsys, paths, o) // a path that cannot be read is reported already
	if err := ctx.Err(); err != nil {
		return err
	}
	v.Files, v.Bytes = r.Files, r.Bytes
	known := map[[2]string]bool{}
	for _, p := range v.Report.Problems {
		known[[2]string{p.ID, cleanPath(p.Path)}] = true
	}
	for _, f := range r.Findings {
		if f.Severity() == fsck.Info || told[f.Rule] || isTold(known, f) {
			continue
		}
		rule, _ := fsck.Lookup(f.Rule)
		severity := Warning
		if f.Severity() == fsck.Error {
			severity = Error
		}
		v.Reasons = append(v.Reasons, Reason{Source: FromFsck, Position: f.Position, More: f.More,
			Problem: Problem{severity, string(f.Rule), f.File, findingText(rule, f), trimStop(rule.Action)}})
	}
	return nil
}

// isTold reports whether Collect has reported the same.
func isTold(known map[[2]string]bool, f fsck.Finding) bool {
	for _, id := range twins[f.Rule] {
		if known[[2]string{id, cleanPath(f.File)}] {
			return true
		}
	}
	return false
}

// findingText is what fsck found, in one sentence.
func findingText(rule fsck.Rule, f fsck.Finding) string {
	text := rule.Title + ": " + f.Message
	if f.Want != "" {
		text += ", expected " + f.Want
	}
	if f.Got != "" {
		text += ", found " + f.Got
	}
	if f.Position >= 0 {
		text += fmt.Sprintf(" (byte %d)", f.Position)
	}
	if f.More > 0 {
		text += fmt.Sprintf(", and %d more of the kind", f.More)
	}
	return text
}
