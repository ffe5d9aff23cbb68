package nodeinfo

import (
	"path/filepath"
	"slices"

	"kraftctl/internal/feature"
	"kraftctl/internal/kafkaconfig"
)

// Options say what is looked at.
type Options struct {
	// Config is the configuration of the node; nil if there is none, or if
	// ConfigErr says why it cannot be used.
	Config     *kafkaconfig.Config
	ConfigErr  error
	ConfigFile string // its name, for problems
	// Dirs are the directories when Config is nil.
	Dirs []string
	// Target is the release that shall start on the storage; nil is the latest.
	Target *feature.Release
	// Partitions sums up the files of all partitions, which takes a moment for
	// each thousand of them.
	Partitions bool
}

// roles names the roles.
func roles(r kafkaconfig.Roles) []string {
	var out []string
	if r.Broker {
		out = append(out, "broker")
	}
	if r.Controller {
		out = append(out, "controller")
	}
	return out
}

// directories lists the directories to look at, each once, sorted as Kafka
// shows them.
func (o *Options) directories() []string {
	list := o.Dirs
	if o.Config != nil {
		list = o.Config.Dirs()
	}
	var out []string
	seen := map[string]bool{}
	for _, d := range list {
		if clean := filepath.Clean(d); d != "" && !seen[clean] {
			seen[clean] = true
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return out
}
