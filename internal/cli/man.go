package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"kraftctl/internal/term"
)

// newMan writes the manual pages of all commands. It needs the root command.
func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write the manual pages of all commands to a directory",
		Example: `  kraftctl man /usr/local/share/man/man1
  man kraftctl-dump-log`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "kraftctl", Manual: "kraftctl manual"}, args[0])
			if err != nil {
				return &term.Error{Code: term.Unreadable, Err: err, Path: args[0], Offset: -1}
			}
			return nil
		},
	}
}
