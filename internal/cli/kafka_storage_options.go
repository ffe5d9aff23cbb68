package cli

import (
	"kraftctl/internal/argparse"
	"kraftctl/internal/feature"
)

// kafkaStorageParser is the command line of kafka-storage 4.4.0. The sentences
// are Kafka's (see NOTICE).
func kafkaStorageParser() *argparse.Parser {
	config := argparse.Option{Names: []string{"--config", "-c"}, Required: true, Help: "The Kafka configuration file to use."}
	versions := "The minimum is " + feature.MinimumMetadataVersion.String() + "; the default is " + feature.LatestProduction.String()
	return &argparse.Parser{
		Prog:          "kafka-storage",
		Description:   "The Kafka storage tool.",
		FileArguments: true,
		Commands: []argparse.Command{
			{Name: "info", Help: "Get information about the Kafka log directories on this node.", Options: []argparse.Option{config}},
			{
				Name: "format", Help: "Format the Kafka log directories on this node.",
				Options: []argparse.Option{
					config,
					{Names: []string{"--cluster-id", "-t"}, Required: true, Help: "The cluster ID to use."},
					{Names: []string{"--add-scram", "-S"}, Kind: argparse.Append, Help: "A SCRAM_CREDENTIAL to add to the __cluster_metadata log e.g.\n" +
						"'SCRAM-SHA-256=[name=alice,password=alice-secret]'\n" +
						`'SCRAM-SHA-512=[name=alice,iterations=8192,salt="N3E=",saltedpassword="YCE="]'`},
					{Names: []string{"--ignore-formatted", "-g"}, Kind: argparse.StoreTrue,
						Help: "When this option is passed, the format command will skip over already formatted directories rather than failing."},
					{Names: []string{"--release-version", "-r"}, Help: "The release version to use for the initial feature settings. " + versions +
						". Note: formatted directories are not forward-compatible — the broker version must be greater than or equal to the" +
						" kafka-storage tool that formatted the directory, regardless of this setting."},
					{Names: []string{"--feature", "-f"}, Kind: argparse.Append,
						Help: "The setting to use for a specific feature, in feature=level format. For example: `kraft.version=1`."},
					{Names: []string{"--standalone", "-s"}, Kind: argparse.StoreTrue, Group: 1,
						Help: "Used to initialize a controller as a single-node dynamic quorum. When setting this flag, the controller.quorum.voters" +
							" config must not be set, and controller.quorum.bootstrap.servers is set instead."},
					{Names: []string{"--no-initial-controllers", "-N"}, Kind: argparse.StoreTrue, Group: 1,
						Help: "Used to initialize a server without specifying a dynamic quorum. When setting this flag, the controller.quorum.voters" +
							" config should not be set, and controller.quorum.bootstrap.servers is set instead."},
					{Names: []string{"--initial-controllers", "-I"}, Group: 1,
						Help: "Used to initialize a server with the specified dynamic quorum. The argument is a comma-separated list of" +
							" id@hostname:port:directory. The same values must be used to format all nodes. For example:\n" +
							"0@example.com:8082:JEXY6aqzQY-32P5TStzaFg,1@example.com:8083:MvDxzVmcRsaTz33bUuRU6A,2@example.com:8084:07R5amHmR32VDA6jHkGbTA\n" +
							". When setting this flag, the controller.quorum.voters config must not be set, and controller.quorum.bootstrap.servers is set instead."},
				},
				Groups: []argparse.Group{{}},
			},
			{
				Name: "version-mapping",
				Help: "Look up the corresponding features for a given metadata version. Using the command with no --release-version " +
					" argument will return the mapping for the latest stable metadata version",
				Options: []argparse.Option{{Names: []string{"--release-version", "-r"},
					Help: "The release version to use for the corresponding feature mapping. " + versions}},
			},
			{
				Name: "feature-dependencies",
				Help: "Look up dependencies for a given feature version. If the feature is not known or the version not yet defined," +
					" an error is thrown. Multiple features can be specified.",
				Options: []argparse.Option{{Names: []string{"--feature", "-f"}, Kind: argparse.Append, Required: true,
					Help: "The features and their versions to look up dependencies for, in feature=version format. For example: `metadata.version=5`."}},
			},
			{Name: "random-uuid", Help: "Print a random UUID."},
		},
	}
}
