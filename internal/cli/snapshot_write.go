package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"kraftctl/internal/feature"
	"kraftctl/internal/image"
	"kraftctl/internal/snapfile"
	"kraftctl/internal/term"
	"kraftctl/internal/timeline"
	"kraftctl/shell"
)

// snapshotWriteOptions are the flags of kraftctl snapshot write.
type snapshotWriteOptions struct {
	at              string
	out             string
	metadataVersion string
	dropLoss        bool
	force           bool
	output          string
}

func newSnapshotWrite(e *Env) *cobra.Command {
	o := &snapshotWriteOptions{}
	c := &cobra.Command{
		Use:   "write PATH --out FILE|DIRECTORY",
		Short: "Write a snapshot out of a snapshot and the log behind it",
		Long: `Write a snapshot of the metadata in a file or directory, as of an offset that it
holds: a file that Kafka loads, with the voters and kraft.version of that offset.
In a directory it gets the name that Kafka gives it, END-OFFSET and EPOCH.

The file is written under a temporary name, synced, and read back before it takes
its name; one that is there is never overwritten.

With --metadata-version the records are those of another metadata version. What an
older one cannot express is refused, or left out with --drop-loss. Metadata that is
not complete, has records that do not fit, or ends within a batch of records, is
refused, or written as far as it goes with --force.

Exit codes: 0 written, 2 wrong usage, 3 PATH cannot be read or writing failed,
4 refused.`,
		Example: `  kraftctl snapshot write /var/lib/kafka --out /backup/
  kraftctl snapshot write /var/lib/kafka --at 1000 --out before.checkpoint
  kraftctl snapshot write big.checkpoint --metadata-version 4.0 --drop-loss --out /tmp/`,
		Args: onePath,
		RunE: func(c *cobra.Command, args []string) error {
			return o.run(c.Context(), e, args[0])
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.at, "at", "latest", "with all records up to and with this offset")
	f.StringVar(&o.out, "out", "", "the file that is written, or the directory that it is written into")
	f.StringVar(&o.metadataVersion, "metadata-version", "", "write it for this metadata version, as 4.0 or 4.0-IV3 (default: its own)")
	f.BoolVar(&o.dropLoss, "drop-loss", false, "leave out what the metadata version cannot express")
	f.BoolVar(&o.force, "force", false, "write it even if the metadata is not complete")
	outputFlag(c, &o.output)
	return c
}

func (o *snapshotWriteOptions) run(ctx context.Context, e *Env, path string) error {
	if o.out == "" {
		return term.Usagef("--out is missing: name the file to be written, or a directory")
	}
	if err := checkOutput(o.output); err != nil {
		return err
	}
	offset, err := parseOffset(o.at)
	if err != nil {
		return err
	}
	var version feature.MetadataVersion
	if o.metadataVersion != "" {
		if version, err = feature.ByName(o.metadataVersion, feature.LatestProduction, feature.LatestTesting); err != nil {
			return term.Usagef("--metadata-version: %w", err)
		}
	}
	state, err := readState(ctx, e.FS, path, offset)
	if err != nil {
		return err
	}
	if err := o.sound(state); err != nil {
		return err
	}
	w, err := snapfile.Write(ctx, e.FS, o.out, state, snapfile.WriteOptions{Version: version, DropLoss: o.dropLoss, Now: func() int64 { return time.Now().UnixMilli() }})
	if err != nil {
		return writeError(err)
	}
	return o.report(e, w)
}

// sound refuses metadata that is not complete.
func (o *snapshotWriteOptions) sound(s *timeline.State) error {
	why := ""
	if p, found := firstProblem(s, isLasting); found {
		why = shell.Clean(p.String())
	}
	if why == "" && !s.Aligned() {
		why = fmt.Sprintf("offset %d is in the middle of a batch: a node that goes on from there cannot get the rest of it", s.Offset())
	}
	if why == "" || o.force {
		return nil
	}
	return &term.Error{Code: term.Refused, Err: errors.New(why), Offset: -1, Hint: "Use --force to write what there is all the same."}
}

// writeError gives errors of writing their exit codes.
func writeError(err error) error {
	var lost *image.LossError
	switch {
	case errors.As(err, &lost):
		return &term.Error{Code: term.Refused, Err: err, Offset: -1, Hint: "Use --drop-loss to leave that out."}
	case errors.Is(err, snapfile.ErrNoVersion):
		return &term.Error{Code: term.Refused, Err: err, Offset: -1, Hint: "Name one with --metadata-version."}
	case errors.Is(err, fs.ErrExist):
		c := term.Classify(err)
		return &term.Error{Code: term.Refused, Err: err, Path: c.Path, Offset: -1, Hint: "Nothing is ever overwritten: remove it, or choose another name."}
	}
	return err
}

// writtenSnapshot is what snapshot write prints as JSON.
type writtenSnapshot struct {
	Path            string   `json:"path"`
	EndOffset       int64    `json:"endOffset"`
	Epoch           int32    `json:"epoch"`
	MetadataVersion string   `json:"metadataVersion"`
	Records         int64    `json:"records"`
	Bytes           int64    `json:"bytes"`
	StateHash       string   `json:"stateHash"`
	Lost            []string `json:"lost"`
}

func (o *snapshotWriteOptions) report(e *Env, w *snapfile.Written) error {
	r := writtenSnapshot{w.Path, w.EndOffset, w.Epoch, w.Version.String(), w.Records, w.Bytes, w.Hash.String(), []string{}}
	for _, l := range w.Lost {
		r.Lost = append(r.Lost, l.String())
	}
	if o.output == "json" {
		return printJSON(e, r)
	}
	text := fmt.Sprintf("%s: %s, %s of metadata.version %s, state hash %s\n", shell.Clean(r.Path), count(r.Bytes, "byte"), count(r.Records, "record"), r.MetadataVersion, r.StateHash)
	for _, l := range r.Lost {
		text += "left out: " + shell.Clean(l) + "\n"
	}
	return write(e, text)
}
