package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"kraftctl/internal/feature"
	"kraftctl/internal/nodetemplate"
	"kraftctl/internal/term"
)

// newStorageTemplate prints the configuration of a new node.
func newStorageTemplate(e *Env) *cobra.Command {
	var o nodetemplate.Options
	var target string
	c := &cobra.Command{
		Use:   "template",
		Short: "Print a complete, commented configuration for a new node",
		Long: `Print a complete server.properties for a new node, with a comment at each
setting, ready for "kraftctl storage format" once what is marked CHANGE-ME is
filled in.

With --quorum HOST:PORT,... the quorum is dynamic (KIP-853): controllers can be
added and removed later. With --quorum ID@HOST:PORT,... it is static.`,
		Example: `  kraftctl storage template --roles broker,controller --node-id 1 --quorum localhost:9093 --log-dirs /var/lib/kafka > server.properties
  kraftctl storage template --roles controller --node-id 3 --host c3.example.com --quorum 1@c1.example.com:9093,2@c2.example.com:9093,3@c3.example.com:9093
  kraftctl storage template --roles broker --node-id 11 --quorum c1.example.com:9093 --security sasl-tls --sasl-mechanism SCRAM-SHA-512`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := release(target)
			if err != nil {
				return err
			}
			if !c.Flags().Changed("node-id") {
				return term.Usagef("--node-id is missing: each node of a cluster has its own")
			}
			if o.BrokerPort < 1 || o.ControllerPort < 1 {
				return term.Usagef("--broker-port and --controller-port are from 1 to 65535")
			}
			o.AutoJoin = r.Production >= feature.V4_2_IV1
			o.NoShareGroups = r.Production < feature.V4_0_IV0
			text, err := nodetemplate.Render(o)
			if err != nil {
				return asUsage(err)
			}
			return write(e, text)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringSliceVar(&o.Roles, "roles", nil, "what the node is: broker, controller, or broker,controller")
	f.Int32Var(&o.NodeID, "node-id", 0, "its id, unique in the cluster")
	f.StringSliceVar(&o.Quorum, "quorum", nil, "the controllers: HOST:PORT,... (dynamic quorum) or ID@HOST:PORT,... (static quorum)")
	f.StringSliceVar(&o.LogDirs, "log-dirs", []string{"/var/lib/kafka"}, "directories for partitions and the metadata log")
	f.StringVar(&o.MetadataLogDir, "metadata-log-dir", "", "a directory of its own for the metadata log")
	f.StringVar(&o.Host, "host", "", "the name under which others reach the node (default localhost)")
	f.IntVar(&o.BrokerPort, "broker-port", 9092, "port for clients and brokers")
	f.IntVar(&o.ControllerPort, "controller-port", 9093, "port for the quorum")
	f.StringVar(&o.Security, "security", nodetemplate.Securities[0], "how listeners are protected: "+strings.Join(nodetemplate.Securities, ", "))
	f.StringVar(&o.Mechanism, "sasl-mechanism", "SCRAM-SHA-512", "with SASL: "+strings.Join(nodetemplate.Mechanisms, ", "))
	f.StringVar(&o.Rack, "rack", "", "the rack of a broker")
	targetFlag(f, &target, "the release of Kafka that is to start")
	return c
}
