package kafkaconfig

import (
	"slices"
	"sync"
)

// Type is how the text of a key is read.
type Type uint8

// The types of Kafka's ConfigDef.
const (
	Boolean Type = iota
	String
	Int
	Short
	Long
	Double
	List
	Class
	Password
)

var typeNames = [...]string{"BOOLEAN", "STRING", "INT", "SHORT", "LONG", "DOUBLE", "LIST", "CLASS", "PASSWORD"}

// String is Kafka's name of the type.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "UNKNOWN"
}

// Releases is a set of the releases in ReleaseNames; bit i is that of number i.
type Releases uint8

// ReleaseNames are the releases whose keys are known, oldest first.
func ReleaseNames() []string { return []string{"3.9.1", "4.0.0", "4.3.1", "4.4.0"} }

const (
	current        = 3 // 4.4.0 in ReleaseNames
	currentRelease = Releases(1 << current)
)

// Names lists the releases of the set, oldest first.
func (r Releases) Names() []string {
	var out []string
	for i, n := range ReleaseNames() {
		if r&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// Current reports whether 4.4.0 is in the set.
func (r Releases) Current() bool { return r&currentRelease != 0 }

// Definition is what Kafka says about a key: 4.4.0, or for a key that is gone
// the last release that knew it.
type Definition struct {
	Name        string
	Type        Type
	Default     string // as text; empty if there is none, or null
	Required    bool   // there is no default
	NullDefault bool   // the default is null
	Validator   string // in Kafka's words, empty if any value of the type will do
	Internal    bool   // Kafka does not document the key
	Releases    Releases

	check check
}

// Sensitive reports whether values must not be shown.
func (d Definition) Sensitive() bool { return d.Type == Password }

// Definitions lists all keys: first those of 4.4.0 in the order in which it
// checks them, then those of older releases only.
func Definitions() []Definition { return slices.Clone(definitions[:]) }

// Lookup finds the definition of a key.
func Lookup(key string) (Definition, bool) {
	if i, ok := byName()[key]; ok {
		return definitions[i], true
	}
	return Definition{}, false
}

var byName = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(definitions))
	for i := range definitions {
		m[definitions[i].Name] = i
	}
	return m
})
