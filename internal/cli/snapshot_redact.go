package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kraftctl/internal/snapfile"
	"kraftctl/internal/term"
	"kraftctl/shell"
)

func newSnapshotRedact(e *Env) *cobra.Command {
	var out, output string
	c := &cobra.Command{
		Use:   "redact PATH --out PATH",
		Short: "Copy metadata without its secrets",
		Long: `Copy a snapshot or segment without its secrets, so that it can be given to others;
of a directory the whole metadata log, but not the indexes, which a node makes
anew. Salts and keys of SCRAM credentials become zeros, values of configurations
that may be passwords or keys become ***. All else stays: batches without secrets
byte by byte, in the others offsets, times and attributes.

Names of users, topics and hosts are not secrets, nor are delegation tokens, whose
secret is not in the metadata. A record that cannot be decoded and may hold a
secret is replaced by a NoOpRecord. Nothing is ever overwritten.

Exit codes: 0 copied, 2 wrong usage, 3 PATH cannot be read, is damaged, or writing
failed, 4 refused since there is something at --out.`,
		Example: `  kraftctl snapshot redact /var/lib/kafka --out /tmp/for-support
  kraftctl snapshot redact 00000000000000000412-0000000003.checkpoint --out shared.checkpoint`,
		Args: onePath,
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return term.Usagef("--out is missing: name the copy")
			}
			if err := checkOutput(output); err != nil {
				return err
			}
			return snapshotRedact(c.Context(), e, args[0], out, output)
		},
	}
	c.Flags().StringVar(&out, "out", "", "the copy: a file for a file, a directory for a directory")
	outputFlag(c, &output)
	return c
}

// redactedFile is what snapshot redact prints as JSON for each file.
type redactedFile struct {
	Path       string `json:"path"`
	Batches    int64  `json:"batches"`
	Rewritten  int64  `json:"rewritten"`
	Secrets    int64  `json:"secrets"`
	Unreadable int64  `json:"unreadable"`
	TornBytes  int64  `json:"tornBytes"`
}

func snapshotRedact(ctx context.Context, e *Env, path, out, output string) error {
	info, err := e.FS.Stat(path)
	if err != nil {
		return err
	}
	var done []*snapfile.Redacted
	if info.IsDir() {
		done, err = snapfile.RedactDir(ctx, e.FS, path, out)
	} else {
		var one *snapfile.Redacted
		if one, err = snapfile.Redact(ctx, e.FS, path, out); err == nil {
			done = append(done, one)
		}
	}
	if err != nil {
		return writeError(err)
	}
	files := []redactedFile{}
	var text strings.Builder
	for _, r := range done {
		files = append(files, redactedFile(*r))
		fmt.Fprintf(&text, "%s: %s taken out, %d of %d batches rewritten", shell.Clean(r.Path), count(r.Secrets, "secret"), r.Rewritten, r.Batches)
		if r.Unreadable > 0 {
			fmt.Fprintf(&text, ", %s that cannot be read replaced", count(r.Unreadable, "record"))
		}
		if r.TornBytes > 0 {
			fmt.Fprintf(&text, ", %s at the end left out", count(r.TornBytes, "byte"))
		}
		text.WriteString("\n")
	}
	if output == "json" {
		return printJSON(e, files)
	}
	return write(e, text.String())
}
