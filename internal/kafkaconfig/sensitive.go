package kafkaconfig

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed harmless.txt
var harmlessNames string

// harmless are the configs that Kafka knows and whose values are no secrets.
var harmless = sync.OnceValue(func() map[string]struct{} {
	known := map[string]struct{}{}
	for name := range strings.Lines(harmlessNames) {
		if name = strings.TrimSpace(name); name != "" && name[0] != '#' {
			known[name] = struct{}{}
		}
	}
	return known
})

// Sensitive reports whether the value of a dynamic config of this name may be a
// secret: of a topic, a broker, a group or client metrics. As for Kafka's own
// redactor, all are that Kafka does not know: those of plugins, and of newer
// versions. What a broker is told for one of its listeners is judged by the name
// behind the listener's.
func Sensitive(name string) bool {
	known := harmless()
	if rest, ok := strings.CutPrefix(name, "listener.name."); ok {
		_, name, _ = strings.Cut(rest, ".")
		if _, sasl, _ := strings.Cut(name, "."); strings.HasPrefix(sasl, "sasl.") {
			name = sasl // behind the mechanism
		}
	}
	_, ok := known[name]
	return !ok
}
