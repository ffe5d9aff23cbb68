package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the release, set by the linker for release builds.
var Version = "devel"

func newVersion(e *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the Kafka releases it stands in for",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(e.Streams.Out, "kraftctl %s (%s, %s/%s)\nkafka-dump-log and kafka-storage as in Apache Kafka %s, kafka-metadata-shell as in %s\n",
				buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kafkaVersion, kafkaShellVersion)
			return err
		},
	}
}

// buildVersion is the release, or the revision that was built.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if Version != "devel" || !ok {
		return Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return Version + "-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return Version
}
