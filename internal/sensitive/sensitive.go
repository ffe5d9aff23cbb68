// Package sensitive tells which configurations must not be shown, since their
// values may be passwords or keys.
package sensitive

import (
	_ "embed"
	"strings"
	"sync"
)

// Mask stands in place of a secret.
const Mask = "***"

//go:embed configs.txt
var configNames string

// harmlessConfigs are the configs that Kafka knows and whose values are no secrets.
var harmlessConfigs = sync.OnceValue(func() map[string]struct{} {
	known := map[string]struct{}{}
	for name := range strings.Lines(configNames) {
		if name = strings.TrimSpace(name); name != "" && name[0] != '#' {
			known[name] = struct{}{}
		}
	}
	return known
})

// Config reports whether the value of a config of this name may be a
// secret. As for Kafka's own redactor, all are that Kafka does not know: those
// of plugins, and of newer versions. What a broker is told for one of its
// listeners is judged by the name behind the listener's.
func Config(name string) bool {
	known := harmlessConfigs()
	if rest, ok := strings.CutPrefix(name, "listener.name."); ok {
		_, name, _ = strings.Cut(rest, ".")
		if _, sasl, _ := strings.Cut(name, "."); strings.HasPrefix(sasl, "sasl.") {
			name = sasl // behind the mechanism
		}
	}
	_, ok := known[name]
	return !ok
}
