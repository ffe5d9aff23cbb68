package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"kraftctl/decode/control"
	"kraftctl/internal/snapfile"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
)

func newSnapshotInfo(e *Env) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "info PATH",
		Short: "Verify a snapshot, or the metadata of a directory, and show what is in it",
		Long: `Verify a snapshot, a segment, or the latest metadata of a directory: checksums, a
snapshot's header, footer, offsets and epochs, that all records can be decoded,
and that each fits what was there before it. Then show header, end offset, epoch,
time, kraft.version, voters, metadata version, features, the hash of the state,
and how many records and bytes of each type there are.

The hash is the same for two copies of a cluster's metadata that are in the same
state, however they came to it.

Exit codes: 0 sound, 1 something is wrong with it, 2 wrong usage, 3 it cannot be
read at all.`,
		Example: `  kraftctl snapshot info /var/lib/kafka/__cluster_metadata-0/00000000000000000412-0000000003.checkpoint
  kraftctl snapshot info /var/lib/kafka -o json | jq -r .stateHash`,
		Args: onePath,
		RunE: func(c *cobra.Command, args []string) error {
			if output != "table" && output != "json" {
				return term.Usagef("--output %s: it is table or json", output)
			}
			return snapshotInfo(c.Context(), e, args[0], output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "table", "table, or json")
	return c
}

// onePath is for commands that work on one file or directory.
func onePath(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return term.Usagef("name one file or directory with metadata, not %d", len(args))
	}
	return nil
}

// snapshotReport is what snapshot info prints as JSON.
type snapshotReport struct {
	OK                bool               `json:"ok"`
	Path              string             `json:"path"`
	Snapshot          string             `json:"snapshot,omitempty"`
	Header            *snapshotHeader    `json:"header"`
	Footer            bool               `json:"footer"`
	EndOffset         int64              `json:"endOffset"`
	Epoch             int32              `json:"epoch"`
	Time              string             `json:"time,omitempty"`
	KRaftVersion      int16              `json:"kraftVersion"`
	Voters            []snapshotVoter    `json:"voters"`
	MetadataVersion   string             `json:"metadataVersion,omitempty"`
	MetadataLevel     int16              `json:"metadataLevel"`
	Features          map[string]int16   `json:"features"`
	StateHash         string             `json:"stateHash"`
	Batches           int64              `json:"batches"`
	Records           int64              `json:"records"`
	Bytes             int64              `json:"bytes"`
	Types             []snapshotType     `json:"types"`
	Topics            int                `json:"topics"`
	Partitions        int                `json:"partitions"`
	Problems          []timeline.Problem `json:"problems"`
	ProblemsNotListed int                `json:"problemsNotListed,omitempty"`
}

type snapshotHeader struct {
	LastContainedLogTimestamp int64 `json:"lastContainedLogTimestamp"`
}

type snapshotVoter struct {
	ID          int32    `json:"id"`
	DirectoryID string   `json:"directoryId"`
	Endpoints   []string `json:"endpoints"`
}

type snapshotType struct {
	Type    string `json:"type"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`
}

func snapshotInfo(ctx context.Context, e *Env, path, output string) error {
	r, err := snapfile.Inspect(ctx, e.FS, path)
	if err != nil {
		return sourceError(path, err)
	}
	report := newSnapshotReport(r)
	if output == "json" {
		err = printJSON(e, report)
	} else {
		err = report.print(e)
	}
	if err == nil && !report.OK {
		err = term.Exit(term.NotFine)
	}
	return err
}

func newSnapshotReport(r *snapfile.Report) *snapshotReport {
	s := r.State
	p := s.Image.Provenance()
	out := &snapshotReport{
		OK: !slices.ContainsFunc(r.Problems, isWrong), Path: r.Path, Snapshot: r.Snapshot, Footer: r.Footer, EndOffset: s.End, Epoch: p.Epoch, Time: timeText(s.Time),
		KRaftVersion: s.KRaftVersion, Voters: []snapshotVoter{}, Features: map[string]int16{}, StateHash: s.Image.Hash().String(),
		Batches: r.Batches, Records: r.Records, Bytes: r.Bytes, Types: []snapshotType{},
		Topics: s.Image.Topics().Len(), Partitions: s.Image.PartitionCount(), Problems: []timeline.Problem{}, ProblemsNotListed: r.More,
	}
	if r.Header {
		out.Header = &snapshotHeader{r.HeaderTime}
	}
	if s.Voters != nil {
		for i := range s.Voters.Voters {
			out.Voters = append(out.Voters, newSnapshotVoter(&s.Voters.Voters[i]))
		}
	}
	if v, ok := s.Image.MetadataVersion(); ok {
		out.MetadataVersion, out.MetadataLevel = v.String(), int16(v)
	}
	for name, level := range s.Image.Features().All() {
		out.Features[name] = level
	}
	for _, t := range r.Types {
		out.Types = append(out.Types, snapshotType(t))
	}
	out.Problems = append(out.Problems, r.Problems...)
	return out
}

func newSnapshotVoter(v *control.Voter) snapshotVoter {
	out := snapshotVoter{v.VoterID, v.VoterDirectoryID.String(), []string{}}
	for _, e := range v.Endpoints {
		out.Endpoints = append(out.Endpoints, e.Name+"://"+e.Host+":"+strconv.Itoa(int(e.Port)))
	}
	return out
}

// isWrong tells problems from what a running node leaves for a moment: a snapshot
// that it is writing, and a transaction that it has begun.
func isWrong(p timeline.Problem) bool {
	return isLasting(p) && p.Rule != timeline.RuleOpen
}

// isLasting tells problems from a snapshot that a running node is writing.
func isLasting(p timeline.Problem) bool { return p.Rule != timeline.RuleUnfinish }

// firstProblem is the first problem of a state that counts.
func firstProblem(s *timeline.State, counts func(timeline.Problem) bool) (p timeline.Problem, found bool) {
	if i := slices.IndexFunc(s.Problems, counts); i >= 0 {
		return s.Problems[i], true
	}
	return p, false
}

// print shows the report to a person.
func (r *snapshotReport) print(e *Env) error {
	var b bytes.Buffer
	row := func(label, value string) { fmt.Fprintf(&b, "%-18s%s\n", label, shell.Clean(value)) }
	if r.Snapshot != "" {
		row("Snapshot", filepath.Base(r.Snapshot))
	}
	if r.Header != nil {
		row("Header", "last contained record of "+timeText(r.Header.LastContainedLogTimestamp))
	}
	if r.Snapshot != "" || r.Footer {
		row("Footer", map[bool]string{true: "yes", false: "missing"}[r.Footer])
	}
	row("End offset", strconv.FormatInt(r.EndOffset, 10))
	row("Epoch", strconv.Itoa(int(r.Epoch)))
	row("Time", r.Time)
	row("kraft.version", strconv.Itoa(int(r.KRaftVersion)))
	for _, v := range r.Voters {
		row("Voter", fmt.Sprintf("%d, directory %s, %s", v.ID, v.DirectoryID, strings.Join(v.Endpoints, " ")))
	}
	if r.MetadataVersion != "" {
		row("metadata.version", fmt.Sprintf("%s (level %d)", r.MetadataVersion, r.MetadataLevel))
	} else {
		row("metadata.version", "none")
	}
	names := make([]string, 0, len(r.Features))
	for name := range r.Features {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		row("Feature", name+" "+strconv.Itoa(int(r.Features[name])))
	}
	row("Topics", fmt.Sprintf("%d with %s", r.Topics, count(int64(r.Partitions), "partition")))
	row("Content", fmt.Sprintf("%s, %s in %d batches", count(r.Bytes, "byte"), count(r.Records, "record"), r.Batches))
	row("State hash", r.StateHash)
	var rows [][]string
	for _, t := range r.Types {
		rows = append(rows, []string{t.Type, strconv.FormatInt(t.Records, 10), strconv.FormatInt(t.Bytes, 10)})
	}
	if len(rows) > 0 {
		b.WriteString("\n")
		if err := term.Table(&b, []string{"TYPE", "RECORDS", "BYTES"}, rows, []bool{false, true, true}); err != nil {
			return err
		}
	}
	if len(r.Problems) > 0 {
		b.WriteString("\n")
	}
	for _, p := range r.Problems {
		severity := e.Streams.Paint("error", color.FgRed)
		if !isWrong(p) {
			severity = e.Streams.Paint("note", color.FgCyan)
		}
		b.WriteString(severity + ": " + shell.Clean(p.String()) + "\n")
	}
	if r.ProblemsNotListed > 0 {
		fmt.Fprintf(&b, "and %d more\n", r.ProblemsNotListed)
	}
	_, err := b.WriteTo(e.Streams.Out)
	return ignorePipe(err)
}
